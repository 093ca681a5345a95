"""SetReach: where a hand goes."""

from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SHAPE_CALCULATOR, Property
from mummer.script.solving import Reach, solve_pose

FARTHEST = 1000.0


@dataclass(frozen=True)
class SetReach(Property):
    """Where a part is in a pose.

    ``arm``: in lengths of the limb from its base, to the left, up and ahead, which means the same for every body;
    ``world``: in metres.
    """

    stage = SHAPE_CALCULATOR
    acts = "pose"
    rank = 1
    measure: Literal["arm", "world"]
    part: str
    place: tuple[float, float, float]

    def __post_init__(self) -> None:
        if not all(abs(number) <= FARTHEST for number in self.place):
            raise InputError(f"a place {FARTHEST:g} m away; expected one nearer")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Solve the pose: the place, balance and how the body is held."""
        solve_pose(site, Reach(self.part, self.place, self.measure == "arm"))
