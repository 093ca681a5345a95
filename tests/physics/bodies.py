"""Motions for tests of simulation: a body that stands, and one whose arm goes up and stays."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Recording
from mummer.clip.sampled import Sampled
from mummer.math import quaternion

RATE = 60.0


def standing(body: Character, seconds: float = 1.5) -> Sampled:
    """The body as it is by itself."""
    poses = body.default_pose.broadcast_to((2,))
    return Sampled(body, Recording.from_poses("stand", np.array([0.0, seconds]), poses, frame_rate=RATE))


def bending(
    body: Character, role: str, turn: tuple[float, float, float], seconds: float = 2.0, within: float = 0.3
) -> Sampled:
    """A joint that turns within some seconds, then stays; ``turn`` is a rotation vector in its own frame."""
    assert body.anatomy is not None
    joint = body.anatomy.roles[role]
    times = np.arange(int(seconds * RATE) + 1) / RATE
    share = np.clip(times / within, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    poses = body.default_pose.broadcast_to((len(times),))
    rotations = np.array(poses.rotations)
    rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(share[:, None] * np.array(turn)))
    return Sampled(body, Recording.from_poses("bend", times, poses.replace(rotations=rotations), frame_rate=RATE))
