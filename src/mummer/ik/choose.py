"""Which solver fits a problem, and what to do when the quick one does not meet its goals."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.body_point import joint_of
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.limb_joints import find_limb, is_plain_limb
from mummer.ik.one_bone import OneBone
from mummer.ik.problem import Problem
from mummer.ik.solution import Solution, make_solution
from mummer.ik.two_bone import TwoBone
from mummer.ik.world_state import as_batch, picked

ANALYTIC: dict[str, OneBone | TwoBone] = {"one_bone": OneBone(), "two_bone": TwoBone(softness=0.0)}
"""What ``auto`` tries first. A soft reach would miss places that the limb can reach."""


def choose_solver(problem: Problem) -> str:
    """The name of the solver that ``auto`` tries first for ``problem``.

    - ``one_bone`` for a single `Aim` whose joint may turn;
    - ``two_bone`` for a single `Place` in all three axes, alone or with an `Orient` of the same part, where the root is
      fixed and the part ends a limb that bends once;
    - ``mass_weighted`` for everything else.
    """
    goals, movable = problem.goals, problem.movable
    if len(goals) == 1 and isinstance(goals[0], Aim):
        return "one_bone" if movable[joint_of(problem.body.character, goals[0].part)] else "mass_weighted"
    places = [goal for goal in goals if isinstance(goal, Place)]
    others = [goal for goal in goals if not isinstance(goal, Place)]
    if len(places) != 1 or len(others) > 1 or problem.root != "fixed" or set(places[0].axes) != set("xyz"):
        return "mass_weighted"
    tip = joint_of(problem.body.character, places[0].part)
    if any(not isinstance(goal, Orient) or joint_of(problem.body.character, goal.part) != tip for goal in others):
        return "mass_weighted"
    limb = find_limb(problem.body, tip)
    if limb is None or not is_plain_limb(problem.body, limb):
        return "mass_weighted"
    turning = [limb.base, limb.middle, *([tip] if others else [])]
    return "two_bone" if np.all(movable[turning]) else "mass_weighted"


def solve_best(problem: Problem) -> Solution:
    """What ``solver="auto"`` does: the solver of `choose_solver`, and never an answer worse than the general one.

    Where the quick solver misses a goal, because of limits or because the limb alone is too short, the mass-weighted
    solver is asked as well, and each pose is taken from whichever comes nearer. Neighbouring frames may then come from
    different solvers; for motions, name one.
    """
    from mummer.ik.solve import solver_named

    name = choose_solver(problem)
    if name not in ANALYTIC:
        return solver_named(name).solve(problem)
    quick = ANALYTIC[name].solve(problem)
    missed = _misses(problem, quick)
    if not np.any(missed > 1.0):
        return quick
    full = solver_named("mass_weighted").solve(problem)
    better = (missed > 1.0) & (_misses(problem, full) < missed)
    if not np.any(better):
        return quick
    if np.all(better):
        return full
    return make_solution(
        problem,
        picked(better, as_batch(full.pose), as_batch(quick.pose)),
        f"{name} and mass_weighted",
        iterations=np.where(better, full.iterations, quick.iterations),
        softened=np.where(better[:, None], full.softened, quick.softened),
    )


def _misses(problem: Problem, solution: Solution) -> FloatArray:
    """(B,) the largest error of each pose, as a multiple of what is allowed."""
    allowed = np.array([problem.allowed_error(goal) for goal in problem.goals])
    return np.asarray(np.max(np.atleast_2d(solution.errors) / allowed, axis=1))
