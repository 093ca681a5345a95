"""Mirror: left for right, or across a plane of the world."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray, locked
from mummer.character.marks import Mark
from mummer.clip.frames import Frames
from mummer.clip.mirror_maps import MirrorMaps
from mummer.clip.operated import Operated
from mummer.clip.sides import other_side
from mummer.clip.turning import exchange_rotations, run
from mummer.errors import UnknownNameError
from mummer.math import quaternion

Across = Literal["side", "x", "y", "z"]
ACROSS: tuple[Across, ...] = ("side", "x", "y", "z")


@dataclass(frozen=True, eq=False, repr=False)
class Mirror(Operated):
    """The clip as a mirror beside the body shows it: what the left side did, the right does.

    How far a joint is turned from rest, seen in the rest pose's world, is reflected and given to its mirror partner,
    so the frames of partners need not be mirror images. The way of the root is reflected across the plane through the
    world's origin along the body's front and up. Morphs and marks with sides in their names change sides. Twice is the
    original.

    Attributes:
        across: ``side`` for the plane along the body's front and up, or the axis of the world, ``x``, ``y`` or ``z``,
            across which all that happens is reflected: what walked to the front walks to the back across ``z``.
    """

    across: Across = "side"

    def __post_init__(self) -> None:
        _ = self.anatomy
        if self.across not in ACROSS:
            raise UnknownNameError("Mirror", "axis", self.across, ACROSS)

    @cached_property
    def _turn(self) -> FloatArray:
        """(4,) what a reflection to the side lacks to one across the axis: a turn by twice the angle between both."""
        if self.across == "side":
            return np.array([0.0, 0.0, 0.0, 1.0])
        normal = np.eye(3)["xyz".index(self.across)]
        side = self.anatomy.left if self.anatomy.left @ normal >= 0 else -self.anatomy.left
        axis = np.cross(side, normal)
        return np.array([*axis, side @ normal]) / np.linalg.norm([*axis, side @ normal])

    @cached_property
    def _maps(self) -> MirrorMaps:
        return MirrorMaps.of(self.body.skeleton, self.anatomy)

    @cached_property
    def defined(self) -> BoolArray:
        """(J,) the partners of what the operand moves."""
        return locked(self.clip.defined[self.anatomy.mirror], bool)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The operand's marks with their sides exchanged."""
        return tuple(sorted(dataclasses.replace(mark, name=other_side(mark.name)) for mark in self.clip.marks))

    @cached_property
    def _morph_sources(self) -> IntArray:
        names = self.body.morph_names
        places = {name: place for place, name in enumerate(names)}
        return np.array([places.get(other_side(name), place) for place, name in enumerate(names)], np.int64)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        made, maps = self.clip.frames(times), self._maps
        run(exchange_rotations, made.rotations, maps.sources, maps.rotations)
        if made.translations is not None:
            made.translations[:] = maps.translated(made.translations)
        elif self.defined[0]:
            made.root[:] = maps.reflected(made.root)
        if made.scales is not None:
            made.scales = maps.scaled(made.scales)
        if made.morphs is not None and made.morphs.shape[1] == len(self._morph_sources):
            made.morphs = made.morphs[:, self._morph_sources]
        self._rest_undefined_roots(made)
        self._turn_roots(made)
        return made

    def _turn_roots(self, made: Frames) -> None:
        roots = [root for root in self.body.skeleton.roots if self.defined[root]] if self.across != "side" else []
        for root in roots:
            made.rotations[:, root] = quaternion.multiply(self._turn, made.rotations[:, root])
            if made.translations is not None:
                made.translations[:, root] = quaternion.rotate(self._turn, made.translations[:, root])
            elif root == 0:
                made.root[:] = quaternion.rotate(self._turn, made.root)

    def _rest_undefined_roots(self, made: Frames) -> None:
        """The rest pose may stand beside the plane; what nobody moves stays there."""
        if made.translations is not None:
            for root in self.body.skeleton.roots:
                if not self.defined[root]:
                    made.translations[:, root] = self.body.skeleton.rest_translations[root]
