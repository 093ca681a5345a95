"""Marks: named moments that travel with a motion through every operator."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mummer.errors import InputError


@dataclass(frozen=True, order=True)
class Mark:
    """A named moment, or a named stretch of time.

    Attributes:
        time: seconds at which it begins.
        name: what it is: ``start``, ``release``, ``left_foot contact`` ...
        until: seconds at which it ends; equal to ``time`` for a moment.
        data: what goes with it, as JSON can say it: a sound, a visual, a value. It does not count when marks are
            compared.
    """

    time: float
    name: str
    until: float = math.nan
    data: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if math.isnan(self.until):
            object.__setattr__(self, "until", self.time)
        if not self.time <= self.until:
            raise InputError(f"mark {self.name!r} ends at {self.until:g} s, before it begins at {self.time:g} s")
        try:
            json.dumps(self.data, allow_nan=False)
        except (TypeError, ValueError):
            raise InputError(f"the data of mark {self.name!r} are not what JSON can say: {self.data!r}") from None

    @property
    def duration(self) -> float:
        """Seconds that it lasts; zero for a moment."""
        return self.until - self.time

    def moved(self, time: float, until: float) -> Mark:
        """The same mark at other times, put in order if they are swapped."""
        return dataclasses.replace(self, time=min(time, until), until=max(time, until))

    def within(self, start: float, end: float) -> Mark | None:
        """The part of it that lies between ``start`` and ``end``, or None."""
        if self.until < start or self.time > end:
            return None
        return dataclasses.replace(self, time=max(self.time, start), until=min(self.until, end))
