"""Convex hulls of a few points in a plane, for many poses at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.kernels.arguments import Floats1, Floats3, Output1, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU


@dataclass(frozen=True, eq=False)
class LevelHull:
    """B convex polygons; a line is one of two corners, a point one of one.

    Attributes:
        corners: (B, K, 2) counter-clockwise, metres; the last is repeated to fill the row.
        counts: (B,) how many corners there are.
    """

    corners: FloatArray
    counts: FloatArray

    @property
    def is_edge(self) -> BoolArray:
        """(B, K) which of the rows' corners begin an edge: all real ones of two or more."""
        place = np.arange(self.corners.shape[1])
        return np.asarray((place < self.counts[:, None]) & (self.counts[:, None] > 1))

    @property
    def ends(self) -> FloatArray:
        """(B, K, 2) the corner after each."""
        place = np.arange(1, self.corners.shape[1] + 1)
        following = np.where(place < self.counts[:, None], place, 0).astype(np.int64)
        return np.take_along_axis(self.corners, following[..., None], axis=1)


def level_hull(points: FloatArray, tolerance: float) -> LevelHull:
    """The hulls of B sets of points (B, P, 2), metres; points nearer than ``tolerance`` count as one."""
    count, size = points.shape[:2]
    corners, counts = np.zeros((count, size, 2)), np.zeros(count)
    if size == 0:
        return LevelHull(corners, counts)
    CPU.run(wrap_points, count, np.ascontiguousarray(points), np.full(1, tolerance), corners, counts, grain=256)
    used = int(counts.max(initial=1))
    return LevelHull(corners[:, :used], counts)


@kernel(on_cuda=False)
def wrap_points(item: int, points: Floats3, tolerance: Floats1, corners: Output3, counts: Output1) -> None:
    """One hull, from a point that is surely a corner round: the next corner has all others on its left."""
    size, near = points.shape[1], tolerance[0] * tolerance[0]
    current, found = farthest_from_middle(item, points), 0
    for _ in range(size):
        corners[item, found, 0], corners[item, found, 1] = points[item, current, 0], points[item, current, 1]
        found += 1
        current = next_corner(item, points, current, near)
        if current < 0 or is_known(item, points, current, corners, found, near):
            break
    for each in range(found, size):
        corners[item, each, 0], corners[item, each, 1] = corners[item, found - 1, 0], corners[item, found - 1, 1]
    counts[item] = found


def farthest_from_middle(item: int, points: Floats3) -> int:
    """The point that is farthest from the mean of all."""
    size = points.shape[1]
    x, y = points[item, 0, 0], points[item, 0, 1]
    for each in range(1, size):
        x += points[item, each, 0]
        y += points[item, each, 1]
    x, y = x / size, y / size
    best, farthest = 0, (points[item, 0, 0] - x) ** 2 + (points[item, 0, 1] - y) ** 2
    for each in range(1, size):
        square = (points[item, each, 0] - x) ** 2 + (points[item, each, 1] - y) ** 2
        if square > farthest:
            best, farthest = each, square
    return best


def next_corner(item: int, points: Floats3, current: int, near: float) -> int:
    """The point that has all others on the left of the way to it, the farthest of several; -1 if all are one."""
    x, y = points[item, current, 0], points[item, current, 1]
    best, best_x, best_y, best_square = -1, x, y, near
    for each in range(points.shape[1]):
        along, across = points[item, each, 0] - x, points[item, each, 1] - y
        square = along * along + across * across
        if square <= near:
            continue
        turn = best_x * across - best_y * along
        if best < 0 or turn < -1e-3 * near or (turn <= 1e-3 * near and square > best_square):
            best, best_x, best_y, best_square = each, along, across, square
    return best


def is_known(item: int, points: Floats3, which: int, corners: Output3, found: int, near: float) -> bool:
    """Whether a point is as good as one of the corners found so far."""
    for each in range(found):
        along = points[item, which, 0] - corners[item, each, 0]
        across = points[item, which, 1] - corners[item, each, 1]
        if along * along + across * across <= near:
            return True
    return False
