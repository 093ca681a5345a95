"""A line: what one actor does in a play, one after the other and over one another, as one motion that meets its goals.

Goals of actions and the steps between them are met piece by piece, so that an edit touches its pieces alone. Where
something lies over an action or somebody is touched, one further pass over that stretch meets all goals together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip import Clip, Composite, Glue, Hold, Mix, Still
from mummer.clip.analysis.feet import known_feet
from mummer.ik import Constrained, Goal, Moving, Orient, Place, WorldState, joint_of
from mummer.math import quaternion
from mummer.model.performed import origin_of
from mummer.model.retimed import delayed
from mummer.stage.actions import moment
from mummer.stage.cue import Cue, needs_of
from mummer.stage.cut import Done
from mummer.stage.durations import Durations, shipped
from mummer.stage.play import Doing, Part
from mummer.stage.stack import Placed, Stack, cut_goals

RATE = 60.0
"""Frames a second at which motions are kept."""
EASE = 0.4
"""Seconds before and after a stretch with further goals in which the motion comes to meet them."""
FADE = 0.1
"""Seconds in which that stretch takes over and gives way."""
TOP = 1000
"""The level of what meets all goals."""
MOST_BREATHS = 200

Keep = Callable[[Hashable, Callable[[], Any]], Any]


@dataclass(frozen=True, eq=False)
class Laid:
    """An action on somebody's line.

    Attributes:
        done: what it is and when.
        clip: its motion in its own time; of the lowest level with its goals met.
        key: what that is kept under.
        goals: what the feet do on the way into it, in the time of the play.
        cue: of what lies over others, with its needs.
    """

    done: Done
    clip: Clip
    key: Hashable
    goals: tuple[Goal, ...] = ()
    cue: Cue | None = None


@dataclass(eq=False)
class Line:
    """What somebody has done so far.

    Attributes:
        part: who.
        body: whose.
        position, heading: where they stand and face; metres, radians.
        timeline: what they do on the lowest level.
        keep: where motions are kept.
        breath: how they breathe while they wait, or None.
        waiting: what is still to be done.
        laid, layers: what is done on the lowest level, and over it.
        contact: goals of being touched, in the time of the play.
    """

    part: Part
    body: Character
    position: FloatArray
    heading: float
    timeline: Composite
    keep: Keep
    breath: Clip | None = None
    waiting: list[Doing] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)
    layers: list[Laid] = field(default_factory=list)
    contact: tuple[Goal, ...] = ()
    _seen: tuple[Hashable, Clip] | None = None

    def durations(self, haste: float = 1.0) -> Durations:
        """How long they take from one motion into another that is come into in such haste."""
        return shipped().taking(1.0 / (haste * self.part.haste))

    @property
    def last(self) -> Laid | None:
        """What they did last on the lowest level."""
        return self.laid[-1] if self.laid else None

    def ready(self, model: str) -> float:
        """Seconds at which they can leave what they do, for a model."""
        if self.last is None:
            return 0.0
        action = self.last.done.action
        return moment(action, "exit", action.model == model) + self.last.done.shift

    def until(self, name: str) -> float:
        """Seconds at which an action of the lowest level has given way to the next."""
        number = next(number for number, each in enumerate(self.laid) if each.done.doing.name == name)
        return self._spans[number][1]

    def doing(self, time: float) -> Doing | None:
        """What they do on the lowest level at a moment; None while they wait."""
        spans = zip(self.laid, self._spans, strict=True)
        return next((laid.done.doing for laid, (begin, until) in spans
                     if begin <= time < min(until, laid.clip.end + laid.done.shift)), None)  # fmt: skip

    # Laying ---------------------------------------------------------------------------------------------------------

    def waited(self, until: float) -> Clip:
        """The motion of the last action, in its own time, and how they wait after it until a moment of it."""
        assert self.last is not None
        first = self.last.clip
        return idling(first, until, self.breath) if until > first.end + 1e-6 else first

    def lay(self, laid: Laid, glue: Glue | None) -> None:
        """Go on with an action."""
        done, last = laid.done, self.last
        if last is not None and done.begin > last.clip.end + last.done.shift + 1e-6:
            whole, shift = self.waited(done.begin - last.done.shift), last.done.shift
            end = last.clip.end
            self.timeline = self.timeline.with_segment(whole, at=end + shift, source=end)
        entry = laid.clip.start if glue is None else glue.end - done.shift
        self.timeline = self.timeline.with_segment(laid.clip, at=entry + done.shift, source=entry, entrance=glue)
        self.laid.append(laid)

    # Seeing ---------------------------------------------------------------------------------------------------------

    @property
    def seen(self) -> Clip:
        """Their motion so far with every goal met; standing, if they have not moved."""
        state = (len(self.laid), len(self.layers), self.contact, self.timeline.end)
        if self._seen is None or self._seen[0] != state:
            self._seen = state, self._finished() if self.layers or self.contact else self._plain
        return self._seen[1]

    @property
    def _plain(self) -> Clip:
        return self.timeline if self.timeline.segments else self.standing(1.0)

    def rest_until(self, end: float) -> None:
        """Let them wait where they are until the play ends."""
        if not self.laid:
            self.timeline = self.timeline.with_segment(idling(self.standing(1e-3), end, self.breath), seconds=end)
        elif end > self.timeline.end + 1e-6:
            self.timeline = self.timeline.with_segment(
                idling(self.timeline, end, self.breath), source=self.timeline.end
            )

    def standing(self, seconds: float) -> Clip:
        """Standing where they are."""
        turn = quaternion.exp(np.array([0.0, self.heading, 0.0]))
        return Still(self.body, self.body.default_pose, seconds).pivoted(origin_of(self.body), turn, self.position)

    def stack(self) -> Stack:
        """The lowest level as that of a stack, for others to lie over it."""
        everything = {} if self.body.anatomy is None else dict.fromkeys(self.body.anatomy.groups, 1.0)
        placed = []
        for laid, (begin, until) in zip(self.laid, self._spans, strict=True):
            action, done = laid.done.action, laid.done
            tags = self.keep(("needs", laid.key), partial(needs_of, action))
            known = dict(action.key_times)
            cue = Cue(done.doing.name, laid.clip, action.invariants, tags, known.get("achieve"), known.get("release"))
            met = cut_goals(tuple(delayed(goal, done.shift) for goal in cue.goals), begin + done.seconds, until)
            placed.append(Placed(cue, 0, begin, begin + done.seconds, until, everything, (*met, *laid.goals)))
        return Stack(self.body, tuple(placed), self.timeline)

    @property
    def _spans(self) -> list[tuple[float, float]]:
        """From when to when each action of the lowest level is seen, until the next takes over."""
        begins = [each.done.begin for each in self.laid]
        ends = [*begins[1:], self.timeline.end]
        return list(zip(begins, ends, strict=True))

    def _finished(self) -> Clip:
        """The rough cut with one pass over each stretch where something lies over it or touches it."""
        stack = self.stack() if self.laid else Stack(self.body, (), Composite(self.body).with_segment(self._plain))
        for laid in sorted(self.layers, key=lambda each: each.done.begin):
            assert laid.cue is not None
            stack = stack.layered(laid.cue, at=laid.done.begin, seconds=laid.done.seconds)
        assert stack.rough is not None
        made = stack.rough
        spans = [(each.begin, each.until + EASE) for each in stack.placed if each.level > 0]
        spans += [goal.interval for goal in self.contact if goal.interval is not None]
        for low, high in _merged(spans, made.start, made.end):
            within = self._goals(stack, low, high)
            key = ("pass", self._key(low, high), round(low, 4), round(high, 4))
            piece = self.keep(key, partial(_met, made, low, high, within))
            made = made.with_layer(piece, at=low, source=low, level=TOP, fade=FADE)
        return made

    def _goals(self, stack: Stack, low: float, high: float) -> tuple[Goal, ...]:
        """What has to hold over a stretch: new goals, and what holds there already and is not about the same parts.

        Feet go as they do, all the time: that is one goal for each instead of many for each footfall.
        """
        new = [goal for placed in stack.placed if placed.level > 0 for goal in placed.goals]
        found = list(cut_goals((*new, *self.contact), low, high))
        taken = {joint_of(self.body, part) for goal in found for part in goal.points}
        feet = [foot.heel for foot in known_feet(self.body)]
        below = {joint for heel in feet for joint in (heel, *self.body.skeleton.descendants(heel))}
        old = [goal for placed in stack.placed if placed.level == 0 for goal in placed.goals]
        found += [
            goal
            for goal in cut_goals(tuple(old), low, high)
            if not {joint_of(self.body, part) for part in goal.points} & (taken | below)
        ]
        assert stack.rough is not None
        clip = stack.rough.trimmed(low, high)
        times = clip.times(RATE)
        state = WorldState(self.body, clip.sample(times))
        for heel in feet:
            if not taken & {heel, *self.body.skeleton.descendants(heel)}:
                found.append(Place(heel, Moving(times, state.positions[:, heel]), interval=(low, high)))
                found.append(Orient(heel, Moving(times, state.rotations[:, heel]), interval=(low, high)))
        return tuple(found)

    def _key(self, low: float, high: float) -> Hashable:
        """What a stretch depends on."""
        there = [
            (each.key, round(each.done.shift, 4), round(each.done.begin, 4), round(each.done.seconds, 4))
            for each in (*self.laid, *self.layers)
            if each.done.begin < high and each.clip.end + each.done.shift > low
        ]
        return (self.body, *there, *(id(goal) for goal in self.contact))


def idling(clip: Clip, until: float, breath: Clip | None) -> Clip:
    """A clip that goes on until a moment: in its last pose, breathing; legs and root stay."""
    seconds, end, body = until - clip.end, clip.end, clip.body
    rest: Clip = Hold(clip, end, seconds)
    feet = {foot.heel for foot in known_feet(body)}
    groups = {} if body.anatomy is None else body.anatomy.groups
    still = {name for name, joints in groups.items() if 0 in joints or feet & set(joints) or name == "waist"}
    free = {name: 1.0 for name in groups if name not in still}
    if breath is not None and free:
        count = min(int(np.ceil(seconds / max(breath.duration, 0.1))), MOST_BREATHS)
        looped = breath if count <= 1 else breath.looped(count)
        rest = Mix(rest, looped.shifted(end - looped.start), free, "difference", fade=0.3)
    return Composite(body).with_segment(clip).with_segment(rest)


def _met(rough: Composite, low: float, high: float, goals: tuple[Goal, ...]) -> Clip:
    return Constrained(rough.trimmed(low, high), goals).baked(RATE).sampled


def _merged(spans: Iterable[tuple[float, float]], start: float, end: float) -> list[tuple[float, float]]:
    """Stretches with room about them, those that meet as one, within a timeline; on frames, so that these stay."""
    found: list[tuple[float, float]] = []
    wide = ((np.floor((low - EASE) * RATE) / RATE, np.ceil((high + EASE) * RATE) / RATE) for low, high in spans)
    for low, high in sorted((max(start, float(low)), min(end, float(high))) for low, high in wide):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        elif high > low + 1e-3:
            found.append((low, high))
    return found
