"""SetTransitionCurve: an envelope by name."""

from dataclasses import dataclass
from typing import Literal

from mummer.script.property import Property

CURVES = {
    "ease": "0 1 1 0", "even": "0 0 0 0", "accelerate": "0 1 -1 0", "decelerate": "0 -1 1 0", "pop": "0.04 0.6 1 0.12",
    "snap": "0 -1.5 1 0.06", "drag": "0 1.6 0.4 0",
}  # fmt: skip


@dataclass(frozen=True)
class SetTransitionCurve(Property):
    """The envelope of the way to a pose by name; see `SetTransitionFunction` for any other."""

    name: Literal["ease", "even", "accelerate", "decelerate", "pop", "snap", "drag"]

    def parts(self) -> tuple[str, ...]:
        """The four numbers."""
        return (f"SetTransitionFunction {{}} ABS {CURVES[self.name]}",)
