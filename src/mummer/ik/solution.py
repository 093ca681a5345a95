"""A solution: the pose that a solver found, and what it could and could not meet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Pose
from mummer.ik.goal import Goal
from mummer.ik.problem import Problem
from mummer.ik.world_state import WorldState, first_of
from mummer.report import Report, ReportBuilder

MET = 1e-3
"""What counts as met in a solution: this part of the body's height, or radians. Solvers aim closer than that."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What a solver found. The leading axis is the batch, absent where a single pose was solved.

    Attributes:
        pose: the poses found.
        goals: what was asked.
        errors: (..., G) how far each goal is missed, in the goal's unit; zero where it does not hold.
        met: (..., G) whether each goal is met to `MET`.
        softened: (..., G) hard goals that had to give way to others.
        iterations: (...) steps that were taken.
        solver: the name of the solver.
        report: what was left out or could not be met, in words.
    """

    pose: Pose
    goals: tuple[Goal, ...]
    errors: FloatArray
    met: BoolArray
    softened: BoolArray
    iterations: IntArray
    solver: str
    report: Report = field(default_factory=Report)

    @property
    def is_met(self) -> bool:
        """Whether every hard goal is met everywhere."""
        hard = [place for place, goal in enumerate(self.goals) if goal.is_hard]
        return bool(np.all(self.met[..., hard]))


def make_solution(
    problem: Problem,
    pose: Pose,
    solver: str,
    *,
    iterations: IntArray | None = None,
    softened: BoolArray | None = None,
    ignored: tuple[Goal, ...] = (),
    errors: FloatArray | None = None,
) -> Solution:
    """A solution from the (B,) poses that a solver found; errors are measured here, the same for every solver.

    Args:
        problem: what was asked.
        pose: (B,) what was found.
        solver: its name.
        iterations: (B,) steps taken; zeros if not given.
        softened: (B, G) hard goals that gave way.
        ignored: goals that this kind of solver cannot take into account.
        errors: (B, G) where the solver has measured them already, as the goals themselves would.
    """
    shape = (len(problem), len(problem.goals))
    errors = goal_errors(problem, pose) if errors is None else errors
    height = problem.body.height
    allowed = np.array([MET * (height if goal.UNIT == "m" else 1.0) for goal in problem.goals])
    met = errors <= np.maximum(allowed, 1e-12)
    softened = np.zeros(shape, bool) if softened is None else softened
    counts = np.zeros(len(problem), np.int64) if iterations is None else iterations
    report = _report(problem, met, softened, ignored)
    if problem.single:
        return Solution(first_of(pose), problem.goals, errors[0], met[0], softened[0], counts[0], solver, report)
    return Solution(pose, problem.goals, errors, met, softened, counts, solver, report)


def goal_errors(problem: Problem, pose: Pose) -> FloatArray:
    """(B, G) how far each goal is missed by ``pose``, in the goal's unit; zero where it does not hold."""
    state = WorldState(problem.body.character, pose)
    errors = np.zeros((len(problem), len(problem.goals)))
    for place, goal in enumerate(problem.goals):
        errors[:, place] = np.where(goal.active(len(problem), problem.times), goal.error(state, problem.times), 0.0)
    return errors


def _report(problem: Problem, met: BoolArray, softened: BoolArray, ignored: tuple[Goal, ...]) -> Report:
    report = ReportBuilder()
    hard = [place for place, goal in enumerate(problem.goals) if goal.is_hard]
    if not ignored and met[:, hard].all() and not softened.any():
        return report.build()
    for place, goal in enumerate(problem.goals):
        what = f"goal {place} ({type(goal).__name__} {', '.join(str(point) for point in goal.points)})".rstrip()
        if any(goal is other for other in ignored):
            report.add("ignored", f"{what} is of a kind that this solver does not take into account")
        if goal.is_hard and not met[:, place].all():
            report.add("unusual", f"{what} is out of reach or in conflict", count=int(np.sum(~met[:, place])))
        if softened[:, place].any():
            report.add("unusual", f"{what} gave way to other hard goals", count=int(softened[:, place].sum()))
    return report.build()
