"""Which joints of a moving body nothing moves."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray
from mummer.character import Character, Pose
from mummer.general.jiggle.flexibility import kinds_of
from mummer.math import quaternion

STILL = 2e-3
"""Radians that a joint may turn in a clip and still count as not moved."""
SPARSE = 2
"""Of the steps of a simulation every so many is looked at to find that out."""


def still_joints(pose: Pose) -> BoolArray:
    """(J,) joints that keep their rotations through (T,) poses."""
    turned = np.abs(quaternion.dot(pose.rotations[::SPARSE], pose.rotations[:1]))
    return np.asarray(np.all(turned > np.cos(STILL / 2), axis=0))


def idle_joints(character: Character, pose: Pose) -> BoolArray:
    """(J,) joints that may swing by themselves: loose parts that nothing moves in (T,) poses, nor anything on them.

    What may swing is told by the kind of limb, see `mummer.general.jiggle.flexibility`.
    """
    still = still_joints(pose)
    parents = character.skeleton.parents
    for joint in range(len(parents) - 1, 0, -1):
        if parents[joint] >= 0 and not still[joint]:
            still[parents[joint]] = False
    loose = np.array([kind is not None for kind in kinds_of(character)])
    loose[parents < 0] = False
    return still & loose
