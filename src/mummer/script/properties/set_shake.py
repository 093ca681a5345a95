"""SetShake: a tremor."""

from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import SHAPE, Property

MOST, FASTEST = 1.5, 30.0


@dataclass(frozen=True)
class SetShake(Property):
    """A tremor of a degree of freedom: radians, and times a second; slow ones are a sway."""

    stage = SHAPE
    beneath = True
    flag: Literal["ABS"]
    amplitude: float
    rate: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.amplitude <= MOST or not 0.0 <= self.rate <= FASTEST:
            raise InputError(
                f"a shake of {self.amplitude:g} rad, {self.rate:g} Hz; expected at most {MOST:g} rad, {FASTEST:g} Hz"
            )

    def apply(self, site: Site) -> None:
        """Write the tremor."""
        site.element.shake = (self.amplitude, self.rate)
