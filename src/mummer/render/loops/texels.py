"""Reading colours out of textures that lie end to end in one array of bytes."""

from __future__ import annotations

import math

from mummer.kernels.scalars import index_at
from mummer.render.loops.arguments import Numbers, Points, Texels

Three = tuple[float, float, float]


def wrapped(value: float) -> float:
    """The part of a texture coordinate after the point: textures repeat."""
    return value - math.floor(value) if math.isfinite(value) else 0.0


def alpha_at(texels: Texels, levels: Points, texture: int, u: float, v: float) -> float:
    """Alpha 0 to 1 of the texel at (u, v) of a texture's full-size level."""
    start, width, height = int(levels[texture, 0]), int(levels[texture, 1]), int(levels[texture, 2])
    column, row = index_at(wrapped(u) * width, width - 1), index_at(wrapped(v) * height, height - 1)
    return texels[start + 4 * (row * width + column) + 3] / 255.0


def color_at(texels: Texels, linear: Numbers, start: int, width: int, height: int, u: float, v: float) -> Three:
    """Linear RGB at (u, v) of one level of a texture, blended from the four texels around.

    Args:
        texels: bytes of all textures, RGBA.
        linear: (256,) linear light of each sRGB byte.
        start: where the level begins.
        width: its columns.
        height: its rows.
        u: across, repeating at 1.
        v: down, repeating at 1.
    """
    x, y = wrapped(u) * width - 0.5, wrapped(v) * height - 0.5
    column, row = math.floor(x), math.floor(y)
    right, below = x - column, y - row
    red, green, blue = 0.0, 0.0, 0.0
    for corner in range(4):
        across, down = corner & 1, corner >> 1
        # Columns and rows are -1 to one past the last here, so this wraps them without a costly division.
        texel_column, texel_row = int(column) + across, int(row) + down
        texel_column = width - 1 if texel_column < 0 else (0 if texel_column >= width else texel_column)
        texel_row = height - 1 if texel_row < 0 else (0 if texel_row >= height else texel_row)
        weight = (right if across else 1.0 - right) * (below if down else 1.0 - below)
        place = start + 4 * (texel_row * width + texel_column)
        red += weight * linear[texels[place]]
        green += weight * linear[texels[place + 1]]
        blue += weight * linear[texels[place + 2]]
    return red, green, blue
