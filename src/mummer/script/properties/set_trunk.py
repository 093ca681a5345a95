"""SetTrunk: the three ways in which a trunk moves: turning about its length, curling from an end, and bulging."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SHAPE_CALCULATOR, Property

MOST = 2.0


@dataclass(frozen=True)
class SetTrunk(Property):
    """Radians of axial twist, of curling from above and from below, and of a bulge of the middle ahead."""

    stage = SHAPE_CALCULATOR
    acts = "pose"
    twist: float
    upper: float = 0.0
    lower: float = 0.0
    bulge: float = 0.0

    def __post_init__(self) -> None:
        if not all(abs(number) <= MOST for number in (self.twist, self.upper, self.lower, self.bulge)):
            raise InputError(f"a trunk of more than {MOST:g} radians; expected less")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Share the turns among the joints of the spine, by how far up each is."""
        dofs = site.draft.dofs
        spine = dofs.joints("spine")
        for place, joint in enumerate(spine):
            up = place / max(len(spine) - 1, 1) if len(spine) > 1 else 0.5
            bend = 2.0 * (self.upper * up + self.lower * (1.0 - up)) / len(spine)
            bend += self.bulge * (2.0 * up - 1.0) / max(len(spine), 2)
            site.hold(f"{dofs.names[joint]} twist", self.twist / len(spine))
            site.hold(f"{dofs.names[joint]} bend", bend)
