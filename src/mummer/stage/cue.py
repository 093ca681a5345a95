"""Cues: motions with what they need of a body, ready to be put on a stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip import Clip, Mix, Still
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Goal, Moving
from mummer.model import Action

How = Literal["control", "blend", "add"]
HOWS: tuple[How, ...] = ("control", "blend", "add")
HALT = 0.15
"""Seconds before and after a pause over which the motion slows down and picks up again."""


@dataclass(frozen=True)
class Tag:
    """What a motion does with one body group where others are at work, and how much it needs it.

    Attributes:
        how: ``control`` drives it alone, ``blend`` shares it by importance, ``add`` puts only its changes on top.
        required: whether the motion cannot be done without it.
        importance: 0 to 100.
    """

    how: How = "control"
    required: bool = False
    importance: float = 50.0

    def __post_init__(self) -> None:
        if self.how not in HOWS:
            raise UnknownNameError("a tag", "way to share a group", self.how, HOWS)
        if not 0 <= self.importance <= 100:
            raise InputError(f"an importance of {self.importance:g}; expected 0 to 100")


@dataclass(frozen=True, eq=False)
class Cue:
    """A motion and what it needs.

    Attributes:
        name: what reports call it.
        clip: the motion, rough: goals are not met yet.
        goals: what must hold, with intervals in the clip's time.
        tags: by body group; what is not named is ``control``, optional, with an importance of ``otherwise``.
        achieve, release: seconds of the clip at which its goal is reached and let go of; start and end if None.
        otherwise: importance of groups without a tag.
    """

    name: str
    clip: Clip
    goals: tuple[Goal, ...] = ()
    tags: Mapping[str, Tag] = field(default_factory=dict)
    achieve: float | None = None
    release: float | None = None
    otherwise: float = 50.0

    def __post_init__(self) -> None:
        groups = self.clip.anatomy.groups
        for name in self.tags:
            if name not in groups:
                raise UnknownNameError(repr(self.clip.body.name), "group", name, groups)
        if not self.clip.start - 1e-9 <= self.enters <= self.leaves <= self.clip.end + 1e-9:
            raise InputError(
                f"{self.name!r} achieves at {self.enters:g} s and releases at {self.leaves:g} s; expected both in "
                f"order between {self.clip.start:g} and {self.clip.end:g} s"
            )

    @classmethod
    def of(cls, action: Action, tags: Mapping[str, Tag] | None = None) -> Cue:
        """An action with what it needs; its invariants are the goals."""
        known = dict(action.key_times)
        return cls(
            action.model, action.rough, action.invariants, tags or {}, known.get("achieve"), known.get("release")
        )

    @property
    def enters(self) -> float:
        """Seconds of the clip at which a transition into it ends."""
        return self.clip.start if self.achieve is None else self.achieve

    @property
    def leaves(self) -> float:
        """Seconds of the clip at which a transition out of it begins."""
        return self.clip.end if self.release is None else self.release

    def tag(self, group: str) -> Tag:
        """What it does with a group."""
        return self.tags.get(group, Tag("control", False, self.otherwise))

    def paused(self, at: float, seconds: float) -> Cue:
        """Standing still for a while: one moment is stretched; what holds then lasts, what comes later shifts.

        Args:
            at: seconds of the clip.
            seconds: how long.
        """
        start, end = self.clip.start, self.clip.end
        if not start <= at < end or not seconds > 0:
            raise InputError(f"a pause of {seconds:g} s at {at:g} s; expected it between {start:g} and {end:g} s")
        pairs = [(max(start, at - HALT), max(start, at - HALT))] if at > start else []
        pairs += [(at, at), (at, at + seconds)]
        pairs += [(min(end, at + HALT), min(end, at + HALT) + seconds)]

        def later(times: FloatArray) -> FloatArray:
            return np.where(times > at, times + seconds, times)

        def sooner(times: FloatArray) -> FloatArray:
            return np.where(times > at, np.maximum(times - seconds, at), times)

        def moment(time: float | None) -> float | None:
            return None if time is None else float(later(np.array(time)))

        return dataclasses.replace(
            self,
            clip=self.clip.warped(*pairs),
            goals=tuple(retimed(goal, later, sooner) for goal in self.goals),
            achieve=moment(self.achieve),
            release=moment(self.release),
        )

    def held(self, before: Clip, time: float, ratios: Mapping[str, float] | None = None) -> Cue:
        """Done while the body keeps a pose as far as the motion lets it: each group moves by its importance.

        Args:
            before: the motion whose pose is kept.
            time: seconds of that motion.
            ratios: for some groups, how much of the new motion there is instead, 0 to 1.
        """
        shares = {name: self.tag(name).importance / 100 for name in self.clip.anatomy.groups} | dict(ratios or {})
        still = Still(self.clip.body, before.at(time), self.clip.duration).shifted(self.clip.start)
        return dataclasses.replace(self, clip=Mix(still, self.clip, shares))


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
