"""SetTension: how stiff joints are held."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import TRANSITION, Flag, Flagged

MOST = 20.0


@dataclass(frozen=True)
class SetTension(Flagged):
    """How stiff a joint is held on its way and in its pose, 1 as usual; it counts where muscles move the body."""

    stage = TRANSITION
    limit = MOST
    flag: Flag
    value: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.value <= MOST:
            raise InputError(f"a tension of {self.value:g}; expected 0 to {MOST:g}")

    def apply(self, site: Site) -> None:
        """Write the tension."""
        site.element.tension = self.of(site.element.tension)
