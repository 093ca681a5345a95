"""The Jacobian solver: damped least squares over the whole tree, and a pull towards a pose in what goals leave free."""

from __future__ import annotations

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.ik.mass_weighted import solve_with
from mummer.ik.numeric.descent import EQUAL
from mummer.ik.numeric.run import Tuning
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution


@dataclass(frozen=True, kw_only=True)
class Jacobian:
    """Damped least squares: all joints count alike, and the farther off the goals are, the more calmly they are sought.

    Each step is ``Δθ = J⁺ Δx + (1 - J⁺ J) Δz`` with ``J⁺ = Jᵀ (J Jᵀ + λ²)⁻¹``, where Δz leads back to the start or to
    the pose of a `Near` goal. The damping λ is in proportion to the body's height. Kept as it is to the end, it would
    leave every goal a little short; here it holds only while a goal is farther away than λ, and goes to zero with what
    is lacking.

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
        return solve_with(problem, tuning, "jacobian")
