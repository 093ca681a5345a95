"""One number about a motion, with what it is counted in and what would be good."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["good", "acceptable", "poor", "unknown"]


@dataclass(frozen=True)
class Measure:
    """What was measured.

    Attributes:
        name: what of the motion, for instance ``foot_skate``.
        value: the number; nan where the motion has nothing to measure, as skating without feet on the ground.
        unit: what it is counted in.
        good: up to here (or from here, where more is better) nobody sees a fault.
        acceptable: up to here most people do not mind.
        more_is_better: whether large values are the good ones.
        worst: the worst single value that went into ``value``, where it is a mean; else nan.
        parts: the value by body part, where it was made of several.
    """

    name: str
    value: float
    unit: str
    good: float
    acceptable: float
    more_is_better: bool = False
    worst: float = math.nan
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """``good``, ``acceptable`` or ``poor`` by the thresholds; ``unknown`` where there was nothing to measure."""
        if math.isnan(self.value):
            return "unknown"
        sign = -1.0 if self.more_is_better else 1.0
        if sign * self.value <= sign * self.good:
            return "good"
        return "acceptable" if sign * self.value <= sign * self.acceptable else "poor"

    def to_json(self) -> dict[str, Any]:
        """The measure as plain values; what is not a number becomes None."""

        def plain(number: float) -> float | None:
            return round(number, 6) if math.isfinite(number) else None

        made: dict[str, Any] = {"value": plain(self.value), "unit": self.unit, "verdict": self.verdict}
        if math.isfinite(self.worst):
            made["worst"] = plain(self.worst)
        if self.parts:
            made["parts"] = {name: plain(value) for name, value in self.parts.items()}
        return made

    def __repr__(self) -> str:
        return f"Measure({self})"

    def __str__(self) -> str:
        return f"{self.name} {self.value:.4g} {self.unit} ({self.verdict})"
