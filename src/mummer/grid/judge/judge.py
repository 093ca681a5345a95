"""The judge of one thing about a motion: how it measures it, how much is too much, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from mummer.grid.judge.scene import Scene


@dataclass(frozen=True)
class Seen:
    """What a judge saw.

    Attributes:
        value: less is better; None where there is nothing to judge.
        where: the part and the moment it was worst at, for people.
    """

    value: float | None
    where: str = ""


NOTHING = Seen(None)
"""There is nothing to judge."""


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one judge says of one cell.

    Attributes:
        measure: the judge's name.
        value: what was measured; None where there was nothing to measure.
        threshold: the most that passes.
        unit: of both.
        where: the part and the moment it was worst at.
    """

    measure: str
    value: float | None
    threshold: float
    unit: str = ""
    where: str = ""

    @property
    def passed(self) -> bool:
        """Whether the value is within the threshold, or there was nothing to measure."""
        return self.value is None or self.value <= self.threshold


@dataclass(frozen=True)
class Judge:
    """One measure of the grid. Less is better for all of them.

    Attributes:
        name: what the measure is called.
        threshold: the most that passes.
        unit: of the value and the threshold.
        question: what it asks of a motion, as a person would.
        reason: why the threshold is what it is.
        look: measures a scene.
    """

    name: str
    threshold: float
    unit: str
    question: str
    reason: str
    look: Callable[[Scene], Seen]

    def score(self, scene: Scene) -> Score:
        """What this judge says of a scene."""
        seen = self.look(scene)
        value = None if seen.value is None else round(float(seen.value), 4)
        return Score(self.name, value, self.threshold, self.unit, seen.where)
