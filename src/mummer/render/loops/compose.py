"""The body laid over ground and background, and the whole turned from linear light to sRGB bytes, row by row."""

from __future__ import annotations

import math

from mummer.kernels.kernel import kernel
from mummer.render.loops.arguments import BytesOut, Colors, Image, Numbers, Points, Texels

Three = tuple[float, float, float]
HEIGHT, SPACING, LINE, FADE, CENTER_X, CENTER_Z, MAP_X, MAP_Z, MAP_SCALE, VISIBLE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Numbers that describe the ground, see `mummer.render.ground`."""
TOP, BOTTOM, FLOOR, GRID, SHADE = 0, 1, 2, 3, 4
"""Rows of the table of colours."""
KNEE = 0.75
"""Light above this is pressed together instead of cut off."""


def stripes(place: float, width: float, blur: float) -> float:
    """How much of a stretch of length ``blur`` around ``place`` is covered by lines ``width`` wide at each integer."""
    blur = max(blur, 1e-6)
    low, high = place - 0.5 * blur + 0.5 * width, place + 0.5 * blur + 0.5 * width
    below = math.floor(low) * width + min(low - math.floor(low), width)
    above = math.floor(high) * width + min(high - math.floor(high), width)
    return min(1.0, (above - below) / blur)


def map_at(darkness: Image, x: float, y: float) -> float:
    """The darkness map at a place, blended from four texels; nothing outside."""
    column, row = math.floor(x - 0.5), math.floor(y - 0.5)
    right, below = x - 0.5 - column, y - 0.5 - row
    rows, columns = darkness.shape
    if column < 0 or row < 0 or column >= columns - 1 or row >= rows - 1:
        return 0.0
    left, top = int(column), int(row)
    upper = darkness[top, left] * (1 - right) + darkness[top, left + 1] * right
    lower = darkness[top + 1, left] * (1 - right) + darkness[top + 1, left + 1] * right
    return upper * (1 - below) + lower * below


def pressed(light: float) -> float:
    """Light brought below 1: unchanged up to the knee, then ever flatter."""
    if light <= KNEE:
        return max(0.0, light)
    return KNEE + (1 - KNEE) * (1 - math.exp(-(light - KNEE) / (1 - KNEE)))


def ground_weights(
    ground: Numbers, rays: Points, darkness: Image, column: float, row: float
) -> tuple[float, float, float, float]:
    """Floor, grid and shadow of one pixel, each 0 to 1, and the depth of the ground there (0 for none).

    Args:
        ground: numbers of the ground.
        rays: (4, 3): rows of world_from_ray and the camera's place.
        darkness: the map of shadows.
        column: of the pixel's middle.
        row: of the pixel's middle.
    """
    dx = rays[0, 0] * column + rays[0, 1] * row + rays[0, 2]
    dy = rays[1, 0] * column + rays[1, 1] * row + rays[1, 2]
    dz = rays[2, 0] * column + rays[2, 1] * row + rays[2, 2]
    above = rays[3, 1] - ground[HEIGHT]
    if ground[VISIBLE] == 0.0 or above <= 0 or dy >= -1e-9:
        return 0.0, 0.0, 0.0, 0.0
    depth = -above / dy
    x, z = rays[3, 0] + depth * dx, rays[3, 2] + depth * dz
    # How far the place on the ground moves from this pixel to the next, to blur the lines by just that much.
    step_x = depth * (abs(rays[0, 0] - dx / dy * rays[1, 0]) + abs(rays[0, 1] - dx / dy * rays[1, 1]))
    step_z = depth * (abs(rays[2, 0] - dz / dy * rays[1, 0]) + abs(rays[2, 1] - dz / dy * rays[1, 1]))
    away = ((x - ground[CENTER_X]) ** 2 + (z - ground[CENTER_Z]) ** 2) / ground[FADE] ** 2
    fade = math.exp(-away)
    spacing, width = ground[SPACING], ground[LINE]
    across = stripes(x / spacing, width, step_x / spacing)
    along = stripes(z / spacing, width, step_z / spacing)
    fine = max(
        stripes(4 * x / spacing, 2 * width, 4 * step_x / spacing),
        stripes(4 * z / spacing, 2 * width, 4 * step_z / spacing),
    )
    grid = max(max(across, along), 0.3 * fine) * fade
    shadow = map_at(darkness, (x - ground[MAP_X]) * ground[MAP_SCALE], (z - ground[MAP_Z]) * ground[MAP_SCALE])
    return fade, grid, shadow, depth


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
    for column in range(columns):
        floor, grid, shadow, depth = ground_weights(ground, rays, darkness, column + 0.5, row + 0.5)
        covered = coverage[row, column]
        # What has sunk below the ground shows through it, dimmed, so that one sees how deep it is.
        sunk = 0.6 if depth > 0 and nearness[row, column] * depth < 0.998 and covered > 0 else 0.0
        for channel in range(3):
            behind = palette[TOP, channel] * (1 - down) + palette[BOTTOM, channel] * down
            behind += (palette[FLOOR, channel] - behind) * floor
            behind += (palette[GRID, channel] - behind) * grid
            behind += (palette[SHADE, channel] - behind) * shadow
            light = shaded[row, column, channel] * (1 - sunk) + behind * (1 - covered * (1 - sunk))
            picture[row, column, channel] = encoded[int(pressed(light) * last + 0.5)]
