"""Deformation: goals of parameters, poses that meet them at key times, and a warp through these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.hold import Still
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.general.physique import physique_of
from mummer.ik.body_goals import Balanced, CenterOfMass
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.constraints import Constrained, keep_contacts
from mummer.ik.constraints.limb import WithinLimits
from mummer.ik.goal import Goal
from mummer.ik.pair_goals import Together
from mummer.ik.point_goals import Aim, HalfSpace, Orient, Place
from mummer.ik.solve import solve
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.key_times import KeyTimes
from mummer.model.model import GoalRule
from mummer.model.timing import LIVELIER, LOOKS, is_thrown_about, jumps_at
from mummer.model.values import Values

MET = 1e-3
"""Metres within which a place is met."""
MAN = 1.8
"""Metres that a man is tall."""
INSIDE = 0.01
"""Body heights by which a place that is just out of reach is taken nearer, so that no limb is stretched out."""
RESTS = 0.05
"""Part of its way within which a part has not left yet, or is back."""
SHORTEST = 0.2
"""Seconds that a warp takes to come and go, at least."""
STEPS = 61
NEARER = (0.85, 0.6, 0.0)
"""Parts of the way to a place that a body is kept from that it is asked for instead, each of what is left."""
TURNED = math.radians(0.5)
"""Radians within which an aim is met."""
MISSED = 0.1
"""Body heights by which a motion that is made for a place may be away from it, and still be bent to it."""
GIVES = 10.0
"""How many times what counts as met feet may miss where they stand, so that the body is not thrown about for them."""
HELPED = 0.7
"""Part of a miss that is left at most for a further moment to have been of use."""
FAR = 1.0
"""Body heights from the eye at which a body looks where it can, instead of where it is asked to."""
LEADS = 0.5
"""Part of the worst miss of a moment from which on a goal is what the body is bent for then."""
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
    clip: Clip, rules: Sequence[GoalRule], values: Values, key_times: KeyTimes, tip: Part | None, times: int = 1
) -> list[tuple[GoalRule, Goal]]:
    """The goals that rules make of values for the body of a clip, each with its rule; those that it can have.

    Args:
        clip: the motion.
        rules: of a model or a style.
        values: of its parameters.
        key_times: of the motion.
        tip: the part that acts.
        times: how often what is done again and again is done, at even moments.
    """
    found = []
    for rule in rules:
        if (rule.when and not values.get(rule.when)) or (rule.at and not values.has(rule.at)):
            continue
        part = tip if rule.part == "tip" else rule.part
        interval = (key_times[rule.during[0]], key_times[rule.during[1]])
        moments = [(time, time) for time in np.linspace(*interval, times).tolist()]
        for each in (moments if rule.each else [interval]) if _can(clip.body, rule) else []:
            goal = _kept(clip, rule, each) if rule.kind == "keep" else _goal(rule, part, values, each)
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


@dataclass(frozen=True, eq=False)
class Stands:
    """When feet stand, and where.

    Attributes:
        footsteps: when.
        clip: the motion before it is turned and thrown about, in which feet are where they stand; that itself if None.
        held: for each of ``footsteps`` when it is held; while it stands if None.
    """

    footsteps: tuple[Mark, ...] = ()
    clip: Clip | None = None
    held: tuple[Mark, ...] | None = None

    def goals(self, clip: Clip) -> tuple[Goal, ...]:
        """What keeps them there in a motion."""
        found = keep_contacts(self.clip or clip, contacts=self.footsteps) if self.footsteps else ()
        pairs = zip(self.footsteps, self.held or self.footsteps, strict=True)
        longer = {(old.time, old.until): (new.time, new.until) for old, new in pairs}
        return tuple(
            replace(goal, interval=goal.interval and longer.get(goal.interval, goal.interval)) for goal in found
        )


def bend(
    clip: Clip, rules: Rules, values: Values, stands: Stands, *, clips: bool = True, steady: bool = True,
    without: Sequence[str] = (),
) -> Bent:  # fmt: skip
    """A motion bent to goals.

    Args:
        clip: the motion.
        rules: goals, with what they were made of.
        values: of the parameters.
        stands: when feet stand, where they stay.
        clips: whether places out of reach are brought within it.
        steady: whether the body has to stay in balance to reach.
        without: names of goals to leave out.
    """
    from mummer.model.action import name_of

    keep = [
        goal for goal in (*stands.goals(clip), *(goal for _, goal in rules)) if name_of(goal, clip.body) not in without
    ]
    moments = sorted({time for _, goal in rules for time in (goal.interval or ()) if goal in keep})
    if not moments:
        made = _calmest(clip, Constrained(clip, tuple(keep)))
        return Bent(clip, made.goals, values, made)
    if clips:
        for rule, goal in rules:
            now = next((each for each in keep if each is goal or _is_moved(each, goal, rule, values)), None)
            if rule.kind == "place" and isinstance(now, Place) and now.is_hard:
                values, keep = _within_reach(clip, values, rule, now, keep, steady=steady)
            elif isinstance(now, Aim) and now.is_hard:
                values, keep = _within_sight(clip, values, rule, now, keep)
    span = _under_way(clip, [goal for _, goal in rules if goal in keep], moments)
    gives = clips and any(not goal.is_hard for goal in keep)
    made, is_met = _met(clip, keep, moments, span, helps=0 if gives else HELPS)
    if gives and not is_met:
        # What is only wished for, such as to look there, gives way to what has to be.
        keep = [goal for goal in keep if goal.is_hard]
        for name in {rule.when for rule, goal in rules if rule.when and not goal.is_hard}:
            values = values.clipped(name, False)
        made, is_met = _met(clip, keep, moments, span)
    can_give = clips and any(rule.kind in ("place", "height", "aim") and goal.is_hard for rule, goal in rules)
    tried = [(values, made)]
    for share in NEARER if can_give else ():
        if is_met:
            break
        values, keep = _nearer(clip, rules, values, keep, share)
        made, is_met = _met(clip, keep, moments, span)
        tried.append((values, made))
    if not is_met:
        values, made = min(tried, key=lambda each: _lacking(clip, each[1]))
        made = _calmest(clip, made)
    return Bent(made.clip, made.goals, values, made)


def _lacking(clip: Clip, made: Constrained) -> tuple[bool, bool, float]:
    """How far a motion is from doing: whether it misses by far, whether it is thrown about, and how much of that."""
    seen = _looked(made)
    thrown = is_thrown_about(seen.jumps, clip)
    return seen.missed > _gives(clip.body), thrown, float(seen.jumps.max()) if thrown else seen.missed


def _calmest(clip: Clip, made: Constrained) -> Constrained:
    """A motion held to its goals; where the body is thrown about for them, the calmest that all but holds to them.

    Feet that an ankle does not let lie quite where they stood are seen less. What is asked for little beyond what the
    clip shows needs no bending of the whole.
    """
    seen = _looked(made)
    if not is_thrown_about(seen.jumps, clip):
        return made
    best, least = made, seen.jumps.max() / LIVELIER
    for other in (replace(made, solver="limbs_alone"), Constrained(clip, made.goals)):
        now = _looked(other)
        if now.on_frames < max(seen.on_frames, _gives(clip.body)) and now.jumps.max() < least:
            best, least = other, now.jumps.max()
    return best


def _gives(body: Character) -> float:
    """How many times what counts as met a place may be missed by who would else be thrown about."""
    return max(1.0, GIVES * min(1.0, physique_of(body).height) / _size(body))


def _size(body: Character) -> float:
    """How many times as far as a man a body may miss for the same to the eye: as much taller as it is."""
    return max(1.0, physique_of(body).height / MAN)


def _warped(clip: Clip, goals: Sequence[Goal], moments: Sequence[float], span: tuple[float, float]) -> Clip:
    """The motion bent through poses that meet the goals at moments; under way from and until those of ``span``.

    Joints stay within their limits on the way: what is beyond them could not be bent to goals as it is.
    """
    poses = _poses(clip, goals, moments)
    keys = [SpaceWarpKey.nothing(span[0])] if span[0] < moments[0] - APART else []
    keys += [SpaceWarpKey.pose(time, pose) for time, pose in zip(moments, poses, strict=True)]
    keys += [SpaceWarpKey.nothing(span[1])] if span[1] > moments[-1] + APART else []
    return WithinLimits(SpaceWarp(clip, tuple(keys), "scaled", 0.0), clip)


def _poses(clip: Clip, goals: Sequence[Goal], moments: Sequence[float]) -> list[Pose]:
    """The poses of the body that meet goals at moments, each the nearest to the one before while it is for the same.

    There are many ways to lean to a place: who is there already does not come to it another way.
    """
    poses: list[Pose] = []
    given = clip.sample(moments)
    state, before = WorldState(clip.body, given), frozenset[int]()
    off = [np.where(goal.active(len(moments), np.asarray(moments)), goal.error(state, np.asarray(moments)), 0.0)
           for goal in goals if goal.is_hard and goal.UNIT == "m"]  # fmt: skip
    for row, time in enumerate(moments):
        most = max((float(each[row]) for each in off), default=0.0)
        leads = frozenset(number for number, each in enumerate(off) if each[row] > max(MET, LEADS * most))
        start = given[row]
        if leads & before:
            turns = quaternion.multiply(poses[-1].rotations, quaternion.conjugate(given[row - 1].rotations))
            roots = [pose.root_translation for pose in (start, poses[-1], given[row - 1])]
            here, there, back = (np.asarray(root, np.float64) for root in roots)
            start = start.replace(rotations=quaternion.multiply(turns, start.rotations))
            start = start.replace(root_translation=here + there - back)
        poses.append(_solved(clip, goals, time, start))
        before = leads
    return poses


def _met(
    clip: Clip, goals: Sequence[Goal], moments: Sequence[float], span: tuple[float, float], helps: int = HELPS
) -> tuple[Constrained, bool]:
    """The motion bent to goals at moments, and where it misses most, constrained to them; and whether it meets them.

    A body that is thrown about to be where it is asked to be does not meet what it is asked for.
    """
    made = Constrained(_warped(clip, goals, moments, span), tuple(goals))
    seen = _looked(made)
    for _ in range(helps):
        if seen.missed <= 1 or min(abs(seen.worst - moment) for moment in moments) < APART:
            break
        moments = sorted((*moments, seen.worst))
        helped = Constrained(_warped(clip, goals, moments, span), tuple(goals))
        now = _looked(helped)
        if now.missed > HELPED * seen.missed:
            break
        made, seen = helped, now
    return made, seen.missed <= 1 and not is_thrown_about(seen.jumps, clip)


class Looked(NamedTuple):
    """What is seen of a motion that is held to goals.

    Attributes:
        worst: seconds at which a place or an aim is missed most.
        missed: by how many times what counts as met.
        on_frames: the same on even frames alone: feet that land a frame late miss nothing there.
        jumps: how much the body jumps, see `jumps_at`.
    """

    worst: float
    missed: float
    on_frames: float
    jumps: FloatArray


def _looked(made: Constrained) -> Looked:
    met = {Place: MET * _size(made.body), Aim: TURNED}
    hard = [goal for goal in made.goals if type(goal) in met and goal.is_hard]
    ends = np.unique([time for goal in hard for time in goal.interval or () if made.start <= time <= made.end])
    even = made.times(LOOKS)
    # All at one go; whoever records the even frames then need not make them again.
    times = np.union1d(ends, even)
    poses, off = made.sample(times), np.zeros(len(times))
    state, on_frames = WorldState(made.body, poses), np.searchsorted(times, even)
    for goal in hard:
        missed = goal.error(state, times) / met[type(goal)]
        off = np.maximum(off, np.where(goal.active(len(times), times), missed, 0.0))
    jumps = jumps_at(WorldState(made.body, poses[on_frames]))
    return Looked(float(times[np.argmax(off)]), float(off.max()), float(off[on_frames].max()), jumps)


def _nearer(clip: Clip, rules: Rules, values: Values, keep: list[Goal], share: float) -> tuple[Values, list[Goal]]:
    """Values and goals with the places of parameters so much of the way from where the motion itself has the part.

    Of what is looked at it is the direction that gives.
    """
    moved_to: set[str] = set()
    for rule, goal in rules:
        now = next((each for each in keep if _is_at(each, rule, values)), None)
        # A place that is struck again and again comes nearer to where it is struck first.
        if rule.at in moved_to:
            continue
        if isinstance(now, Aim) and goal.interval is not None:
            state = WorldState(clip.body, clip.sample([goal.interval[0]]))
            ahead = quaternion.rotate(state.turn(now.part), now.axis_in(state))
            away = quaternion.between_vectors(ahead, now.directions(state))
            legal = _seen(state, now, quaternion.rotate(quaternion.exp(share * quaternion.log(away)), ahead))
            keep = [_at(each, legal) if each is now else each for each in keep]
            values = values.clipped(rule.at, tuple(legal.tolist()))
        if rule.kind not in ("place", "height") or not isinstance(now, Place) or goal.interval is None:
            continue
        moved_to.add(rule.at)
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


def standing_reach(
    clip: Clip, rules: Sequence[GoalRule], values: Values, key_times: KeyTimes, tip: Part | None
) -> dict[str, tuple[float, ...]]:
    """Places by parameter that the motion is far from, brought to where the body gets to from where it stands.

    Nobody throws itself down for what is far away.
    """
    found: dict[str, tuple[float, ...]] = {}
    for rule, goal in goals_of(clip, rules, values, key_times, tip):
        if rule.kind != "place" or not isinstance(goal, Place) or goal.interval is None or not goal.is_hard:
            continue
        there = _tip(clip, clip.at(goal.interval[0]), goal)
        if float(np.linalg.norm(there - np.asarray(goal.at))) < MISSED * physique_of(clip.body).height:
            continue
        still = Still(clip.body, clip.at(clip.start), 1.0)
        state, asked = WorldState(clip.body, still.pose), replace(goal, interval=(0.0, 1.0))
        feet = [Place(foot.heel, state.positions[0, foot.heel]) for foot in known_feet(clip.body)]
        nearer, _ = _within_reach(still, values, rule, asked, [*feet, asked], steady=True)
        if rule.at in nearer.clips and nearer[rule.at] != values[rule.at]:
            found[rule.at] = nearer[rule.at]  # type: ignore[assignment]
    return found


def _within_sight(clip: Clip, values: Values, rule: GoalRule, aim: Aim, keep: list[Goal]) -> tuple[Values, list[Goal]]:
    """A place that is too far round to be looked at becomes one that can be."""
    assert aim.interval is not None
    state = WorldState(clip.body, clip.sample([aim.interval[0]]))
    ahead, straight = aim.directions(state), replace(aim, comfortable=math.pi, furthest=math.pi)
    if float(np.linalg.norm(ahead - straight.directions(state))) <= TURNED:
        return values, keep
    legal = _seen(state, aim, ahead)
    keep = [_at(straight, legal) if each is aim else each for each in keep]
    return values.clipped(rule.at, tuple(legal.tolist())), keep


def _seen(state: WorldState, aim: Aim, direction: FloatArray) -> FloatArray:
    """(3,) a place in a direction (1, 3) from the eye, as far as what is aimed at, or far enough to be looked at."""
    eye = state.point(aim.part)[0]
    far = max(float(np.linalg.norm(np.asarray(aim.at) - eye)), FAR * physique_of(state.body.character).height)
    return np.asarray(eye + far * direction[0])


def _is_moved(goal: Goal, old: Goal, rule: GoalRule, values: Values) -> bool:
    """Whether a goal is ``old`` where its parameter has been clipped."""
    return goal.interval == old.interval and _is_at(goal, rule, values)


def _is_at(goal: Goal, rule: GoalRule, values: Values) -> bool:
    """Whether a goal is the place that the parameter of a rule says."""
    if not (isinstance(goal, (Place, Aim)) and goal.is_hard and rule.at and values.has(rule.at)):
        return False
    wanted = np.asarray(values[rule.at], np.float64)
    place = np.array([0.0, float(wanted), 0.0]) if rule.kind == "height" else wanted
    return bool(np.array_equal(np.asarray(goal.at), place))


def _at(goal: Goal, place: FloatArray) -> Goal:
    assert isinstance(goal, (Place, Aim))
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


def _solved(clip: Clip, goals: Sequence[Goal], time: float, start: Pose | None = None) -> Pose:
    """The pose of the body at a moment that meets the goals that hold then, near how it is or another start."""
    active = [replace(goal, interval=None) for goal in goals if goal.active(1, np.array([time]))[0]]
    near = clip.at(time) if start is None else start
    return solve(clip.body, active, near, times=np.array([time]), solver="mass_weighted").pose


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
