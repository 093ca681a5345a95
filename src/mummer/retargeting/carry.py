"""What is carried over beside rotations: morphs by what they show, scales of joints, feet that hang from elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character
from mummer.character.face import find_face
from mummer.character.holders import find_holders
from mummer.clip.frames import Frames
from mummer.clip.standing import fill_translations
from mummer.kept import kept
from mummer.kernels import fk_rigid
from mummer.math import quaternion
from mummer.retargeting.transfer import Transfer


@dataclass(frozen=True, eq=False)
class Carried:
    """What goes from frames of the source to frames of the target beside rotations.

    Attributes:
        transfer: between the bodies.
        morphs: (n, 2) morphs of the target and the morphs of the source that show the same.
        glued: joints of the target that hang from elsewhere, as feet from the root: which joint each belongs to, and
            where it is in that joint's frame at rest, metres.
    """

    transfer: Transfer
    morphs: IntArray
    glued: tuple[tuple[int, int, FloatArray], ...]

    def complete(self, made: Frames, given: Frames) -> None:
        """Fill in morphs and scales of ``made`` from ``given``, and put what hangs from elsewhere where it belongs."""
        target = self.transfer.target
        if given.morphs is not None and len(self.morphs):
            made.morphs = np.zeros((len(made), len(target.character.morph_names)))
            made.morphs[:, self.morphs[:, 0]] = given.morphs[:, self.morphs[:, 1]]
        if given.scales is not None:
            made.scales = self.scales(given.scales)
        if target.carrier != 0:
            fill_translations(made, target.character)
            assert made.translations is not None
            made.translations[:, target.carrier] = made.root
            made.translations[:, 0] = target.skeleton.rest_translations[0]
        if self.glued:
            self._attach(made)

    def scales(self, scales: FloatArray) -> FloatArray | None:
        """(T, J, 3) scales of the target, as many times those at rest as the source says, or None if none differs."""
        source, target = self.transfer.source.skeleton, self.transfer.target.skeleton
        grown = scales.mean(axis=2) / np.where(source.rest_scales == 0, 1, source.rest_scales).mean(axis=1)
        if np.all(np.abs(grown - 1.0) < 1e-4):
            return None
        made = np.repeat(target.rest_scales[None], len(scales), axis=0)
        for joint, pair in self.transfer.pairs.items():
            if pair.share == 0:
                made[:, joint] *= grown[:, pair.first, None]
        return made

    def _attach(self, made: Frames) -> None:
        target = self.transfer.target
        fill_translations(made, target.character)
        assert made.translations is not None
        places, turns = self._world(made)
        for joint, holder, point in self.glued:
            place = places[:, holder] + quaternion.rotate(turns[:, holder], point)
            above = int(target.skeleton.parents[joint])
            if above >= 0:
                seen = quaternion.rotate(quaternion.conjugate(turns[:, above]), place - places[:, above])
                made.translations[:, joint] = seen / target.above[joint]
            else:
                made.translations[:, joint] = place
            places[:, joint] = place
        made.root = made.translations[:, 0]

    def _world(self, made: Frames) -> tuple[FloatArray, FloatArray]:
        """(T, J, 3), (T, J, 4) of the target, with scales folded into lengths."""
        target = self.transfer.target
        assert made.translations is not None
        offsets = np.ascontiguousarray(made.translations * target.above[:, None])
        places, turns = fk_rigid(target.skeleton.parents, made.rotations, offsets, np.ascontiguousarray(made.root))
        return np.array(places), turns


@kept
def carried_by(transfer: Transfer) -> Carried:
    """What can be carried between two bodies, worked out once and remembered as long as the transfer is."""
    morphs = _morph_pairs(transfer.source.character, transfer.target.character)
    return Carried(transfer, morphs, tuple(_glued(transfer)))


def _glued(transfer: Transfer) -> list[tuple[int, int, FloatArray]]:
    """Joints that belong to a joint which is not above them, that, and where they are in its frame; holders first."""
    target, found = transfer.target, []
    for joint, holder in find_holders(target.skeleton, target.anatomy).items():
        if joint in transfer.pairs:
            away = target.places[joint] - target.places[holder]
            found.append((joint, holder, quaternion.rotate(quaternion.conjugate(target.turns[holder]), away)))
    return found


def _morph_pairs(source: Character, target: Character) -> IntArray:
    """(n, 2) morphs of the target and of the source with one name, in any spelling, or for one expression."""
    by_name = {_folded(name): place for place, name in enumerate(source.morph_names)}
    pairs = {place: by_name[_folded(name)] for place, name in enumerate(target.morph_names) if _folded(name) in by_name}
    theirs = find_face(source).drivers
    for expression, drivers in find_face(target).drivers.items():
        first = next((driver.morph for driver in drivers if driver.morph is not None), None)
        other = next((driver.morph for driver in theirs.get(expression, ()) if driver.morph is not None), None)
        if first is not None and other is not None:
            pairs.setdefault(first, other)
    return np.array(sorted(pairs.items()), np.int64).reshape(-1, 2)


def _folded(name: str) -> str:
    return re.sub(r"[\s_.-]+", "", name).casefold()
