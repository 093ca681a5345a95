"""Gaits for any legs, and for bodies with none."""

from mummer.general.gait.crawling import Crawl
from mummer.general.gait.floating import Float
from mummer.general.gait.gait import Walk, natural_speed
from mummer.general.gait.ground import Ground
from mummer.general.gait.inching import Inch
from mummer.general.gait.legs import Leg, legs_of
from mummer.general.gait.make import Gait, gait, manner_of, natural_style
from mummer.general.gait.path import Path, path_by_velocity, path_through, standing
from mummer.general.gait.style import Style, make_style
from mummer.general.gait.style_text import parse_style, read_style, style_names

__all__ = [
    "Crawl",
    "Float",
    "Gait",
    "Ground",
    "Inch",
    "Leg",
    "Path",
    "Style",
    "Walk",
    "gait",
    "legs_of",
    "make_style",
    "manner_of",
    "natural_speed",
    "natural_style",
    "parse_style",
    "path_by_velocity",
    "path_through",
    "read_style",
    "standing",
    "style_names",
]
