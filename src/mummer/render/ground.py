"""The ground: a grid that fades out, and the shadows by which one sees whether feet stand on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import TINY
from mummer.render.raster import see_solid
from mummer.render.shown import finite_bounds
from mummer.render.surface import Shape, Surface

TEXELS = 320
CAST, CONTACT, AROUND = 0.42, 0.62, 0.30
"""Darkness of the shadow that the key light casts, of what touches the ground, and of what hangs over it."""
HIGHEST_FACTOR = 0.1
WIDE = 5.0
"""Texels from which a blur counts as wide."""


@dataclass(frozen=True)
class Ground:
    """A level ground.

    Attributes:
        height: metres.
        center: x and z of the middle of what is shown, metres.
        fade: metres from there over which the grid fades out.
        spacing: metres between the strong lines; four fine ones lie between two.
    """

    height: float
    center: tuple[float, float]
    fade: float
    spacing: float


@dataclass(frozen=True, eq=False)
class ShadowOnGround:
    """Darkness on the ground.

    Attributes:
        darkness: (rows along z, columns along x) 0 to 1.
        corner: x and z where the map begins, metres.
        texels_per_metre: its scale.
    """

    darkness: FloatArray
    corner: tuple[float, float]
    texels_per_metre: float


def spacing_for(size: float) -> float:
    """Metres between grid lines for a subject of ``size`` metres: one metre for people, powers of ten for the rest."""
    if 0.6 <= size <= 8.0:
        return 1.0
    return 10.0 ** math.floor(math.log10(max(size, TINY) / 0.8))


def shadow_on_ground(surface: Surface, shape: Shape, direction: FloatArray, height: float) -> ShadowOnGround:
    """The cast shadow, the dark line of contact and the dimness around, as one map.

    Args:
        surface: the triangles.
        shape: where they are.
        direction: (3,) unit, towards the key light, which stands above the ground.
        height: of the ground, metres.
    """
    above = shape.positions[:, 1] - height
    cast = shape.positions - direction * (np.maximum(above, 0.0) / direction[1])[:, None]
    low, high = finite_bounds(np.concatenate([cast, shape.positions]))
    size = max(TINY, float(np.linalg.norm(high - low)))
    reach = 0.6 * max(high[0] - low[0], high[2] - low[2], TINY) + 0.12 * size
    corner = (0.5 * (low[0] + high[0]) - reach, 0.5 * (low[2] + high[2]) - reach)
    scale = TEXELS / (2 * reach)
    lowest_place, highest_place = finite_bounds(shape.positions)
    body = max(TINY, float(highest_place[1] - lowest_place[1]), 0.3 * size)

    flat = see_solid(_from_above(cast, corner, scale, 1.0), surface.faces, (TEXELS, TEXELS)).faces >= 0
    depth = 1.0 + HIGHEST_FACTOR * np.maximum(above, 0.0) / body
    lowest = see_solid(_from_above(shape.positions, corner, scale, depth), surface.faces, (TEXELS, TEXELS)).nearness
    over = np.where(lowest > 0, (1.0 / np.clip(lowest, 1e-6, 1.0) - 1.0) / HIGHEST_FACTOR, np.inf)
    texel = body * scale
    darkness = 1.0 - (
        (1.0 - CAST * blurred(flat.astype(np.float32), 0.012 * texel))
        * (1.0 - CONTACT * blurred(np.exp(-over / 0.03).astype(np.float32), 0.008 * texel))
        * (1.0 - AROUND * blurred(np.exp(-over / 0.35).astype(np.float32), 0.06 * texel))
    )
    return ShadowOnGround(np.ascontiguousarray(darkness, np.float32), corner, scale)


def _from_above(points: FloatArray, corner: tuple[float, float], scale: float, depth: float | FloatArray) -> FloatArray:
    """Homogeneous map coordinates of places looked at straight from above or below, nearest at the smallest depth."""
    columns, rows = (points[:, 0] - corner[0]) * scale, (points[:, 2] - corner[1]) * scale
    return np.stack([columns * depth, rows * depth, np.broadcast_to(depth, columns.shape)], axis=1)


def blurred(image: FloatArray, sigma: float) -> FloatArray:
    """``image`` (rows, columns) softened by a Gaussian of ``sigma`` texels, dark beyond its borders.

    A wide blur is done on an image a quarter the size, which cannot be told from the real one.
    """
    if sigma > WIDE and image.shape[0] % 4 == 0 and image.shape[1] % 4 == 0:
        rows, columns = image.shape
        small = image.reshape(rows // 4, 4, columns // 4, 4).mean(axis=(1, 3))
        soft = blurred(small, math.sqrt(sigma**2 - 4.0) / 4.0)
        return blurred(np.repeat(np.repeat(soft, 4, axis=0), 4, axis=1), 2.0)
    radius = max(1, math.ceil(2.5 * sigma))
    taps = np.exp(-0.5 * (np.arange(-radius, radius + 1) / max(sigma, 0.3)) ** 2)
    taps = (taps / taps.sum()).astype(np.float32)
    for _ in range(2):
        padded = np.pad(image, ((radius, radius), (0, 0)))
        softened = np.zeros_like(image)
        for place, weight in enumerate(taps):
            softened += weight * padded[place : place + len(image)]
        image = softened.T
    return image
