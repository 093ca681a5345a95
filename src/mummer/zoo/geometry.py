"""Small geometry on plain numbers: a body has a few hundred points, for which arrays would be slower."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.zoo.recipe import Vector


def vector(point: npt.ArrayLike) -> Vector:
    """A point as three plain numbers."""
    x, y, z = np.asarray(point, np.float64).tolist()
    return (x, y, z)


def plus(a: Sequence[float], b: Sequence[float]) -> Vector:
    """The sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Sequence[float], b: Sequence[float]) -> Vector:
    """The difference of two vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Sequence[float], factor: float) -> Vector:
    """A vector scaled."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Sequence[float], b: Sequence[float]) -> Vector:
    """The vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a: Sequence[float]) -> float:
    """How long a vector is."""
    return math.sqrt(dot(a, a))


def unit(a: Sequence[float]) -> Vector:
    """The vector with length one; straight up if it has none."""
    size = length(a)
    return times(a, 1.0 / size) if size > 1e-12 else (0.0, 1.0, 0.0)


def blend(a: Sequence[float], b: Sequence[float], part: float) -> Vector:
    """A point between two others, at ``part`` of the way."""
    return (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2]))


def turned_about(direction: Sequence[float], axis: Sequence[float], angle: float) -> Vector:
    """A direction turned about ``axis`` by ``angle`` radians."""
    spin = unit(axis)
    across, along = cross(spin, direction), dot(spin, direction) * (1.0 - math.cos(angle))
    return plus(plus(times(direction, math.cos(angle)), times(across, math.sin(angle))), times(spin, along))


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


def radius_pairs(radii: Sequence[Any]) -> FloatArray:
    """(n, 2) radii across and the other way, from one number or two at each point."""
    return np.array([(r, r) if isinstance(r, int | float) else tuple(r)[:2] for r in radii], np.float64)


def linear_color(text: str) -> Vector:
    """Linear red, green, blue (0 to 1) of ``#rrggbb``.

    Example:
        >>> linear_color("#ffffff")
        (1.0, 1.0, 1.0)
    """
    values = [int(text[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return (red, green, blue)
