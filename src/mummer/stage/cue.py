"""Cues: motions with what they need of a body, ready to be put on a stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from mummer.clip import Clip, Mix, Still
from mummer.errors import InputError, UnknownNameError
from mummer.ik import Goal
from mummer.model import Action
from mummer.model.needs import needs_by_group
from mummer.model.retimed import Times, retimed

How = Literal["control", "blend", "add"]
HOWS: tuple[How, ...] = ("control", "blend", "add")
TOUCH = 0.05
"""Seconds for which something is touched by who is carried past it."""
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
        """An action with what it needs, see `needs_of`; its invariants are the goals."""
        known, tags = dict(action.key_times), needs_of(action) if tags is None else tags
        return cls(action.model, action.rough, action.invariants, tags, known.get("achieve"), known.get("release"))

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
        stop = halted(self.clip, at, seconds)

        def moment(time: float | None) -> float | None:
            return None if time is None else float(stop.forward(np.array(time)))

        return dataclasses.replace(
            self,
            clip=self.clip.warped(*stop.pairs),
            goals=tuple(retimed(goal, stop.forward, stop.back) for goal in self.goals),
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


def touched(cue: Cue) -> Cue:
    """A cue that touches what it is about and goes on: who is carried past it cannot stay there."""
    end = min(cue.enters + TOUCH, cue.clip.end)
    goals = [goal for goal in cue.goals if goal.interval is None or goal.interval[0] <= end]
    short = [
        goal
        if goal.interval is None
        else dataclasses.replace(goal, interval=(goal.interval[0], min(goal.interval[1], end)))
        for goal in goals
    ]
    return dataclasses.replace(cue, goals=tuple(short), release=end)


def needs_of(action: Action, said: Mapping[str, float | str] | None = None) -> dict[str, Tag]:
    """How much an action needs each group of its body.

    See `mummer.model.needs.needs_by_group`; what it needs it cannot do without.

    Args:
        action: what is done.
        said: importances by group that somebody knows better, or ``add`` or ``blend``.
    """
    tags = {}
    for name, (weight, needed) in needs_by_group(action).items():
        given = (said or {}).get(name)
        if isinstance(given, str):
            tags[name] = Tag(given, True, weight)  # type: ignore[arg-type]
        else:
            tags[name] = Tag("control", needed or bool(given), weight if given is None else given)
    return tags


@dataclass(frozen=True, eq=False)
class Retiming:
    """Other times for everything: pairs for a `TimeWarp`, and the way from old times (T,) to new ones and back."""

    pairs: tuple[tuple[float, float], ...]
    forward: Times
    back: Times


def halted(clip: Clip, at: float, seconds: float) -> Retiming:
    """One moment of a clip that lasts: what holds then lasts, what comes later shifts.

    Raises:
        InputError: if the moment is not within the clip.
    """
    start, end = clip.start, clip.end
    if not start <= at < end or not seconds > 0:
        raise InputError(f"a pause of {seconds:g} s at {at:g} s; expected it between {start:g} and {end:g} s")
    pairs = [(max(start, at - HALT), max(start, at - HALT))] if at > start else []
    pairs += [(at, at), (at, at + seconds)]
    pairs += [(min(end, at + HALT), min(end, at + HALT) + seconds)]
    return Retiming(
        tuple(pairs),
        lambda times: np.where(times > at, times + seconds, times),
        lambda times: np.where(times > at, np.maximum(times - seconds, at), times),
    )
