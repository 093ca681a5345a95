"""The particle solver: spine first, then limbs, the same answer for the same goals whatever came before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Pose
from mummer.character.limits import FREE
from mummer.errors import InputError
from mummer.ik.body_point import joint_of
from mummer.ik.goal import Goal
from mummer.ik.mass_weighted import MassWeighted
from mummer.ik.particles.layout import layout_of
from mummer.ik.particles.pins import Stand, is_taken, pin_places, stand_of, targets_of, task_of
from mummer.ik.particles.records import Asked, settings_for
from mummer.ik.particles.root import Roots, place_roots
from mummer.ik.particles.run import run_particles, world_masks
from mummer.ik.problem import Problem
from mummer.ik.rigid_body import carries
from mummer.ik.solution import MET, Solution, goal_errors, make_solution
from mummer.ik.world_state import WorldState
from mummer.kernels import Backend

EXIT = 0.5
"""Corrections end at this part of the tolerance that the problem asks for."""
ANEW = (
    {"damping": 0.3, "turn_scale": 3.0},
    {"damping": 0.03, "most_error": 5.0},
    {"damping": 0.3, "stiffen": 0.5, "loosen": 0.0},
)
"""Where hard goals stay unmet, other characters of the corrections, as factors of settings: bolder ones."""
STEPS_ANEW = 2
"""Times the steps, for a new beginning."""


@dataclass(frozen=True, eq=False)
class Particle:
    """Settings of the particle solver.

    It takes `Place`, `Orient` and `Aim` goals. The answer departs from rest and depends on the goals and on where the
    root is, never on how other joints are turned in the pose that the problem starts from. The root stands where the
    problem has it, or where its goals put it; one that is free and has no goal of its own helps the others.

    Attributes:
        steps: the most corrections; with 0 the two phases alone answer.
        retries: how often poses that miss a hard goal are begun anew with bolder corrections, 0 to 3. An answer
            that meets all hard goals counts; otherwise the first one stands. It costs time where goals are out of
            reach, and neighbours may come from different beginnings: for the frames of a motion take 0.
        backend: ``"cpu"``, ``"cuda"``, or None for the CPU.
    """

    steps: int = 28
    retries: int = 3
    backend: Backend | None = None

    def __post_init__(self) -> None:
        if self.steps < 0:
            raise InputError(f"a particle solver takes {self.steps} steps; expected zero or more")
        if not 0 <= self.retries <= len(ANEW):
            raise InputError(f"a particle solver retries {self.retries} times; expected 0 to {len(ANEW)}")

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        found = _Found.empty(problem)
        self._solve_some(problem, np.arange(len(problem)), found)
        errors = goal_errors(problem, found.pose(problem))
        for factors in ANEW[: self.retries]:
            missed = np.flatnonzero(_misses(problem, errors))
            if not len(missed):
                break
            other = found.copy()
            self._solve_some(problem, missed, other, factors)
            new_errors = goal_errors(problem, other.pose(problem))
            better = missed[~_misses(problem, new_errors)[missed]]
            found.take(other, better)
            errors[better] = new_errors[better]
        pose = found.pose(problem)
        others = [goal for goal in problem.goals if is_taken(goal) and not _counts(goal, problem)]
        if others:
            # What hangs on other roots has no spine to begin with; here it is at rest, as the first tree was.
            pose = MassWeighted().solve(replace(problem, goals=tuple(others), start=pose, single=False)).pose
            errors = goal_errors(problem, pose)
        ignored = tuple(goal for goal in problem.goals if not is_taken(goal))
        return make_solution(problem, pose, "particle", iterations=found.steps, ignored=ignored, errors=errors)

    def _solve_some(
        self, problem: Problem, chosen: IntArray, found: _Found, factors: Mapping[str, float] | None = None
    ) -> None:
        """Solve the poses ``chosen``; with ``factors`` of settings, bolder than at first."""
        for rows in same_lengths(problem, chosen):
            stand = stand_of(problem.body, problem.start[int(rows[0])])
            found.rotations[rows] = stand.local
            for goals, some in active_sets(problem, rows):
                self._solve_rows(problem, stand, goals, some, found, factors)

    def _solve_rows(
        self,
        problem: Problem,
        stand: Stand,
        goals: list[Goal],
        rows: IntArray,
        found: _Found,
        factors: Mapping[str, float] | None,
    ) -> None:
        """Solve the poses ``rows``, for which the same goals hold."""
        body = problem.body
        rest = WorldState(body.character, Pose.rest(body.skeleton))
        roots, others = place_roots(problem, stand, goals, rows)
        tasks = [task_of(goal, rest, stand) for goal in others]
        found.place_roots(rows, roots)
        if not tasks:
            return
        layout = layout_of(body, stand, tasks, problem.movable)
        world = targets_of(others, tasks, problem, rows, stand)
        world = roots.filled(world, tasks, layout)
        turns, travels = may_turn(problem, roots), problem.root == "free" and not roots.is_placed
        if turns or travels:
            roots = roots.following(layout, world, travels=travels, turns=turns)
        targets = roots.to_body(world, tasks)
        settings = settings_for(
            height=body.height, tolerance=EXIT * problem.tolerance, root_turn=turns, root_move=travels,
            factors=factors,
        )  # fmt: skip
        masks = world_masks(np.array([task.axes for task in tasks]), roots.matrices)
        asked = Asked(targets, pin_places(list(layout.pins), tasks, targets), masks)
        steps, joints = self.steps if factors is None else STEPS_ANEW * self.steps, layout.body.joints.numbers
        answers = run_particles(layout, settings, asked, steps=steps, backend=self.backend)
        found.place_roots(rows, roots.moved(answers.local[:, 0], answers.roots[:, 0]))
        found.rotations[np.ix_(rows, joints[1:])] = answers.local[:, 1:]
        found.steps[rows] = np.round(answers.taken).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Found:
    """The answer as it is put together: (B, J, 4) rotations, (B, 3) roots, (B,) steps."""

    rotations: FloatArray
    root_positions: FloatArray
    steps: IntArray

    @classmethod
    def empty(cls, problem: Problem) -> _Found:
        count, joints = len(problem), len(problem.body.skeleton)
        return cls(np.empty((count, joints, 4)), np.array(problem.start.root_translation), np.zeros(count, np.int64))

    def copy(self) -> _Found:
        return _Found(self.rotations.copy(), self.root_positions.copy(), self.steps.copy())

    def take(self, other: _Found, rows: IntArray) -> None:
        """Take the poses ``rows`` from another answer."""
        for name in ("rotations", "root_positions", "steps"):
            getattr(self, name)[rows] = getattr(other, name)[rows]

    def place_roots(self, rows: IntArray, roots: Roots) -> None:
        self.rotations[rows, 0] = roots.rotations
        self.root_positions[rows] = roots.positions

    def pose(self, problem: Problem) -> Pose:
        return problem.start.replace(rotations=self.rotations, root_translation=self.root_positions)


def may_turn(problem: Problem, roots: Roots) -> bool:
    """Whether the root may turn to meet the goals of other joints."""
    is_free = bool(problem.movable[0]) and problem.body.limits.kinds[0] == FREE
    return problem.root != "fixed" and is_free and not roots.is_turned


def same_lengths(problem: Problem, rows: IntArray) -> list[IntArray]:
    """The poses ``rows``, in groups whose joints are equally far from their parents; mostly one group."""
    offsets = problem.body.offsets_of(problem.start)[:, 1:]
    if len(offsets) == 1 or not offsets[0].size:
        return [rows]
    _, which = np.unique(offsets[rows].reshape(len(rows), -1), axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [rows[which == number] for number in range(which.max() + 1)]


def _misses(problem: Problem, errors: FloatArray) -> BoolArray:
    """(B,) whether a pose misses a hard goal that it was bent for; errors are (B, G)."""
    hard = [place for place, goal in enumerate(problem.goals) if goal.is_hard and _counts(goal, problem)]
    allowed = [MET * (problem.body.height if problem.goals[place].UNIT == "m" else 1.0) for place in hard]
    return np.any(errors[:, hard] > allowed, axis=1)


def active_sets(problem: Problem, rows: IntArray) -> list[tuple[list[Goal], IntArray]]:
    """The goals that hold together, and for which of the poses ``rows`` they do."""
    count = len(problem)
    taken = [goal for goal in problem.goals if _counts(goal, problem)]
    active = np.array([problem.holds(goal) for goal in taken])
    patterns, which = np.unique(active.reshape(len(taken), count).T[rows], axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [
        ([goal for goal, on in zip(taken, pattern, strict=True) if on], rows[which == number])
        for number, pattern in enumerate(patterns)
    ]


def _counts(goal: Goal, problem: Problem) -> bool:
    """Whether ``goal`` is of a kind that is taken, on a part that hangs on the first root."""
    return is_taken(goal) and carries(0, joint_of(problem.body.character, goal.points[0]), problem.body.parents)
