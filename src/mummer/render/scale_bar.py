"""A bar that says how large the bodies are."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.render.camera import Camera
from mummer.render.draw import Picture
from mummer.render.labels import write_line
from mummer.render.look import Look
from mummer.render.setting import Setting
from mummer.render.strokes import paint, pen, segments


def scale_bar(picture: Picture, setting: Setting, camera: Camera, frame: int, look: Look) -> Picture:
    """The picture with an upright bar on the ground at the right of the bodies, a round number of metres tall."""
    low, high = _span(setting, frame)
    length = round_length(high[1] - setting.ground.height)
    foot = 0.5 * (low + high)
    foot[1] = setting.ground.height
    columns = camera.project(np.stack([low, high]))[:, 0]
    foot = foot + camera.axes[0] * (0.56 * abs(columns[1] - columns[0]) / camera.focal) * camera.project(foot)[2]
    head = foot + np.array([0.0, length, 0.0])
    tick = camera.axes[0] * 0.03 * length
    ends = np.stack([foot, foot - tick, head - tick]), np.stack([head, foot + tick, head + tick])
    unit = pen(camera)
    color = np.array(look.ink, np.float64)
    strokes = segments(camera, *ends, (0.8 * unit, 0.8 * unit), color, 0.9)
    picture = paint(picture, strokes, np.zeros(picture.shape[:2], np.float32))
    column, row, _ = camera.project(head)
    text = f"{length:g} m" if length >= 0.1 else f"{100 * length:g} cm"
    size = max(9, round(min(camera.size) / 36))
    return write_line(picture, text, at=(column, row - 0.4 * size), anchor="ms", size=size, ink=look.ink)


def _span(setting: Setting, frame: int) -> tuple[FloatArray, FloatArray]:
    places = np.concatenate([setting.joints_at(body, frame) for body in range(len(setting.bodies))])
    return places.min(axis=0), places.max(axis=0)


def round_length(height: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is no more than ``height`` metres.

    Example:
        >>> round_length(1.75), round_length(0.4)
        (1.0, 0.2)
    """
    power = 10.0 ** np.floor(np.log10(max(float(height), 1e-3)))
    return float(max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= max(height, 1e-3) * (1 + 1e-9)))
