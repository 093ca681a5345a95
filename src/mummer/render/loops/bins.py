"""Which triangles touch which tile of the picture: counted, then listed in the order of the triangles."""

from __future__ import annotations

import math

from mummer.kernels.kernel import compiled
from mummer.kernels.scalars import index_at
from mummer.render.loops.arguments import Faces, FacesOut, IndicesOut, Points, Size

NEAR = 1e-12
"""Depth in metres before which nothing is seen: even the smallest body is looked at from farther off."""
FARTHEST = 1e9


def is_usable(points: Points, a: int, b: int, c: int) -> bool:
    """Whether a triangle lies at least partly ahead and holds only finite numbers."""
    total = 0.0
    for axis in range(3):
        total += points[a, axis] + points[b, axis] + points[c, axis]
    return math.isfinite(total) and max(points[a, 2], points[b, 2], points[c, 2]) > NEAR


@compiled
def bound_triangles(points: Points, faces: Faces, width: Size, height: Size, boxes: FacesOut) -> None:
    """The first and last column and row of samples that each triangle may cover; empty (1, 0, ...) when none.

    Args:
        points: (V, 3) homogeneous sample coordinates: column times depth, row times depth, depth.
        faces: (F, 3) corners.
        width: columns of samples.
        height: rows of samples.
        boxes: (F, 4) first column, last column, first row, last row; written.
    """
    for face in range(faces.shape[0]):
        boxes[face, 0], boxes[face, 1], boxes[face, 2], boxes[face, 3] = 1, 0, 1, 0
        if not is_usable(points, faces[face, 0], faces[face, 1], faces[face, 2]):
            continue
        left, right, top, bottom = FARTHEST, -FARTHEST, FARTHEST, -FARTHEST
        for corner in range(3):
            here, there = faces[face, corner], faces[face, (corner + 1) % 3]
            z, next_z = points[here, 2], points[there, 2]
            if z > NEAR:
                x, y = points[here, 0] / z, points[here, 1] / z
                left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
            if (z > NEAR) != (next_z > NEAR):
                # An edge that passes the near plane is seen up to the point where it does.
                part = (NEAR - z) / (next_z - z)
                x = (points[here, 0] + part * (points[there, 0] - points[here, 0])) / NEAR
                y = (points[here, 1] + part * (points[there, 1] - points[here, 1])) / NEAR
                left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        if right < 0 or bottom < 0 or left > width or top > height:
            continue
        boxes[face, 0], boxes[face, 1] = index_at(left - 0.5, width - 1), index_at(right + 0.5, width - 1)
        boxes[face, 2], boxes[face, 3] = index_at(top - 0.5, height - 1), index_at(bottom + 0.5, height - 1)


@compiled
def count_in_tiles(boxes: Faces, first: Size, stop: Size, tile: Size, columns: Size, counts: IndicesOut) -> None:
    """How many triangles touch each tile, added to ``counts`` one place further on, ready to be summed up.

    Args:
        boxes: (F, 4) of `bound_triangles`.
        first: the first triangle that counts.
        stop: the first after it that does not.
        tile: samples along a side of a tile.
        columns: tiles in a row.
        counts: (tiles + 1,) zeros; written.
    """
    for face in range(first, stop):
        for row in range(boxes[face, 2] // tile, (boxes[face, 3] + tile) // tile):
            for column in range(boxes[face, 0] // tile, (boxes[face, 1] + tile) // tile):
                counts[row * columns + column + 1] += 1


@compiled
def list_in_tiles(
    boxes: Faces, first: Size, stop: Size, tile: Size, columns: Size, next_place: IndicesOut, listed: IndicesOut
) -> None:
    """Write each triangle's index into the lists of the tiles it touches.

    Args:
        boxes: (F, 4) of `bound_triangles`.
        first: the first triangle that counts.
        stop: the first after it that does not.
        tile: samples along a side of a tile.
        columns: tiles in a row.
        next_place: (tiles,) where each tile's list starts; used up.
        listed: all lists, one after the other; written.
    """
    for face in range(first, stop):
        for row in range(boxes[face, 2] // tile, (boxes[face, 3] + tile) // tile):
            for column in range(boxes[face, 0] // tile, (boxes[face, 1] + tile) // tile):
                place = next_place[row * columns + column]
                listed[place] = face
                next_place[row * columns + column] = place + 1
