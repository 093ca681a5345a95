"""The body laid over ground and background, and the whole turned from linear light to sRGB bytes, row by row."""

from __future__ import annotations

import math

from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import index_at
from mummer.render.loops.arguments import BytesOut, Colors, Image, Numbers, Points, Texels

Three = tuple[float, float, float]
HEIGHT, SPACING, LINE, FADE, CENTER_X, CENTER_Z, MAP_X, MAP_Z, MAP_SCALE, VISIBLE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Numbers that describe the ground, see `mummer.render.ground`."""
TOP, BOTTOM, FLOOR, GRID, SHADE = 0, 1, 2, 3, 4
"""Rows of the table of colours."""
SUNK = 0.6
"""How much of the ground is seen over what lies below it."""


def stripes(place: float, width: float, blur: float) -> float:
    """How much of a stretch of length ``blur`` around ``place`` is covered by lines ``width`` wide at each integer."""
    if blur >= 1.0:
        return width
    off = abs(place - math.floor(place + 0.5))
    if off >= 0.5 * (width + blur):
        return 0.0
    return min(1.0, width / blur) * min(1.0, max(0.0, (0.5 * (width + blur) - off) / min(width, blur)))


def map_at(darkness: Image, x: float, y: float) -> float:
    """The darkness map at a place, blended from four texels; nothing outside."""
    rows, columns = darkness.shape
    if not (0.5 <= x < columns - 0.5 and 0.5 <= y < rows - 0.5):
        return 0.0
    left, top = int(x - 0.5), int(y - 0.5)
    right, below = x - 0.5 - left, y - 0.5 - top
    upper = darkness[top, left] * (1 - right) + darkness[top, left + 1] * right
    lower = darkness[top + 1, left] * (1 - right) + darkness[top + 1, left + 1] * right
    return upper * (1 - below) + lower * below


def ground_depth(ground: Numbers, rays: Points, row: float) -> float:
    """How deep the ground lies in a row of the picture; 0 where it is not seen. The camera is never tilted sideways."""
    above = rays[3, 1] - ground[HEIGHT]
    down = rays[1, 1] * row + rays[1, 2]
    if ground[VISIBLE] == 0.0 or above <= 0 or down >= -1e-9:
        return 0.0
    return -above / down


def ground_weights(ground: Numbers, rays: Points, darkness: Image, column: float, row: float, depth: float) -> Three:
    """Floor, grid and shadow of one pixel, each 0 to 1.

    Args:
        ground: numbers of the ground.
        rays: (4, 3): rows of world_from_ray and the camera's place.
        darkness: the map of shadows.
        column: of the pixel's middle.
        row: of the pixel's middle.
        depth: of the ground there.
    """
    dx = rays[0, 0] * column + rays[0, 1] * row + rays[0, 2]
    dz = rays[2, 0] * column + rays[2, 1] * row + rays[2, 2]
    x, z = rays[3, 0] + depth * dx, rays[3, 2] + depth * dz
    away = ((x - ground[CENTER_X]) ** 2 + (z - ground[CENTER_Z]) ** 2) / (ground[FADE] * ground[FADE])
    if not away <= 7.0:
        return 0.0, 0.0, 0.0
    fade = math.exp(-away)
    # How far the place on the ground moves from this pixel to the next, to blur the lines by just that much.
    per_drop = depth / (ground[HEIGHT] - rays[3, 1])
    scale = depth / ground[SPACING]
    tilt_x, tilt_z = dx * per_drop, dz * per_drop
    step_x = scale * (abs(rays[0, 0]) + abs(rays[0, 1] - tilt_x * rays[1, 1])) + 1e-6
    step_z = scale * (abs(rays[2, 0]) + abs(rays[2, 1] - tilt_z * rays[1, 1])) + 1e-6
    across, along, width = x / ground[SPACING], z / ground[SPACING], ground[LINE]
    strong = max(stripes(across, width, step_x), stripes(along, width, step_z))
    fine = max(stripes(4 * across, 2 * width, 4 * step_x), stripes(4 * along, 2 * width, 4 * step_z))
    shadow = map_at(darkness, (x - ground[MAP_X]) * ground[MAP_SCALE], (z - ground[MAP_Z]) * ground[MAP_SCALE])
    return fade, max(strong, 0.3 * fine) * fade, shadow


@kernel(on_cuda=False)
def compose_row(
    row: int,
    shaded: Colors,
    coverage: Image,
    nearness: Image,
    ground: Numbers,
    rays: Points,
    darkness: Image,
    palette: Points,
    encoded: Texels,
    picture: BytesOut,
) -> None:
    """Finish one row of pixels.

    Args:
        row: which row.
        shaded: (rows, columns, 3) linear light of the body, times coverage.
        coverage: (rows, columns) part of each pixel that the body covers.
        nearness: (rows, columns) 1 / depth of the body.
        ground: numbers of the ground.
        rays: (4, 3) rows of world_from_ray and the camera's place.
        darkness: the map of shadows on the ground.
        palette: (5, 3) linear colours: background at top and bottom, floor, grid, shadow.
        encoded: sRGB byte of linear light, finely divided.
        picture: (rows, columns, 3) sRGB bytes; written.
    """
    rows, columns = coverage.shape
    down = (row + 0.5) / rows
    last = encoded.shape[0] - 1
    depth = ground_depth(ground, rays, row + 0.5)
    for column in range(columns):
        covered = coverage[row, column]
        # What has sunk below the ground shows through it, dimmed, so that one sees how deep it is.
        sunk = SUNK if depth > 0 and covered > 0 and nearness[row, column] * depth < 0.998 else 0.0
        opaque = covered * (1.0 - sunk)
        floor, grid, shadow = 0.0, 0.0, 0.0
        if depth > 0 and opaque < 1.0:
            floor, grid, shadow = ground_weights(ground, rays, darkness, column + 0.5, row + 0.5, depth)
        for channel in range(3):
            behind = palette[TOP, channel] * (1 - down) + palette[BOTTOM, channel] * down
            behind += (palette[FLOOR, channel] - behind) * floor
            behind += (palette[GRID, channel] - behind) * grid
            behind += (palette[SHADE, channel] - behind) * shadow
            light = shaded[row, column, channel] * (1 - sunk) + behind * (1 - opaque)
            picture[row, column, channel] = encoded[index_at(light * last + 0.5, last)]
