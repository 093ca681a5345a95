"""ShiftTime: something happens earlier or later."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import TIMING, Property

MOST = 60.0


@dataclass(frozen=True)
class ShiftTime(Property):
    """Seconds by which an action, a pose or a degree of freedom begins later, or earlier if below nought."""

    stage = TIMING
    seconds: float

    def __post_init__(self) -> None:
        if not abs(self.seconds) <= MOST:
            raise InputError(f"a shift of {self.seconds:g} s; expected at most {MOST:g}")

    def apply(self, site: Site) -> None:
        """Note by how much, but for what carries the body."""
        if not site.element.fixed:
            site.element.tags["shift"] = self.seconds
