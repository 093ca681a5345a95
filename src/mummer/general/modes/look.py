"""Looking at something as far as that is comfortable."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels import quaternions

AHEAD = np.array([0.0, 0.0, 1.0])
LATEST = 0.9 * np.pi
"""A part has begun to give up on a target at this angle at the latest."""


def look_turns(part: FloatArray, way: FloatArray, comfortable: float, furthest: float) -> FloatArray:
    """(T, 4) turns from rest, in character space, that make a part look along ``way`` as far as it likes to.

    Args:
        part: (4,) the frame of the part at rest, character_from_part; it points along its z axis.
        way: (T, 3) to the target, of any length.
        comfortable: radians up to which it follows fully.
        furthest: radians that it turns at most.
    """
    whole = quaternions.between_vectors(quaternions.rotate(part, AHEAD), way)
    axis_angle = quaternions.log(whole)
    angle = np.linalg.norm(axis_angle, axis=-1)
    share = soft_angle(angle, comfortable, furthest) / np.where(angle > 0, angle, 1.0)
    return quaternions.exp(axis_angle * np.where(angle > 0, share, 0.0)[..., None])


def soft_angle(angle: FloatArray, comfortable: float, furthest: float) -> FloatArray:
    """How far to turn for a target at ``angle``, radians, 0 to pi: all the way, then less, then back to rest.

    Up to ``comfortable`` the angle itself. From there it bends over to ``furthest``, and falls smoothly to zero for a
    target straight behind, where left is as good as right. The curve has no kink where ``furthest`` leaves room.
    """
    turning = min(comfortable + 2 * (furthest - comfortable), LATEST)
    turning = max(turning, comfortable + 1e-9)
    up = np.clip((angle - comfortable) / (turning - comfortable), 0.0, 1.0)
    span = turning - comfortable
    rise = comfortable + span * (up - 2 * up**2 + up**3) + (furthest - comfortable) * (3 * up**2 - 2 * up**3)
    down = np.clip((angle - turning) / (np.pi - turning), 0.0, 1.0)
    fall = furthest * (1 - down**2 * (3 - 2 * down))
    return np.where(angle <= comfortable, angle, np.where(angle <= turning, rise, fall))
