"""How good a motion is: feet, ground, contact, limits, smoothness, likeness to what it was made from.

Each measure is a function of clips that gives a `Measure`: a value, its unit, and what would be good.
"""

from mummer.measure.contact import contact_precision, contact_recall
from mummer.measure.floor import floor_of
from mummer.measure.ground import ground_float, ground_penetration
from mummer.measure.likeness import bone_direction_error, dropped_energy, end_effector_error, side_swaps
from mummer.measure.limits import limit_violations
from mummer.measure.measure import Measure
from mummer.measure.measures import measures
from mummer.measure.skate import foot_skate, mann_skate
from mummer.measure.smoothness import jerk, jerk_ratio, turning_jerk_ratio
from mummer.measure.volume import self_penetration

__all__ = [
    "Measure",
    "bone_direction_error",
    "contact_precision",
    "contact_recall",
    "dropped_energy",
    "end_effector_error",
    "floor_of",
    "foot_skate",
    "ground_float",
    "ground_penetration",
    "jerk",
    "jerk_ratio",
    "limit_violations",
    "mann_skate",
    "measures",
    "self_penetration",
    "side_swaps",
    "turning_jerk_ratio",
]
