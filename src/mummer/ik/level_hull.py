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
    CPU.run(wrap_points, count, np.ascontiguousarray(points), np.full(1, tolerance), corners, counts, grain=256)
    used = int(counts.max(initial=1))
    return LevelHull(corners[:, :used], counts)


@kernel(on_cuda=False)
def wrap_points(item: int, points: Floats3, tolerance: Floats1, corners: Output3, counts: Output1) -> None:
    """One hull, from its leftmost point round: the next corner has all others on its left."""
    size, near = points.shape[1], tolerance[0] * tolerance[0]
    first = 0
    for each in range(1, size):
        if points[item, each, 0] < points[item, first, 0] or (
            points[item, each, 0] == points[item, first, 0] and points[item, each, 1] < points[item, first, 1]
        ):
            first = each
    current, found = first, 0
    for _ in range(size):
        x, y = points[item, current, 0], points[item, current, 1]
        corners[item, found, 0], corners[item, found, 1] = x, y
        found += 1
        best, best_x, best_y, best_square = -1, x, y, near
        for each in range(size):
            along, across = points[item, each, 0] - x, points[item, each, 1] - y
            square = along * along + across * across
            if square <= near:
                continue
            turn = best_x * across - best_y * along
            slack = near * 1e-3
            if best < 0 or turn < -slack or (turn <= slack and square > best_square):
                best, best_x, best_y, best_square = each, along, across, square
        if best < 0:
            break
        back_x = points[item, best, 0] - points[item, first, 0]
        back_y = points[item, best, 1] - points[item, first, 1]
        if back_x * back_x + back_y * back_y <= near:
            break
        current = best
    for each in range(found, size):
        corners[item, each, 0], corners[item, each, 1] = corners[item, found - 1, 0], corners[item, found - 1, 1]
    counts[item] = found
