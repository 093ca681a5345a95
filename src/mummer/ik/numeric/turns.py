"""Single rotations in the compiled core: plain numbers in, plain numbers out."""

from __future__ import annotations

import math

from mummer.kernels.scalars import Four, Three, multiply_quaternions, rotate

SMALL = 1e-8


def cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Three:
    """The cross product a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def turn_about(x: float, y: float, z: float, angle: float) -> Four:
    """The rotation about the unit axis xyz by ``angle`` radians."""
    half = 0.5 * angle
    sine = math.sin(half)
    return x * sine, y * sine, z * sine, math.cos(half)


def exponential(x: float, y: float, z: float) -> Four:
    """The rotation whose axis times angle is xyz, radians."""
    angle = math.sqrt(x * x + y * y + z * z)
    half = 0.5 * angle
    factor = math.sin(half) / angle if angle > SMALL else 0.5
    return x * factor, y * factor, z * factor, math.cos(half)


def logarithm(x: float, y: float, z: float, w: float) -> Three:
    """Axis times angle of a unit quaternion, by at most half a circle."""
    if w < 0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, w) / sine if sine > SMALL else 2.0 / max(w, 0.5)
    return x * factor, y * factor, z * factor


def from_to(ax: float, ay: float, az: float, aw: float, bx: float, by: float, bz: float, bw: float) -> Three:
    """Axis times angle of the turn that leads from the rotation a to the rotation b, in the outer frame."""
    x, y, z, w = multiply_quaternions(bx, by, bz, bw, -ax, -ay, -az, aw)
    return logarithm(x, y, z, w)


def swing_column(sx: float, sy: float, sz: float, bx: float, by: float, bz: float) -> Three:
    """How fast exp(s) turns when s moves along b: the left derivative of the exponential, in the outer frame."""
    square = sx * sx + sy * sy + sz * sz
    if square < 1e-10:
        first, second = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = math.sqrt(square)
        first, second = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
    cx, cy, cz = cross(sx, sy, sz, bx, by, bz)
    dx, dy, dz = cross(sx, sy, sz, cx, cy, cz)
    return bx + first * cx + second * dx, by + first * cy + second * dy, bz + first * cz + second * dz


def rotated(q: Four, v: Three) -> Three:
    """The vector v turned by the quaternion q."""
    return rotate(q[0], q[1], q[2], q[3], v[0], v[1], v[2])


def product(a: Four, b: Four) -> Four:
    """The product a·b."""
    return multiply_quaternions(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


def renormalized(q: Four) -> Four:
    """The quaternion at length one."""
    size = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] * size, q[1] * size, q[2] * size, q[3] * size
