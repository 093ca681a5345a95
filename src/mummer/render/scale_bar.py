"""A bar that says how large the bodies are."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import TINY, Camera
from mummer.render.draw import Picture
from mummer.render.labels import write_line
from mummer.render.look import Look
from mummer.render.setting import Setting
from mummer.render.shown import finite_bounds
from mummer.render.strokes import paint, pen, segments

STEEP = 0.8
"""How far down (the sine of it) a camera looks that would see an upright bar end-on."""


def scale_bar(picture: Picture, setting: Setting, camera: Camera, frame: int, look: Look) -> Picture:
    """The picture with a bar a round number of metres long: upright beside the bodies, or lying, seen from above."""
    low, high = _span(setting, frame)
    start, end, length = _lying(low, high, setting, camera) if steep(camera) else _upright(low, high, setting, camera)
    along = (end - start) / length
    tick = np.cross(camera.axes[2], along) * 0.03 * length
    ends = np.stack([start, start - tick, end - tick]), np.stack([end, start + tick, end + tick])
    unit = pen(camera)
    strokes = segments(camera, *ends, (0.8 * unit, 0.8 * unit), np.array(look.ink, np.float64), 0.9)
    picture = paint(picture, strokes, np.zeros(picture.shape[:2], np.float32))
    column, row, _ = camera.project(0.5 * (start + end) if steep(camera) else end)
    text = f"{length:g} m" if length >= 0.1 else f"{100 * length:g} cm"
    size = max(9, round(min(camera.size) / 36))
    return write_line(picture, text, at=(column, row - 0.5 * size), anchor="ms", size=size, ink=look.ink)


def steep(camera: Camera) -> bool:
    """Whether a camera looks down (or up) so much that an upright bar would be seen end-on."""
    return bool(abs(camera.axes[2, 1]) > STEEP)


def _upright(
    low: FloatArray, high: FloatArray, setting: Setting, camera: Camera
) -> tuple[FloatArray, FloatArray, float]:
    """Foot, head and length of a bar that stands on the ground at the right of the bodies."""
    length = round_length(high[1] - setting.ground.height)
    foot = 0.5 * (low + high)
    foot[1] = setting.ground.height
    foot = foot + camera.axes[0] * 0.56 * float(np.abs(camera.axes[0]) @ (high - low))
    return foot, foot + np.array([0.0, length, 0.0]), length


def _lying(low: FloatArray, high: FloatArray, setting: Setting, camera: Camera) -> tuple[FloatArray, FloatArray, float]:
    """Start, end and length of a bar that lies on the ground below the bodies, as the picture has it."""
    extent = high - low
    length = round_length(0.5 * float(np.abs(camera.axes[0]) @ extent))
    middle = 0.5 * (low + high)
    down = -camera.axes[1] * [1.0, 0.0, 1.0]
    middle = middle + down / max(float(np.linalg.norm(down)), 1e-9) * 0.56 * float(np.abs(camera.axes[1]) @ extent)
    middle[1] = setting.ground.height
    return middle - camera.axes[0] * 0.5 * length, middle + camera.axes[0] * 0.5 * length, length


def _span(setting: Setting, frame: int) -> tuple[FloatArray, FloatArray]:
    places = np.concatenate([setting.joints_at(body, frame) for body in range(len(setting.bodies))])
    return finite_bounds(places)


def round_length(height: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is no more than ``height`` metres.

    Example:
        >>> round_length(1.75), round_length(0.4)
        (1.0, 0.2)
    """
    height = float(height) if height > TINY else 1e-3
    power = 10.0 ** np.floor(np.log10(height))
    return float(max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= height * (1 + 1e-9)))
