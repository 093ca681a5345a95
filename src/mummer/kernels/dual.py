"""Scalar steps of dual-quaternion blending."""

from __future__ import annotations

from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Three

# A vertex whose heaviest weight is below this follows no joint. Its square still is a float32.
LIGHTEST = 1e-12


def heaviest(weights: Floats2, vertex: int) -> int:
    """The influence of a vertex with the largest weight: the one whose sign the others follow."""
    found = 0
    for influence in range(1, weights.shape[1]):
        if weights[vertex, influence] > weights[vertex, found]:
            found = influence
    return found


def share_of(weight: float) -> float:
    """The weight, with a negative one counted as none: it could cancel the others and leave no direction at all."""
    return weight if weight > 0 else weight - weight


def move_point(
    x: float, y: float, z: float, w: float, dx: float, dy: float, dz: float, dw: float, vx: float, vy: float, vz: float
) -> Three:
    """The point v moved by a dual quaternion of any length but zero."""
    square = x * x + y * y + z * z + w * w
    cx, cy, cz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
    sx = w * (cx + dx) + y * (cz + dz) - z * (cy + dy) - dw * x
    sy = w * (cy + dy) + z * (cx + dx) - x * (cz + dz) - dw * y
    sz = w * (cz + dz) + x * (cy + dy) - y * (cx + dx) - dw * z
    return vx + (sx + sx) / square, vy + (sy + sy) / square, vz + (sz + sz) / square
