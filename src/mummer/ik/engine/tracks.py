"""From goals to tracks: what all goals about one point, or one joint's turn, ask for over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.ik.engine.track import Demand, Track, Values, require_apart
from mummer.ik.goal import Goal
from mummer.ik.goals import Orient, Place
from mummer.ik.moving import Target, at_times
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def place_track(clip: Clip, tip: int, point: FloatArray, goals: Sequence[Place], ease: float) -> Track:
    """What ``goals`` ask of a point (3,) in the frame of joint ``tip``."""

    def own(times: FloatArray) -> FloatArray:
        state = WorldState(clip.body, clip.sample(times))
        return np.asarray(state.positions[:, tip] + quaternion.rotate(state.rotations[:, tip], point))

    demands = [Demand(*span_of(clip, goal), _target(goal.at, 3, f"the place of {goal.part!r}")) for goal in goals]
    return Track(clip.start, clip.end, require_apart(demands, f"the place of {goals[0].part!r}"), own, ease)


def turn_track(clip: Clip, tip: int, goals: Sequence[Orient], ease: float) -> Track:
    """What ``goals`` ask of the rotation of joint ``tip`` in the world."""

    def own(times: FloatArray) -> FloatArray:
        return WorldState(clip.body, clip.sample(times)).rotations[:, tip]

    demands = [Demand(*span_of(clip, goal), _target(goal.to, 4, f"the orientation of {goal.part!r}")) for goal in goals]
    return Track(clip.start, clip.end, require_apart(demands, f"the orientation of {goals[0].part!r}"), own, ease)


def _target(target: Target, width: int, what: str) -> Values:
    return lambda times: at_times(target, width, len(times), times, what)


def span_of(clip: Clip, goal: Goal) -> tuple[float, float]:
    """Seconds between which ``goal`` holds within the clip; the end comes first if it does not hold at all."""
    begin, end = (clip.start, clip.end) if goal.interval is None else goal.interval
    return max(begin, clip.start), min(end, clip.end)
