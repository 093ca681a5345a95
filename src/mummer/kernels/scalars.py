"""Arithmetic on single numbers that the kernel bodies share: quaternions xyzw and rows of matrices.

Everything here is written without float literals, so that float32 stays float32.
"""

from __future__ import annotations

import math

Four = tuple[float, float, float, float]
Three = tuple[float, float, float]
Nine = tuple[float, float, float, float, float, float, float, float, float]

PI = math.pi
"""As kernels name it: what is of a module's own is of double precision on every machine."""


def multiply_quaternions(
    ax: float, ay: float, az: float, aw: float, bx: float, by: float, bz: float, bw: float
) -> Four:
    """The product a·b: the rotation b followed by the rotation a."""
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(x: float, y: float, z: float, w: float, vx: float, vy: float, vz: float) -> Three:
    """The vector v turned by the unit quaternion xyzw."""
    tx, ty, tz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
    tx, ty, tz = tx + tx, ty + ty, tz + tz
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def rotation_matrix(x: float, y: float, z: float, w: float) -> Nine:
    """The matrix of the unit quaternion xyzw, row by row."""
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    xy, xz, yz = x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    xy, xz, yz, wx, wy, wz = xy + xy, xz + xz, yz + yz, wx + wx, wy + wy, wz + wz
    return (
        ww + xx - yy - zz, xy - wz, xz + wy,
        xy + wz, ww - xx + yy - zz, yz - wx,
        xz - wy, yz + wx, ww - xx - yy + zz,
    )  # fmt: skip


def split(item: int, size: int) -> tuple[int, int]:
    """Which row of ``size`` items this one is in, and where in it. The first row, often the only one, is cheap."""
    if item < size:
        return 0, item
    row = item // size
    return row, item - row * size


def index_at(value: float, last: int) -> int:
    """The whole part of ``value`` held within 0 and ``last``; 0 for NaN. What an index made of data goes through."""
    if not value > 0:
        return 0
    return int(value) if value < last else last


def unit(x: float, y: float, z: float) -> Three:
    """The vector at length one; zero and NaN stay what they are."""
    length = math.sqrt(x * x + y * y + z * z)
    if length > 0:
        return x / length, y / length, z / length
    return x, y, z
