"""Goals that limbs cannot meet by themselves: the whole body gives way, frame by frame, by the mass-weighted solver."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.engine.bridge import smooth_step
from mummer.ik.engine.track import Track
from mummer.ik.engine.tracks import place_track, span_of, turn_track
from mummer.ik.goal import Goal
from mummer.ik.goal_table import goal_table
from mummer.ik.goals import Near, Orient, Place
from mummer.ik.moving import Target
from mummer.ik.numeric.run import Tuning, run
from mummer.ik.problem import make_problem
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

TOLERANCE = 1e-6
"""How near the solver comes: what is left of a miss trembles from frame to frame, so it must be less than noise."""
TUNING = Tuning(steps=300, attempts=0, restitution=1e-3)
"""No new beginnings, which would be another answer than that of the frame before; every turn costs enough that light
joints do not flap about."""
STRONGEST = 100.0
"""The weight of a goal that is all but hard."""


@dataclass(frozen=True, eq=False)
class _Eased:
    """A goal of the clip as the solver is given it.

    Attributes:
        goal: what holds; the target of one with a track is filled in for each frame.
        track: for places and turns, where the target goes before and after; else None.
        spans: seconds (from, to) between which it holds, earliest first.
    """

    goal: Goal
    track: Track | None
    spans: tuple[tuple[float, float], ...]

    def near(self, times: FloatArray, ease: float) -> FloatArray:
        """(T,) 1 where it holds, less before and after, 0 from ``ease`` away."""
        if self.track is not None:
            return self.track.activity(times)
        ((begin, end),) = self.spans
        away = np.maximum(np.maximum(begin - times, times - end), 0.0)
        return 1.0 - smooth_step(away / max(ease, 1e-9))

    def holds(self, times: FloatArray) -> FloatArray:
        """(T,) 1 where it holds, else 0."""
        return np.asarray(sum((times >= begin) & (times <= end) for begin, end in self.spans) > 0, np.float64)


class WholeBody:
    """A clip with goals that all of the body works to meet."""

    def __init__(self, clip: Clip, goals: Sequence[Goal], ease: float) -> None:
        self.clip, self.ease, self.tuning = clip, ease, TUNING
        self.eased = _eased(clip, goals, ease)

    def bend(self, frames: Frames, times: FloatArray) -> None:
        """Bend the body in ``frames``."""
        pose = frames.to_pose()
        state = WorldState(self.clip.body, pose.replace(rotations=frames.rotations.copy()))
        goals: list[Goal] = []
        shares: list[FloatArray] = []
        for each in self.eased:
            near, holds = each.near(times, self.ease), each.holds(times)
            goal = each.goal if each.track is None else _aimed(each, state, times)
            if goal.is_hard:
                goals.append(goal)
                shares.append(holds)
            strength = 1.0 if goal.weight is None else goal.weight
            goals.append(dataclasses.replace(goal, weight=strength, interval=None))
            shares.append(_weights(near, self.tuning.pull) * np.where(goal.is_hard, 1.0 - holds, 1.0))
        self._solve(frames, state, goals, np.stack(shares, axis=1), times)

    def _solve(
        self, frames: Frames, state: WorldState, goals: Sequence[Goal], shares: FloatArray, times: FloatArray
    ) -> None:
        rows = np.flatnonzero(shares.any(axis=1))
        if not len(rows):
            return
        picked = [_at_rows(goal, rows, len(times)) for goal in goals]
        problem = make_problem(
            self.clip.body, picked, state.pose[rows], times=times[rows], tolerance=TOLERANCE, root="free"
        )
        table = goal_table(problem)
        weights = table.weights * shares[rows][:, table.goal]
        found = run(problem, dataclasses.replace(table, weights=np.ascontiguousarray(weights)), self.tuning)[0]
        frames.rotations[rows] = found.rotations
        assert found.root_translation is not None
        frames.root[rows] = found.root_translation


def _weights(near: FloatArray, pull: float) -> FloatArray:
    """(T,) weights beside which a body's pull to stay gives way by the part ``near`` of the whole."""
    return np.asarray(pull * near / np.maximum(1.0 - near, pull / STRONGEST))


def _eased(clip: Clip, goals: Sequence[Goal], ease: float) -> list[_Eased]:
    by_place: dict[tuple[int, tuple[float, ...], str], list[Place]] = {}
    by_turn: dict[int, list[Orient]] = {}
    found: list[_Eased] = []
    for goal in goals:
        if isinstance(goal, Place) and goal.is_hard:
            by_place.setdefault((joint_of(clip.body, goal.part), as_point(goal.part).offset, goal.axes), []).append(
                goal
            )
        elif isinstance(goal, Orient) and goal.is_hard:
            by_turn.setdefault(joint_of(clip.body, goal.part), []).append(goal)
        elif not isinstance(goal, Near):
            found.append(_Eased(dataclasses.replace(goal, interval=None), None, (span_of(clip, goal),)))
    for (joint, offset, _), places in by_place.items():
        track = place_track(clip, joint, np.array(offset), places, ease)
        found.append(_Eased(dataclasses.replace(places[0], interval=None), track, _spans(track)))
    for joint, turns in by_turn.items():
        track = turn_track(clip, joint, turns, ease)
        found.append(_Eased(dataclasses.replace(turns[0], interval=None), track, _spans(track)))
    return found


def _spans(track: Track) -> tuple[tuple[float, float], ...]:
    return tuple((demand.begin, demand.end) for demand in track.demands)


def _aimed(each: _Eased, state: WorldState, times: FloatArray) -> Goal:
    """The goal with the target of each frame filled in."""
    assert each.track is not None
    if isinstance(each.goal, Place):
        own = state.point(each.goal.part)
        return dataclasses.replace(each.goal, at=own + each.track.offsets(times, own))
    assert isinstance(each.goal, Orient)
    own = state.turn(each.goal.part)
    return dataclasses.replace(each.goal, to=quaternion.multiply(quaternion.exp(each.track.offsets(times, own)), own))


def _at_rows(goal: Goal, rows: IntArray, count: int) -> Goal:
    """The goal with only those of its ``count`` targets that belong to the poses ``rows``."""

    def picked(target: Target) -> Target:
        return target[rows] if isinstance(target, np.ndarray) and target.shape[:-1] == (count,) else target

    if isinstance(goal, Orient):
        return dataclasses.replace(goal, to=picked(goal.to))
    return dataclasses.replace(goal, at=picked(goal.at)) if isinstance(goal, Place) else goal
