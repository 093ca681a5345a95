"""VaryAmplitude: how wide the range of a motion is."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import SHAPE, Scaling

MOST = 4.0


@dataclass(frozen=True)
class VaryAmplitude(Scaling):
    """The range of angles that a motion goes through, in what it was, about their middle."""

    stage = SHAPE
    limit = MOST
    factor: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.factor <= MOST:
            raise InputError(f"an amplitude of {self.factor:g}; expected 0 to {MOST:g}")

    def apply(self, site: Site) -> None:
        """Scale values about their mean over the action."""
        if not site.element.fixed:
            middle = site.mean()
            site.element.value = middle + self.factor * (site.element.value - middle)
            site.element.gain *= self.factor
