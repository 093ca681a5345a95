"""Push the parts of a body out of one another, keeping goals, without pops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character, Limits, Pose, clamp, violations
from mummer.character.limits import HINGE
from mummer.ik.bells import covered, smoothed
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.limbs import Bodies
from mummer.ik.limits import joint_table
from mummer.ik.moving import at_times
from mummer.ik.point_goals import Place
from mummer.ik.problem import Problem, RootFreedom, make_problem
from mummer.ik.rigid_body import joints_above, rigid_body
from mummer.ik.solution import Solution, goal_errors, make_solution
from mummer.ik.solve import solve
from mummer.ik.volume.pairs import Pairs, pairs_of
from mummer.ik.volume.penetration import Penetration, self_penetration
from mummer.ik.volume.push_loop import Frames, Parts, Steering, push_apart
from mummer.ik.volume.volume import volume_of
from mummer.kernels.place import CPU
from mummer.math import quaternion
from mummer.math.steps import smooth_step

FARTHEST = 1.2
"""Radians that a joint is turned at most to make way."""
STEADY = 3.0
"""How much more the way out that neighbouring frames suggest counts than that of the frame itself."""
SHORT, LONG = 0.05, 0.25
"""Way from a joint to its farthest tip, in heights: below the first it does not turn, above the second fully."""
HEAVY = 0.02
"""Part of the body's mass that turning costs at least."""


@dataclass(frozen=True, kw_only=True)
class PushOut:
    """How parts are pushed out of one another.

    Attributes:
        clear: part of the body's height that is left between parts, beyond what flesh gives.
        window: seconds before and after an overlap over which its correction comes and goes.
        rounds: how often it is looked whether anything still overlaps.
        steps: the most steps that one frame takes in a round.
    """

    clear: float = 0.002
    window: float = 0.3
    rounds: int = 10
    steps: int = 40


def push_out(
    character: Character,
    poses: Pose,
    goals: Goal | Sequence[Goal] = (),
    *,
    times: npt.ArrayLike | None = None,
    root: RootFreedom = "fixed",
    settings: PushOut | None = None,
) -> Solution:
    """Poses in which the parts of a body no longer sink into one another, near the given ones.

    Args:
        character: the body.
        poses: one pose or a batch (T,), the frames of a motion if ``times`` are given.
        goals: what must still be met, for instance where hands and feet are.
        times: (T,) seconds of the frames, increasing. What is corrected at one moment is then corrected a little
            before and after too, so that nothing pops; without times each pose is taken on its own.
        root: whether the root may travel or turn while goals are met; see `solve`.
        settings: how; see `PushOut`.

    Returns:
        The corrected poses with the errors of ``goals``. `self_penetration` tells what overlap is left.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.volume import push_out
        >>> dog = mm.zoo.body("dog")
        >>> push_out(dog, dog.default_pose).is_met
        True
    """
    how = PushOut() if settings is None else settings
    problem = make_problem(_without_broken_limits(character, poses), goals, poses, times=times, root=root)
    reach = _frames_in(how.window, problem.times)
    current, steps = problem.start, np.zeros(len(problem), np.int64)
    for turn in range(how.rounds):
        found = self_penetration(character, current, reach=2 * how.clear * problem.body.height)
        if not found.is_penetrating.any():
            break
        pushed = _pushed(character, problem, current, found, how, reach)
        # Early rounds shape the correction, late ones only touch it up.
        spread = _blended(current, pushed, round(reach * max(0.75**turn, 0.5)))
        current = _eased(problem.start, spread, reach // 2)
        current = _with_goals(problem, current, reach)
        steps += 1
    return make_solution(problem, _with_goals(problem, current, reach), "push_out", iterations=steps)


def _frames_in(seconds: float, times: FloatArray | None) -> int:
    if times is None or len(times) < 2:
        return 0
    return round(seconds / float(np.median(np.diff(times))))


def _without_broken_limits(character: Character, poses: Pose) -> Character:
    """The body, with joints that stand past their limits in ``poses`` freed: holding them would make them jump."""
    if character.limits is None:
        return character
    past = violations(character.limits, character.skeleton, poses).reshape(-1, len(character.skeleton)).max(axis=0)
    if not np.any(past > 1e-6):
        return character
    kept = {joint: character.limits.of(joint) for joint in np.flatnonzero(past <= 1e-6).tolist()}
    return character.replace(limits=Limits.from_joints(len(character.skeleton), kept))


def _pushed(
    character: Character, problem: Problem, current: Pose, found: Penetration, how: PushOut, reach: int
) -> FloatArray:
    """(T, J, 4) local rotations in which each frame on its own is free of overlap."""
    volume, pairs, clear = volume_of(character), pairs_of(character), how.clear * problem.body.height
    lacking = found.distances + found.gives - clear
    # Pairs that are far apart now may meet while others are pushed out: those within a hand's breadth take part.
    rows = np.flatnonzero(lacking.min(axis=0, initial=np.inf) < 0.5 * clear)
    near = _near(found, rows, problem.body.height)
    sides = np.zeros((len(problem), len(near), 3))
    for place, pair in enumerate(near.tolist()):
        touching = lacking[:, pair] < 0
        if touching.any():
            # Where a pair does not touch, no side is the wrong one.
            sides[touching, place] = steady_normals(found.normals[:, pair], touching, reach=reach // 3)[touching]
    ways = _ways_out(pairs, near, -lacking[:, near], found.normals[:, near], sides, reach, len(problem.body.parents))
    count, body = len(problem), problem.body
    assert current.root_translation is not None
    bodies = Bodies(
        locked(body.parents, np.int64), joint_table(body), locked(body.offsets_of(current)),
        locked(current.root_translation),
    )  # fmt: skip
    parts = Parts(
        locked(willingness(problem)), locked(hinge_axes(body.character)), volume.joints, volume.ends, volume.radii,
        locked(pairs.first[near], np.int64), locked(pairs.second[near], np.int64), locked(pairs.trims[near]),
        locked(clear - pairs.gives[near]), pairs.limbs, locked(pairs.movers[near], np.int64),
    )  # fmt: skip
    turned = current.rotations.copy()
    room = Frames(
        np.empty((count, len(volume), 2, 3)), np.empty((count, len(body.parents), 3)), np.empty_like(turned), turned
    )
    CPU.run(push_apart, count, bodies, parts, _steering(problem, sides, ways), how.steps, room, grain=8)
    if body.character.limits is None:
        return turned
    return clamp(body.limits, body.skeleton, current.replace(rotations=turned)).rotations


def _ways_out(
    pairs: Pairs, near: npt.NDArray[np.intp], lacking: FloatArray, normals: FloatArray, sides: FloatArray, reach: int,
    joints: int,
) -> FloatArray:  # fmt: skip
    """(T, J, 3) where each limb leaves what it overlaps, by its topmost joint; the same for neighbouring frames.

    Taken on its own, one frame might send a hand out at the front and the next one at the back.
    """
    flipped = np.vecdot(normals, sides) < 0
    outward = np.where(flipped[..., None], -normals, normals) * np.maximum(lacking, 0.0)[..., None]
    outward[:, pairs.limbs[pairs.first[near]] != pairs.movers[near]] *= -1
    ways = np.zeros((len(lacking), joints, 3))
    for place, limb in enumerate(pairs.movers[near].tolist()):
        ways[:, limb] += outward[:, place]
    return STEADY * smoothed(ways, reach)


def _near(found: Penetration, rows: npt.NDArray[np.intp], height: float) -> npt.NDArray[np.intp]:
    """The pairs that overlap at some moment, and those of the same joints as these that come near."""
    if not len(rows):
        return rows
    joints = np.unique(found.joints[rows])
    beside = np.isin(found.joints, joints).all(axis=1) | (found.distances.min(axis=0) < 0.02 * height)
    return np.union1d(rows, np.flatnonzero(beside))


def _steering(problem: Problem, sides: FloatArray, ways: FloatArray) -> Steering:
    """The sides and ways of frames, and the goals that ask for a place; others are looked after between rounds."""
    listed = [goal for goal in problem.goals if isinstance(goal, Place) and goal.axes == "xyz" and goal.is_hard]
    count, character = len(problem), problem.body.character
    joints = np.array([joint_of(character, goal.part) for goal in listed], np.int64)
    points = np.array([as_point(goal.part).offset for goal in listed]).reshape(-1, 3)
    places, on = np.zeros((count, len(listed), 3)), np.zeros((count, len(listed)))
    for row, goal in enumerate(listed):
        places[:, row] = at_times(goal.at, 3, count, problem.times, f"the place of {goal.part!r}")
        on[:, row] = goal.active(count, problem.times)
    floats = [locked(each) for each in (sides, ways, points, places, on)]
    return Steering(floats[0], floats[1], locked(joints, np.int64), *floats[2:])


def _blended(current: Pose, pushed: FloatArray, reach: int) -> Pose:
    """``current`` turned as ``pushed`` (T, J, 4), where that lacks nothing, and towards it before and after."""
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(current.rotations), pushed))
    spread = spread_turns(turns, reach)
    return current.replace(
        rotations=quaternion.normalize(quaternion.multiply(current.rotations, quaternion.exp(spread)))
    )


def _eased(start: Pose, current: Pose, reach: int) -> Pose:
    """``current`` with its difference from ``start`` smoothed over frames, and no joint turned past `FARTHEST`."""
    turns = smoothed(
        quaternion.log(quaternion.multiply(quaternion.conjugate(start.rotations), current.rotations)), reach
    )
    size = np.linalg.norm(turns, axis=-1, keepdims=True)
    half = 0.5 * FARTHEST
    held = np.where(size > half, half * (1 + np.tanh(size / half - 1)), size)
    turns = turns * (held / np.maximum(size, 1e-12))
    return current.replace(rotations=quaternion.multiply(start.rotations, quaternion.exp(turns)))


def _with_goals(problem: Problem, current: Pose, reach: int) -> Pose:
    """``current`` bent as little as needed for all goals that it does not meet, led in and out around them."""
    if not problem.goals:
        return current
    allowed = np.array([problem.allowed_error(goal) for goal in problem.goals])
    if not np.any(goal_errors(problem, current) > allowed):
        return current
    found = solve(
        problem.body.character, problem.goals, current, solver="mass_weighted", times=problem.times, root=problem.root
    ).pose
    turns = quaternion.log(quaternion.multiply(quaternion.conjugate(current.rotations), found.rotations))
    eased = quaternion.multiply(current.rotations, quaternion.exp(eased_beyond(problem, turns, reach)))
    return found.replace(rotations=quaternion.normalize(eased))


def eased_beyond(problem: Problem, turns: FloatArray, reach: int) -> FloatArray:
    """(T, J, 3) rotation vectors that met goals at the frames where these hold, led in and out around those frames.

    Args:
        problem: with the goals and the times of the frames.
        turns: (T, J, 3) what each frame was turned by to meet its goals.
        reach: frames over which a correction fades away.
    """
    eased = turns.copy()
    if reach < 1 or problem.times is None:
        return eased
    count = len(turns)
    for goal in problem.goals:
        on = goal.active(count, problem.times)
        if on.all() or not on.any():
            continue
        joints = joints_above(problem.body.parents, [joint_of(problem.body.character, each) for each in goal.points])
        frames = np.flatnonzero(on)
        for edge, step in ((int(frames[0]), -1), (int(frames[-1]), 1)):
            away = np.arange(1, reach + 1)
            beside = edge + step * away
            inside = (beside >= 0) & (beside < count)
            fade = (1 - (away[inside] / (reach + 1)) ** 2) ** 3
            for joint in joints:
                # Where two goals ask for something, the larger correction stands.
                wanted = fade[:, None] * turns[edge, joint]
                smaller = np.linalg.norm(eased[beside[inside], joint], axis=1) < np.linalg.norm(wanted, axis=1)
                eased[beside[inside][smaller], joint] = wanted[smaller]
    return eased


def willingness(problem: Problem) -> FloatArray:
    """(J,) zero for joints that may not turn or carry too little to matter; large where little mass is carried."""
    body = problem.body
    count = len(body.parents)
    carried, reach = body.mass.masses / body.mass.total, np.zeros(count)
    carried = carried.copy()
    for joint in range(count - 1, -1, -1):
        parent = body.parents[joint]
        if parent >= 0:
            carried[parent] += carried[joint]
            reach[parent] = max(reach[parent], reach[joint] + float(np.linalg.norm(body.offsets[joint])))
    # Squared, so that a trunk with two arms leaves it to the arm.
    willing = smooth_step((reach / body.height - SHORT) / (LONG - SHORT)) / (carried + HEAVY) ** 2
    # Fingers and toes alone would bend out of the way; a hand shall move as the arm moves it.
    willing[~problem.movable] = 0.0
    willing[list(body.skeleton.roots)] = 0.0
    return np.asarray(willing)


def hinge_axes(character: Character) -> FloatArray:
    """(J, 3) the axis of each joint that turns about one only, in the joint's own frame, else zero."""
    limits = rigid_body(character).limits
    return np.where((limits.kinds == HINGE)[:, None], limits.axes, 0.0)


def steady_normals(normals: FloatArray, near: BoolArray, *, reach: int) -> FloatArray:
    """(T, 3) unit normals for every frame: continuous where there is contact, carried on where there is none.

    Axes that cross change sides from one frame to the next; the side from which they came together is kept.

    Args:
        normals: (T, 3) of each frame.
        near: (T,) where they mean something; at one frame or more.
        reach: frames over which they are smoothed, each way.
    """
    frames = np.flatnonzero(near)
    found = normals[frames].copy()
    for row in range(1, len(frames)):
        # A new spell of contact begins anew.
        if frames[row] - frames[row - 1] <= max(reach, 1) and found[row] @ found[row - 1] < 0:
            found[row] = -found[row]
    # Between two spells the direction turns evenly from one to the other.
    everywhere = np.stack([np.interp(np.arange(len(normals)), frames, column) for column in found.T], axis=1)
    everywhere = smoothed(everywhere, reach)
    length = np.linalg.norm(everywhere, axis=1, keepdims=True)
    return np.where(length > 1e-3, everywhere / np.maximum(length, 1e-12), normals)


def spread_turns(turns: FloatArray, reach: int) -> FloatArray:
    """Rotation vectors (T, J, 3) spread over ``reach`` frames each way, nowhere smaller than they were.

    The size is covered smoothly, the direction averaged by size, so that a correction sets in before it is needed.
    """
    if reach < 1 or len(turns) < 2:
        return turns
    sizes = np.linalg.norm(turns, axis=-1)
    direction = smoothed(turns, reach)
    length = np.linalg.norm(direction, axis=-1)
    # Where corrections to both sides cancel there is no direction to lead along.
    agreed = length / np.maximum(smoothed(sizes, reach), 1e-12)
    size = covered(sizes, reach) * np.clip(2 * agreed, 0.0, 1.0)
    return np.asarray(direction * (size / np.maximum(length, 1e-12))[..., None])
