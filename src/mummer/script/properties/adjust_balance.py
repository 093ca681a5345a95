"""AdjustBalance: where the weight is."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SIGNAL, Property

MOST = 0.5


@dataclass(frozen=True)
class AdjustBalance(Property):
    """How far the hips are moved to the left and ahead over the feet, in their height above the ground."""

    stage = SIGNAL
    acts = "pose"
    side: float
    ahead: float

    def __post_init__(self) -> None:
        if not max(abs(self.side), abs(self.ahead)) <= MOST:
            raise InputError(f"a balance of {self.side:g} and {self.ahead:g}; expected at most {MOST:g}")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Write the signals."""
        site.hold("balance side", self.side)
        site.hold("balance ahead", self.ahead)
