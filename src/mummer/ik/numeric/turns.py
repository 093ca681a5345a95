"""Single rotations in the compiled core: plain numbers in, plain numbers out."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.kernels.scalars import Four, Three, multiply_quaternions, rotate

SMALL = 1e-8


def three(table: FloatArray, row: int, column: int) -> Three:
    """Three numbers of a row, from ``column`` on."""
    return table[row, column], table[row, column + 1], table[row, column + 2]


def four(table: FloatArray, row: int, column: int) -> Four:
    """Four numbers of a row, from ``column`` on."""
    return table[row, column], table[row, column + 1], table[row, column + 2], table[row, column + 3]


def put_three(table: FloatArray, row: int, column: int, v: Three) -> None:
    """Write three numbers into a row, from ``column`` on."""
    table[row, column], table[row, column + 1], table[row, column + 2] = v[0], v[1], v[2]


def put_four(table: FloatArray, row: int, column: int, q: Four) -> None:
    """Write four numbers into a row, from ``column`` on."""
    table[row, column], table[row, column + 1] = q[0], q[1]
    table[row, column + 2], table[row, column + 3] = q[2], q[3]


def dot(a: Three, b: Three) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Three, b: Three) -> Three:
    """The cross product a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def minus(a: Three, b: Three) -> Three:
    """The difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def plus(a: Three, b: Three) -> Three:
    """The sum a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def length(a: Three) -> float:
    """The length of a vector."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def rotated(q: Four, v: Three) -> Three:
    """The vector v turned by the quaternion q."""
    return rotate(q[0], q[1], q[2], q[3], v[0], v[1], v[2])


def product(a: Four, b: Four) -> Four:
    """The product a·b: the rotation b followed by the rotation a."""
    return multiply_quaternions(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


def inverse(q: Four) -> Four:
    """The rotation that undoes a unit quaternion."""
    return -q[0], -q[1], -q[2], q[3]


def renormalized(q: Four) -> Four:
    """The quaternion at length one."""
    size = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] * size, q[1] * size, q[2] * size, q[3] * size


def turn_about(axis: Three, angle: float) -> Four:
    """The rotation about a unit axis by ``angle`` radians."""
    half = 0.5 * angle
    sine = math.sin(half)
    return axis[0] * sine, axis[1] * sine, axis[2] * sine, math.cos(half)


def exponential(v: Three) -> Four:
    """The rotation whose axis times angle is v, radians."""
    angle = length(v)
    half = 0.5 * angle
    factor = math.sin(half) / angle if angle > SMALL else 0.5
    return v[0] * factor, v[1] * factor, v[2] * factor, math.cos(half)


def logarithm(q: Four) -> Three:
    """Axis times angle of a unit quaternion, by at most half a circle."""
    sign = -1.0 if q[3] < 0 else 1.0
    sine = length((q[0], q[1], q[2]))
    factor = sign * (2.0 * math.atan2(sine, abs(q[3])) / sine if sine > SMALL else 2.0)
    return q[0] * factor, q[1] * factor, q[2] * factor


def from_to(a: Four, b: Four) -> Three:
    """Axis times angle of the turn that leads from the rotation a to the rotation b, in the outer frame."""
    return logarithm(product(b, inverse(a)))


def swing_column(s: Three, b: Three) -> Three:
    """How fast exp(s) turns when s moves along b: the left derivative of the exponential, in the outer frame."""
    square = dot(s, s)
    if square < 1e-8:
        first, second = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = math.sqrt(square)
        first, second = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
    c = cross(s, b)
    d = cross(s, c)
    return b[0] + first * c[0] + second * d[0], b[1] + first * c[1] + second * d[1], b[2] + first * c[2] + second * d[2]
