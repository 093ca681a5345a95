"""Bodies shaken by hand, for jiggles to follow."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Pose, Recording
from mummer.clip import Sampled
from mummer.math import quaternion


def shaken(
    body: Character, *, seconds: float = 2.0, yaw: float = 0.5, bounce: float = 0.05, travel: float = 0.0,
    pitch: float = 0.0, rate: float = 60.0,
) -> Sampled:  # fmt: skip
    """The body at rest, its root turned to and fro once a second, moved up and down, travelling ahead, and leaning."""
    times = np.arange(round(seconds * rate) + 1) / rate
    rest = Pose.rest(body.skeleton)
    rotations = np.repeat(rest.rotations[None], len(times), axis=0)
    swing = np.zeros((len(times), 3))
    swing[:, 1] = yaw * np.sin(2 * np.pi * times)
    lean = np.array([pitch, 0.0, 0.0])
    turn = quaternion.multiply(quaternion.exp(swing), quaternion.exp(lean))
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    root = np.repeat(np.asarray(rest.root_translation)[None], len(times), axis=0)
    height = body.anatomy.height if body.anatomy is not None else 1.0
    root[:, 1] += bounce * height * np.sin(4 * np.pi * times)
    root[:, 2] += travel * times
    return Sampled(body, Recording.from_poses("shaken", times, Pose(rotations, root), frame_rate=rate))
