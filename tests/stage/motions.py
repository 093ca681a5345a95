"""Small motions of zoo bodies for the stage's tests."""

from __future__ import annotations

import numpy as np

import mummer as mm
from mummer.character import Pose
from mummer.clip import Clip, Keyed
from mummer.math import quaternion


def posed(name: str = "adult", **turns: tuple[float, float, float]) -> Pose:
    """The standing pose of a body with some joints turned by rotation vectors in the world at rest."""
    body = mm.zoo.body(name)
    pose = body.default_pose
    for joint, vector in turns.items():
        index = body.skeleton.index(joint)
        pose = pose.with_rotation(index, quaternion.multiply(quaternion.exp(np.array(vector)), pose.rotations[index]))
    return pose


def held(pose: Pose, name: str = "adult", seconds: float = 1.0) -> Clip:
    """A pose that is held."""
    return Keyed(mm.zoo.body(name)).with_pose(0, pose).with_pose(seconds, pose)


def moved(start: Pose, end: Pose, name: str = "adult", seconds: float = 1.0) -> Clip:
    """From one pose to another, and back to it."""
    body = mm.zoo.body(name)
    return Keyed(body).with_pose(0, start).with_pose(0.5 * seconds, end).with_pose(seconds, start)
