"""Small geometry that the zoo's parts share: unit vectors, turns, smooth lines through points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.math import quaternion
from mummer.zoo.recipe import Vector


def unit(direction: npt.ArrayLike) -> FloatArray:
    """(3,) the direction with length one; straight up if it has none."""
    values = np.asarray(direction, np.float64)
    length = float(np.sqrt(values @ values))
    return values / length if length > 1e-12 else np.array([0.0, 1.0, 0.0])


def vector(point: npt.ArrayLike) -> Vector:
    """A point as three plain numbers."""
    x, y, z = np.asarray(point, np.float64).tolist()
    return (x, y, z)


def turned_about(direction: FloatArray, axis: FloatArray, angle: float) -> FloatArray:
    """``direction`` (..., 3) turned about ``axis`` by ``angle`` radians."""
    return quaternion.rotate(quaternion.from_axis_angle(unit(axis), np.asarray(angle)), direction)


def rotation_degrees(turn: Sequence[float]) -> FloatArray:
    """(3, 3) turning about X, then Y, then Z by degrees."""
    x, y, z = np.radians(turn)
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def turn_degrees(matrix: FloatArray) -> Vector:
    """Degrees about X, then Y, then Z of a rotation matrix; the inverse of `rotation_degrees`."""
    x = np.arctan2(matrix[2, 1], matrix[2, 2])
    y = -np.arcsin(np.clip(matrix[2, 0], -1.0, 1.0))
    z = np.arctan2(matrix[1, 0], matrix[0, 0])
    return vector(np.degrees([x, y, z]))


def smooth_line(points: FloatArray, pieces: int) -> FloatArray:
    """((n - 1) * pieces + 1, D) a smooth line through ``points`` (n, D), ``pieces`` parts between each two.

    The slopes are those of a Catmull-Rom spline for uneven spacing, held back where a quantity turns round so that
    radii never overshoot.
    """
    count = len(points)
    if pieces <= 1 or count < 3:
        return _straight_line(points, pieces)
    steps = points[1:] - points[:-1]
    spans = np.sqrt(np.maximum((steps[:, :3] ** 2).sum(axis=1), 1e-18))
    rates = steps / spans[:, None]
    slopes = np.empty_like(points)
    slopes[0], slopes[-1] = rates[0], rates[-1]
    before, after = spans[:-1, None], spans[1:, None]
    slopes[1:-1] = (rates[:-1] * after + rates[1:] * before) / (before + after)
    slopes[1:-1, 3:][rates[:-1, 3:] * rates[1:, 3:] <= 0] = 0.0
    part = np.linspace(0.0, 1.0, pieces, endpoint=False)[None, :, None]
    span = spans[:, None, None]
    low, high = points[:-1, None], points[1:, None]
    cubic = (
        (1 + 2 * part) * (1 - part) ** 2 * low
        + part * (1 - part) ** 2 * span * slopes[:-1, None]
        + part**2 * (3 - 2 * part) * high
        + part**2 * (part - 1) * span * slopes[1:, None]
    )
    return np.concatenate([cubic.reshape(-1, points.shape[1]), points[-1:]])


def _straight_line(points: FloatArray, pieces: int) -> FloatArray:
    if pieces <= 1 or len(points) < 2:
        return points
    part = np.linspace(0.0, 1.0, pieces, endpoint=False)[None, :, None]
    between = points[:-1, None] * (1 - part) + points[1:, None] * part
    return np.concatenate([between.reshape(-1, points.shape[1]), points[-1:]])


def radius_pairs(radii: Sequence[Any]) -> FloatArray:
    """(n, 2) radii across and the other way, from one number or two at each point."""
    return np.array([(r, r) if isinstance(r, int | float) else tuple(r)[:2] for r in radii], np.float64)


def linear_color(text: str) -> tuple[float, float, float]:
    """Linear red, green, blue (0 to 1) of ``#rrggbb``.

    Example:
        >>> linear_color("#ffffff")
        (1.0, 1.0, 1.0)
    """
    values = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return (red, green, blue)
