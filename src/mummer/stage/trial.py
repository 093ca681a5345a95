"""Trials: how long each way to time a transition makes the way into an action, from a row of poses to begin in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mummer.character import Character
from mummer.engine.troupe import known_body
from mummer.general.physique import physique_of
from mummer.io.subjects import BodyLike, as_character
from mummer.model.act import act
from mummer.model.action import Action
from mummer.stage.actions import model_of, moment
from mummer.stage.durations import Durations
from mummer.stage.timing import TIMINGS, Joining, gap_between, group_seconds, joined

STARTS = ("stand", "squat", "bow", "arms_akimbo", "wave", "scratch_head", "reach", "jump")
"""Actions that leave a body in poses that differ: upright, low, bent, hands at the hips, up, at the head, out ahead."""
TARGET = (0.15, 0.75, 0.3)
"""Body heights to the left, up and ahead of where a body stands, of what those are about that are about something."""


@dataclass(frozen=True)
class Trial:
    """One way into an action.

    Attributes:
        start: the action that is left.
        seconds: how long the transition takes, by timing.
        hurry: by timing, how many times as fast as mass can be moved the most hurried group goes; up to 1 is legal.
    """

    start: str
    seconds: Mapping[str, float]
    hurry: Mapping[str, float]


def trials(
    body: BodyLike, action: Action | str, *, starts: Sequence[str] = STARTS, join: Joining = "mean",
    durations: Durations | None = None,
) -> list[Trial]:  # fmt: skip
    """How long the ways into an action take that is come into after others, in every timing.

    Args:
        body: who.
        action: what is come into: an action, or the name of a model.
        starts: models that are left.
        join: see `mummer.stage.timing.joined`.
        durations: speed limits and what was learned; those that ship if None.

    Example:
        >>> [each.start for each in trials("zoo:adult", "nod", starts=["wave"])]
        ['wave']
    """
    character = known_body(as_character(body, asker="trials()"))
    after = _done(character, action) if isinstance(action, str) else action
    return [_tried(_done(character, start), after, join, durations) for start in starts]


def _done(body: Character, name: str) -> Action:
    model, style = model_of(name, Path())
    place = tuple(physique_of(body).height * each for each in TARGET)
    values: dict[str, Any] = {"target": place} if model.has("target") else {}
    return act(body, model, style=style, **values)


def _tried(before: Action, after: Action, join: Joining, durations: Durations | None) -> Trial:
    leave, enter = moment(before, "exit"), moment(after, "entry")
    gap = gap_between(before.clip, after.clip, leave, enter)
    legal = max(group_seconds(gap, "fast", durations).values(), default=0.0)
    seconds: dict[str, float] = {
        way: joined(group_seconds(gap, way, durations), join, gap, durations) for way in TIMINGS
    }
    return Trial(before.model, seconds, {way: legal / each for way, each in seconds.items()})
