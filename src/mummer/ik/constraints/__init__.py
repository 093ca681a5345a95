"""The constraint engine: a clip and goals over intervals in, a clip out that meets them with no jump."""

from mummer.clip.text_names import register_values
from mummer.ik.body_point import BodyPoint
from mummer.ik.constraints.constrained import Constrained
from mummer.ik.constraints.in_step import blend
from mummer.ik.constraints.plant import footholds, keep_contacts, planted, with_footholds
from mummer.ik.goals import (
    Aim,
    Apart,
    Balanced,
    CenterOfMass,
    HalfSpace,
    JointValue,
    Match,
    Near,
    Orient,
    Place,
    Together,
)
from mummer.ik.moving import Moving

__all__ = ["Constrained", "blend", "footholds", "keep_contacts", "planted", "with_footholds"]

register_values(
    Aim, Apart, Balanced, BodyPoint, CenterOfMass, HalfSpace, JointValue, Match, Moving, Near, Orient, Place, Together
)
