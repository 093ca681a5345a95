"""Closed tubes along smooth lines, many at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.kernel import compiled
from mummer.zoo.arguments import IntegerArray, Number, Rows, RowsOut, Whole, WholeRows, WholeRowsOut
from mummer.zoo.lines import put_smooth, square_to
from mummer.zoo.recipe import Vector

DOME_IN, DOME_WIDE = (0.0, 0.29, 0.62), (0.35, 0.74, 0.95)
"""Rings of a rounded end: how far in from the tip, in parts of the radius there, and how wide."""
DOME = len(DOME_IN)


@dataclass(frozen=True, eq=False)
class Tube:
    """One tube to be made.

    Attributes:
        line: (n, 5) points and their two radii.
        across: direction in which the first radius is measured.
        sides: corners around it.
        rounded: whether its ends are domes.
    """

    line: FloatArray
    across: Vector
    sides: int
    rounded: bool


def put_dome(rows: RowsOut, last: int, before: int, target: int, step: int) -> None:
    """Write the rings of a dome at the end ``last`` of a line into rows from ``target`` on, tip first."""
    x = rows[before, 0] - rows[last, 0]
    y = rows[before, 1] - rows[last, 1]
    z = rows[before, 2] - rows[last, 2]
    size = max(math.sqrt(x * x + y * y + z * z), 1e-12)
    reach = min(rows[last, 3], rows[last, 4], 0.9 * size) / size
    for ring in range(DOME):
        part = DOME_IN[ring] * reach
        row = target + ring * step
        rows[row, 0] = rows[last, 0] + part * x
        rows[row, 1] = rows[last, 1] + part * y
        rows[row, 2] = rows[last, 2] + part * z
        for column in (3, 4):
            rows[row, column] = DOME_WIDE[ring] * (
                rows[last, column] + part * (rows[before, column] - rows[last, column])
            )


def put_ring(
    rows: RowsOut, row: int, start: int, stop: int, across: Rows, tube: int, sides: int, positions: RowsOut, vertex: int
) -> None:
    """Write the corners of one ring."""
    low, high = max(start, row - 1), min(stop - 1, row + 1)
    x, y, z = rows[high, 0] - rows[low, 0], rows[high, 1] - rows[low, 1], rows[high, 2] - rows[low, 2]
    size = max(math.sqrt(x * x + y * y + z * z), 1e-12)
    x, y, z = x / size, y / size, z / size
    px, py, pz = square_to(x, y, z, across[tube, 0], across[tube, 1], across[tube, 2])
    qx, qy, qz = y * pz - z * py, z * px - x * pz, x * py - y * px
    for corner in range(sides):
        angle = 2.0 * math.pi * corner / sides
        p, q = rows[row, 3] * math.cos(angle), rows[row, 4] * math.sin(angle)
        positions[vertex + corner, 0] = rows[row, 0] + p * px + q * qx
        positions[vertex + corner, 1] = rows[row, 1] + p * py + q * qy
        positions[vertex + corner, 2] = rows[row, 2] + p * pz + q * qz


def put_triangle(triangles: WholeRowsOut, row: int, a: int, b: int, c: int) -> int:
    """Write one triangle; gives the row after it."""
    triangles[row, 0], triangles[row, 1], triangles[row, 2] = a, b, c
    return row + 1


def put_faces(rings: int, sides: int, vertex: int, triangles: WholeRowsOut, face: int) -> None:
    """Write the walls and the two ends of a tube."""
    last = vertex + rings * sides
    for corner in range(sides):
        after = (corner + 1) % sides
        for ring in range(rings - 1):
            a, b = vertex + ring * sides + corner, vertex + ring * sides + after
            face = put_triangle(triangles, face, a, b, b + sides)
            face = put_triangle(triangles, face, a, b + sides, a + sides)
        face = put_triangle(triangles, face, last, vertex + after, vertex + corner)
        top = vertex + (rings - 1) * sides
        face = put_triangle(triangles, face, last + 1, top + corner, top + after)


@compiled
def fill_tubes(
    lines: Rows, first: Whole, across: Rows, settings: WholeRows, pieces: Number, rows: RowsOut,
    positions: RowsOut, triangles: WholeRowsOut,
) -> None:  # fmt: skip
    """Corners and triangles of all tubes.

    Args:
        lines: (N, 5) points and radii of all tubes in a row.
        first: (S + 1,) where each tube's points begin.
        across: (S, 3) direction of the first radius.
        settings: (S, 5) sides, 1 if the ends are domes, rings, first vertex, first triangle.
        pieces: rings between two points.
        rows: room to work in, for the rings of the longest tube and its domes.
        positions: (V, 3) written.
        triangles: (F, 3) written.
    """
    for tube in range(settings.shape[0]):
        sides, rounded, rings = settings[tube, 0], settings[tube, 1], settings[tube, 2]
        vertex, face = settings[tube, 3], settings[tube, 4]
        # Domes take the place of the first and the last ring, so room is left before the line.
        start = DOME - 1
        stop = put_smooth(lines, first[tube], first[tube + 1] - 1, int(pieces), rows, start)
        if rounded > 0:
            put_dome(rows, stop - 1, stop - 2, stop + DOME - 2, -1)
            put_dome(rows, start, start + 1, 0, 1)
            start, stop = 0, stop + DOME - 1
        for ring in range(rings):
            put_ring(rows, start + ring, start, stop, across, tube, sides, positions, vertex + ring * sides)
        for axis in range(3):
            positions[vertex + rings * sides, axis] = rows[start, axis]
            positions[vertex + rings * sides + 1, axis] = rows[stop - 1, axis]
        put_faces(rings, sides, vertex, triangles, face)


@compiled
def fill_normals(positions: Rows, triangles: WholeRows, normals: RowsOut) -> None:
    """Unit normals, the mean of the faces around each vertex by their area.

    Args:
        positions: (V, 3).
        triangles: (F, 3).
        normals: (V, 3) zeros, written.
    """
    for face in range(triangles.shape[0]):
        a, b, c = triangles[face, 0], triangles[face, 1], triangles[face, 2]
        ux, uy, uz = (
            positions[b, 0] - positions[a, 0],
            positions[b, 1] - positions[a, 1],
            positions[b, 2] - positions[a, 2],
        )
        vx, vy, vz = (
            positions[c, 0] - positions[a, 0],
            positions[c, 1] - positions[a, 1],
            positions[c, 2] - positions[a, 2],
        )
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        for corner in range(3):
            row = triangles[face, corner]
            normals[row, 0] += x
            normals[row, 1] += y
            normals[row, 2] += z
    for row in range(normals.shape[0]):
        x, y, z = normals[row, 0], normals[row, 1], normals[row, 2]
        size = math.sqrt(x * x + y * y + z * z)
        if size > 1e-20:
            normals[row, 0], normals[row, 1], normals[row, 2] = x / size, y / size, z / size
        else:
            normals[row, 0], normals[row, 1], normals[row, 2] = 0.0, 1.0, 0.0


def smooth_normals(positions: FloatArray, triangles: IntegerArray) -> FloatArray:
    """(V, 3) unit normals, the mean of the faces around each vertex by their area."""
    normals = np.zeros_like(positions)
    fill_normals.at("float64")(positions, np.ascontiguousarray(triangles, np.int64), normals)
    return normals


def make_tubes(tubes: Sequence[Tube], pieces: int) -> tuple[FloatArray, IntegerArray, IntegerArray]:
    """All tubes as one mesh.

    Args:
        tubes: at least one.
        pieces: rings between two points of a tube.

    Returns:
        positions (V, 3), triangles (F, 3), and the number of vertices of each tube (S,).
    """
    counts = np.array([len(tube.line) for tube in tubes])
    sides = np.array([tube.sides for tube in tubes])
    rounded = np.array([tube.rounded for tube in tubes], np.int64)
    rings = (counts - 1) * pieces + 1 + rounded * 2 * (DOME - 1)
    vertices, faces = rings * sides + 2, 2 * rings * sides
    settings = np.stack([sides, rounded, rings, np.cumsum(vertices) - vertices, np.cumsum(faces) - faces], axis=1)
    positions = np.empty((int(vertices.sum()), 3))
    triangles = np.empty((int(faces.sum()), 3), np.int64)
    rows = np.empty((int(rings.max()) + 2 * DOME, 5))
    first = np.concatenate([[0], np.cumsum(counts)])
    lines, across = np.concatenate([tube.line for tube in tubes]), np.array([tube.across for tube in tubes])
    fill_tubes.at("float64")(lines, first, across, settings.astype(np.int64), float(pieces), rows, positions, triangles)
    return positions, triangles, vertices
