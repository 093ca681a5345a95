"""From generalised turns to rotations of one joint, and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.general.modes.look import look_turns
from mummer.general.modes.mode import RotationMode
from mummer.general.modes.target import Target
from mummer.general.part_frames import part_frames
from mummer.general.physique import Physique
from mummer.kernels import quaternions
from mummer.math import quaternion

AXIAL = np.array([1.0, -1.0, -1.0])
"""What mirroring across the middle plane does to an axis of rotation."""


@dataclass(frozen=True, eq=False)
class RotationMap:
    """q = before · exp(g) · after.

    Attributes:
        before: (T, 4) or (1, 4) where turns are counted from, in character space.
        after: (4,) from there to the joint.
        mirror: whether a movement made for the left side is played on the right.
    """

    before: FloatArray
    after: FloatArray
    mirror: bool

    def specialize(self, general: FloatArray) -> FloatArray:
        """(T, 4) character_from_joint from (T, 3) rotation vectors, radians about left, up and ahead."""
        turn = quaternions.exp(general * AXIAL if self.mirror else general)
        return quaternions.multiply(quaternions.multiply(self.before, turn), self.after)

    def generalize(self, rotations: FloatArray) -> FloatArray:
        """(T, 3) rotation vectors no longer than pi from (T, 4) character_from_joint."""
        turn = quaternions.multiply(
            quaternions.multiply(quaternions.conjugate(self.before), rotations), quaternions.conjugate(self.after)
        )
        general = quaternions.log(np.where(turn[..., 3:] < 0, -turn, turn))
        return general * AXIAL if self.mirror else general


def rotation_map(
    physique: Physique,
    joint: int,
    mode: RotationMode,
    *,
    mirror: bool = False,
    target: Target | None = None,
) -> RotationMap:
    """The map of one joint under one mode.

    Args:
        physique: the body.
        joint: which of its joints.
        mode: what about the turn matters.
        mirror: whether a movement made for the left side is to be played on the right.
        target: what the mode looks at (see `rest_target`), at the T moments that the map will be asked for, or one.

    Raises:
        InputError: if the mode needs a target that is not there.
    """
    rest, part = physique.rotations[joint], part_frames(physique)[joint]
    if mode.relative == "rest":
        return RotationMap(quaternion.IDENTITY[None], rest, mirror)
    part_from_joint = quaternions.multiply(quaternions.conjugate(part), rest)
    if mode.relative == "absolute":
        return RotationMap(quaternion.IDENTITY[None], part_from_joint, mirror)
    if target is None:
        raise InputError("a rotation mode looks toward something but no target was given")
    way = target.positions - physique.positions[joint]
    turns = look_turns(part, way, mode.comfortable, mode.furthest)
    return RotationMap(quaternions.multiply(turns, part), part_from_joint, mirror)
