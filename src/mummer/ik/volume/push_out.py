"""Push the parts of a body out of one another, keeping goals, without pops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Character, Limits, Pose, clamp, violations
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.moving import at_times
from mummer.ik.point_goals import Place
from mummer.ik.problem import Problem, RootFreedom, make_problem
from mummer.ik.solution import Solution, goal_errors, make_solution
from mummer.ik.solve import solve
from mummer.ik.volume.goal_easing import eased_beyond
from mummer.ik.volume.pairs import Pairs, pairs_of
from mummer.ik.volume.penetration import Penetration, self_penetration
from mummer.ik.volume.push_loop import push_apart
from mummer.ik.volume.smoothing import smoothed, spread_turns
from mummer.ik.volume.steady_normals import steady_normals
from mummer.ik.volume.volume_of import volume_of
from mummer.ik.volume.willing import hinge_axes, willingness
from mummer.kernels.place import CPU
from mummer.math import quaternion

FARTHEST = 1.2
"""Radians that a joint is turned at most to make way."""
STEADY = 3.0
"""How much more the way out that neighbouring frames suggest counts than that of the frame itself."""


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
    joints, points, places, on = _placed_goals(problem)
    count, body = len(problem), problem.body
    turned = current.rotations.copy()
    scratch = np.empty((count, len(volume), 2, 3)), np.empty((count, len(body.parents), 3)), np.empty_like(turned)
    CPU.run(
        push_apart, count, body.parents.astype(np.int64), np.ascontiguousarray(body.offsets_of(current)),
        np.ascontiguousarray(current.root_translation), willingness(problem), hinge_axes(body.character),
        volume.joints, volume.ends, volume.radii, pairs.first[near], pairs.second[near], pairs.trims[near],
        clear - pairs.gives[near], sides, ways, pairs.limbs, pairs.movers[near], joints, points, places, on,
        how.steps, scratch[0], turned, *scratch[1:], grain=8,
    )  # fmt: skip
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


def _placed_goals(problem: Problem) -> tuple[npt.NDArray[np.int64], FloatArray, FloatArray, FloatArray]:
    """The goals that ask for a place, as the loop reads them; others are looked after between rounds."""
    listed = [goal for goal in problem.goals if isinstance(goal, Place) and goal.axes == "xyz" and goal.is_hard]
    count, character = len(problem), problem.body.character
    joints = np.array([joint_of(character, goal.part) for goal in listed], np.int64)
    points = np.array([as_point(goal.part).offset for goal in listed]).reshape(-1, 3)
    places, on = np.zeros((count, len(listed), 3)), np.zeros((count, len(listed)))
    for row, goal in enumerate(listed):
        places[:, row] = at_times(goal.at, 3, count, problem.times, f"the place of {goal.part!r}")
        on[:, row] = goal.active(count, problem.times)
    return joints, points, places, on


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
