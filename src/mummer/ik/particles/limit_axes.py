"""The axes that a joint turns about, laid so that each limit stops one of them and leaves the others alone."""

from __future__ import annotations

import math

from mummer.character.limits import BALL, FREE, HINGE
from mummer.ik.particles.limit_numbers import (
    AXIS,
    ONE,
    SECOND_AXIS,
    SECOND_HIGH,
    SECOND_LOW,
    row_vector,
    swing_of,
    swing_vector,
)
from mummer.ik.particles.turning import cross, length_of, turned
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three


def limit_axes(kind: int, delta: Four, limits: Floats2, joint: int) -> tuple[Three, Three, Three]:
    """Three axes in the frame that limits are measured in; zeros where a joint has fewer.

    Of a hinge its axis; of a pivot its two axes as they are turned now; of a ball how it turns as its swing grows
    across the edge of its cone, as it moves along the edge, and as its twist grows.

    Args:
        kind: of the limit.
        delta: how the joint is turned from rest.
        limits: (n, WIDTH) see `limit_numbers`.
        joint: which of them.
    """
    one = limits[joint, ONE]
    zero = one - one
    if kind == FREE:
        return (one, zero, zero), (zero, one, zero), (zero, zero, one)
    axis = row_vector(limits, joint, AXIS)
    if kind == HINGE:
        return axis, (zero, zero, zero), (zero, zero, zero)
    if kind == BALL:
        return ball_axes(delta, axis, row_vector(limits, joint, SECOND_AXIS), limits, joint)
    return axis, turned(delta, row_vector(limits, joint, SECOND_AXIS)), (zero, zero, zero)


def ball_axes(delta: Four, axis: Three, second: Three, limits: Floats2, joint: int) -> tuple[Three, Three, Three]:
    """The three axes of a ball; see `limit_axes`."""
    one = limits[joint, ONE]
    third = cross(axis, second)
    turn, _, _ = swing_of(delta, axis, one)
    u, v = swing_vector(turn, second, third, one)
    swing = (u * second[0] + v * third[0], u * second[1] + v * third[1], u * second[2] + v * third[2])
    angle = math.sqrt(u * u + v * v)
    a, b = limits[joint, SECOND_LOW], limits[joint, SECOND_HIGH]
    # Across the edge of the cone, as the ellipse through this swing has it.
    x, y = u * b / a, v * a / b
    size = math.sqrt(x * x + y * y)
    if size > 0:
        x, y = x / size, y / size
    else:
        x, y = one, one - one
    out = (x * second[0] + y * third[0], x * second[1] + y * third[1], x * second[2] + y * third[2])
    along = cross(axis, out)
    # The sine is taken from what is small where the swing is small; the cosine would lose it in rounding.
    sine = length_of((turn[0], turn[1], turn[2]))
    return (
        turn_of_swing(swing, angle, sine, turn[3], out, one),
        turn_of_swing(swing, angle, sine, turn[3], along, one),
        turned(turn, axis),
    )


def turn_of_swing(swing: Three, angle: float, half_sine: float, half_cosine: float, change: Three, one: float) -> Three:
    """How a joint turns while its swing, a rotation vector of length ``angle``, changes."""
    if not angle * angle * angle > 0:
        return change
    s, c = half_cosine * half_sine / angle, half_sine * half_sine / (angle * angle)
    s, c = s + s, c + c
    along = (swing[0] * change[0] + swing[1] * change[1] + swing[2] * change[2]) * (one - s) / (angle * angle)
    x, y, z = cross(swing, change)
    return (
        s * change[0] + along * swing[0] + c * x,
        s * change[1] + along * swing[1] + c * y,
        s * change[2] + along * swing[2] + c * z,
    )
