"""The mass-weighted solver: goals met while the least mass is moved the least way."""

from __future__ import annotations

from dataclasses import dataclass, field

from mummer.ik.goal_table import goal_table
from mummer.ik.numeric.run import Tuning, run
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, make_solution


@dataclass(frozen=True, kw_only=True)
class MassWeighted:
    """Goals are met with the least displacement of mass from where the body stood."""

    tuning: Tuning = field(default_factory=Tuning)

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        pose, steps = run(problem, goal_table(problem), self.tuning)
        return make_solution(problem, pose, "mass_weighted", iterations=steps)
