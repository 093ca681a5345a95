"""Joints held in their limits, one at a time, for kernels: the same answers as `mummer.character.clamp`."""

from __future__ import annotations

import math

from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.analytic.joint_table import AXIS, KIND, RANGE, REST, SECOND_AXIS, SECOND_RANGE
from mummer.ik.analytic.vectors import NO_TURN, about, back, cross, dot, plus, scaled, times, unit_rotation
from mummer.ik.limit_scalars import faded, fading, held_on_circle, nearest_in_ellipse, twist_about
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three


def hold_joint(joint: int, table: Floats2, rotation: Four) -> Four:
    """A joint's rotation against its parent, held in its limits; see `mummer.character.clamp`.

    Args:
        joint: which row of the table.
        table: of `joint_table`.
        rotation: parent_from_joint.
    """
    kind = int(table[joint, KIND])
    if kind == FREE:
        return rotation
    rest = (table[joint, REST], table[joint, REST + 1], table[joint, REST + 2], table[joint, REST + 3])
    delta = times(back(rest), rotation)
    axis = (table[joint, AXIS], table[joint, AXIS + 1], table[joint, AXIS + 2])
    second = (table[joint, SECOND_AXIS], table[joint, SECOND_AXIS + 1], table[joint, SECOND_AXIS + 2])
    low, high = table[joint, RANGE], table[joint, RANGE + 1]
    first_number, second_number = table[joint, SECOND_RANGE], table[joint, SECOND_RANGE + 1]
    held = delta
    if kind == HINGE:
        held = _hold_hinge(delta, axis, low, high)
    elif kind == PIVOT:
        held = _hold_pivot(delta, axis, second, low, high, first_number, second_number)
    elif kind == BALL:
        held = _hold_ball(delta, axis, second, low, high, first_number, second_number)
    return unit_rotation(times(rest, held))


def hinge_angle(joint: int, table: Floats2, rotation: Four) -> float:
    """The angle in radians at which a hinge is held when asked to turn to ``rotation``, parent_from_joint."""
    rest = (table[joint, REST], table[joint, REST + 1], table[joint, REST + 2], table[joint, REST + 3])
    axis = (table[joint, AXIS], table[joint, AXIS + 1], table[joint, AXIS + 2])
    delta = times(back(rest), rotation)
    return _held_hinge_angle(delta, axis, table[joint, RANGE], table[joint, RANGE + 1])


def _held_hinge_angle(delta: Four, axis: Three, low: float, high: float) -> float:
    held = held_on_circle(_twist_angle(delta, axis), low, high)
    return faded(held, low, high, _fade_amount(delta, axis, 0.0))


def _hold_hinge(delta: Four, axis: Three, low: float, high: float) -> Four:
    return about(axis, _held_hinge_angle(delta, axis, low, high))


def _hold_pivot(
    delta: Four, axis: Three, second: Three, low: float, high: float, second_low: float, second_high: float
) -> Four:
    first_angle = -_twist_angle(back(delta), axis)
    second_angle = _twist_angle(times(about(axis, -first_angle), delta), second)
    amount = _fade_amount(delta, axis, max(abs(second_low), abs(second_high)))
    first_angle = faded(held_on_circle(first_angle, low, high), low, high, amount)
    second_angle = faded(min(max(second_angle, second_low), second_high), second_low, second_high, amount)
    return times(about(axis, first_angle), about(second, second_angle))


def _hold_ball(
    delta: Four, axis: Three, second: Three, low: float, high: float, first_half: float, second_half: float
) -> Four:
    if delta[3] < 0.0:
        delta = (-delta[0], -delta[1], -delta[2], -delta[3])
    angle = _twist_angle(delta, axis)
    swing = times(delta, about(axis, -angle))
    amount = _fade_amount(delta, axis, max(first_half, second_half))
    angle = faded(held_on_circle(angle, low, high), low, high, amount)
    third = cross(axis, second)
    vector = _rotation_vector(swing)
    x, y = nearest_in_ellipse(dot(vector, second), dot(vector, third), first_half, second_half)
    swung = plus(scaled(second, x * amount), scaled(third, y * amount))
    return times(_exponential(swung), about(axis, angle))


def _twist_angle(q: Four, axis: Three) -> float:
    return twist_about(dot((q[0], q[1], q[2]), axis), q[3])


def _fade_amount(delta: Four, axis: Three, farthest: float) -> float:
    return fading(math.hypot(dot((delta[0], delta[1], delta[2]), axis), delta[3]), farthest)


def _rotation_vector(q: Four) -> Three:
    sine = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2])
    if sine < 1e-12:
        return 2.0 * q[0], 2.0 * q[1], 2.0 * q[2]
    w = q[3]
    factor = (2.0 * math.atan2(sine, w) if w >= 0.0 else -2.0 * math.atan2(sine, -w)) / sine
    return q[0] * factor, q[1] * factor, q[2] * factor


def _exponential(vector: Three) -> Four:
    angle = math.sqrt(dot(vector, vector))
    if angle < 1e-12:
        return unit_rotation((0.5 * vector[0], 0.5 * vector[1], 0.5 * vector[2], NO_TURN[3]))
    return about(scaled(vector, 1.0 / angle), angle)
