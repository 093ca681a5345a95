"""How open each seen place is to the sky: creases and places close to other parts are darker.

Judged from the depths of the picture alone: around each pixel a few others are looked at, and those that rise above
its surface close it in. The pattern of looks repeats every four pixels, and a blur over just four takes it away again.
"""

from __future__ import annotations

import math

from mummer.kernels.kernel import kernel
from mummer.render.loops.arguments import Image, ImageOut, Numbers, Points, Size

Three = tuple[float, float, float]
STRENGTH = 2.2
FOCAL, MIDDLE_COLUMN, MIDDLE_ROW, REACH = 0, 1, 2, 3
"""Numbers of the camera: pixels a metre at one metre, the middle of the picture, and metres that a look goes far."""


def place_at(lens: Numbers, column: int, row: int, nearness: float) -> Three:
    """Metres right, down and ahead of the camera of what a pixel sees."""
    depth = 1.0 / nearness
    across = (column + 0.5 - lens[MIDDLE_COLUMN]) / lens[FOCAL]
    down = (row + 0.5 - lens[MIDDLE_ROW]) / lens[FOCAL]
    return across * depth, down * depth, depth


def slope(nearness: Image, samples: int, row: int, column: int, down: int, across: int) -> float:
    """How 1 / depth changes to the next pixel, on the side where it changes less: not over the edge of a form."""
    rows, columns = nearness.shape
    here = nearness[row * samples, column * samples]
    best = 1e30
    for side in (-1, 1):
        other_row, other_column = (row + side * down) * samples, (column + side * across) * samples
        if 0 <= other_row < rows and 0 <= other_column < columns and nearness[other_row, other_column] > 0:
            change = side * (nearness[other_row, other_column] - here)
            if abs(change) < abs(best):
                best = change
    return best if best < 1e29 else 0.0


def facing(lens: Numbers, nearness: Image, samples: int, row: int, column: int) -> Three:
    """The unit normal, towards the camera, of the surface that a pixel sees.

    A plane n · p = 1 has 1 / depth = n · (across, down, 1), so the slopes of 1 / depth are the normal itself.
    """
    x = slope(nearness, samples, row, column, 0, 1) * lens[FOCAL]
    y = slope(nearness, samples, row, column, 1, 0) * lens[FOCAL]
    across = (column + 0.5 - lens[MIDDLE_COLUMN]) / lens[FOCAL]
    down = (row + 0.5 - lens[MIDDLE_ROW]) / lens[FOCAL]
    z = nearness[row * samples, column * samples] - x * across - y * down
    length = math.sqrt(x * x + y * y + z * z)
    if length == 0.0:
        return 0.0, 0.0, -1.0
    return -x / length, -y / length, -z / length


@kernel(on_cuda=False)
def look_around_row(row: int, samples: Size, nearness: Image, lens: Numbers, looks: Points, openness: ImageOut) -> None:
    """How open each pixel of a row is, 0 to 1, not yet blurred.

    Args:
        row: which row of pixels.
        samples: samples along a side of a pixel; the first of each pixel is looked at.
        nearness: 1 / depth at each sample, 0 for nothing.
        lens: numbers of the camera.
        looks: (16, 2 * looks) across and down, in parts of the reach, of each look from each of four by four pixels.
        openness: (rows, columns); written.
    """
    rows, columns = openness.shape
    for column in range(columns):
        here = nearness[row * samples, column * samples]
        openness[row, column] = 1.0
        if here <= 0:
            continue
        px, py, pz = place_at(lens, column, row, here)
        nx, ny, nz = facing(lens, nearness, samples, row, column)
        reach = min(80.0, max(2.0, lens[REACH] * lens[FOCAL] * here))
        pattern, count, closed = (row & 3) * 4 + (column & 3), looks.shape[1] // 2, 0.0
        for look in range(count):
            x, y = column + 0.5 + reach * looks[pattern, 2 * look], row + 0.5 + reach * looks[pattern, 2 * look + 1]
            if not (0 <= x < columns and 0 <= y < rows):
                continue
            other_column, other_row = int(x), int(y)
            there = nearness[other_row * samples, other_column * samples]
            if there <= 0:
                continue
            qx, qy, qz = place_at(lens, other_column, other_row, there)
            dx, dy, dz = qx - px, qy - py, qz - pz
            square = dx * dx + dy * dy + dz * dz
            if square > 0:
                rise = (dx * nx + dy * ny + dz * nz) / math.sqrt(square) - 0.12
                fall = 1.0 - square / (lens[REACH] * lens[REACH])
                closed += max(0.0, rise) * max(0.0, fall)
        openness[row, column] = max(0.0, 1.0 - STRENGTH * closed / count)


@kernel(on_cuda=False)
def smooth_row(row: int, samples: Size, nearness: Image, openness: Image, smooth: ImageOut) -> None:
    """Blur the openness of a row over four by four pixels of the same form.

    Args:
        row: which row of pixels.
        samples: samples along a side of a pixel.
        nearness: 1 / depth at each sample.
        openness: (rows, columns) of `look_around_row`.
        smooth: (rows, columns); written.
    """
    rows, columns = openness.shape
    for column in range(columns):
        here = nearness[row * samples, column * samples]
        smooth[row, column] = 1.0
        if here <= 0:
            continue
        total, count = 0.0, 0
        for other_row in range(max(0, row - 2), min(rows, row + 2)):
            for other_column in range(max(0, column - 2), min(columns, column + 2)):
                if abs(nearness[other_row * samples, other_column * samples] - here) < 0.02 * here:
                    total += openness[other_row, other_column]
                    count += 1
        smooth[row, column] = total / max(1, count)
