"""One call that bends a body to meet goals, with the solver of one's choice."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, cast

import numpy.typing as npt

from mummer.character import Pose
from mummer.errors import UnknownNameError
from mummer.ik.body_point import Part
from mummer.ik.choose import solve_best
from mummer.ik.goal import Goal
from mummer.ik.loose import goal_of, part_of, whole_for
from mummer.ik.problem import TOLERANCE, Problem, RootFreedom, make_problem
from mummer.ik.solution import Solution
from mummer.io.subjects import BodyLike, as_character
from mummer.recognition import recognized


class Solver(Protocol):
    """A solver with its settings. Names stand for solvers with their default settings."""

    def solve(self, problem: Problem) -> Solution:
        """The best pose it finds, for each pose of the batch."""


HOMES = {
    "one_bone": ("mummer.ik.one_bone", "OneBone"),
    "two_bone": ("mummer.ik.two_bone", "TwoBone"),
    "ccd": ("mummer.ik.ccd", "CCD"),
    "jacobian": ("mummer.ik.jacobian", "Jacobian"),
    "mass_weighted": ("mummer.ik.mass_weighted", "MassWeighted"),
    "particle": ("mummer.ik.particle", "Particle"),
}
SOLVERS = ("auto", *HOMES)


def solver_named(name: str) -> Solver:
    """The solver called ``name`` with its default settings.

    Raises:
        UnknownNameError: with the closest names there are.
    """
    if name not in HOMES:
        raise UnknownNameError("mummer.ik", "solver", name, SOLVERS)
    module, kind = HOMES[name]
    return cast(Solver, getattr(importlib.import_module(module), kind)())


def solve(
    body: BodyLike,
    goals: Goal | Sequence[Goal],
    pose: Pose | None = None,
    *,
    solver: str | Solver = "auto",
    times: npt.ArrayLike | None = None,
    parts: Sequence[Part] | None = None,
    root: RootFreedom = "free",
    tolerance: float = TOLERANCE,
) -> Solution:
    """Bend a body so that it meets goals, changing as little else as it can.

    Args:
        body: a path, ``zoo:NAME``, a character or a clip of one; recognised if goals name parts that are no joints
            of it and nobody knows its anatomy yet.
        goals: what to meet.
        pose: how the body stands now, one pose or a batch (B,), each solved on its own; by default its default pose.
        solver: a name of `SOLVERS`, or a solver with settings of one's own. ``auto`` takes what fits the goals: one
            joint for one aim, a limb in closed form for one place with the root fixed, else the whole body by mass;
            see `mummer.ik.choose.choose_solver`.
        times: (B,) seconds of the poses, for goals that move or hold only for a while.
        parts: the joints that may turn; all if not given.
        root: whether the root may travel and turn (``free``), only turn (``turns``), or neither (``fixed``).
        tolerance: how near the solver aims: a part of the body's height for lengths, radians for angles.

    Returns:
        The pose found, with the error of each goal. What is out of reach is met as well as the body allows.

    Example:
        >>> import mummer as mm
        >>> from mummer import ik
        >>> found = ik.solve("zoo:dog", ik.Place("head", at=(0.1, 0.5, 0.6)))
        >>> found.is_met
        True
    """
    character = as_character(body, asker="solve()")
    try:
        problem = make_problem(character, goals, pose, times=times, parts=parts, root=root, tolerance=tolerance)
    except UnknownNameError:
        if character.anatomy is not None:
            raise
        character = recognized(character)
        problem = make_problem(character, goals, pose, times=times, parts=parts, root=root, tolerance=tolerance)
    whole = whole_for(problem.body.character, problem.goals)
    if whole is not None:
        mine = [goal_of(whole, goal) for goal in problem.goals]
        some = None if parts is None else [part_of(whole, part) for part in parts]
        there = whole.put_together(problem.start)
        found = solve(whole.character, mine, there[0] if problem.single else there, solver=solver,
                      times=times, parts=some, root=root, tolerance=tolerance)  # fmt: skip
        return replace(found, pose=whole.taken_apart(found.pose), goals=problem.goals)
    if solver == "auto":
        return solve_best(problem)
    return (solver_named(solver) if isinstance(solver, str) else solver).solve(problem)
