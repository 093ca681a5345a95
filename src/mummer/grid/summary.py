"""Summaries: a run of the grid in numbers, as ``mummer grid --json`` prints it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from mummer import __version__
from mummer.grid.judge import JUDGES, Score
from mummer.grid.verdict import Verdict


class Failure(msgspec.Struct, frozen=True):
    """One measure of one cell that is beyond its threshold."""

    animation: str
    body: str
    measure: str
    value: float | None
    threshold: float
    where: str = ""


class Tally(msgspec.Struct, frozen=True):
    """What one judge says of all cells that it had something to say about.

    Attributes:
        judged, passed: how many cells.
        reported: of those passed, how many because the motion itself says what it misses.
    """

    judged: int
    passed: int
    reported: int


class Crash(msgspec.Struct, frozen=True):
    """One cell that could not be played."""

    animation: str
    body: str
    reason: str


class Summary(msgspec.Struct, frozen=True):
    """A run in numbers.

    Attributes:
        version: of mummer.
        cells: how many there are.
        passed, failed, not_admitted, crashed: how many of each.
        share_passed: of the cells that a branch admits, the share that passed, from 0 to 1.
        seconds: of work, over all workers.
        measures: what every judge says, by its name, those too that are told beside the verdict.
        failures: every measure of every cell beyond its threshold, of those that count.
        crashes: every cell that could not be played.
    """

    version: str
    cells: int
    passed: int
    failed: int
    not_admitted: int
    crashed: int
    share_passed: float
    seconds: float
    measures: dict[str, Tally]
    failures: tuple[Failure, ...]
    crashes: tuple[Crash, ...]


def summarize(verdicts: Sequence[Verdict]) -> Summary:
    """The summary of verdicts, in their order."""
    counts = {status: sum(verdict.status == status for verdict in verdicts) for status in STATUSES}
    admitted = len(verdicts) - counts["not_admitted"]
    return Summary(
        __version__,
        len(verdicts),
        **counts,
        share_passed=round(counts["passed"] / admitted, 6) if admitted else 1.0,
        seconds=round(sum(verdict.seconds for verdict in verdicts), 3),
        measures=_tallies(verdicts),
        failures=tuple(_failures(verdicts)),
        crashes=tuple(
            Crash(verdict.animation, verdict.body, verdict.reason)
            for verdict in verdicts
            if verdict.status == "crashed"
        ),
    )


STATUSES = ("passed", "failed", "not_admitted", "crashed")


def _tallies(verdicts: Iterable[Verdict]) -> dict[str, Tally]:
    scores = [score for verdict in verdicts for score in verdict.scores if score.value is not None]
    named: dict[str, list[Score]] = {judge.name: [] for judge in JUDGES}
    for score in scores:
        named.setdefault(score.measure, []).append(score)
    return {
        name: Tally(len(some), sum(one.passed for one in some), sum(one.reported for one in some))
        for name, some in named.items()
        if some
    }


def _failures(verdicts: Iterable[Verdict]) -> Iterable[Failure]:
    for verdict in verdicts:
        for score in verdict.failures:
            yield Failure(verdict.animation, verdict.body, score.measure, score.value, score.threshold, score.where)
