"""What goals ask of the body as a whole: each value that they speak of, eased in its own space."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.ik.axes import axes_mask
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.engine.bridge import smooth_step
from mummer.ik.engine.track import Demand, Track, Values, applied, require_apart
from mummer.ik.engine.tracks import span_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, CenterOfMass, JointValue, Match, Near, Orient, Place, Together
from mummer.ik.moving import at_times
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

Spans = tuple[tuple[float, float], ...]
"""Seconds (from, to), earliest first."""
VALUED = (Aim, CenterOfMass, JointValue, Match, Orient, Place, Together)
"""Goals that ask for one value; those left ask for no less than a value."""


@dataclass(frozen=True, eq=False)
class Asked:
    """All goals about one value of the body.

    Attributes:
        goals: earliest first; all are alike but for their targets and intervals.
        track: the value over time; None for a goal that only asks for no less than a value.
        spans: when they hold.
        ease: seconds.
    """

    goals: tuple[Goal, ...]
    track: Track | None
    spans: Spans
    ease: float

    def strength(self, times: FloatArray) -> FloatArray:
        """(T,) 1 where a goal holds and as long as its effect lasts, then falling to 0."""
        if self.track is None:
            return nearness(self.spans, times, 0.0, self.ease)
        return nearness(self.spans, times, self.ease, self.ease)

    def holds(self, times: FloatArray) -> FloatArray:
        """(T,) 1 where a goal holds, else 0."""
        return np.asarray(sum((times >= begin) & (times <= end) for begin, end in self.spans) > 0, np.float64)

    def at(self, state: WorldState, times: FloatArray) -> Goal:
        """One goal for all ``times`` (T,), with its target at each; ``state`` is the body in the clip."""
        goal = dataclasses.replace(self.goals[0], interval=None)
        if self.track is None:
            return goal
        own = own_value(goal, state)
        value = applied(self.track.offsets(times, own), own, directions=self.track.directions)
        if isinstance(goal, Aim):
            return _aimed_along(goal, state, value, self._distance(state, times))
        return _with_value(goal, value)

    def _distance(self, state: WorldState, times: FloatArray) -> FloatArray:
        """(T,) metres to what is aimed at, by the goal that holds or is next to hold."""
        middles = np.array([0.5 * (one[1] + other[0]) for one, other in pairwise(self.spans)])
        which, found = np.searchsorted(middles, times), np.ones(len(times))
        for place, (goal, (begin, end)) in enumerate(zip(self.goals, self.spans, strict=True)):
            rows = np.flatnonzero(which == place)
            if len(rows):
                assert isinstance(goal, Aim)
                target = at_times(goal.at, 3, len(rows), np.clip(times[rows], begin, end), f"the aim of {goal.part!r}")
                found[rows] = np.linalg.norm(target - state.point(goal.part)[rows], axis=-1)
        return found


def find_asked(clip: Clip, goals: Sequence[Goal], ease: float) -> list[Asked]:
    """``goals`` by the value that they ask for; to stay near a pose is what the engine does anyway."""
    by_value: dict[object, list[Goal]] = {}
    for place, goal in enumerate(goals):
        if not isinstance(goal, Near):
            key = value_of(clip, goal)
            by_value.setdefault(place if key is None or not goal.is_hard else key, []).append(goal)
    return [_asked(clip, listed, ease) for listed in by_value.values()]


def value_of(clip: Clip, goal: Goal) -> tuple[object, ...] | None:
    """What tells the value that a goal asks for from others; None for a goal that asks for no single value."""
    if not isinstance(goal, VALUED):
        return None
    points = [(joint_of(clip.body, point), as_point(point).offset) for point in goal.points]
    if isinstance(goal, (Orient, JointValue, Match)):
        return (type(goal), *(joint for joint, _ in points))
    axes = goal.axes if isinstance(goal, (Place, CenterOfMass)) else ""
    return (type(goal), axes, goal.axis if isinstance(goal, Aim) else None, *points)


def nearness(spans: Sequence[tuple[float, float]], times: FloatArray, hold: float, fade: float) -> FloatArray:
    """(T,) 1 within ``hold`` seconds of ``spans``, falling smoothly to 0 over the next ``fade``."""
    found = np.zeros(len(times))
    for begin, end in spans:
        away = np.maximum(np.maximum(begin - times, times - end) - hold, 0.0)
        found = np.maximum(found, 1.0 - smooth_step(away / max(fade, 1e-9)))
    for earlier, later in pairwise(spans):
        if later[0] - earlier[1] <= 2 * (hold + fade):
            found[(times >= earlier[1]) & (times <= later[0])] = 1.0
    return found


def _asked(clip: Clip, goals: Sequence[Goal], ease: float) -> Asked:
    ordered = tuple(sorted(goals, key=lambda goal: span_of(clip, goal)))
    spans = tuple(span_of(clip, goal) for goal in ordered)
    if not isinstance(ordered[0], VALUED):
        return Asked(ordered, None, spans, ease)

    def own(times: FloatArray) -> FloatArray:
        return own_value(ordered[0], WorldState(clip.body, clip.sample(times)))

    demands = [Demand(*span, _target(clip, goal)) for goal, span in zip(ordered, spans, strict=True)]
    apart = require_apart(demands, f"the same of {ordered[0].points}")
    track = Track(clip.start, clip.end, apart, own, ease, isinstance(ordered[0], Aim))
    return Asked(ordered, track, spans, ease)


def _target(clip: Clip, goal: Goal) -> Values:
    def target(times: FloatArray) -> FloatArray:
        return asked_value(goal, WorldState(clip.body, clip.sample(times)), times)

    return target


def own_value(goal: Goal, state: WorldState) -> FloatArray:
    """(T, W) the value that a goal speaks of, as the body has it: a place, a direction or a rotation."""
    match goal:
        case Place():
            return state.point(goal.part)
        case Orient():
            return state.turn(goal.part)
        case Aim():
            return quaternion.rotate(state.turn(goal.part), goal.axis_in(state))
        case JointValue():
            return state.pose.rotations[:, joint_of(state.body.character, goal.part)]
        case CenterOfMass():
            return state.center_of_mass
        case Together():
            return state.point(goal.first) - state.point(goal.second)
        case Match():
            return quaternion.multiply(quaternion.conjugate(state.turn(goal.second)), state.turn(goal.first))
    raise TypeError(f"goals of kind {type(goal).__name__} ask for no single value")


def asked_value(goal: Goal, state: WorldState, times: FloatArray) -> FloatArray:
    """(T, W) the value that a goal asks for; of axes that do not count, what the body has."""
    count = len(times)
    match goal:
        case Place():
            at = at_times(goal.at, 3, count, times, f"the place of {goal.part!r}")
            return np.where(axes_mask(goal.axes) != 0, at, state.point(goal.part))
        case CenterOfMass():
            at = at_times(goal.at, 3, count, times, "the place of the centre of mass")
            return np.where(axes_mask(goal.axes) != 0, at, state.center_of_mass)
        case Orient():
            return at_times(goal.to, 4, count, times, f"the orientation of {goal.part!r}")
        case JointValue():
            return at_times(goal.rotation, 4, count, times, f"the value of {goal.part!r}")
        case Aim():
            return goal.directions(state, times)
        case Together():
            return np.broadcast_to(np.asarray(goal.gap, np.float64), (count, 3))
        case Match():
            return np.broadcast_to(np.asarray(goal.turn, np.float64), (count, 4))
    raise TypeError(f"goals of kind {type(goal).__name__} ask for no single value")


def _with_value(goal: Goal, value: FloatArray) -> Goal:
    names: dict[type[Goal], str] = {Orient: "to", JointValue: "rotation", Together: "gap", Match: "turn"}
    changed: dict[str, Any] = {names.get(type(goal), "at"): value}
    return dataclasses.replace(goal, **changed)


def _aimed_along(goal: Aim, state: WorldState, way: FloatArray, distance: FloatArray) -> Aim:
    """The aim at places that far away along directions (T, 3); what was soft about it is in them."""
    lengths = np.linalg.norm(way, axis=-1, keepdims=True)
    at = state.point(goal.part) + distance[:, None] * way / np.maximum(lengths, 1e-9)
    return dataclasses.replace(goal, at=at, comfortable=np.pi, furthest=np.pi)
