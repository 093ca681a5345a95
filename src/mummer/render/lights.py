"""The lamps of the studio: they stand around the camera, so that every view is well lit."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import Camera

KEY_COLOR = (0.92, 0.88, 0.82)
FILL_COLOR = (0.12, 0.14, 0.18)
RIM_COLOR = (0.40, 0.44, 0.50)
SKY_COLOR = (0.30, 0.33, 0.37)
GROUND_COLOR = (0.16, 0.15, 0.14)


def key_direction(camera: Camera) -> FloatArray:
    """(3,) unit vector towards the key light: above, to the left of the camera and a little in front."""
    right = camera.axes[0]
    outward = np.cross(right, [0.0, 1.0, 0.0])
    return _unit(-0.50 * right + 0.85 * np.array([0.0, 1.0, 0.0]) + 0.55 * outward)


def light_table(camera: Camera) -> FloatArray:
    """(6, 6) key, fill and rim lights (direction, linear colour), sky, ground, and the camera's place."""
    right = camera.axes[0]
    up = np.array([0.0, 1.0, 0.0])
    outward = np.cross(right, up)
    table = np.zeros((6, 6))
    table[0] = *key_direction(camera), *KEY_COLOR
    table[1] = *_unit(0.85 * right + 0.15 * up + 0.55 * outward), *FILL_COLOR
    table[2] = *_unit(0.35 * right + 0.45 * up - 0.85 * outward), *RIM_COLOR
    table[3, :3], table[4, :3], table[5, :3] = SKY_COLOR, GROUND_COLOR, camera.eye
    return table


def _unit(vector: FloatArray) -> FloatArray:
    return vector / np.linalg.norm(vector)
