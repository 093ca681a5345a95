"""SetDuration: how long the way to a pose takes."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import TIMING, Flag, Flagged

LONGEST = 600.0


@dataclass(frozen=True)
class SetDuration(Flagged):
    """Seconds that the way to a pose takes, or by how much they are scaled; poses keep their order and overlap."""

    stage = TIMING
    limit = LONGEST
    flag: Flag
    value: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.value <= LONGEST or (self.flag == "REL" and self.value <= 0.0):
            raise InputError(f"a duration of {self.value:g}; expected more than 0 and at most {LONGEST:g}")

    def apply(self, site: Site) -> None:
        """Write the seconds; what begins later within its pose does so in proportion."""
        element = site.element
        before, element.duration = element.duration, min(self.of(element.duration), LONGEST)
        if before > 0.0:
            element.tags["slower"] = element.duration / before
