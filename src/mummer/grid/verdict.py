"""Verdicts: what became of one cell of the grid."""

from __future__ import annotations

from typing import Literal

import msgspec

from mummer.grid.judge import Score

Status = Literal["passed", "failed", "not_admitted", "crashed"]


class Cell(msgspec.Struct, frozen=True, order=True):
    """One animation on one body.

    Attributes:
        body: ``zoo:NAME``, ``random:SEED`` or a file.
        animation: a name that the player knows.
    """

    body: str
    animation: str


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one cell.

    Attributes:
        animation, body: the cell.
        status: how it went.
        scores: what every judge says; empty unless it was played.
        reason: why it was not admitted, or how it crashed, in one line.
        seconds: that playing and judging took.
        duration: seconds that the motion lasts.
    """

    animation: str
    body: str
    status: Status
    scores: tuple[Score, ...] = ()
    reason: str = ""
    seconds: float = 0.0
    duration: float = 0.0

    @property
    def cell(self) -> Cell:
        """Which cell this is about."""
        return Cell(self.body, self.animation)

    @property
    def failures(self) -> tuple[Score, ...]:
        """The measures that are beyond their thresholds, those that count."""
        return tuple(score for score in self.scores if not score.passed and not score.beside)
