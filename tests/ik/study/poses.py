"""Random poses within a body's limits."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose, clamp
from mummer.ik.rigid_body import RigidBody
from mummer.math import quaternion


def random_poses(body: RigidBody, random: np.random.Generator, count: int, bend: FloatArray) -> Pose:
    """``count`` poses that a body can take, its root where it is by default.

    Args:
        body: any body.
        random: where chance comes from.
        count: how many.
        bend: (count,) radians that a free joint turns from rest, about; limits cut it off.
    """
    joints = len(body.skeleton)
    turns = random.normal(size=(count, joints, 3)) * (bend[:, None, None] / np.sqrt(3))
    # A few joints bent far are harder than all of them bent a little.
    turns *= random.choice([0.15, 1.0, 2.0], p=[0.5, 0.4, 0.1], size=(count, joints, 1))
    base = within_limits(body, body.character.default_pose.broadcast_to((count,)))
    rotations = quaternion.multiply(base.rotations, quaternion.exp(turns))
    rotations[:, 0] = base.rotations[:, 0]
    return within_limits(body, base.replace(rotations=quaternion.normalize(rotations)))


def within_limits(body: RigidBody, pose: Pose) -> Pose:
    """The pose turned back into the limits, its scales and morphs as they were."""
    return clamp(body.limits, body.skeleton, pose)


def moved_root(body: RigidBody, random: np.random.Generator, pose: Pose, *, travels: bool) -> Pose:
    """The poses with their roots turned, and carried elsewhere if ``travels``."""
    count = len(pose)
    rotations, height = pose.rotations.copy(), body.height
    turn = quaternion.exp(random.normal(size=(count, 3)) * 0.4)
    rotations[:, 0] = quaternion.normalize(quaternion.multiply(turn, rotations[:, 0]))
    assert pose.root_translation is not None
    travel = random.normal(size=(count, 3)) * (0.3 * height) if travels else np.zeros((count, 3))
    return within_limits(body, pose.replace(rotations=rotations, root_translation=pose.root_translation + travel))
