"""Marks: named moments that travel with a motion through every operator."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mummer.errors import InputError


@dataclass(frozen=True, order=True)
class Mark:
    """A named moment, or a named stretch of time.

    Attributes:
        time: seconds at which it begins.
        name: what it is: ``start``, ``release``, ``left_foot contact`` ...
        until: seconds at which it ends; equal to ``time`` for a moment.
    """

    time: float
    name: str
    until: float = math.nan

    def __post_init__(self) -> None:
        if math.isnan(self.until):
            object.__setattr__(self, "until", self.time)
        if not self.time <= self.until:
            raise InputError(f"mark {self.name!r} ends at {self.until:g} s, before it begins at {self.time:g} s")

    @property
    def duration(self) -> float:
        """Seconds that it lasts; zero for a moment."""
        return self.until - self.time

    def moved(self, time: float, until: float) -> Mark:
        """The same mark at other times, put in order if they are swapped."""
        return Mark(min(time, until), self.name, max(time, until))

    def within(self, start: float, end: float) -> Mark | None:
        """The part of it that lies between ``start`` and ``end``, or None."""
        if self.until < start or self.time > end:
            return None
        return Mark(max(self.time, start), self.name, min(self.until, end))
