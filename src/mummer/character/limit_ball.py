"""A ball-and-socket joint holds its swing within an elliptic cone and its twist within a range."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limit_angles import fade, fade_amount, hold_on_circle
from mummer.math import quaternion, swing_twist

NEWTON_STEPS = 12


def clamp_ball(
    delta: FloatArray, axis: FloatArray, second_axis: FloatArray, twist_angles: FloatArray, half_angles: FloatArray
) -> FloatArray:
    """``delta`` with its twist held in range and its swing moved to the nearest point of the cone.

    Args:
        delta: (..., n, 4) how n joints are turned from rest.
        axis: (n, 3) unit, along the limb.
        second_axis: (n, 3) unit, across ``axis``.
        twist_angles: (n, 2) lowest and highest, radians.
        half_angles: (n, 2) of the cone, about ``second_axis`` and about the axis across both, radians.

    Returns:
        (..., n, 4).
    """
    # The shorter of q and -q, so that the swing comes out as a turn by at most half a circle.
    delta = np.where(delta[..., 3:] < 0, -delta, delta)
    swing, twist = swing_twist.decompose(delta, axis)
    angle = 2 * np.arctan2(np.vecdot(twist[..., :3], axis), twist[..., 3])
    low, high = twist_angles[:, 0], twist_angles[:, 1]
    amount = fade_amount(delta, axis, half_angles.max(axis=1))
    angle = fade(hold_on_circle(angle, low, high), low, high, amount)
    swung = nearest_in_ellipse(_across(quaternion.log(swing), axis, second_axis), half_angles) * amount[..., None]
    third_axis = np.cross(axis, second_axis)
    held = quaternion.exp(swung[..., :1] * second_axis + swung[..., 1:] * third_axis)
    return quaternion.multiply(held, quaternion.from_axis_angle(axis, angle))


def nearest_in_ellipse(points: FloatArray, half_axes: FloatArray) -> FloatArray:
    """(..., 2) the point nearest to each of ``points`` (..., 2) in the ellipse with ``half_axes`` (..., 2).

    The nearest point of a convex shape moves no farther than the point itself, however thin the ellipse.
    """
    size = np.maximum(half_axes, 1e-12)
    away = np.abs(points)
    inside = np.sum((points / size) ** 2, axis=-1) <= 1
    # The nearest point is size² away / (t + size²) for the t > 0 that puts it on the ellipse. Starting left of that t,
    # on a function that is convex and falls, Newton's steps approach it from the left and never pass it.
    t = np.maximum((size * away - size**2).max(axis=-1), 0)[..., None]
    for _ in range(NEWTON_STEPS):
        parts = (size * away / (t + size**2)) ** 2
        excess = parts.sum(axis=-1, keepdims=True) - 1
        slope = 2 * (parts / (t + size**2)).sum(axis=-1, keepdims=True)
        t = t + np.where(excess > 0, excess / np.where(slope > 0, slope, 1), 0)
    on_rim = np.sign(points) * size**2 * away / (t + size**2)
    return np.where(inside[..., None], points, on_rim)


def _across(vectors: FloatArray, axis: FloatArray, second_axis: FloatArray) -> FloatArray:
    """(..., 2) the parts of ``vectors`` (..., 3) along the two directions across ``axis``."""
    return np.stack([np.vecdot(vectors, second_axis), np.vecdot(vectors, np.cross(axis, second_axis))], axis=-1)
