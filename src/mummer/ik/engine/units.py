"""From goals to units: which limbs they speak of, and what they ask of each tip over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import rest_positions
from mummer.clip.clip import Clip
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.engine.limb import STRAIGHT, Chain, find_chain, flexion_axes
from mummer.ik.engine.tracks import place_track, span_of, turn_track
from mummer.ik.engine.unit import Floor, PointTrack, Unit, shares_between
from mummer.ik.goal import Goal
from mummer.ik.goals import HalfSpace, Orient, Place
from mummer.ik.soft_aim import body_front
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

LOOKS = 64
"""Moments of a clip at which the usual plane of bending of its limbs is told."""
FOLDED = 1e-3
"""Part of its length that a limb is longer than when quite folded, at least."""
REACH_RATE = 30.0
"""Moments a second at which it is told whether arms reach."""


def find_units(clip: Clip, goals: Sequence[Goal], ease: float) -> tuple[Unit, ...]:
    """One unit for each joint that ``goals`` speak of."""
    by_tip: dict[int, list[Goal]] = {}
    for goal in goals:
        by_tip.setdefault(joint_of(clip.body, goal.points[0]), []).append(goal)
    look = np.linspace(clip.start, clip.end, LOOKS)
    state = WorldState(clip.body, clip.sample(look))
    return tuple(_unit(clip, tip, listed, ease, state) for tip, listed in by_tip.items())


def limbs_suffice(clip: Clip, goals: Sequence[Goal]) -> bool:
    """Whether ``goals`` can be met by bending limbs one by one: hard places, turns and planes for tips of limbs.

    Arms must reach all of their targets from where the body is; legs may pull the body along.
    """
    return len(limb_goals(clip, goals)) == len(goals) and _arms_reach(clip, goals)


def limb_goals(clip: Clip, goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Those of ``goals`` that a limb meets by itself if it reaches, in their order."""
    tips: dict[int, list[Goal]] = {}
    for goal in goals:
        for point in goal.points[:1]:
            tips.setdefault(joint_of(clip.body, point), []).append(goal)
    found: list[Goal] = []
    chains: list[Chain] = []
    for tip, listed in tips.items():
        chain = find_chain(clip.body.skeleton, tip)
        fits = all(isinstance(goal, (Place, Orient, HalfSpace)) and goal.is_hard for goal in listed)
        if chain is None or not fits or not _is_under_root(clip, chain) or not _is_plain(clip, listed):
            continue
        if not _overlap(clip, [*chains, chain]):
            chains.append(chain)
            found += listed
    return tuple(goal for goal in goals if any(goal is each for each in found))


def _is_under_root(clip: Clip, chain: Chain) -> bool:
    return 0 in clip.body.skeleton.ancestors(chain.base)


def _overlap(clip: Clip, chains: Sequence[Chain]) -> bool:
    """Whether a limb hangs from another."""
    return any(
        one is not other and one.base in clip.body.skeleton.ancestors(other.tip) for one in chains for other in chains
    )


def _is_plain(clip: Clip, goals: Sequence[Goal]) -> bool:
    """Whether at most two points of a tip are placed, the tip is not turned as well as two points, and none at once."""
    places = [goal for goal in goals if isinstance(goal, Place)]
    points = {as_point(goal.part).offset for goal in places}
    turned = any(isinstance(goal, Orient) for goal in goals)
    if any(goal.axes != "xyz" for goal in places) or len(points) > (1 if turned else 2):
        return False
    spans = [(as_point(goal.part).offset, span_of(clip, goal)) for goal in places]
    return not any(
        one is not other and one[0] == other[0] and one[1][0] < other[1][1] and other[1][0] < one[1][1]
        for one in spans
        for other in spans
    )


def _arms_reach(clip: Clip, goals: Sequence[Goal]) -> bool:
    """Whether limbs that the body does not follow reach all their targets."""
    look = np.linspace(clip.start, clip.end, max(LOOKS, round(REACH_RATE * clip.duration)))
    # A limb is often stretched most where a goal begins or ends.
    look = np.union1d(look, [edge for goal in goals for edge in span_of(clip, goal)])
    state = WorldState(clip.body, clip.sample(look))
    for unit in find_units(clip, goals, 0.0):
        if unit.follows or not unit.points:
            continue
        base, middle, tip = np.moveaxis(state.positions[:, unit.chain.joints], 1, 0)
        first, second = np.linalg.norm(middle - base, axis=-1), np.linalg.norm(tip - middle, axis=-1)
        away = np.linalg.norm(unit.target(state, look)[0] - base, axis=-1)
        farthest = np.maximum(STRAIGHT * (first + second), np.linalg.norm(tip - base, axis=-1))
        if np.any((away > farthest) | (away < np.abs(first - second) + FOLDED * (first + second))):
            return False
    return True


def _unit(clip: Clip, tip: int, goals: Sequence[Goal], ease: float, state: WorldState) -> Unit:
    chain = find_chain(clip.body.skeleton, tip)
    assert chain is not None
    places: dict[tuple[float, float, float], list[Place]] = {}
    for goal in goals:
        if isinstance(goal, Place):
            places.setdefault(as_point(goal.part).offset, []).append(goal)
    points = tuple(
        PointTrack(np.array(offset), place_track(clip, tip, np.array(offset), listed, ease))
        for offset, listed in places.items()
    )
    orients = [goal for goal in goals if isinstance(goal, Orient)]
    turning = turn_track(clip, tip, orients, ease) if orients else None
    shares = None
    if len(points) == 2:
        shares = shares_between(clip.start, clip.end, points[0].track, points[1].track, ease)
    floors = tuple(
        Floor(np.array(as_point(goal.part).offset), np.array(goal.normal), float(goal.distance), *span_of(clip, goal))
        for goal in goals
        if isinstance(goal, HalfSpace)
    )
    is_leg = _is_leg(clip, tip)
    return Unit(chain, points, turning, floors, _usual_axis(chain, state, is_leg), shares, is_leg, ease)


def _usual_axis(chain: Chain, state: WorldState, is_leg: bool) -> FloatArray:
    """(3,) the unit axis about which a limb bends most of the time, in the frame of its base.

    A limb that is straight throughout bends as most do: knees to the front, elbows to the back.
    """
    places = np.moveaxis(state.positions[:, chain.joints], 1, 0)
    axes = flexion_axes(*places)
    if np.linalg.norm(axes, axis=-1).max() < 1e-6:
        back = -body_front(state) if is_leg else body_front(state)
        axes = np.cross(places[1] - places[0], back)
    local = quaternion.rotate(quaternion.conjugate(state.rotations[:, chain.base]), axes).mean(axis=0)
    length = float(np.linalg.norm(local))
    return local / length if length > 1e-9 else np.array([1.0, 0.0, 0.0])


def _is_leg(clip: Clip, tip: int) -> bool:
    """Whether a joint is a foot: the anatomy says so, or it is near the lowest point of the body at rest."""
    anatomy = clip.body.anatomy
    if anatomy is not None and anatomy.capabilities.get("foot"):
        feet = anatomy.capabilities["foot"]
        return any(joint in feet for joint in (tip, *clip.body.skeleton.ancestors(tip)))
    heights = rest_positions(clip.body.skeleton)[:, 1]
    return bool(heights[tip] < heights.min() + 0.25 * np.ptp(heights))
