"""SetKneeBend: how deep a body stands."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SIGNAL, Property

MOST = 0.6


@dataclass(frozen=True)
class SetKneeBend(Property):
    """How far the hips come down, in their height above the ground."""

    stage = SIGNAL
    acts = "pose"
    value: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.value <= MOST:
            raise InputError(f"knees bent by {self.value:g}; expected 0 to {MOST:g}")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Write the signal."""
        site.hold("knees bend", self.value)
