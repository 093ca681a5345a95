"""Verdicts added up, with the worst cases kept so that they can be looked at again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.ik import Orient, Place
from tests.ik.study.judge import CHANGED, PAST_LIMIT, Verdict
from tests.ik.study.problems import KINDS, Batch

KEPT = 8
PERCENTILES = (50.0, 99.0, 99.9, 99.99)


@dataclass(order=True)
class Case:
    """One bad case: how bad, and how to make it again."""

    badness: float
    body: str = field(compare=False)
    seed: int = field(compare=False)
    index: int = field(compare=False)

    def __str__(self) -> str:
        return f"{self.badness:10.3g}   --replay {self.body} {self.seed} --index {self.index}"


@dataclass
class Tally:
    """The sums of one solver's study.

    Attributes:
        stretch: how much the solver says it may stretch, as a share of a length.
        counts: problems by kind, and failures by name.
        jumps, missed: (n,) by kind.
        worst: the worst cases by what is wrong with them.
        refused: solver errors by message, with one case each.
        shares: reachable problems met, and of how many, by what made them easy or hard.
    """

    stretch: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    jumps: dict[str, list[FloatArray]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    missed: list[FloatArray] = field(default_factory=list)
    worst: dict[str, list[Case]] = field(default_factory=dict)
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)
    shares: dict[str, tuple[int, int]] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, batch: Batch, verdict: Verdict) -> None:
        """Count one batch."""
        self._count(batch.kind, len(verdict.met))
        self.seconds += verdict.seconds
        jumps = np.where(verdict.finite, verdict.jump, np.inf)
        self.jumps[batch.kind].append(jumps)
        self._fail(batch, "not finite", ~verdict.finite, np.ones(len(jumps)))
        self._fail(batch, "past a limit", ~(verdict.past_limit <= PAST_LIMIT), verdict.past_limit)
        self._fail(batch, "length changed", ~(verdict.stretched <= self.stretch + CHANGED), verdict.stretched)
        self._fail(batch, "root moved", ~(verdict.root_moved <= CHANGED), verdict.root_moved)
        self._keep(batch, f"jump, {batch.kind}", np.ones(len(jumps), bool), jumps)
        if batch.kind == "reachable":
            self.missed.append(verdict.missed)
            self._note(batch, verdict.met)
            self._fail(batch, "reachable but missed", ~verdict.met, verdict.missed)

    def _note(self, batch: Batch, met: BoolArray) -> None:
        """Count what was met by what made it easy or hard."""
        turns = any(isinstance(goal, Orient) for goal in batch.goals)
        places = sum(isinstance(goal, Place) for goal in batch.goals)
        source = batch.body.partition(":")[0] if ":" in batch.body else "zoo"
        for name in (f"root {batch.root}", "with turns" if turns else "places only", f"{places} places", source):
            of, all_of = self.shares.get(name, (0, 0))
            self.shares[name] = (of + int(met.sum()), all_of + len(met))

    def refuse(self, body: str, seed: int, count: int, error: Exception) -> None:
        """Count a batch that something raised on."""
        self._count("refused", count)
        message = f"{type(error).__name__}: {error}"[:300]
        times, case = self.refused.get(message, (0, f"--replay {body} {seed}"))
        self.refused[message] = (times + count, case)

    def merge(self, other: Tally) -> None:
        """Add what another process counted."""
        for name, number in other.counts.items():
            self._count(name, number)
        for kind, values in other.jumps.items():
            self.jumps[kind] += values
        self.missed += other.missed
        self.seconds += other.seconds
        for name, (of, all_of) in other.shares.items():
            mine = self.shares.get(name, (0, 0))
            self.shares[name] = (mine[0] + of, mine[1] + all_of)
        for what, cases in other.worst.items():
            self.worst[what] = sorted([*self.worst.get(what, []), *cases], reverse=True)[:KEPT]
        for message, (times, case) in other.refused.items():
            self.refused[message] = (self.refused.get(message, (0, case))[0] + times, case)

    def _count(self, name: str, number: int) -> None:
        self.counts[name] = self.counts.get(name, 0) + number

    def _fail(self, batch: Batch, what: str, bad: BoolArray, badness: FloatArray) -> None:
        self._count(what, int(bad.sum()))
        self._keep(batch, what, bad, badness)

    def _keep(self, batch: Batch, what: str, chosen: BoolArray, badness: FloatArray) -> None:
        order = np.flatnonzero(chosen)
        order = order[np.argsort(np.where(np.isfinite(badness[order]), -badness[order], -np.inf))][:KEPT]
        cases = [Case(float(badness[index]), batch.body, batch.seed, int(index)) for index in order]
        if cases:
            self.worst[what] = sorted([*self.worst.get(what, []), *cases], reverse=True)[:KEPT]

    def summary(self) -> dict[str, Any]:
        """All numbers, for people and programs."""
        jumps = {kind: np.concatenate(values) for kind, values in self.jumps.items() if values}
        everything = np.concatenate([*jumps.values()]) if jumps else np.zeros(0)
        missed = np.concatenate(self.missed) if self.missed else np.zeros(0)
        problems = sum(self.counts.get(kind, 0) for kind in KINDS)
        return {
            "problems": problems,
            "counts": self.counts,
            "met_share": 1 - self.counts.get("reachable but missed", 0) / max(1, len(missed)),
            "met_shares": {name: of / all_of for name, (of, all_of) in sorted(self.shares.items())},
            "missed_percentiles": _percentiles(missed),
            "jump_percentiles": {name: _percentiles(values) for name, values in {**jumps, "all": everything}.items()},
            "microseconds_a_problem": 1e6 * self.seconds / max(1, problems),
            "refused": {message: {"problems": times, "case": case} for message, (times, case) in self.refused.items()},
            "worst": {what: [vars(case) for case in cases] for what, cases in self.worst.items()},
        }


def _percentiles(values: FloatArray) -> dict[str, float]:
    if not len(values):
        return {}
    values = np.where(np.isfinite(values), values, 1e30)
    shares = np.percentile(values, PERCENTILES, method="lower")
    named = {f"{share:g}": float(value) for share, value in zip(PERCENTILES, shares, strict=True)}
    return {**named, "max": float(values.max())}
