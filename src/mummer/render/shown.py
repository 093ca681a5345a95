"""Which places a picture can show: those that are somewhere, and not so far off that numbers no longer hold them."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray

FARTHEST = 1e15
"""Metres from the origin beyond which nothing is shown."""


def shown(points: FloatArray) -> FloatArray:
    """(..., 3) points, NaN for those that are nowhere or farther off than `FARTHEST`."""
    good = (np.abs(points) <= FARTHEST).all(axis=-1, keepdims=True)
    return points if good.all() else np.where(good, points, np.nan)


def finite_bounds(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(3,) lowest and (3,) highest coordinates of points (N, 3), without those that are not finite; zeros for none."""
    points = finite(points)
    if not len(points):
        return np.zeros(3), np.zeros(3)
    return points.min(axis=0), points.max(axis=0)


def finite(points: FloatArray) -> FloatArray:
    """(M, 3) those of points (N, 3) that are somewhere."""
    good = np.isfinite(points).all(axis=-1)
    return points if good.all() else points[good]
