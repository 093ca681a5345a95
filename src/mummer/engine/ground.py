"""The ground: what is below, as kernels read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError
from mummer.kernels.arguments import Floats1, Floats2, Number
from mummer.kernels.scalars import index_at

Heights: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
AROUND, FINE = 30.0, 0.1
"""Metres around the actors, and between them, at which a function of the ground is asked."""


class Ground(NamedTuple):
    """The ground: a plane, and on it a grid of heights that goes on as it ends.

    Attributes:
        plane: (3,) height at the origin, and how much it rises a metre along x and z.
        heights: (R, C) metres above the plane, rows along z and columns along x.
        corner: (2,) x and z of the first of them.
        step: metres between them.
    """

    plane: Floats1
    heights: Floats2
    corner: Floats1
    step: Number


def level_ground(height: float = 0.0, slope: tuple[float, float] = (0.0, 0.0)) -> Ground:
    """A plane: its height at the origin, and how much it rises a metre along x and z."""
    return Ground(locked(np.array([height, *slope], np.float64)), locked(np.zeros((2, 2))), locked(np.zeros(2)), 1.0)


def ground_of(ground: Ground | Heights | float | None, height: float, stages: FloatArray) -> Ground:
    """The ground that somebody means: as it is, level, or as a function of x and z is around some ``stages`` (N, 3).

    Raises:
        InputError: if the function does not give finite heights.
    """
    if ground is None or isinstance(ground, (int, float)):
        return level_ground(height if ground is None else float(ground))
    if isinstance(ground, Ground):
        return ground
    low = stages[:, :2].min(axis=0) - AROUND
    counts = np.ceil((stages[:, :2].max(axis=0) + AROUND - low) / FINE).astype(int) + 1
    x, z = np.meshgrid(low[0] + FINE * np.arange(counts[0]), low[1] + FINE * np.arange(counts[1]))
    heights = np.asarray(ground(x, z), np.float64)
    if heights.shape != x.shape or not np.all(np.isfinite(heights)):
        raise InputError("the ground must give one finite height for each x and z that it is asked for")
    return Ground(locked(np.zeros(3)), locked(np.ascontiguousarray(heights)), locked(low), FINE)


def height_at(ground: Ground, x: float, z: float) -> float:
    """Metres; between the points of the grid as on a sheet that is pinned to them."""
    rows, columns = ground.heights.shape
    across = min(max((x - ground.corner[0]) / ground.step, 0.0), columns - 1.0)
    along = min(max((z - ground.corner[1]) / ground.step, 0.0), rows - 1.0)
    column, row = index_at(across, columns - 2), index_at(along, rows - 2)
    u, v = across - column, along - row
    low = (1.0 - u) * ground.heights[row, column] + u * ground.heights[row, column + 1]
    high = (1.0 - u) * ground.heights[row + 1, column] + u * ground.heights[row + 1, column + 1]
    return ground.plane[0] + ground.plane[1] * x + ground.plane[2] * z + (1.0 - v) * low + v * high
