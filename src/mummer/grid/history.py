"""History: former runs of a grid in short, so that the page tells what got better and what got worse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from mummer.atomic import write_bytes
from mummer.grid.verdict import Verdict

NAME = "history.json"
MOST = 30
"""Runs that are remembered."""


class Past(msgspec.Struct, frozen=True):
    """One run in short.

    Attributes:
        when: the date and time it ended, ISO 8601, UTC.
        version: of mummer.
        cells, passed, failed, not_admitted, crashed: how many.
        statuses: of every cell, by ``animation`` and then ``body``, by the first letter of its status.
    """

    when: str
    version: str
    cells: int
    passed: int
    failed: int
    not_admitted: int
    crashed: int
    statuses: dict[str, dict[str, str]] = {}


class Change(msgspec.Struct, frozen=True):
    """A cell that got better or worse since the run before."""

    animation: str
    body: str
    before: str
    now: str


RANKS = {"p": 0, "f": 1, "c": 2}


def past_of(verdicts: Sequence[Verdict], *, when: str, version: str) -> Past:
    """A run in short."""
    statuses: dict[str, dict[str, str]] = {}
    for verdict in verdicts:
        statuses.setdefault(verdict.animation, {})[verdict.body] = verdict.status[0]
    letters = [verdict.status[0] for verdict in verdicts]
    passed, failed, refused, crashed = (letters.count(letter) for letter in "pfnc")
    return Past(when, version, len(letters), passed, failed, refused, crashed, statuses)


def changes(before: Past | None, now: Past) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """What got better and what got worse from one run to the next, of the cells that both played."""
    better, worse = [], []
    for animation, bodies in now.statuses.items():
        old = {} if before is None else before.statuses.get(animation, {})
        for body, status in bodies.items():
            if status not in RANKS or old.get(body) not in RANKS:
                continue
            change = Change(animation, body, old[body], status)
            if RANKS[status] < RANKS[old[body]]:
                better.append(change)
            elif RANKS[status] > RANKS[old[body]]:
                worse.append(change)
    return tuple(better), tuple(worse)


def read_history(folder: Path) -> tuple[Past, ...]:
    """The runs that a folder remembers, oldest first; none where it remembers nothing that can be read."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=tuple[Past, ...])
    except (OSError, msgspec.DecodeError):
        return ()


def remember(folder: Path, run: Past) -> tuple[Past, ...]:
    """Add a run to what a folder remembers; only the latest keeps the status of every cell."""
    kept = [*read_history(folder), run][-MOST:]
    short = [msgspec.structs.replace(past, statuses={}) for past in kept[:-1]]
    write_bytes(folder / NAME, msgspec.json.encode([*short, run]))
    return tuple(kept)
