"""The goal: something that a pose should meet, in one vocabulary for everything that bends a body."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.errors import InputError
from mummer.ik.body_point import Part
from mummer.ik.world_state import WorldState

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class Goal(ABC):
    """Something that a pose should meet.

    A subclass says what, and measures how far a posed body is from it.

    Attributes:
        weight: None for a hard goal, which is met exactly if the body can; else how much it counts beside other soft
            goals, 1 for an ordinary one.
        interval: seconds (from, to) between which it holds, ends included, or None for always.
    """

    weight: float | None = None
    interval: Interval | None = None

    UNIT: ClassVar[str] = "m"
    """What errors are measured in: ``m`` or ``rad``."""

    def __post_init__(self) -> None:
        if self.weight is not None and not 0 <= self.weight < math.inf:
            raise InputError(f"a goal has weight {self.weight}; expected None for a hard one, or zero or more")
        if self.interval is not None:
            start, end = (float(second) for second in self.interval)
            if not start <= end:
                raise InputError(f"a goal holds from {start:g} s to {end:g} s; expected the start first")
            object.__setattr__(self, "interval", (start, end))

    @property
    def is_hard(self) -> bool:
        """Whether it must be met exactly where the body can."""
        return self.weight is None

    @property
    def points(self) -> tuple[Part, ...]:
        """The points of the body that it speaks of; empty for a goal about the whole body."""
        return tuple(getattr(self, name) for name in ("part", "first", "second") if hasattr(self, name))

    @abstractmethod
    def error(self, state: WorldState, times: FloatArray | None = None) -> FloatArray:
        """(B,) how far each pose is from meeting it, in `UNIT`; zero when it is met.

        Args:
            state: the posed body.
            times: (B,) seconds of the poses; needed for goals that move.
        """

    def active(self, count: int, times: FloatArray | None) -> BoolArray:
        """(count,) at which poses of a batch it holds; at all of them if they have no times."""
        if self.interval is None or times is None:
            return np.ones(count, bool)
        # A frame that rounding puts just outside the interval still counts.
        slack = 1e-9 * max(1.0, abs(self.interval[0]), abs(self.interval[1]))
        return np.asarray((times >= self.interval[0] - slack) & (times <= self.interval[1] + slack))
