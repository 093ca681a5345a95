"""Gaits for any legs: legs, the order in which they go, styles, and ways to go."""

from mummer.general.gait.legs import Leg, legs_of
from mummer.general.gait.natural import natural_style
from mummer.general.gait.path import Path, path_by_velocity, path_through
from mummer.general.gait.style import Style, make_style
from mummer.general.gait.style_text import parse_style, read_style, style_names

__all__ = [
    "Leg",
    "Path",
    "Style",
    "legs_of",
    "make_style",
    "natural_style",
    "parse_style",
    "path_by_velocity",
    "path_through",
    "read_style",
    "style_names",
]
