"""Goals that limbs cannot meet by themselves: the whole body gives way, slowly, and limbs make up for the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.ik.body_point import BodyPoint, as_point, joint_of
from mummer.ik.constraints.limb import kept_past
from mummer.ik.constraints.track import Track, applied, nearness, own_value, span_of, value_track
from mummer.ik.constraints.unit import Unit
from mummer.ik.goal import Goal
from mummer.ik.goal_table import goal_table
from mummer.ik.goals import Aim, CenterOfMass, JointValue, Match, Near, Orient, Place, Together
from mummer.ik.moving import at_times
from mummer.ik.numeric.run import Tuning, run
from mummer.ik.problem import make_problem
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.math import quaternion, splines

SLOWNESS = 4.0
"""Hertz; the body gives way more slowly than this. Limbs make up for what it leaves."""
STRONGEST = 100.0
"""The weight of a goal that is all but hard."""
LEAST = 1e-6
"""The smallest share that counts."""
Spans = tuple[tuple[float, float], ...]
"""Seconds (from, to), earliest first."""
VALUED = (Aim, CenterOfMass, JointValue, Match, Orient, Place, Together)
"""Goals that ask for one value; those left ask for no less than a value."""
ROUNDS = 3
"""An eye moves when the head turns; so often it is turned again."""
GIVING = Tuning(steps=60, attempts=0, restitution=1e-3, settle=1e-3)
"""How the body gives way. No new beginnings, which would be another answer than that of the frame before; every turn
costs enough that light joints do not flap about."""
POLISHING = Tuning(steps=60, attempts=0, restitution=1e-3, settle=1e-4)
ROUGHLY, EXACTLY = 1e-4, 1e-6
"""How near each comes to the goals, parts of the body's height."""
POLISHES = 2
"""What is all but hard misses a little; the second time it is a little of that little."""
LEFT = 2e-5
"""Metres or radians; what misses no goal by more is good enough."""


def snapshot(body: Character, frames: Frames) -> WorldState:
    """The body as it is in ``frames`` now, whatever becomes of them."""
    return WorldState(body, frames.select(np.arange(len(frames))).to_pose())


@dataclass(frozen=True, eq=False)
class Displacement:
    """How much the body is moved and its joints are turned, as smooth curves.

    Attributes:
        times: (K,) seconds, evenly spaced.
        shifts: (K, 3) metres, of the root.
        joints: (N,) that turn.
        turns: (K, N, 3) rotation vectors in the joints' own frames, put after their rotations.
    """

    times: FloatArray
    shifts: FloatArray
    joints: IntArray
    turns: FloatArray

    def add_to(self, frames: Frames, times: FloatArray) -> None:
        """Displace the body in ``frames``."""
        frames.root += curve(self.times, self.shifts, times)
        turning = np.abs(self.turns).max(axis=(0, 2), initial=0.0) > 1e-9
        if turning.any():
            joints = self.joints[turning]
            turns = quaternions.exp(curve(self.times, self.turns[:, turning], times))
            frames.rotations[:, joints] = quaternions.multiply(frames.rotations[:, joints], turns)

    def then(self, other: Displacement) -> Displacement:
        """This one and then ``other``, of the same joints at the same times."""
        turns = quaternions.log(quaternions.multiply(quaternions.exp(self.turns), quaternions.exp(other.turns)))
        return Displacement(self.times, self.shifts + other.shifts, self.joints, turns)

    def shifted(self, shifts: FloatArray) -> Displacement:
        """The same with the root moved by ``shifts`` (K, 3) as well."""
        return Displacement(self.times, self.shifts + shifts, self.joints, self.turns)


def no_displacement(times: FloatArray, joints: IntArray) -> Displacement:
    """One that leaves everything as it is."""
    return Displacement(times, np.zeros((len(times), 3)), joints, np.zeros((len(times), len(joints), 3)))


def displacement_between(times: FloatArray, before: Pose, after: Pose, joints: IntArray) -> Displacement:
    """What leads from ``before`` (K,) to ``after`` (K,), made smooth."""
    assert before.root_translation is not None
    assert after.root_translation is not None
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    apart = quaternions.multiply(quaternions.conjugate(before.rotations[:, joints]), after.rotations[:, joints])
    turns = quaternions.log(quaternion.continuous(apart, axis=0))
    shifts = smooth(after.root_translation - before.root_translation, step)
    return Displacement(times, shifts, joints, smooth(turns, step))


def smooth(values: FloatArray, step: float) -> FloatArray:
    """(K, ...) the curve nearest to ``values`` whose bend costs so much that it is slower than `SLOWNESS`."""
    if len(values) < 5 or not np.any(values):
        return values
    return slow_way(np.ones((len(values), 1, 1)), values.reshape(len(values), -1), SLOWNESS, step).reshape(values.shape)


def slow_way(pulls: FloatArray, right: FloatArray, hertz: float, step: float) -> FloatArray:
    """(T D, n) where ``pulls`` (T, D, D) times a curve is ``right`` (T D, n), of curves that are slower than ``hertz``.

    Moments are ``step`` seconds apart; what is faster costs more bend than the pulls are worth.
    """
    from scipy.linalg import solveh_banded

    return np.asarray(solveh_banded(banded(pulls, (2 * np.pi * hertz * step) ** -4), right, lower=True))


def banded(pulls: FloatArray, stiffness: float) -> FloatArray:
    """(2 D + 1, T D) the lower bands of ``pulls`` (T, D, D) on the diagonal, plus so much of the squared bend."""
    count, width = pulls.shape[:2]
    bands = np.zeros((2 * width + 1, width * count))
    for row in range(width):
        for column in range(row + 1):
            bands[row - column, column::width] = pulls[:, row, column]
    # Products of (1, -2, 1), a second difference, with itself, by how far apart they are.
    for offset, products in enumerate(((1.0, 4.0, 1.0), (-2.0, -2.0), (1.0,))):
        for begin, amount in enumerate(products):
            bands[width * offset, width * begin : width * (begin + max(0, count - 2))] += stiffness * amount
    return bands


def curve(knots: FloatArray, values: FloatArray, times: FloatArray) -> FloatArray:
    """(T, ...) at ``times``, through ``values`` (K, ...)."""
    if len(knots) < 2 or not values.any():
        return np.broadcast_to(values[:1], (len(times), *values.shape[1:]))
    return splines.hermite(knots, values, times, tangents=np.gradient(values, knots, axis=0))


@dataclass(frozen=True, eq=False)
class Wish:
    """A goal for T frames.

    Attributes:
        goal: with a target for each frame, or one for all.
        share: (T,) from 0, where it does not count, to 1, where it counts in full: a soft goal of weight 1 then is all
            but hard. A hard one counts in full wherever it counts at all.
    """

    goal: Goal
    share: FloatArray

    def at_rows(self, rows: IntArray) -> Wish:
        """The same for some of the frames."""
        changed = {
            field.name: getattr(self.goal, field.name)[rows]
            for field in dataclasses.fields(self.goal)
            if np.shape(getattr(self.goal, field.name))[:1] == self.share.shape
            and isinstance(getattr(self.goal, field.name), np.ndarray)
            and (np.ndim(getattr(self.goal, field.name)) > 1 or field.name == "distance")
        }
        return Wish(dataclasses.replace(self.goal, **changed), self.share[rows])


def solve_frames(
    body: Character, start: Pose, wishes: Sequence[Wish], times: FloatArray, *, tuning: Tuning, tolerance: float
) -> Pose:
    """(T,) poses as near to ``start`` (T,) as ``wishes`` allow, by the mass that is moved."""
    rows = np.flatnonzero(np.any([wish.share > 0 for wish in wishes], axis=0)) if wishes else np.zeros(0, np.int64)
    if not len(rows):
        return start
    picked = [wish.at_rows(rows) for wish in wishes]
    problem = make_problem(
        body, [wish.goal for wish in picked], start[rows], times=times[rows], tolerance=tolerance, root="free"
    )
    table = goal_table(problem)
    shares = np.stack([_weights(wish, tuning.pull) for wish in picked], axis=1)
    weights = np.ascontiguousarray(table.weights * shares[:, table.goal])
    found = run(problem, dataclasses.replace(table, weights=weights), tuning)[0]
    rotations, root = start.rotations.copy(), np.array(start.root_translation)
    rotations[rows], root[rows] = kept_past(body, start[rows], found.rotations), found.root_translation
    return Pose(rotations, root)


def _weights(wish: Wish, pull: float) -> FloatArray:
    """(T,) weights beside which a body's pull to stay gives way by the part that each wish counts."""
    if wish.goal.is_hard:
        return np.asarray(wish.share > 0, np.float64)
    # A weight that is next to nothing would be lost in rounding beside the others, and take them along.
    share = np.where(wish.share < LEAST, 0.0, wish.share)
    return np.asarray(pull * share / np.maximum(1.0 - share, pull / STRONGEST))


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
        return nearness(self.spans, times, 0.0 if self.track is None else self.ease, self.ease)

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


def _asked(clip: Clip, goals: Sequence[Goal], ease: float) -> Asked:
    ordered = tuple(sorted(goals, key=lambda goal: span_of(clip, goal)))
    track = value_track(clip, ordered, ease) if isinstance(ordered[0], VALUED) else None
    return Asked(ordered, track, tuple(span_of(clip, goal) for goal in ordered), ease)


def _with_value(goal: Goal, value: FloatArray) -> Goal:
    names: dict[type[Goal], str] = {Orient: "to", JointValue: "rotation", Together: "gap", Match: "turn"}
    changed: dict[str, Any] = {names.get(type(goal), "at"): value}
    return dataclasses.replace(goal, **changed)


def _aimed_along(goal: Aim, state: WorldState, way: FloatArray, distance: FloatArray) -> Aim:
    """The aim at places that far away along directions (T, 3); what was soft about it is in them."""
    lengths = np.linalg.norm(way, axis=-1, keepdims=True)
    at = state.point(goal.part) + distance[:, None] * way / np.maximum(lengths, 1e-9)
    return dataclasses.replace(goal, at=at, comfortable=np.pi, furthest=np.pi)


def aims_alone(clip: Clip, asked: Sequence[Asked], units: Sequence[Unit]) -> list[Asked]:
    """The hard aims whose joints carry nothing else that goals speak of."""
    busy = {joint for unit in units for joint in unit.chain.joints}
    busy |= {joint_of(clip.body, point) for each in asked for goal in each.goals for point in goal.points}
    found = []
    for each in asked:
        goal = each.goals[0]
        if isinstance(goal, Aim) and goal.is_hard:
            joint = joint_of(clip.body, goal.part)
            if not busy & set(clip.body.skeleton.descendants(joint)) - {joint}:
                found.append(each)
    return found


def turn_to(frames: Frames, moved: WorldState, goal: Aim, share: FloatArray) -> None:
    """Turn the joint of ``goal`` in ``frames`` so that it points as asked, by the part ``share`` (T,) of the way.

    ``moved`` is the body in ``frames`` before that.
    """
    joint, axis = joint_of(moved.body.character, goal.part), goal.axis_in(moved)
    origin, world = moved.positions[:, joint], moved.rotations[:, joint]
    eye = quaternions.rotate(quaternions.conjugate(world), moved.point(goal.part) - origin)
    turn = np.broadcast_to([0.0, 0.0, 0.0, 1.0], world.shape)
    for _ in range(ROUNDS):
        now = quaternions.multiply(turn, world)
        wanted = np.asarray(goal.at) - origin - quaternions.rotate(now, eye)
        turn = quaternions.multiply(quaternions.between_vectors(quaternions.rotate(now, axis), wanted), turn)
    turn = quaternions.exp(share[:, None] * quaternions.log(turn))
    parent = int(moved.body.parents[joint])
    made = quaternions.multiply(turn, world)
    above = None if parent < 0 else quaternions.conjugate(moved.rotations[:, parent])
    frames.rotations[:, joint] = made if above is None else quaternions.multiply(above, made)


class WholeBody:
    """What the whole body does for goals."""

    def __init__(self, clip: Clip, goals: Sequence[Goal], units: Sequence[Unit], ease: float) -> None:
        self.clip, self.units = clip, tuple(units)
        self.asked = find_asked(clip, goals, ease)
        self.aims = aims_alone(clip, self.asked, units)

    @cached_property
    def giving(self) -> IntArray:
        """The joints that give way: all but those of the limbs that are bent by themselves.

        A limb whose tip is turned, too, may need to swivel, which it cannot tell by itself.
        """
        bent = [joint for unit in self.units if unit.turning is None for joint in unit.chain.joints]
        return np.setdiff1d(np.arange(len(self.clip.body.skeleton)), bent)

    def displacement(self, given: WorldState, made: WorldState, times: FloatArray) -> Displacement:
        """How the body gives way from ``made``: all goals pull on it, none of them harder than it can stand.

        Args:
            given: the body in the clip at ``times`` (K,).
            made: what has become of it so far.
            times: evenly spaced.
        """
        wishes = [_wish(each, given, times) for each in self.asked]
        for unit in self.units:
            place, turn = unit.target(given, times, made)
            if unit.points:
                wishes.append(Wish(Place(unit.chain.tip, place, weight=1.0), np.ones(len(times))))
            wishes += _turn_wishes(unit, turn, times)
        found = solve_frames(self.clip.body, made.pose, wishes, times, tuning=GIVING, tolerance=ROUGHLY)
        return displacement_between(times, made.pose, found, self.giving)

    def turn_eyes(self, frames: Frames, moved: WorldState, given: WorldState, times: FloatArray) -> None:
        """Aim in ``frames`` what aims by itself."""
        for each in self.aims:
            goal = each.at(given, times)
            assert isinstance(goal, Aim)
            turn_to(frames, moved, goal, each.strength(times))

    def polish(
        self,
        frames: Frames,
        made: WorldState,
        given: WorldState,
        times: FloatArray,
        targets: Sequence[tuple[FloatArray, FloatArray]],
        among: IntArray,
        counts: FloatArray,
    ) -> None:
        """Let the whole body meet what limbs and eyes left, which is little.

        Args:
            frames: takes the result.
            made: the body in ``frames``.
            given: the body in the clip.
            times: (T,) seconds of the frames.
            targets: where the tips of the limbs shall be, and how they shall be turned.
            among: the frames that may need it.
            counts: (n, T) how much each of the units counts.
        """
        wishes = [_wish(each, given, times) for each in self.asked]
        for unit, target, count in zip(self.units, targets, counts, strict=True):
            wishes += [Wish(wish.goal, count * wish.share) for wish in _tip_wishes(unit, target, times)]
        for _ in range(POLISHES):
            missed = np.zeros(len(times))
            for wish in wishes:
                missed = np.maximum(missed, wish.goal.error(made, times) * wish.share)
            rows = among[missed[among] > LEFT]
            if not len(rows):
                return
            picked = [wish.at_rows(rows) for wish in wishes]
            found = solve_frames(
                self.clip.body, made.pose[rows], picked, times[rows], tuning=POLISHING, tolerance=EXACTLY
            )
            frames.rotations[rows] = found.rotations
            assert found.root_translation is not None
            frames.root[rows] = found.root_translation
            made = snapshot(self.clip.body, frames)


def _wish(each: Asked, given: WorldState, times: FloatArray) -> Wish:
    """A goal all but hard: one that is quite hard gives way to another at a whim, in one frame and not in the next."""
    goal = each.at(given, times)
    weight = 1.0 if goal.weight is None else goal.weight
    return Wish(dataclasses.replace(goal, weight=weight), each.strength(times))


def _tip_wishes(unit: Unit, target: tuple[FloatArray, FloatArray], times: FloatArray) -> list[Wish]:
    """The same for the tip of a limb; feet stay on their way throughout."""
    place, turn = target
    found, tip = [], unit.chain.tip
    for each in unit.points:
        x, y, z = each.point.tolist()
        there = place + quaternions.rotate(turn, each.point)
        found.append(Wish(Place(BodyPoint(tip, (x, y, z)), there, weight=1.0), unit.held_near(times)))
    return found + _turn_wishes(unit, turn, times)


def _turn_wishes(unit: Unit, turn: FloatArray, times: FloatArray) -> list[Wish]:
    """That the tip of a limb is turned so, where goals ask for its rotation."""
    if unit.turning is None:
        return []
    return [Wish(Orient(unit.chain.tip, turn, weight=1.0), unit.turned_near(times))]
