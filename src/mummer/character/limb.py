"""Limbs: chains of joints from the spine to a tip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError

Side = Literal["left", "right", "center"]
OPPOSITE: dict[str, Side] = {"left": "right", "right": "left", "center": "center"}


@dataclass(frozen=True)
class Limb:
    """A chain of joints from where it leaves the spine to its tip.

    Attributes:
        name: unique within a body, for instance ``left_arm`` or ``front_right_leg``.
        kind: ``leg``, ``arm``, ``wing``, ``tail``, ``neck``, ``fin``, ``antenna``, ``ear``, ``finger`` ...
        side: ``left``, ``right`` or ``center`` as the body itself would say.
        rank: 0 for the foremost limb of its kind and side, 1 for the next ...
        joints: joint indices from the spine to the tip; each stands above the next.
        length: metres along the joints at rest.
    """

    name: str
    kind: str
    side: Side
    rank: int
    joints: tuple[int, ...]
    length: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "joints", tuple(int(joint) for joint in self.joints))
        if not self.joints:
            raise InputError(f"limb {self.name!r} has no joints")
        if self.side not in OPPOSITE:
            raise InputError(f"limb {self.name!r} has side {self.side!r}; expected left, right or center")

    @property
    def base(self) -> int:
        """The joint where the limb leaves the spine."""
        return self.joints[0]

    @property
    def tip(self) -> int:
        """The last joint."""
        return self.joints[-1]
