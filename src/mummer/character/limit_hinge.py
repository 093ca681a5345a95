"""A hinge holds one angle in range and lets nothing else turn."""

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.character.limit_angles import fade, fade_amount, hold_on_circle
from mummer.math import quaternion, swing_twist


def clamp_hinge(delta: FloatArray, axis: FloatArray, angles: FloatArray) -> FloatArray:
    """The turn about the hinge nearest in twist to ``delta``, within its range.

    Args:
        delta: (..., n, 4) how n joints are turned from rest.
        axis: (n, 3) unit.
        angles: (n, 2) lowest and highest, radians.

    Returns:
        (..., n, 4).
    """
    low, high = angles[:, 0], angles[:, 1]
    held = hold_on_circle(swing_twist.twist_angle(delta, axis), low, high)
    return quaternion.from_axis_angle(axis, fade(held, low, high, fade_amount(delta, axis, 0 * low)))
