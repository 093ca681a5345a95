"""Which solver fits a problem."""

from __future__ import annotations

from mummer.ik.problem import Problem


def choose_solver(problem: Problem) -> str:  # noqa: ARG001
    """The name of the solver for ``problem``."""
    return "mass_weighted"
