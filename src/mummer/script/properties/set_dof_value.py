"""SetDOFValue: where a degree of freedom goes."""

from dataclasses import dataclass, replace
from typing import Self

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import SHAPE, Flag, Flagged

MOST = 1000.0


@dataclass(frozen=True)
class SetDOFValue(Flagged):
    """The value of a degree of freedom in a pose: radians from how the body stands; or by how much it is scaled."""

    stage = SHAPE
    limit = MOST
    rank = -2
    flag: Flag
    value: float

    def __post_init__(self) -> None:
        if not abs(self.value) <= MOST:
            raise InputError(f"a value of {self.value:g}; expected at most {MOST:g}")

    def merged(self, earlier: Self) -> Self:
        """As all such numbers, and within bounds below nought too."""
        return replace(earlier, value=min(max(self.of(earlier.value), -MOST), MOST))

    @property
    def creates(self) -> bool:  # type: ignore[override]
        """What is set outright is part of the pose from then on."""
        return self.flag == "ABS"

    def apply(self, site: Site) -> None:
        """Write the value; of a recorded one that is scaled, the way to it is scaled too."""
        element = site.element
        if element.fixed:
            return
        amount = self if self.flag == "REL" else replace(self, value=self.value * site.share)
        wanted = amount.of(element.value)
        if self.flag == "REL":
            element.gain *= self.value
        elif element.value:
            element.gain *= min(abs(wanted / element.value), 1.0)
        element.value = wanted
