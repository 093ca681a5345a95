"""Goals at other times: what holds over an interval, or goes somewhere, goes with its motion."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.goal import Goal
from mummer.ik.moving import Moving

Times = Callable[[FloatArray], FloatArray]


def delayed(goal: Goal, seconds: float) -> Goal:
    """The same goal so many seconds later."""
    return retimed(goal, lambda times: times + seconds, lambda times: times - seconds)


def retimed(goal: Goal, forward: Times, back: Times) -> Goal:
    """The same goal at other times.

    Args:
        goal: with times in its interval and its targets.
        forward: from old times (T,) to new ones, which increase with them.
        back: from new times to old ones.
    """
    changes: dict[str, Any] = {}
    if goal.interval is not None:
        begin, end = forward(np.array(goal.interval)).tolist()
        changes["interval"] = (begin, end)
    for entry in dataclasses.fields(goal):
        value = getattr(goal, entry.name)
        if isinstance(value, Moving):
            changes[entry.name] = dataclasses.replace(value, times=forward(value.times))
        elif callable(value):
            changes[entry.name] = _after(back, value)
    return dataclasses.replace(goal, **changes) if changes else goal


def _after(back: Times, value: Times) -> Times:
    return lambda times: value(back(times))
