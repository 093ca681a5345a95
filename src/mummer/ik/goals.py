"""Every kind of goal under one roof."""

from mummer.ik.body_goals import Balanced, CenterOfMass, Near
from mummer.ik.pair_goals import Apart, Match, Together
from mummer.ik.point_goals import Aim, HalfSpace, JointValue, Orient, Place

__all__ = [
    "Aim",
    "Apart",
    "Balanced",
    "CenterOfMass",
    "HalfSpace",
    "JointValue",
    "Match",
    "Near",
    "Orient",
    "Place",
    "Together",
]
