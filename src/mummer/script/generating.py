"""What generators make: actions that go on idly beneath what a body does."""

from __future__ import annotations

from collections.abc import Sequence

from mummer.script.action import Action, Cycle, Entry, PoseNode, Said
from mummer.script.draft import IDLE

GUESS = 1.0
"""Seconds that a pose is taken to last of which nobody says it."""
LONGEST = 600.0


def length_of(actions: Sequence[Action]) -> float:
    """About how many seconds actions take."""
    found = 0.0
    for action in actions:
        recorded = action.source.clip.duration if action.source else GUESS * sum(1 for _ in action.poses())
        found = max(found, recorded)
    return min(found, LONGEST)


def idle_action(name: str, dof: str, values: Sequence[float], takes: float, every: float) -> Action:
    """An action that brings one degree of freedom to values, one after another.

    Args:
        name: of the action.
        dof: what moves.
        values: where to.
        takes: seconds on the way.
        every: seconds from one to the next.
    """
    from mummer.script.properties.set_dof_value import SetDOFValue
    from mummer.script.properties.set_duration import SetDuration
    from mummer.script.properties.set_hold_time import SetHoldTime

    said = (Said(SetDuration("ABS", takes)), Said(SetHoldTime("ABS", max(every - takes, 0.0))))
    entries = [Entry(f"{IDLE} {dof}", (Said(SetDOFValue("ABS", value), level=3),)) for value in values]
    return Action(name, (Cycle(tuple(PoseNode((entry,)) for entry in entries)),), said)
