"""VaryExtent: how much space a pose takes."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.property import SHAPE, Scaling

MOST = 3.0


@dataclass(frozen=True)
class VaryExtent(Scaling):
    """How far from the body gestures and steps go, in how far they went; limbs that stand stay where they stand."""

    stage = SHAPE
    limit = MOST
    factor: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.factor <= MOST:
            raise InputError(f"an extent of {self.factor:g}; expected 0 to {MOST:g}")

    def apply(self, site: Site) -> None:
        """Scale limbs from how they hang of themselves, and the ways of hips and feet from where they were."""
        element = site.element
        if site.is_way:
            element.gain *= self.factor if site.dof.endswith(" up") or not site.ref.parents[1].arrives else 1.0
        elif site.in_limb and not element.fixed:
            element.value *= self.factor
            element.gain *= self.factor
