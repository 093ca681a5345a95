"""SetCharShapeParam: how a character is held beneath all that it does."""

from dataclasses import dataclass, field, replace
from typing import Literal, Self

from mummer.errors import InputError
from mummer.script.draft import PoseSite
from mummer.script.property import SHAPE_CALCULATOR, Property
from mummer.script.shape import Shape
from mummer.script.words import MADE

MOST = 3.0


@dataclass(frozen=True)
class SetCharShapeParam(Property):
    """A shape from a file, and how much of it; what several ask for is added."""

    stage = SHAPE_CALCULATOR
    acts = "pose"
    weight: float
    how: Literal["load"]
    file: str
    shape: Shape = field(default=Shape("", ()), metadata={MADE: True})
    others: tuple[tuple[float, Shape], ...] = field(default=(), metadata={MADE: True})

    def __post_init__(self) -> None:
        if not abs(self.weight) <= MOST:
            raise InputError(f"a weight of {self.weight:g}; expected {-MOST:g} to {MOST:g}")

    def merged(self, earlier: Self) -> Self:
        """Both shapes."""
        return replace(self, others=(*earlier.others, (earlier.weight, earlier.shape)))

    def apply_to_pose(self, site: PoseSite) -> None:
        """Hold the body so, and keep its weight over its feet."""
        for weight, shape in (*self.others, (self.weight, self.shape)):
            site.add_posture(weight, shape)
