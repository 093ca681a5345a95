"""From goals to units: which limbs they speak of, and what they ask of each tip over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import rest_positions
from mummer.clip.clip import Clip
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.engine.limb import Chain, find_chain, flexion_axes
from mummer.ik.engine.track import Demand, Track, Values, require_apart
from mummer.ik.engine.unit import PointTrack, Unit, shares_between
from mummer.ik.goal import Goal
from mummer.ik.goals import Orient, Place
from mummer.ik.moving import Target, at_times
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

LOOKS = 64
"""Moments of a clip at which the usual plane of bending of its limbs is told."""


def find_units(clip: Clip, goals: Sequence[Goal], ease: float) -> tuple[Unit, ...]:
    """One unit for each joint that ``goals`` speak of."""
    by_tip: dict[int, list[Goal]] = {}
    for goal in goals:
        by_tip.setdefault(joint_of(clip.body, goal.points[0]), []).append(goal)
    look = np.linspace(clip.start, clip.end, LOOKS)
    state = WorldState(clip.body, clip.sample(look))
    return tuple(_unit(clip, tip, listed, ease, state) for tip, listed in by_tip.items())


def chains_of(clip: Clip, goals: Sequence[Goal]) -> dict[int, Chain] | None:
    """The limbs that ``goals`` can be met with one by one, by their tips; None if they need the whole body."""
    found: dict[int, Chain] = {}
    for goal in goals:
        if not isinstance(goal, (Place, Orient)) or not goal.is_hard:
            return None
        if isinstance(goal, Place) and goal.axes != "xyz":
            return None
        tip = joint_of(clip.body, goal.part)
        chain = find_chain(clip.body.skeleton, tip)
        if chain is None or 0 not in clip.body.skeleton.ancestors(chain.base):
            return None
        found[tip] = chain
    return found


def _unit(clip: Clip, tip: int, goals: Sequence[Goal], ease: float, state: WorldState) -> Unit:
    chain = find_chain(clip.body.skeleton, tip)
    assert chain is not None
    places: dict[tuple[float, float, float], list[Place]] = {}
    for goal in goals:
        if isinstance(goal, Place):
            places.setdefault(as_point(goal.part).offset, []).append(goal)
    points = tuple(
        PointTrack(np.array(offset), _point_track(clip, tip, np.array(offset), listed, ease))
        for offset, listed in places.items()
    )
    orients = [goal for goal in goals if isinstance(goal, Orient)]
    turning = _turn_track(clip, tip, orients, ease) if orients else None
    shares = None
    if len(points) == 2:
        shares = shares_between(clip.start, clip.end, points[0].track, points[1].track, ease)
    return Unit(chain, points, turning, _usual_axis(chain, state), shares, _is_leg(clip, tip))


def _point_track(clip: Clip, tip: int, point: FloatArray, goals: Sequence[Place], ease: float) -> Track:
    def own(times: FloatArray) -> FloatArray:
        state = WorldState(clip.body, clip.sample(times))
        return np.asarray(state.positions[:, tip] + quaternion.rotate(state.rotations[:, tip], point))

    demands = [Demand(*_span(clip, goal), _target(goal.at, 3, f"the place of {goal.part!r}")) for goal in goals]
    return Track(clip.start, clip.end, require_apart(demands, f"the place of {goals[0].part!r}"), own, ease)


def _turn_track(clip: Clip, tip: int, goals: Sequence[Orient], ease: float) -> Track:
    def own(times: FloatArray) -> FloatArray:
        return WorldState(clip.body, clip.sample(times)).rotations[:, tip]

    demands = [Demand(*_span(clip, goal), _target(goal.to, 4, f"the orientation of {goal.part!r}")) for goal in goals]
    return Track(clip.start, clip.end, require_apart(demands, f"the orientation of {goals[0].part!r}"), own, ease)


def _target(target: Target, width: int, what: str) -> Values:
    return lambda times: at_times(target, width, len(times), times, what)


def _span(clip: Clip, goal: Goal) -> tuple[float, float]:
    begin, end = (clip.start, clip.end) if goal.interval is None else goal.interval
    return max(begin, clip.start), min(end, clip.end)


def _usual_axis(chain: Chain, state: WorldState) -> FloatArray:
    """(3,) the unit axis about which a limb bends most of the time, in the frame of its base."""
    axes = flexion_axes(*np.moveaxis(state.positions[:, chain.joints], 1, 0))
    local = quaternion.rotate(quaternion.conjugate(state.rotations[:, chain.base]), axes).mean(axis=0)
    length = float(np.linalg.norm(local))
    return local / length if length > 1e-6 else np.zeros(3)


def _is_leg(clip: Clip, tip: int) -> bool:
    """Whether a joint is a foot: the anatomy says so, or it is near the lowest point of the body at rest."""
    anatomy = clip.body.anatomy
    if anatomy is not None and anatomy.capabilities.get("foot"):
        feet = anatomy.capabilities["foot"]
        return any(joint in feet for joint in (tip, *clip.body.skeleton.ancestors(tip)))
    heights = rest_positions(clip.body.skeleton)[:, 1]
    return bool(heights[tip] < heights.min() + 0.25 * np.ptp(heights))
