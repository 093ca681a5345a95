"""Colours that go together: one hue for the body, a light one below, a second hue for what stands out."""

from __future__ import annotations

import colorsys

from mummer.zoo.creature.dice import Dice


def throw_palette(dice: Dice) -> dict[str, str]:
    """A palette: ``skin``, ``belly``, ``mark``, ``accent``, ``claw``, ``iris``, ``mouth``, ``web``."""
    hue = dice.part()
    vivid = dice.between(0.28, 0.72)
    bright = dice.between(0.42, 0.78)
    second = hue + dice.pick([(0.5, 2.0), (0.33, 1.0), (0.08, 2.0), (-0.08, 2.0), (-0.33, 1.0)])
    return {
        "skin": _hex(hue, vivid, bright),
        "belly": _hex(hue + 0.04, 0.35 * vivid, min(0.95, bright + 0.28)),
        "mark": _hex(hue - 0.03, min(0.9, vivid + 0.1), 0.52 * bright),
        "accent": _hex(second, min(0.85, vivid + 0.15), min(0.92, bright + 0.12)),
        "claw": _hex(hue + 0.1, 0.25, dice.pick([(0.22, 1.0), (0.85, 1.0)])),
        "iris": _hex(second + 0.1, 0.8, 0.75),
        "mouth": "#5e2129",
        "web": _hex(second, 0.6 * vivid, min(0.9, bright + 0.05)),
    }


def _hex(hue: float, saturation: float, value: float) -> str:
    channels = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
