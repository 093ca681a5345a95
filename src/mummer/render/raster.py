"""Triangles to samples: the passes of the rasteriser, shared out over threads, the same on one thread or many."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked_record
from mummer.kernels.kernel import Kernel
from mummer.kernels.threads import share_out
from mummer.render.loops.arguments import Tiles
from mummer.render.loops.bins import bound_triangles, count_in_tiles, list_in_tiles
from mummer.render.loops.visibility import see_tile
from mummer.render.surface import SOLID, Surface
from mummer.render.textures import Atlas, build_atlas

PIECES = 24
"""In how many pieces the tiles of a picture are handed to threads."""
MOST_LISTED = 2**26
"""Entries of the lists of triangles that are made at once."""
TILE = 64
"""Samples along a side of a tile: two such maps fit into a core's own cache."""


@dataclass(frozen=True, eq=False)
class Visible:
    """What each sample of a picture sees.

    Attributes:
        nearness: (rows, columns) 1 / depth, 0 for nothing.
        faces: (rows, columns) index of the triangle, -1 for none.
    """

    nearness: FloatArray
    faces: IntArray


def run_loop(kernel: Kernel, count: int, *arguments: object, grain: int = 1) -> None:
    """Do ``count`` items of a rasteriser's loop on all threads."""
    share_out(kernel.loop("float64"), count, grain, arguments)


def see(points: FloatArray, surface: Surface, size: tuple[int, int]) -> Visible:
    """The nearest triangle at each sample.

    Args:
        points: (V, 3) homogeneous sample coordinates: column times depth, row times depth, depth.
        surface: the triangles, whose holes are kept.
        size: columns and rows of samples.
    """
    return _see(points, surface.faces, surface.alphas, surface.uvs, surface.atlas, size)


def see_solid(points: FloatArray, faces: IntArray, size: tuple[int, int]) -> Visible:
    """As `see`, for triangles (F, 3) without holes."""
    solid = np.tile(np.array(SOLID, np.float32), (len(faces), 1))
    return _see(points, faces, solid, np.zeros((1, 2), np.float32), build_atlas([]), size)


def _see(
    points: FloatArray, faces: IntArray, alphas: FloatArray, uvs: FloatArray, atlas: Atlas, size: tuple[int, int]
) -> Visible:
    columns, rows = size
    across, down = -(-columns // TILE), -(-rows // TILE)
    points = np.ascontiguousarray(points, np.float64)
    boxes = np.empty((len(faces), 4), np.int32)
    bound_triangles.at("float64")(points, faces, columns, rows, boxes)
    nearness = np.zeros((rows, columns), np.float32)
    seen = np.full((rows, columns), -1, np.int32)
    for first, stop in _portions(boxes):
        starts = np.zeros(across * down + 1, np.int32)
        count_in_tiles.at("float64")(boxes, first, stop, TILE, across, starts)
        np.cumsum(starts, out=starts)
        listed = np.empty(starts[-1], np.int32)
        list_in_tiles.at("float64")(boxes, first, stop, TILE, across, starts[:-1].copy(), listed)
        run_loop(
            see_tile, across * down, points, faces, boxes, locked_record(Tiles(starts, listed, TILE, across)), alphas,
            uvs, atlas.texels, atlas.levels, nearness, seen, grain=max(1, across * down // PIECES),
        )  # fmt: skip
    return Visible(nearness, seen)


def _portions(boxes: IntArray) -> list[tuple[int, int]]:
    """First and stop of runs of triangles whose lists fit in memory: one run, but for many in a large picture."""
    spans = boxes[:, [1, 3]] // TILE - boxes[:, [0, 2]] // TILE + 1
    ends = np.cumsum(np.maximum(spans, 1).prod(axis=1, dtype=np.int64))
    if not len(ends) or ends[-1] <= MOST_LISTED:
        return [(0, len(boxes))]
    bounds = [0, *(np.flatnonzero(np.diff(ends // MOST_LISTED)) + 1).tolist(), len(boxes)]
    return list(pairwise(bounds))
