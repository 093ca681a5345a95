"""Angles held in range without a jump anywhere: the arithmetic that every kind of limit shares."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray

FADE = 0.25
"""Where the cosine of half the swing is below this (beyond 151°) a twist is hardly known, and fades out."""
WHOLE_CIRCLE_SLACK = 1e-6


def hold_on_circle(angle: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """``angle`` (...) held between ``low`` and ``high``, radians, on the circle.

    Outside, the nearer end holds, except that across the part of the gap that lies opposite the range the answer
    runs from one end to the other, so that no small turn makes a jump. Inside, the angle is returned within half a
    circle of the middle of the range.
    """
    middle, half = (low + high) / 2, (high - low) / 2
    offset = np.remainder(angle - middle + np.pi, 2 * np.pi) - np.pi
    gap = np.maximum(np.pi - half, WHOLE_CIRCLE_SLACK)
    # 1 for half the way from an end of the range to the point opposite its middle, then falling to 0 there.
    from_opposite = np.clip(2 * (np.pi - np.abs(offset)) / gap, 0, 1)
    held = np.where(np.abs(offset) <= half, offset, np.sign(offset) * half * from_opposite)
    return np.asarray(middle + np.where(is_whole_circle(low, high), offset, held))


def is_whole_circle(low: FloatArray, high: FloatArray) -> BoolArray:
    """(...) whether a range of radians leaves nothing out."""
    return np.asarray(high - low >= 2 * (np.pi - WHOLE_CIRCLE_SLACK))


def fade(angle: FloatArray, low: FloatArray, high: FloatArray, amount: FloatArray) -> FloatArray:
    """``angle`` (...) drawn to the angle of its range nearest to rest as ``amount`` (...) goes from 1 to 0.

    A range of a whole circle has no ends to draw from; no continuous answer exists there, and none is tried.
    """
    calm = np.clip(0.0, low, high)
    return np.where(is_whole_circle(low, high), angle, calm + amount * (angle - calm))


def fade_amount(delta: FloatArray, axis: FloatArray, farthest_swing: FloatArray) -> FloatArray:
    """How far to trust the twist of ``delta`` (..., 4) about ``axis`` (..., 3): 1 normally, 0 where none shows.

    A swing by half a circle hides the twist, and near it the smallest change turns the twist right round.

    Args:
        delta: (..., 4) unit quaternions.
        axis: (..., 3) unit.
        farthest_swing: (...) radians that the limit itself allows; up to there nothing fades.
    """
    known = np.hypot(np.vecdot(delta[..., :3], axis), delta[..., 3])
    start = np.minimum(FADE, 0.999 * np.cos(np.minimum(farthest_swing, np.pi) / 2))
    return np.where(start > 1e-9, np.minimum(known / np.maximum(start, 1e-9), 1), 1.0)
