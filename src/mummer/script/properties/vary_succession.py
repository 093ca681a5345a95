"""VarySuccession: how a movement passes through the body."""

from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import TIMING, Property

MOST = 1.0


@dataclass(frozen=True)
class VarySuccession(Property):
    """Seconds by which each joint begins after the one before it, from the base of the spine outward.

    ``normal`` and ``forward`` go outward, ``reverse`` inward, tips first.
    """

    stage = TIMING
    way: Literal["normal", "forward", "reverse"]
    seconds: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.seconds <= MOST:
            raise InputError(f"a succession of {self.seconds:g} s; expected 0 to {MOST:g}")

    def apply(self, site: Site) -> None:
        """Write how much later the joint begins, but for what carries the body."""
        if not site.element.fixed:
            steps = site.deepest - site.depth if self.way == "reverse" else site.depth
            site.element.tags["later"] = self.seconds * steps
