"""Everything that bends a body to meet a goal: goals, solvers, pose distance, balance, volume, constraints."""

from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import (
    Aim,
    Apart,
    Balanced,
    CenterOfMass,
    HalfSpace,
    JointValue,
    Match,
    Near,
    Orient,
    Place,
    Together,
)
from mummer.ik.moving import Moving
from mummer.ik.problem import Problem, make_problem
from mummer.ik.solution import Solution
from mummer.ik.solve import SOLVERS, Solver, solve
from mummer.ik.world_state import WorldState

__all__ = [
    "SOLVERS",
    "Aim",
    "Apart",
    "Balanced",
    "BodyPoint",
    "CenterOfMass",
    "Goal",
    "HalfSpace",
    "JointValue",
    "Match",
    "Moving",
    "Near",
    "Orient",
    "Part",
    "Place",
    "Problem",
    "Solution",
    "Solver",
    "Together",
    "WorldState",
    "joint_of",
    "make_problem",
    "solve",
]
