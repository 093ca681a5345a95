"""The Jacobian solver: damped least squares over the whole tree, and a pull towards a pose in what goals leave free."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.ik.goal_table import PLACE, GoalTable, goal_table
from mummer.ik.mass_weighted import solve_with
from mummer.ik.numeric.descent import EQUAL
from mummer.ik.numeric.run import Tuning
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution
from mummer.ik.world_state import WorldState


@dataclass(frozen=True, kw_only=True)
class Jacobian:
    """Damped least squares: all joints count alike, and the farther off the goals are, the more calmly they are sought.

    Each step is ``Δθ = J⁺ Δx + (1 - J⁺ J) Δz`` with ``J⁺ = Jᵀ (J Jᵀ + λ²)⁻¹``, where Δz leads back to the start or to
    the pose of a `Near` goal. The damping λ is in proportion to the body's height. Kept as it is to the end, it would
    leave every goal a little short; here it holds only while a goal is farther away than λ, and goes to zero with what
    is lacking. Places out of reach of a body whose root stays are drawn back into the sphere that its chain can fill.

    Attributes:
        damping: λ in parts of the height.
        steps: at most.
        pull: how much it counts to stay near the start, beside soft goals of weight 1, where no `Near` goal says.
    """

    damping: float = 0.05
    steps: int = 60
    pull: float = 0.1

    def __post_init__(self) -> None:
        if self.steps < 0 or not self.damping >= 0 or not self.pull > 0:
            raise InputError("a Jacobian solver needs zero or more steps, damping of zero or more, and some pull")

    def solve(self, problem: Problem) -> Solution:
        """See `Solver.solve`."""
        tuning = Tuning(steps=self.steps, attempts=0, metric=EQUAL, pull=self.pull, damping=self.damping)
        return solve_with(problem, tuning, "jacobian", drawn_back(problem, goal_table(problem)))


def drawn_back(problem: Problem, table: GoalTable) -> GoalTable:
    """``table`` with the places that a chain of a root that stays cannot reach moved onto the sphere that it can."""
    if problem.root == "free":
        return table
    state, targets = WorldState(problem.body.character, problem.start), table.targets.copy()
    for entry in np.flatnonzero((table.kinds == PLACE) & np.all(table.axes != 0, axis=1)).tolist():
        center, reach = _reach(problem, state, int(table.joints[entry]), float(np.linalg.norm(table.points[entry])))
        away = targets[:, entry, :3] - center
        far = np.linalg.norm(away, axis=1, keepdims=True)
        targets[:, entry, :3] = center + away * np.minimum(1.0, reach[:, None] / np.maximum(far, 1e-12))
    return dataclasses.replace(table, targets=targets)


def _reach(problem: Problem, state: WorldState, joint: int, beyond: float) -> tuple[FloatArray, FloatArray]:
    """(B, 3) the highest joint above ``joint`` that may turn, and (B,) metres along the bones from there."""
    lengths = np.linalg.norm(problem.body.offsets_of(problem.start), axis=-1)
    chain = [joint, *problem.body.skeleton.ancestors(joint)]
    movable = [place for place, above in enumerate(chain) if problem.movable[above]]
    top = max(movable, default=0)
    reach = beyond + lengths[:, chain[:top]].sum(axis=1)
    return state.positions[:, chain[top]], np.broadcast_to(reach, len(state))
