"""Which triangle is seen at each sample, tile by tile.

Triangles are drawn in homogeneous coordinates: a sample looks along d = (column, row, 1), and the sign of
d · (corner × next corner) tells the side of each edge on which it passes. No triangle needs to be cut at the near
plane, and the same three numbers are the perspective-correct weights of the corners.
"""

from __future__ import annotations

import math

from mummer.kernels.kernel import kernel
from mummer.render.loops.arguments import Faces, IdsOut, ImageOut, Points, Texels, Tiles, Vectors
from mummer.render.loops.bins import NEAR
from mummer.render.loops.texels import alpha_at

Three = tuple[float, float, float]
TEXTURE, ALPHA, THRESHOLD = 0, 1, 2
"""Columns of a surface's alphas."""


def edge(points: Points, a: int, b: int) -> Three:
    """The product corner a × corner b, computed alike for both triangles that share the edge, so that no gap opens."""
    low, high = min(a, b), max(a, b)
    ax, ay, az = points[low, 0], points[low, 1], points[low, 2]
    bx, by, bz = points[high, 0], points[high, 1], points[high, 2]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return (x, y, z) if a < b else (-x, -y, -z)


def is_covered(
    alphas: Vectors, texels: Texels, levels: Points, face: int, u: float, v: float, row: int, column: int
) -> bool:
    """Whether a triangle that is not solid covers a sample.

    Half-clear surfaces cover only some samples, in a pattern whose mean over four by four of them is right: what lies
    behind shows through, in whatever order the triangles come.
    """
    alpha = alphas[face, ALPHA]
    if alphas[face, TEXTURE] >= 0:
        alpha = alpha * alpha_at(texels, levels, int(alphas[face, TEXTURE]), u, v)
    threshold = alphas[face, THRESHOLD]
    if threshold < 0:
        across, down = column & 3, row & 3
        mixed = across ^ down
        # The classic ordered pattern: the bits of both, turned round and woven together.
        place = ((mixed & 1) << 3) | ((down & 1) << 2) | (mixed & 2) | ((down & 2) >> 1)
        return alpha > (place + 0.5) / 16.0
    return alpha >= threshold


def weights_at(points: Points, a: int, b: int, c: int, column: float, row: float) -> Three:
    """The perspective-correct weights of a triangle's corners where the ray through a place of the picture meets it."""
    ax, ay, az = edge(points, b, c)
    bx, by, bz = edge(points, c, a)
    cx, cy, cz = edge(points, a, b)
    wa, wb, wc = ax * column + ay * row + az, bx * column + by * row + bz, cx * column + cy * row + cz
    total = wa + wb + wc
    if total == 0.0:
        return 1.0, 0.0, 0.0
    return wa / total, wb / total, wc / total


def depth_range(points: Points, a: int, b: int, c: int) -> tuple[float, float]:
    """1 / depth of the nearest and of the farthest corner of a triangle, as far as they lie ahead."""
    low, high = min(points[a, 2], points[b, 2], points[c, 2]), max(points[a, 2], points[b, 2], points[c, 2])
    return 1.0 / max(low, NEAR), 1.0 / max(high, NEAR)


@kernel(on_cuda=False)
def see_tile(
    tile_index: int,
    points: Points,
    faces: Faces,
    boxes: Faces,
    tiles: Tiles,
    alphas: Vectors,
    uvs: Vectors,
    texels: Texels,
    levels: Points,
    depths: ImageOut,
    seen: IdsOut,
) -> None:
    """Draw one tile. The nearest triangle wins, of equally near ones the first.

    Args:
        tile_index: which tile.
        points: (V, 3) homogeneous sample coordinates.
        faces: (F, 3) corners.
        boxes: (F, 4) samples that each triangle may cover.
        tiles: what may be seen in which.
        alphas: (F, 3) of a surface.
        uvs: (V, 2) texture coordinates.
        texels: bytes of all textures.
        levels: textures' places in ``texels``, see `mummer.render.textures`.
        depths: (rows, columns) 1 / depth of what is seen, 0 for nothing; written.
        seen: (rows, columns) the triangle seen, -1 for none; written.
    """
    tile = tiles.side
    top, left = (tile_index // tiles.columns) * tile, (tile_index % tiles.columns) * tile
    for place in range(tiles.starts[tile_index], tiles.starts[tile_index + 1]):
        face = tiles.listed[place]
        a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
        ax, ay, az = edge(points, b, c)
        bx, by, bz = edge(points, c, a)
        cx, cy, cz = edge(points, a, b)
        volume = ax * points[a, 0] + ay * points[a, 1] + az * points[a, 2]
        if volume == 0.0 or not math.isfinite(volume):
            continue
        side = 1.0 if volume > 0 else -1.0
        scale = 1.0 / volume
        nearest, farthest = depth_range(points, a, b, c)
        solid = alphas[face, TEXTURE] < 0 and alphas[face, ALPHA] >= 1
        for row in range(max(top, boxes[face, 2]), min(top + tile - 1, boxes[face, 3]) + 1):
            y = row + 0.5
            a_row, b_row, c_row = ay * y + az, by * y + bz, cy * y + cz
            for column in range(max(left, boxes[face, 0]), min(left + tile - 1, boxes[face, 1]) + 1):
                x = column + 0.5
                wa, wb, wc = ax * x + a_row, bx * x + b_row, cx * x + c_row
                if wa * side < 0 or wb * side < 0 or wc * side < 0:
                    continue
                # A triangle seen edge-on has hardly any volume, and rounding would put it anywhere.
                nearness = min(nearest, max(farthest, (wa + wb + wc) * scale))
                if not (depths[row, column] < nearness < 1 / NEAR):
                    continue
                if not solid:
                    total = wa + wb + wc
                    u = (wa * uvs[a, 0] + wb * uvs[b, 0] + wc * uvs[c, 0]) / total
                    v = (wa * uvs[a, 1] + wb * uvs[b, 1] + wc * uvs[c, 1]) / total
                    if not is_covered(alphas, texels, levels, face, u, v, row, column):
                        continue
                depths[row, column] = nearness
                seen[row, column] = face
