"""Deformation: goals of parameters, poses that meet them at key times, and a warp through these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.general.physique import physique_of
from mummer.ik.body_goals import Balanced, CenterOfMass
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.constraints import Constrained, keep_contacts
from mummer.ik.goal import Goal
from mummer.ik.pair_goals import Together
from mummer.ik.point_goals import Aim, HalfSpace, Orient, Place
from mummer.ik.solve import solve
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.key_times import KeyTimes
from mummer.model.model import GoalRule
from mummer.model.values import Values

MET = 1e-3
"""Metres within which a place is met."""
INSIDE = 0.01
"""Body heights by which a place that is just out of reach is taken nearer, so that no limb is stretched out."""
RESTS = 0.05
"""Part of its way within which a part has not left yet, or is back."""
SHORTEST = 0.2
"""Seconds that a warp takes to come and go, at least."""
STEPS = 61
NEARER = (0.85, 0.6, 0.0)
"""Parts of the way to a place that a body is kept from that it is asked for instead, each of what is left."""
LOOKS = 30.0
"""Frames a second at which it is looked whether goals are met."""
HELPS = 2
"""Further moments at most at which a motion is bent because it misses most there: feet between two blows."""
APART = 1e-3
"""Seconds that keys of a warp are apart at least."""


@dataclass(frozen=True, eq=False)
class Bent:
    """A motion that meets its goals at its key times.

    Attributes:
        clip: the motion.
        invariants: what must stay true.
        made: the motion constrained to them, where that is known already.
        values: with places that the body cannot reach replaced by those it can.
    """

    clip: Clip
    invariants: tuple[Goal, ...]
    values: Values
    made: Constrained | None = None


Rules = Sequence[tuple[GoalRule, Goal]]


def goals_of(
    clip: Clip, rules: Sequence[GoalRule], values: Values, key_times: KeyTimes, tip: Part | None
) -> list[tuple[GoalRule, Goal]]:
    """The goals that rules make of values for the body of a clip, each with its rule; those that it can have."""
    found = []
    for rule in rules:
        if (rule.when and not values.get(rule.when)) or (rule.at and not values.has(rule.at)):
            continue
        part = tip if rule.part == "tip" else rule.part
        interval = (key_times[rule.during[0]], key_times[rule.during[1]])
        if _can(clip.body, rule):
            goal = _kept(clip, rule, interval) if rule.kind == "keep" else _goal(rule, part, values, interval)
            found += [] if goal is None else [(rule, goal)]
    return found


def _kept(clip: Clip, rule: GoalRule, interval: tuple[float, float]) -> Goal:
    """A part where it is when the goal begins, seen from another: a hand on a hip."""
    state = WorldState(clip.body, clip.sample([interval[0]]))
    joint, other = joint_of(clip.body, rule.part), joint_of(clip.body, rule.to)
    away = state.positions[0, joint] - state.positions[0, other]
    spot = quaternion.rotate(quaternion.conjugate(state.rotations[0, other]), away)
    return Together(joint, BodyPoint(other, tuple(spot.tolist())), weight=rule.weight, interval=interval)


def _goal(rule: GoalRule, part: Part | None, values: Values, interval: tuple[float, float]) -> Goal | None:
    at = np.asarray(values[rule.at], np.float64) if rule.at else np.zeros(3)
    if rule.kind == "height" and part is not None:
        return Place(part, (0.0, float(at), 0.0), axes="y", weight=rule.weight, interval=interval)
    if rule.kind == "balance":
        return Balanced(weight=rule.weight, interval=interval)
    if rule.kind == "center_of_mass":
        return CenterOfMass(at, weight=rule.weight, interval=interval)
    if part is None:
        return None
    if rule.kind == "place":
        return Place(part, at, weight=rule.weight, interval=interval)
    if rule.kind == "aim":
        return Aim(part, at, weight=rule.weight, interval=interval, comfortable=1.0, furthest=1.5)
    if rule.kind == "orient":
        return Orient(part, at, weight=rule.weight, interval=interval)
    return HalfSpace(part, (0.0, 1.0, 0.0), float(at[1]), weight=rule.weight, interval=interval)


def bend(
    clip: Clip, rules: Rules, values: Values, footsteps: Sequence[Mark], *, clips: bool = True, steady: bool = True,
    without: Sequence[str] = (),
) -> Bent:  # fmt: skip
    """A motion bent to goals.

    Args:
        clip: the motion.
        rules: goals, with what they were made of.
        values: of the parameters.
        footsteps: when feet stand, where they stay.
        clips: whether places out of reach are brought within it.
        steady: whether the body has to stay in balance to reach.
        without: names of goals to leave out.
    """
    from mummer.model.action import name_of

    feet = keep_contacts(clip, contacts=tuple(footsteps)) if footsteps else ()
    keep = [goal for goal in (*feet, *(goal for _, goal in rules)) if name_of(goal, clip.body) not in without]
    moments = sorted({time for _, goal in rules for time in (goal.interval or ()) if goal in keep})
    if not moments:
        return Bent(clip, tuple(keep), values)
    if clips:
        for rule, goal in rules:
            now = next((each for each in keep if each is goal or _is_moved(each, goal, rule, values)), None)
            if rule.kind == "place" and isinstance(now, Place) and now.is_hard:
                values, keep = _within_reach(clip, values, rule, now, keep, steady=steady)
    span = _under_way(clip, [goal for _, goal in rules if goal in keep], moments)
    gives = clips and any(not goal.is_hard for goal in keep)
    made, is_met = _met(clip, keep, moments, span, helps=0 if gives else HELPS)
    if gives and not is_met:
        # What is only wished for, such as to look there, gives way to what has to be.
        keep = [goal for goal in keep if goal.is_hard]
        for name in {rule.when for rule, goal in rules if rule.when and not goal.is_hard}:
            values = values.clipped(name, False)
        made, is_met = _met(clip, keep, moments, span)
    # Only places can be taken nearer: an aim that is missed stays as it is asked for.
    can_give = clips and any(rule.kind in ("place", "height") for rule, _ in rules)
    for share in NEARER if can_give else ():
        if is_met:
            break
        values, keep = _nearer(clip, rules, values, keep, share)
        made, is_met = _met(clip, keep, moments, span)
    return Bent(made.clip, made.goals, values, made)


def _warped(clip: Clip, goals: Sequence[Goal], moments: Sequence[float], span: tuple[float, float]) -> SpaceWarp:
    """The motion bent through poses that meet the goals at moments; under way from and until those of ``span``."""
    poses = [_solved(clip, goals, time) for time in moments]
    keys = [SpaceWarpKey.nothing(span[0])] if span[0] < moments[0] - APART else []
    keys += [SpaceWarpKey.pose(time, pose) for time, pose in zip(moments, poses, strict=True)]
    keys += [SpaceWarpKey.nothing(span[1])] if span[1] > moments[-1] + APART else []
    return SpaceWarp(clip, tuple(keys), "scaled", 0.0)


def _met(
    clip: Clip, goals: Sequence[Goal], moments: Sequence[float], span: tuple[float, float], helps: int = HELPS
) -> tuple[Constrained, bool]:
    """The motion bent to goals at moments, and where it misses most, constrained to them; and whether it meets them."""
    for left in range(helps, -1, -1):
        made = Constrained(_warped(clip, goals, moments, span), tuple(goals))
        worst = _worst(made)
        if worst is None or not left or min(abs(worst - moment) for moment in moments) < APART:
            break
        moments = sorted((*moments, worst))
    return made, worst is None


def _worst(made: Constrained) -> float | None:
    """When a place is missed most; None if all are met."""
    hard = [goal for goal in made.goals if isinstance(goal, Place) and goal.is_hard]
    ends = [time for goal in hard for time in goal.interval or () if made.start <= time <= made.end]
    times = np.unique([*made.times(LOOKS), *ends])
    state = WorldState(made.body, made.sample(times))
    off = np.zeros(len(times))
    for goal in hard:
        off = np.maximum(off, np.where(goal.active(len(times), times), goal.error(state, times), 0.0))
    is_met = float(off.max()) <= MET * max(1.0, physique_of(made.body).height)
    return None if is_met else float(times[np.argmax(off)])


def _nearer(clip: Clip, rules: Rules, values: Values, keep: list[Goal], share: float) -> tuple[Values, list[Goal]]:
    """Values and goals with the places of parameters so much of the way from where the motion itself has the part."""
    for rule, goal in rules:
        now = next((each for each in keep if _is_at(each, rule, values)), None)
        if rule.kind not in ("place", "height") or not isinstance(now, Place) or goal.interval is None:
            continue
        start = _tip(clip, clip.at(goal.interval[0]), now)
        legal = start + share * (np.asarray(now.at, np.float64) - start)
        if rule.kind == "height":
            legal = np.array([0.0, float(legal[1]), 0.0])
            moved = [_at(each, legal) if each is now else each for each in keep]
            values, keep = values.clipped(rule.at, float(legal[1])), moved
            continue
        moved = [_at(each, legal) if _is_at(each, rule, values) else each for each in keep]
        values, keep = values.clipped(rule.at, tuple(legal.tolist())), moved
    return values, keep


def _is_moved(goal: Goal, old: Goal, rule: GoalRule, values: Values) -> bool:
    """Whether a goal is ``old`` where its parameter has been clipped."""
    return goal.interval == old.interval and _is_at(goal, rule, values)


def _is_at(goal: Goal, rule: GoalRule, values: Values) -> bool:
    """Whether a goal is the place that the parameter of a rule says."""
    if not (isinstance(goal, Place) and goal.is_hard and rule.at and values.has(rule.at)):
        return False
    wanted = np.asarray(values[rule.at], np.float64)
    place = np.array([0.0, float(wanted), 0.0]) if rule.kind == "height" else wanted
    return bool(np.array_equal(np.asarray(goal.at), place))


def _at(goal: Goal, place: FloatArray) -> Goal:
    assert isinstance(goal, Place)
    return replace(goal, at=place)


def _can(body: Character, rule: GoalRule) -> bool:
    """Whether a body has the part, and can aim it alone: a head without a neck would drag the body along."""
    roles = {} if body.anatomy is None else body.anatomy.roles
    parts = {rule.part, *([rule.to] if rule.to else [])} - {"tip"}
    return parts <= set(roles) and (rule.part != "head" or "neck" in roles)


def _under_way(clip: Clip, goals: Sequence[Goal], moments: Sequence[float]) -> tuple[float, float]:
    """Seconds from when to when the parts that have goals are on their way there and back."""
    begin, end = clip.start, clip.end
    before, after = np.linspace(begin, moments[0], STEPS), np.linspace(moments[-1], end, STEPS)
    for point in {point for goal in goals if goal.is_hard for point in goal.points}:
        out, back = (WorldState(clip.body, clip.sample(times)).point(point) for times in (before, after))
        gone = np.linalg.norm(out - out[0], axis=1)
        left = np.linalg.norm(back - back[-1], axis=1)
        begin = float(before[np.flatnonzero(gone <= RESTS * gone[-1])[-1]]) if gone[-1] > 0 else begin
        end = float(after[np.flatnonzero(left <= RESTS * left[0])[0]]) if left[0] > 0 else end
    return max(min(begin, moments[0] - SHORTEST), clip.start), min(max(end, moments[-1] + SHORTEST), clip.end)


def _solved(clip: Clip, goals: Sequence[Goal], time: float) -> Pose:
    """The pose of the body at a moment that meets the goals that hold then."""
    active = [replace(goal, interval=None) for goal in goals if goal.active(1, np.array([time]))[0]]
    return solve(clip.body, active, clip.at(time), times=np.array([time]), solver="mass_weighted").pose


def _within_reach(
    clip: Clip, values: Values, rule: GoalRule, goal: Place, keep: list[Goal], *, steady: bool
) -> tuple[Values, list[Goal]]:
    """A place that the body cannot reach, or not without falling over, becomes one that it can, nearly as far out."""
    assert goal.interval is not None
    time, asked = goal.interval[0], np.asarray(goal.at, np.float64)
    balance = (Balanced(),) if steady and known_feet(clip.body) else ()
    start = _tip(clip, clip.at(time), goal)
    reached = _tip(clip, _solved(clip, (*keep, *balance), time), goal)
    if float(np.linalg.norm(reached - asked)) <= MET:
        return values, keep
    if not float(np.linalg.norm(reached - asked)) < float(np.linalg.norm(start - asked)):
        reached = start
    way = start - reached
    inside = min(INSIDE * physique_of(clip.body).height, float(np.linalg.norm(way)))
    legal = reached + way * (inside / max(float(np.linalg.norm(way)), 1e-9))
    moved = [_at(each, legal) if _is_at(each, rule, values) else each for each in keep]
    return values.clipped(rule.at, tuple(legal.tolist())), moved


def _tip(clip: Clip, pose: Pose, goal: Place) -> FloatArray:
    return WorldState(clip.body, pose).point(goal.part)[0]
