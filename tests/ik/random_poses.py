"""Poses for tests: random ones of any body, and poses carried elsewhere."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.character import Character, Pose
from mummer.math import quaternion


def bent(character: Character, seed: int, count: int, amount: float = 0.3) -> Pose:
    """``count`` poses with every joint turned by about ``amount`` radians, the root moved by decimetres."""
    random = np.random.default_rng(seed)
    base = Pose.rest(character.skeleton, (count,))
    turns = quaternion.exp(random.normal(size=(count, len(character.skeleton), 3)) * amount)
    assert base.root_translation is not None
    return base.replace(
        rotations=quaternion.normalize(quaternion.multiply(base.rotations, turns)),
        root_translation=base.root_translation + random.normal(size=(count, 3)) * 0.1,
    )


def carried(pose: Pose, turn: npt.ArrayLike, way: npt.ArrayLike) -> Pose:
    """The poses turned about the world's origin, then moved by ``way`` in metres."""
    rotations = pose.rotations.copy()
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    assert pose.root_translation is not None
    place = quaternion.rotate(turn, pose.root_translation) + np.asarray(way)
    return pose.replace(rotations=rotations, root_translation=place)
