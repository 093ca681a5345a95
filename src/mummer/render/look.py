"""Colours of the studio, and the step from linear light to the bytes of a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray

Rgb = tuple[int, int, int]


@dataclass(frozen=True)
class Look:
    """Colours as sRGB bytes.

    Attributes:
        top, bottom: of the background.
        floor, grid, shadow: of the ground.
        ink: of captions and names.
        center, left, right: of joints, bones and trails, by side.
    """

    top: Rgb = (233, 236, 240)
    bottom: Rgb = (216, 220, 226)
    floor: Rgb = (224, 226, 229)
    grid: Rgb = (168, 174, 183)
    shadow: Rgb = (38, 42, 54)
    ink: Rgb = (44, 50, 62)
    center: Rgb = (232, 164, 40)
    left: Rgb = (28, 132, 208)
    right: Rgb = (222, 72, 68)

    def palette(self) -> FloatArray:
        """(5, 3) linear colours of background and ground."""
        return linear(np.array([self.top, self.bottom, self.floor, self.grid, self.shadow]))


def linear(values: FloatArray) -> FloatArray:
    """Linear light 0 to 1 of sRGB bytes."""
    part = np.asarray(values, np.float64) / 255.0
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def srgb(light: FloatArray) -> FloatArray:
    """The sRGB value, 0 to 255 and not rounded, of linear light 0 to 1."""
    part = np.clip(np.asarray(light, np.float64), 0.0, 1.0)
    return 255.0 * np.where(part <= 0.0031308, 12.92 * part, 1.055 * part ** (1 / 2.4) - 0.055)


LINEAR_OF_BYTE = linear(np.arange(256.0))
BYTE_OF_LINEAR = np.round(srgb(np.linspace(0.0, 1.0, 16384))).astype(np.uint8)
