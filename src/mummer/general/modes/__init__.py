"""Movement modes: what about a movement matters, and the maps of one body that follow from it."""

from mummer.general.modes.mode import PositionMode, RotationMode
from mummer.general.modes.position_map import PositionMap, position_map
from mummer.general.modes.remap import remap_keys, remap_slopes
from mummer.general.modes.rotation_map import RotationMap, rotation_map
from mummer.general.modes.surface import Surface, part_volume
from mummer.general.modes.target import Target, part_target, rest_target

__all__ = [
    "PositionMap",
    "PositionMode",
    "RotationMap",
    "RotationMode",
    "Surface",
    "Target",
    "part_target",
    "part_volume",
    "position_map",
    "remap_keys",
    "remap_slopes",
    "rest_target",
    "rotation_map",
]
