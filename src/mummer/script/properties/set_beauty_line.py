"""SetBeautyLine: one long curve, like an S, through the whole body."""

from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SHAPE_CALCULATOR, Property

MOST = 2.0
HIPS, LOWER, UPPER, NECK = 0.09, -0.34, 0.42, -0.30
"""How far hips go to the side, in their height; radians that the trunk, below and above, and the neck sway."""


@dataclass(frozen=True)
class SetBeautyLine(Property):
    """An S through legs, trunk and neck that opens to the side a body reaches to; 1 is much, 0 none."""

    stage = SHAPE_CALCULATOR
    acts = "pose"
    side: Literal["left", "right"]
    intensity: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.intensity <= MOST:
            raise InputError(f"an intensity of {self.intensity:g}; expected 0 to {MOST:g}")

    def apply_to_pose(self, site: PoseSite) -> None:
        """Move the hips to the side and sway what is above them back and forth."""
        dofs, much = site.draft.dofs, self.intensity * (1.0 if self.side == "right" else -1.0)
        site.hold("balance side", HIPS * much)
        site.hold("knees bend", 0.02 * self.intensity)
        spine, neck = dofs.joints("spine"), dofs.joints("neck")
        half = (len(spine) + 1) // 2
        for joints, amount in ((spine[:half], LOWER), (spine[half:], UPPER), (neck, NECK)):
            for joint in joints:
                site.hold(f"{dofs.names[joint]} sway", amount * much / len(joints))
