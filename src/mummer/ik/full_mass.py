"""The whole mass matrix: every part of a body would rather stay where it is in the world.

The diagonal of the mass matrix lets a limb follow the joint that it hangs from. With all of it, the way of each part's
own mass counts instead, wherever that comes from: pull at the hips, and arms, legs and head trail behind.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from mummer.ik.body_point import BodyPoint
from mummer.ik.goal import Goal
from mummer.ik.numeric.rows import RADIAN
from mummer.ik.numeric.run import drawn_to
from mummer.ik.point_goals import Orient, Place
from mummer.ik.problem import Problem
from mummer.ik.world_state import WorldState

LIGHT = 1e-4
"""Parts of the body's mass below which a part is not asked to stay."""


def with_full_mass(problem: Problem, pull: float) -> Problem:
    """The problem with a soft goal for the place and the turn of every mass, to be where it is at home.

    Args:
        problem: what to solve; home is its start, or the pose of a `Near` goal.
        pull: how much it counts that the whole body's mass stays, beside soft goals of weight 1.
    """
    body, mass = problem.body, problem.body.mass
    home, pulls = drawn_to(problem, pull)
    state = WorldState(body.character, home)
    added: list[Goal] = []
    for joint in np.flatnonzero(mass.masses > LIGHT * mass.total).tolist():
        point = BodyPoint(joint, tuple(mass.centers[joint].tolist()))
        share = pulls[joint] / mass.total
        moment = float(np.trace(mass.second_moments[joint])) / (RADIAN * body.height) ** 2
        added.append(Place(point, state.point(point), weight=share * float(mass.masses[joint])))
        added.append(Orient(joint, state.rotations[:, joint], weight=share * moment))
    return dataclasses.replace(problem, goals=(*problem.goals, *added))
