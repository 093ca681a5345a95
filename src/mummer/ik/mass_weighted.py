"""The mass-weighted solver: goals met while the least mass is moved the least way."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.arrays import BoolArray
from mummer.errors import InputError, UnknownNameError
from mummer.ik.body_goals import Balanced
from mummer.ik.goal import Goal
from mummer.ik.goal_table import GoalTable, goal_table
from mummer.ik.numeric.run import Tuning, run
from mummer.ik.point_goals import Aim
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, goal_errors, make_solution
from mummer.ik.world_state import as_batch

ROUNDS = 12
"""How often goals that depend on the pose itself (support, soft aims) are taken anew from the pose found, at most."""
FAINT = 0.01
"""Part of the pull that is left to turns by themselves where the whole mass matrix counts."""
NEAR_ENOUGH = 2e-4
"""Heights, or radians as if of a body one metre tall: no other round is needed for less."""


@dataclass(frozen=True, kw_only=True)
class MassWeighted:
    """The pose that meets the goals and moves the body's mass as little as can be from where it was.

    Each joint is moved as if it were the only one, so that a limb follows the joint it hangs from, unless ``mass`` is
    ``full``: then every part would rather stay where it is in the world, and limbs trail behind.
    Hard goals are met exactly where that is possible, soft ones are weighed against each other and against staying
    near the start or near the pose of a `Near` goal. Joints never leave their limits. Hard goals that contradict each
    other give way one by one, the one that is missed most first; `Solution.softened` says which. Those that gave way
    share among them what is lacking.

    Attributes:
        steps: at most, from the start.
        attempts: new beginnings at most where hard goals stay unmet but may be within reach. One that meets all hard
            goals counts; otherwise the first result stands.
        pull: how much it counts to stay near the start, beside soft goals of weight 1, where no `Near` goal says.
        settle: a step shorter than this part of the way from the start (or of a tenth of the height, if that is less)
            ends the search once the hard goals are met. 1 takes the first pose that meets them, several times as fast;
            less comes nearer to the least displacement, which changes smoothly with the goals.
        restitution: what each turn costs at least, in parts of the moment of the whole body about its centre: it keeps
            joints that carry next to nothing from flapping about.
        mass: ``diagonal``, or ``full`` for the whole mass matrix, which also turns joints that no goal is about.
    """

    steps: int = 200
    attempts: int = 12
    pull: float = 0.01
    settle: float = 0.01
    restitution: float = 0.01
    mass: Literal["diagonal", "full"] = "diagonal"

    def __post_init__(self) -> None:
        if self.steps < 0 or self.attempts < 0:
            raise InputError("a solver takes zero or more steps and attempts")
        if not (self.pull > 0 and self.restitution > 0 and self.settle > 0):
            raise InputError("pull, settle and restitution of a solver must be above zero")
        if self.mass not in ("diagonal", "full"):
            raise UnknownNameError("a solver", "mass", self.mass, ("diagonal", "full"))

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        tuning = Tuning(
            steps=self.steps, attempts=self.attempts, pull=self.pull, settle=self.settle,
            restitution=self.restitution,
        )  # fmt: skip
        if self.mass == "diagonal":
            return solve_with(problem, tuning, "mass_weighted")
        from mummer.ik.full_mass import with_full_mass

        faint = dataclasses.replace(tuning, pull=FAINT * self.pull)
        found = solve_with(with_full_mass(problem, self.pull), faint, "mass_weighted")
        softened = np.atleast_2d(found.softened)[:, : len(problem.goals)]
        steps = np.atleast_1d(found.iterations)
        return make_solution(problem, as_batch(found.pose), "mass_weighted", iterations=steps, softened=softened)


def solve_with(problem: Problem, tuning: Tuning, name: str) -> Solution:
    """Solve ``problem`` by the numerical core, again where its goals depend on the pose that is found.

    Args:
        problem: what to solve.
        tuning: how.
        name: of the solver.
    """
    table = goal_table(problem)
    found = run(problem, table, tuning)
    steps = found.steps
    changing = [place for place, goal in enumerate(problem.goals) if _depends_on_pose(goal)]
    for _ in range(ROUNDS if changing else 0):
        if np.all(goal_errors(problem, found.pose)[:, changing] <= NEAR_ENOUGH * min(1.0, problem.body.height)):
            break
        table = goal_table(dataclasses.replace(problem, start=found.pose))
        found = run(problem, table, tuning)
        steps = steps + found.steps
    softened = by_goal(problem, table, found.softened)
    return make_solution(problem, found.pose, name, iterations=steps, softened=softened)


def _depends_on_pose(goal: Goal) -> bool:
    """Whether what a goal asks for is another thing in another pose."""
    return isinstance(goal, Balanced) or (isinstance(goal, Aim) and goal.comfortable < np.pi)


def by_goal(problem: Problem, table: GoalTable, softened: BoolArray) -> BoolArray:
    """(B, G) which goals gave way, from the entries that did (B, N)."""
    answer = np.zeros((len(problem), len(problem.goals)), bool)
    for entry, goal in enumerate(table.goal.tolist()):
        answer[:, goal] |= softened[:, entry]
    return answer
