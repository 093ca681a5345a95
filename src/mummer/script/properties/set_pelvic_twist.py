"""SetPelvicTwist: hips that turn under a trunk that does not."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SIGNAL, Property

MOST = 1.5


@dataclass(frozen=True)
class SetPelvicTwist(Property):
    """Radians that hips turn to the left; the spine turns back by as much."""

    stage = SIGNAL
    acts = "pose"
    value: float

    def __post_init__(self) -> None:
        if not abs(self.value) <= MOST:
            raise InputError(f"a twist of {self.value:g}; expected at most {MOST:g} radians")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Write the signal."""
        site.hold("pelvis twist", self.value)
