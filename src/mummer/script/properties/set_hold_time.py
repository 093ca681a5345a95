"""SetHoldTime: how long a pose is held."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import TIMING, Flag, Flagged

LONGEST = 600.0


@dataclass(frozen=True)
class SetHoldTime(Flagged):
    """Seconds that a pose is held once it is reached, or by how much they are scaled."""

    stage = TIMING
    limit = LONGEST
    flag: Flag
    value: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.value <= LONGEST:
            raise InputError(f"a hold of {self.value:g}; expected 0 to {LONGEST:g}")

    def apply(self, site: Site) -> None:
        """Write the seconds."""
        site.element.hold = min(self.of(site.element.hold), LONGEST)
