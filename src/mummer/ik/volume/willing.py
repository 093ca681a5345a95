"""How willingly joints turn to make room: arms before trunks, limbs before fingers."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.limits import HINGE
from mummer.ik.problem import Problem
from mummer.ik.rigid_body import rigid_body

SHORT, LONG = 0.05, 0.25
"""Way from a joint to its farthest tip, in heights: below the first it does not turn, above the second fully."""
HEAVY = 0.02
"""Part of the body's mass that turning costs at least."""


def willingness(problem: Problem) -> FloatArray:
    """(J,) zero for joints that may not turn or carry too little to matter; large where little mass is carried."""
    body = problem.body
    count = len(body.parents)
    carried, reach = body.mass.masses / body.mass.total, np.zeros(count)
    carried = carried.copy()
    for joint in range(count - 1, -1, -1):
        parent = body.parents[joint]
        if parent >= 0:
            carried[parent] += carried[joint]
            reach[parent] = max(reach[parent], reach[joint] + float(np.linalg.norm(body.offsets[joint])))
    ramp = np.clip((reach / body.height - SHORT) / (LONG - SHORT), 0.0, 1.0)
    # Squared, so that a trunk with two arms leaves it to the arm.
    willing = ramp**2 * (3 - 2 * ramp) / (carried + HEAVY) ** 2
    # Fingers and toes alone would bend out of the way; a hand shall move as the arm moves it.
    willing[~problem.movable] = 0.0
    willing[list(body.skeleton.roots)] = 0.0
    return np.asarray(willing)


def hinge_axes(character: Character) -> FloatArray:
    """(J, 3) the axis of each joint that turns about one only, in the joint's own frame, else zero."""
    limits = rigid_body(character).limits
    return np.where((limits.kinds == HINGE)[:, None], limits.axes, 0.0)
