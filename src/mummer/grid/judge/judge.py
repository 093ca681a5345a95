"""The judge of one thing about a motion: how it measures it, how much is too much, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from mummer.grid.judge.scene import Scene
from mummer.grid.judge.thresholds import Threshold


@dataclass(frozen=True)
class Seen:
    """What a judge saw.

    Attributes:
        value: less is better; None where there is nothing to judge.
        where: the part and the moment it was worst at, for people.
        reported: whether the motion itself says that it could not do better.
    """

    value: float | None
    where: str = ""
    reported: bool = False


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
        reported: whether the motion itself says that it could not do better, which then is no failure.
        beside: whether it is told beside the verdict and does not count for it.
    """

    measure: str
    value: float | None
    threshold: float
    unit: str = ""
    where: str = ""
    reported: bool = False
    beside: bool = False

    @property
    def passed(self) -> bool:
        """Whether the value is within the threshold, the miss was reported, or there was nothing to measure."""
        return self.value is None or self.value <= self.threshold or self.reported


@dataclass(frozen=True)
class Judge:
    """One measure of the grid. Less is better for all of them.

    Attributes:
        name: what the measure is called.
        limit: the most that passes, and why.
        unit: of the value and the threshold.
        question: what it asks of a motion, as a person would.
        look: measures a scene.
        beside: whether it is told beside the verdict and does not count for it.
    """

    name: str
    limit: Threshold
    unit: str
    question: str
    look: Callable[[Scene], Seen]
    beside: bool = False

    @property
    def threshold(self) -> float:
        """The most that passes."""
        return self.limit.most

    @property
    def reason(self) -> str:
        """Why the threshold is what it is."""
        return self.limit.reason

    def score(self, scene: Scene) -> Score:
        """What this judge says of a scene."""
        seen = self.look(scene)
        value = None if seen.value is None else round(float(seen.value), 4)
        return Score(self.name, value, self.threshold, self.unit, seen.where, seen.reported, self.beside)
