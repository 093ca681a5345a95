"""SetTransitionFunction: the envelope of the way to a pose."""

from dataclasses import dataclass, replace
from typing import Literal, Self

from mummer.errors import InputError
from mummer.script.draft import Site
from mummer.script.plan import Envelope
from mummer.script.property import TRANSITION, Property

MOST = 3.0


@dataclass(frozen=True)
class SetTransitionFunction(Property):
    """Anticipation, slowness at leaving and at arriving, and overshoot of the way to a pose; see `envelope`."""

    stage = TRANSITION
    flag: Literal["ABS", "AVG", "ADD"]
    curve: tuple[float, float, float, float]

    def __post_init__(self) -> None:
        if not all(abs(number) <= MOST for number in self.curve):
            raise InputError(f"a transition of {self.curve}; expected four numbers from {-MOST:g} to {MOST:g}")

    def merged(self, earlier: Self) -> Self:
        """The four numbers as set, averaged with those before, or added to them."""
        return replace(earlier, curve=self.of(earlier.curve))

    def of(self, current: Envelope) -> Envelope:
        """What becomes of an envelope."""
        if self.flag == "ABS":
            return self.curve
        share = 0.5 if self.flag == "AVG" else 1.0
        mixed = (share * (a + b) for a, b in zip(current, self.curve, strict=True))
        back, leaving, arriving, past = (min(max(number, -MOST), MOST) for number in mixed)
        return back, leaving, arriving, past

    def apply(self, site: Site) -> None:
        """Write the envelope, but for what carries the body."""
        if not site.element.fixed:
            site.element.curve = self.of(site.element.curve)
