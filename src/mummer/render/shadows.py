"""What the key light sees: the map from which the body shades itself."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import TINY, Camera, apply
from mummer.render.raster import see
from mummer.render.shown import finite_bounds
from mummer.render.surface import Shape, Surface

MAP_SIZE = 640
DISTANCE = 30.0
"""How far off the light stands, in sizes of the subject: nearly parallel rays."""
OFFSET_TEXELS = 2.0
"""How far a place is moved off its own surface before asking, so that it does not shade itself."""


def light_camera(direction: FloatArray, center: FloatArray, radius: float) -> Camera:
    """A camera that sees a ball of ``radius`` metres around ``center`` from where the light is."""
    ahead = -direction
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    if np.linalg.norm(right) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])
    right = right / np.linalg.norm(right)
    axes = np.stack([right, np.cross(right, ahead), ahead])
    focal = 0.5 * MAP_SIZE * math.sqrt(DISTANCE**2 - 1) * 0.98
    return Camera(center + direction * DISTANCE * radius, axes, focal, (MAP_SIZE, MAP_SIZE))


def shadow_map(surface: Surface, shape: Shape, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The matrix into the shadow map, and the map.

    Args:
        surface: the triangles.
        shape: where they are.
        direction: (3,) unit, towards the light.

    Returns:
        (4, 4): three rows of homogeneous map coordinates, then the offset in metres; and 1 / distance of what the
        light sees (rows, columns).
    """
    low, high = finite_bounds(shape.positions)
    radius = max(TINY, 0.5 * float(np.linalg.norm(high - low)))
    camera = light_camera(direction, 0.5 * (low + high), radius)
    matrix = camera.homogeneous_from_world()
    seen = see(apply(matrix, shape.positions), surface, camera.size)
    offset = OFFSET_TEXELS * 2 * radius / MAP_SIZE
    return np.concatenate([matrix, [[offset, 0.0, 0.0, 0.0]]]), seen.nearness
