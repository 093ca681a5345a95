"""Smooth lines through a few points, with radii along them."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.kernel import compiled
from mummer.zoo.arguments import Number, Rows, RowsOut

Three = tuple[float, float, float]


def span(points: Rows, row: int) -> float:
    """Metres from one point of a line to the next."""
    x = points[row + 1, 0] - points[row, 0]
    y = points[row + 1, 1] - points[row, 1]
    z = points[row + 1, 2] - points[row, 2]
    return math.sqrt(max(x * x + y * y + z * z, 1e-18))


def slope(points: Rows, first: int, last: int, row: int, column: int) -> float:
    """How fast a quantity changes along the line at one of its points.

    That of a Catmull-Rom spline for uneven spacing; of radii (columns from 3 on) no more than three times that of
    either side, so that they do not overshoot.
    """
    if row == first:
        return (points[row + 1, column] - points[row, column]) / span(points, row)
    before = (points[row, column] - points[row - 1, column]) / span(points, row - 1)
    if row == last:
        return before
    after = (points[row + 1, column] - points[row, column]) / span(points, row)
    if column >= 3 and before * after <= 0.0:
        return 0.0
    low, high = span(points, row - 1), span(points, row)
    mean = (before * high + after * low) / (low + high)
    if column >= 3:
        most = 3.0 * min(abs(before), abs(after))
        return min(max(mean, -most), most)
    return mean


def put_smooth(points: Rows, first: int, last: int, pieces: int, rows: RowsOut, start: int) -> int:
    """Write the smooth line from point ``first`` to ``last`` into rows from ``start`` on; gives the row after it."""
    row = start
    for place in range(first, last):
        size = span(points, place)
        for piece in range(pieces):
            t = piece / pieces
            a, b = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t), t * (1.0 - t) * (1.0 - t) * size
            c, d = t * t * (3.0 - 2.0 * t), t * t * (t - 1.0) * size
            for column in range(points.shape[1]):
                low = slope(points, first, last, place, column)
                high = slope(points, first, last, place + 1, column)
                rows[row, column] = a * points[place, column] + b * low + c * points[place + 1, column] + d * high
            row += 1
    for column in range(points.shape[1]):
        rows[row, column] = points[last, column]
    return row + 1


def square_to(x: float, y: float, z: float, ax: float, ay: float, az: float) -> Three:
    """The unit vector square to the unit axis (x, y, z) that is nearest to (ax, ay, az)."""
    along = ax * x + ay * y + az * z
    px, py, pz = ax - along * x, ay - along * y, az - along * z
    size, wanted = math.sqrt(px * px + py * py + pz * pz), math.sqrt(ax * ax + ay * ay + az * az)
    if size < 0.05 * wanted:
        sy, sz = (0.0, 1.0) if abs(az) < 0.7 * wanted else (1.0, 0.0)
        along = sy * y + sz * z
        px, py, pz = -along * x, sy - along * y, sz - along * z
        size = math.sqrt(px * px + py * py + pz * pz)
    return px / size, py / size, pz / size


@compiled
def fill_smooth(points: Rows, pieces: Number, rows: RowsOut) -> None:
    """The smooth line through all points, ``pieces`` parts between each two."""
    put_smooth(points, 0, points.shape[0] - 1, int(pieces), rows, 0)


def smooth_line(points: FloatArray, pieces: int) -> FloatArray:
    """((n - 1) * pieces + 1, D) a smooth line through ``points`` (n, D); their first three numbers are the place."""
    rows = np.empty(((len(points) - 1) * pieces + 1, points.shape[1]))
    fill_smooth.at("float64")(np.ascontiguousarray(points), float(pieces), rows)
    return rows


@compiled
def fill_primitives(line: Rows, ax: Number, ay: Number, az: Number, rows: RowsOut) -> None:
    """Primitives (see `mummer.zoo.implicit`) between each two rows of a smooth line.

    Args:
        line: (n, 5) points and their two radii.
        ax: direction in which the first radius is measured, along X.
        ay: the same along Y.
        az: the same along Z.
        rows: (n - 1, WIDTH) written.
    """
    for row in range(rows.shape[0]):
        size = span(line, row)
        x = (line[row + 1, 0] - line[row, 0]) / size
        y = (line[row + 1, 1] - line[row, 1]) / size
        z = (line[row + 1, 2] - line[row, 2]) / size
        px, py, pz = square_to(x, y, z, ax, ay, az)
        for axis in range(3):
            rows[row, axis] = line[row, axis]
        rows[row, 3], rows[row, 4], rows[row, 5], rows[row, 6] = x, y, z, size
        rows[row, 7], rows[row, 8], rows[row, 9] = px, py, pz
        rows[row, 10], rows[row, 11], rows[row, 12] = y * pz - z * py, z * px - x * pz, x * py - y * px
        rows[row, 13], rows[row, 14] = line[row, 3], line[row, 4]
        rows[row, 15], rows[row, 16] = line[row + 1, 3], line[row + 1, 4]
        # The dome at an end is as high as the thinner way across: a flat hand has a flat end.
        rows[row, 17] = min(line[row, 3], line[row, 4])
        rows[row, 18] = min(line[row + 1, 3], line[row + 1, 4])
