"""SetCollars: shoulders that open or close the chest, rise or sink."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SHAPE_CALCULATOR, Property

MOST = 1.0


@dataclass(frozen=True)
class SetCollars(Property):
    """Radians by which collars go ahead (below nought back) and up (below nought down)."""

    stage = SHAPE_CALCULATOR
    acts = "pose"
    ahead: float
    up: float = 0.0

    def __post_init__(self) -> None:
        if not max(abs(self.ahead), abs(self.up)) <= MOST:
            raise InputError(f"collars of {self.ahead:g} and {self.up:g}; expected at most {MOST:g} radians")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Turn both collars."""
        for axis, value in (("bend", self.ahead), ("sway", self.up)):
            for dof in site.draft.dofs.tracks(f"collar {axis}"):
                site.hold(dof, value)
