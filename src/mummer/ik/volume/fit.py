"""Fit a tapered capsule to points of a surface: least squares that outliers hardly pull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.volume.round_cone import signed_distance

STEPS = 14
STIFF = 1e-3
"""How firmly what no point has a say in (the end at an open cut) stays where it began."""
WIDEST = 0.6
"""Largest radius, as a part of the middle one of the three extents: part of a shell would else ask for a huge ball."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A capsule and how well it follows its points.

    Attributes:
        ends: (2, 3) metres.
        radii: (2,) metres.
        error: metres, the mean distance of the surface with far points counted less.
        misfit: metres, the median distance of the surface.
    """

    ends: FloatArray
    radii: FloatArray
    error: float
    misfit: float


def fit_capsule(points: FloatArray, areas: FloatArray, axis: FloatArray | None = None) -> Fitted:
    """The capsule that follows a piece of surface best.

    Args:
        points: (N, 3) metres, one or more.
        areas: (N,) how much each counts.
        axis: (3,) a likely direction of its axis; by default that in which the points spread most.
    """
    middle, spread_axes, extents = frame_of(points, areas)
    along = spread_axes[0] if axis is None else axis / np.linalg.norm(axis)
    ends, radii = _first_guess(points, areas, middle, along)
    widest = max(WIDEST * float(extents[1]), 1e-6)
    low, high = _range_along(points, areas, middle, along)
    start = ends.copy()
    for _ in range(STEPS):
        ends, radii = _step(points, areas, ends, radii, start)
        radii = np.clip(radii, 0.02 * widest, widest)
        ends = _within(ends, middle, along, low, high)
    return _measured(points, areas, ends, radii)


def frame_of(points: FloatArray, areas: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The middle (3,) of points, the axes (3, 3) they spread along as rows, most first, and their extents (3,)."""
    middle = np.average(points, axis=0, weights=areas)
    away = points - middle
    _, vectors = np.linalg.eigh(np.einsum("n,ni,nj->ij", areas, away, away))
    axes = vectors.T[::-1]
    extents = np.array([np.ptp(weighted_quantiles(away @ axis, areas, (0.03, 0.97))) for axis in axes])
    order = np.argsort(-extents, kind="stable")
    return middle, axes[order], extents[order]


def weighted_quantiles(values: FloatArray, weights: FloatArray, shares: tuple[float, ...]) -> FloatArray:
    """The values below which the given shares of all weight lie."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) - 0.5 * weights[order]
    return np.interp(np.asarray(shares) * weights.sum(), reached, values[order])


def capsule_error(points: FloatArray, areas: FloatArray, ends: FloatArray, radii: FloatArray) -> tuple[float, float]:
    """Mean (far points counted less) and median distance of points from the surface of K capsules together.

    Args:
        points: (N, 3).
        areas: (N,) how much each counts.
        ends: (K, 2, 3).
        radii: (K, 2).
    """
    distances = np.abs(np.min(signed_distance(points[:, None], ends, radii)[0], axis=1))
    median = float(weighted_quantiles(distances, areas, (0.5,))[0])
    return float(np.average(np.minimum(distances, 6 * median + 1e-12), weights=areas)), median


def _measured(points: FloatArray, areas: FloatArray, ends: FloatArray, radii: FloatArray) -> Fitted:
    error, misfit = capsule_error(points, areas, ends[None], radii[None])
    return Fitted(ends, radii, error, misfit)


def _range_along(points: FloatArray, areas: FloatArray, middle: FloatArray, along: FloatArray) -> tuple[float, float]:
    low, high = weighted_quantiles((points - middle) @ along, areas, (0.02, 0.98))
    return float(low), float(high)


def _first_guess(
    points: FloatArray, areas: FloatArray, middle: FloatArray, along: FloatArray
) -> tuple[FloatArray, FloatArray]:
    heights = (points - middle) @ along
    across = np.linalg.norm(points - middle - heights[:, None] * along, axis=1)
    radius = float(weighted_quantiles(across, areas, (0.5,))[0])
    low, high = _range_along(points, areas, middle, along)
    inset = min(0.8 * radius, 0.45 * (high - low))
    return middle + np.array([[low + inset], [high - inset]]) * along, np.array([radius, radius])


def _step(
    points: FloatArray, areas: FloatArray, ends: FloatArray, radii: FloatArray, start: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One step of Gauss and Newton, with points far off counted less."""
    distance, share, normal = signed_distance(points, ends, radii)
    scale = 1.5 * float(weighted_quantiles(np.abs(distance), areas, (0.5,))[0]) + 1e-9
    weights = areas / (1 + (distance / scale) ** 2)
    # Moving an end moves the nearest ball by its share; the share itself is at its best and does not count.
    rows = np.column_stack([-(1 - share)[:, None] * normal, -share[:, None] * normal, share - 1, -share])
    matrix = (rows * weights[:, None]).T @ rows
    pull = np.concatenate([(start - ends).reshape(-1), np.zeros(2)])
    firmness = STIFF * max(float(weights.sum()), 1e-300)
    change = np.linalg.solve(matrix + firmness * np.eye(8), -(rows * weights[:, None]).T @ distance + firmness * pull)
    return ends + change[:6].reshape(2, 3), radii + change[6:]


def _within(ends: FloatArray, middle: FloatArray, along: FloatArray, low: float, high: float) -> FloatArray:
    """Ends that do not leave the range of the points along the axis."""
    heights = (ends - middle) @ along
    return np.asarray(ends + (np.clip(heights, low, high) - heights)[:, None] * along)
