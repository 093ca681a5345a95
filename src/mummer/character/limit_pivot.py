"""A pivot holds two angles in range: one about its axis, one about a second axis that the first carries along."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limit_angles import fade, fade_amount, hold_on_circle
from mummer.math import quaternion, swing_twist


def clamp_pivot(
    delta: FloatArray, axis: FloatArray, second_axis: FloatArray, angles: FloatArray, second_angles: FloatArray
) -> FloatArray:
    """The turn about both axes nearest to ``delta``, within their ranges.

    The first angle is the twist that comes last, the second is the twist of what remains; unlike Euler angles
    they have no gimbal lock at a right angle.

    Args:
        delta: (..., n, 4) how n joints are turned from rest.
        axis: (n, 3) unit.
        second_axis: (n, 3) unit, across ``axis``.
        angles: (n, 2) lowest and highest about ``axis``, radians.
        second_angles: (n, 2) the same about ``second_axis``.

    Returns:
        (..., n, 4).
    """
    # delta = twist * swing is the mirror image of swing * twist: take the inverse apart instead.
    first_angle = -swing_twist.twist_angle(quaternion.conjugate(delta), axis)
    swing = quaternion.multiply(quaternion.from_axis_angle(axis, -first_angle), delta)
    second_angle = swing_twist.twist_angle(swing, second_axis)
    low, high = angles[:, 0], angles[:, 1]
    second_low, second_high = second_angles[:, 0], second_angles[:, 1]
    amount = fade_amount(delta, axis, np.abs(second_angles).max(axis=1))
    first_angle = fade(hold_on_circle(first_angle, low, high), low, high, amount)
    second_angle = fade(np.clip(second_angle, second_low, second_high), second_low, second_high, amount)
    return quaternion.multiply(
        quaternion.from_axis_angle(axis, first_angle), quaternion.from_axis_angle(second_axis, second_angle)
    )
