"""How much of the key light reaches a place, from a map of what the light itself sees."""

from __future__ import annotations

from mummer.render.loops.arguments import Shadow

REACH = 2
"""Texels around the one looked at, over which the edge of a shadow is softened."""


def light_reaching(shadow: Shadow, x: float, y: float, z: float, nx: float, ny: float, nz: float) -> float:
    """0 in shadow to 1 in full light, for a place xyz in metres with flat normal nxyz.

    Args:
        shadow: what the light sees.
        x: of the place.
        y: of the place.
        z: of the place.
        nx: of the unit normal.
        ny: of the unit normal.
        nz: of the unit normal.
    """
    m, shadow_map = shadow.from_world, shadow.nearness
    offset = m[3, 0]
    x, y, z = x + offset * nx, y + offset * ny, z + offset * nz
    depth = m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3]
    column = (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3]) / depth - 0.5
    row = (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3]) / depth - 0.5
    rows, columns = shadow_map.shape
    if not (REACH <= column < columns - REACH - 1 and REACH <= row < rows - REACH - 1):
        return 1.0
    left, top = int(column), int(row)
    right, below = column - left, row - top
    threshold = 1.0 / (depth - 0.5 * offset)
    light, total = 0.0, 0.0
    for down in range(-REACH + 1, REACH + 1):
        # The outermost texels count by the part of them that lies within reach, so that edges glide.
        tall = 1.0 - below if down == 1 - REACH else (below if down == REACH else 1.0)
        for across in range(-REACH + 1, REACH + 1):
            wide = 1.0 - right if across == 1 - REACH else (right if across == REACH else 1.0)
            total += wide * tall
            if shadow_map[top + down, left + across] <= threshold:
                light += wide * tall
    return light / total
