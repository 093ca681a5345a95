"""What is carried over beside rotations: morphs by what they show, scales of joints, feet that hang from elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose, world_transforms
from mummer.character.face import find_face
from mummer.clip.frames import Frames
from mummer.clip.standing import fill_translations
from mummer.math import quaternion
from mummer.retarget import columns
from mummer.retarget.transfer import Transfer


@dataclass(frozen=True, eq=False)
class Carried:
    """What goes from frames of the source to frames of the target beside rotations.

    Attributes:
        transfer: between the bodies.
        morphs: (n, 2) morphs of the target and the morphs of the source that show the same.
        detached: legs of the target, by their places in the transfer, whose foot does not hang from the lower leg.
    """

    transfer: Transfer
    morphs: IntArray
    detached: tuple[int, ...]

    @classmethod
    def of(cls, transfer: Transfer) -> Carried:
        """What can be carried between two bodies."""
        detached = tuple(np.flatnonzero(transfer.leg_joints[:, columns.ABOVE_FOOT] < 0).tolist())
        return cls(transfer, _morph_pairs(transfer.source.character, transfer.target.character), detached)

    def complete(self, made: Frames, given: Frames) -> None:
        """Fill in morphs and scales of ``made`` from ``given``, and put detached feet at the ends of their legs."""
        target = self.transfer.target
        if given.morphs is not None and len(self.morphs):
            made.morphs = np.zeros((len(made), len(target.character.morph_names)))
            made.morphs[:, self.morphs[:, 0]] = given.morphs[:, self.morphs[:, 1]]
        if given.scales is not None:
            made.scales = self._scales(given.scales)
        if target.carrier != 0:
            fill_translations(made, target.character)
            assert made.translations is not None
            made.translations[:, target.carrier] = made.root
            made.translations[:, 0] = target.skeleton.rest_translations[0]
        if self.detached:
            self._attach(made)

    def _scales(self, scales: FloatArray) -> FloatArray | None:
        """Scales of the target's joints that have a counterpart: as many times larger than at rest, or None if none."""
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
        target, numbers = self.transfer.target, self.transfer.leg_numbers
        fill_translations(made, target.character)
        assert made.translations is not None
        local = np.ascontiguousarray(made.translations * target.above[:, None])
        local[:, 0] = made.translations[:, 0]
        rigid = target.skeleton if target.skeleton.is_rigid else _without_scales(target.skeleton)
        places, turns = world_transforms(rigid, Pose(made.rotations, None, local))
        for place in self.detached:
            leg = self.transfer.legs[place].target
            point = numbers[place, columns.ANKLE : columns.ANKLE + 3]
            ankle = places[:, leg.lower] + quaternion.rotate(turns[:, leg.lower], point)
            above = int(target.skeleton.parents[leg.foot])
            if above < 0:
                made.translations[:, leg.foot] = ankle
            else:
                seen = quaternion.rotate(quaternion.conjugate(turns[:, above]), ankle - places[:, above])
                made.translations[:, leg.foot] = seen / target.above[leg.foot]
        made.root = made.translations[:, 0]


def _without_scales(skeleton):  # type: ignore[no-untyped-def]
    import dataclasses

    return dataclasses.replace(skeleton, rest_scales=np.ones((len(skeleton), 3)))


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
