"""Goals that contradict each other: of two that ask for the same thing at once, the later in the list has its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.clip.clip import Clip
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.engine.asked import value_of
from mummer.ik.engine.tracks import span_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Place
from mummer.ik.moving import at_times

SAME = 1e-3
"""Metres by which the targets of two points of a joint may differ from their distance and still go together."""


@dataclass(frozen=True, eq=False)
class Layers:
    """Goals to meet first, and those to meet in the result.

    Attributes:
        first: all but those that overrule others; empty if there are none.
        last: all but those that are overruled.
        overruled: met first and then given up where the later goal asks otherwise.
    """

    first: tuple[Goal, ...]
    last: tuple[Goal, ...]
    overruled: tuple[Goal, ...]


def layers_of(clip: Clip, goals: Sequence[Goal]) -> Layers:
    """``goals`` in layers within which none contradicts another; only hard ones can."""
    overruling, overruled = set(), set()
    for later in range(len(goals)):
        for earlier in range(later):
            if _contradict(clip, goals[earlier], goals[later]):
                overruling.add(later)
                overruled.add(earlier)
    if not overruled:
        return Layers((), tuple(goals), ())
    first = tuple(goal for place, goal in enumerate(goals) if place not in overruling)
    last = tuple(goal for place, goal in enumerate(goals) if place not in overruled)
    return Layers(first, last, tuple(goals[place] for place in sorted(overruled)))


def _contradict(clip: Clip, one: Goal, other: Goal) -> bool:
    spans = span_of(clip, one), span_of(clip, other)
    begin, end = max(span[0] for span in spans), min(span[1] for span in spans)
    if begin >= end or not one.is_hard or not other.is_hard:
        return False
    key = value_of(clip, one)
    if key is not None and key == value_of(clip, other):
        return True
    if not isinstance(one, Place) or not isinstance(other, Place) or one.axes != "xyz" or other.axes != "xyz":
        return False
    return joint_of(clip.body, one.part) == joint_of(clip.body, other.part) and not _go_together(one, other, begin)


def _go_together(one: Place, other: Place, time: float) -> bool:
    """Whether two points of a joint are asked to be as far from each other as they are."""
    now = np.array([time])
    asked = at_times(one.at, 3, 1, now, "a place") - at_times(other.at, 3, 1, now, "a place")
    apart = np.subtract(as_point(one.part).offset, as_point(other.part).offset)
    return abs(float(np.linalg.norm(asked)) - float(np.linalg.norm(apart))) < SAME
