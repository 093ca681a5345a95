"""The behaviour: one thing that a performer does, with moments that other things can be timed by."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from mummer.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from mummer.behavior.performer import Performer

SYNCS = ("start", "ready", "stroke_start", "stroke", "stroke_end", "relax", "end")
"""The moments of a behaviour, in their order; one may have only some of them, and marks of its own between."""
SLACK = 1e-6
"""Seconds by which moments may be out of order: rounding."""


class Behavior(ABC):
    """One thing that a performer does.

    A behaviour is made for one performance: it is retimed, then started once.

    Attributes:
        kind: what it is: ``gaze``, ``head``, ``gesture`` ...
        syncs: moment to seconds from its start, in order.
        channels: what of the performer it holds; two that hold the same are in conflict.
    """

    kind: str = ""
    syncs: dict[str, float]
    channels: frozenset[str] = frozenset()

    def __init__(self, syncs: Mapping[str, float], channels: frozenset[str] | None = None) -> None:
        self.syncs = ordered(syncs)
        self.authored = dict(self.syncs)
        if channels is not None:
            self.channels = channels

    def __repr__(self) -> str:
        moments = ", ".join(f"{name} {time:.2f}" for name, time in self.syncs.items())
        return f"<{type(self).__name__} {moments}>"

    @property
    def duration(self) -> float:
        """Seconds from its start to its end; infinite for one that lasts until it is stopped."""
        return self.syncs["end"]

    def retimed(self, syncs: Mapping[str, float]) -> Behavior:
        """The same behaviour with some moments at other times, seconds from its start.

        Moments between two that are given, or between the start and the first of them, keep their share of the time;
        those after the last keep their distance to it.

        Raises:
            InputError: for a moment that it does not have, or times that are out of order.
        """
        made = copy.copy(self)
        made.syncs = retimed(self.syncs, syncs)
        return made

    def own_time(self, time: float) -> float:
        """Seconds from its start, as it was made, for ``time`` seconds from its start as it is timed now."""
        return mapped(time, list(self.syncs.values()), list(self.authored.values()))

    def share(self, time: float, first: str, second: str) -> float:
        """How much of the way from one moment to another has passed, 0 to 1."""
        start, end = self.syncs[first], self.syncs[second]
        return 1.0 if time >= end else 0.0 if time <= start else (time - start) / (end - start)

    def begin(self, performer: Performer) -> None:  # noqa: B027
        """Called once, when it starts."""

    @abstractmethod
    def step(self, performer: Performer, time: float, seconds: float) -> None:
        """Say what it wants of a performer now.

        Args:
            performer: who does it.
            time: seconds since its start.
            seconds: since the last step.
        """

    def is_over(self, performer: Performer, time: float) -> bool:  # noqa: ARG002
        """Whether it has come to its end; one that cannot know when beforehand answers by what it sees."""
        return time >= self.syncs["end"] - SLACK

    def finish(self, performer: Performer) -> None:  # noqa: B027
        """Called once, when it ends or is stopped."""


def ordered(syncs: Mapping[str, float]) -> dict[str, float]:
    """Moments by their times, `SYNCS` first among those at one time, with a start and an end.

    Raises:
        InputError: if they are out of order, or a time is no number.
    """
    times = {"start": 0.0, **{name: float(time) for name, time in syncs.items()}}
    if any(math.isnan(time) or time < -SLACK for time in times.values()):
        raise InputError(f"moments of a behaviour are {times}; expected seconds from its start, none below 0")
    times.setdefault("end", max(times.values()))
    known = [name for name in SYNCS if name in times]
    for before, after in pairwise(known):
        if times[after] < times[before] - SLACK:
            raise InputError(
                f"{after} at {times[after]:g} s is before {before} at {times[before]:g} s; "
                f"expected the order {', '.join(known)}"
            )
    if max(times.values()) > times["end"] + SLACK:
        late = max(times, key=lambda name: times[name])
        raise InputError(f"{late} at {times[late]:g} s is after the end at {times['end']:g} s")
    rank = {name: place for place, name in enumerate(SYNCS)}
    # Marks at one time with a moment come after it, and before the end.
    return dict(sorted(times.items(), key=lambda item: (item[1], rank.get(item[0], len(SYNCS) - 1.5))))


def retimed(syncs: Mapping[str, float], wanted: Mapping[str, float]) -> dict[str, float]:
    """Moments at other times; see `Behavior.retimed`."""
    for name in wanted:
        if name not in syncs:
            raise UnknownNameError("the behaviour", "sync point", name, syncs)
    origin = float(wanted.get("start", 0.0))
    anchors = {"start": 0.0, **{name: float(wanted[name]) - origin for name in syncs if name in wanted}}
    before = [syncs[name] for name in syncs if name in anchors]
    after = [anchors[name] for name in syncs if name in anchors]
    if any(later < earlier - SLACK for earlier, later in pairwise(after)):
        told = ", ".join(f"{name} {anchors[name]:g}" for name in syncs if name in anchors)
        raise InputError(f"moments are out of order: {told} s; expected {', '.join(syncs)}")
    return ordered({name: anchors.get(name, mapped(time, before, after)) for name, time in syncs.items()})


def mapped(time: float, before: list[float], after: list[float]) -> float:
    """A time by a piecewise straight map of rising times, shifted outside of them."""
    for start, end, new_start, new_end in zip(before, before[1:], after, after[1:], strict=False):
        if time <= end:
            if not math.isfinite(end):
                break
            span = end - start
            return new_end if span <= 0 else new_start + (time - start) / span * (new_end - new_start)
    place = max((n for n, known in enumerate(before) if known <= time and math.isfinite(known)), default=0)
    return after[place] + time - before[place]
