"""CreateRecoil: the whole body draws back from something."""

import math
from dataclasses import dataclass
from typing import Literal

from mummer.errors import InputError
from mummer.script.property import Property

MOST = 2.0


@dataclass(frozen=True)
class CreateRecoil(Property):
    """A pose that draws back from a place, given to the left, up and ahead of the body: pose, time, manner and tension.

    ``startle`` jerks back and freezes, ``shrink`` curls up and sinks slowly, ``ward`` leans off and holds up the arms.
    """

    place: tuple[float, float, float]
    style: Literal["startle", "shrink", "ward"]
    intensity: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.intensity <= MOST or not all(math.isfinite(number) for number in self.place):
            raise InputError(f"an intensity of {self.intensity:g}; expected 0 to {MOST:g}")

    def parts(self) -> tuple[str, ...]:
        """What each style is made of."""
        side, up, ahead = self.place
        away = max(math.hypot(side, up, ahead), 1e-9)
        side, up, ahead, much = side / away, up / away, ahead / away, self.intensity
        return {"startle": self._startle, "shrink": self._shrink, "ward": self._ward}[self.style](side, up, ahead, much)

    def _startle(self, side: float, up: float, ahead: float, much: float) -> tuple[str, ...]:
        return (
            f"AdjustBalance {{}} {-0.05 * side * much!r} {-0.08 * ahead * much!r}",
            f"SetTrunk {{}} {-0.4 * side * much!r} {-0.3 * ahead * much!r} {-0.2 * ahead * much!r} 0",
            f"SetCollars {{}} {-0.1 * much!r} {0.35 * much!r}",
            f"SetDOFValue {{* * * head bend}} ABS {-0.35 * much - 0.2 * up!r}",
            f"SetDOFValue {{* * * elbow bend}} ABS {0.9 * much!r}",
            f"SetDOFValue {{* * * upper_arm sway}} ABS {0.7 * much!r}",
            f"SetDuration {{}} REL {1.0 / (1.0 + 2.0 * much)!r}",
            "SetTransitionFunction {} ABS 0 -1.2 1 0.1",
            f"SetTension {{}} REL {1.0 + 2.0 * much!r}",
        )

    def _shrink(self, side: float, up: float, ahead: float, much: float) -> tuple[str, ...]:
        return (
            f"AdjustBalance {{}} {-0.03 * side * much!r} {-0.05 * ahead * much!r}",
            f"SetKneeBend {{}} {min(0.18 * much, 0.5)!r}",
            f"SetTrunk {{}} {-0.3 * side * much!r} {0.5 * much!r} {0.3 * much!r} 0",
            f"SetCollars {{}} {0.3 * much!r} {0.3 * much!r}",
            f"SetDOFValue {{* * * head bend}} ABS {0.3 * much * (1.0 - 0.3 * up)!r}",
            f"SetDOFValue {{* * * elbow bend}} ABS {1.7 * much!r}",
            f"SetDOFValue {{* * * upper_arm bend}} ABS {0.5 * much!r}",
            f"SetDOFValue {{* * * upper_arm sway}} ABS {-0.1 * much!r}",
            f"SetDuration {{}} REL {1.0 + 0.6 * much!r}",
            "SetTransitionFunction {} ABS 0 0.3 1 0",
            f"SetTension {{}} REL {1.0 + 0.5 * much!r}",
        )

    def _ward(self, side: float, up: float, ahead: float, much: float) -> tuple[str, ...]:
        return (
            f"AdjustBalance {{}} {-0.06 * side * much!r} {-0.07 * ahead * much!r}",
            f"SetKneeBend {{}} {min(0.06 * much, 0.5)!r}",
            f"SetTrunk {{}} {0.5 * side * much!r} {-0.15 * ahead * much!r} {-0.25 * ahead * much!r} 0",
            f"SetDOFValue {{* * * head twist}} ABS {-0.7 * much!r}",
            f"SetDOFValue {{* * * upper_arm bend}} ABS {1.2 * much + 0.3 * up!r}",
            f"SetDOFValue {{* * * elbow bend}} ABS {0.7 * much!r}",
            f"SetDOFValue {{* * * wrist bend}} ABS {-0.6 * much!r}",
            f"SetDuration {{}} REL {1.0 / (1.0 + 0.8 * much)!r}",
            "SetTransitionFunction {} ABS 0.05 0 1 0.03",
            f"SetTension {{}} REL {1.0 + much!r}",
        )
