"""Balance: where the ground has to push so that a figure keeps its place, and the torques of legs that make it do so.

What is wanted is one force on the centre of mass and one torque on the trunk. The corners of the feet that stand share
it out: each can push up and, as far as friction goes, along the ground. On sticky ground springs hold the feet, so that
corners may pull as well. What the ground cannot give is missing, or given by a guide.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from mummer.arrays import FloatArray

Balance = Literal["auto", "ankle", "wide", "guided", "none"]
BALANCES: tuple[Balance, ...] = ("auto", "ankle", "wide", "guided", "none")
FRICTION = 0.7
"""Force along the ground for each newton of weight that is counted on: less than there is."""
COST, PULLING = 0.03, 0.12
"""How much a force at one corner counts beside what is missing, for pushing and for pulling."""
MANY_FEET = 4
"""Figures with more feet use one point of each."""


def generators(up: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(4, 3) and (5, 3) forces whose positive sums are all that a corner can push and, where ground sticks, pull."""
    ahead = np.eye(3)[int(np.argmin(np.abs(up)))]
    ahead = ahead - (ahead @ up) * up
    ahead /= np.linalg.norm(ahead)
    side = np.cross(up, ahead)
    level = np.array([ahead, -ahead, side, -side])
    return up + FRICTION * level, np.concatenate([-up[None], level])


def shared_out(
    wanted: FloatArray, points: FloatArray, middle: FloatArray, up: FloatArray, gives: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Forces (P, 3) at points that add up to what is wanted, as well as they can, and what is missing.

    Args:
        wanted: (6,) a force and a torque about ``middle``.
        points: (P, 3) in the world.
        middle: (3,) the centre of mass.
        up: (3,) unit.
        gives: (P, 2) newtons that each point can push and pull at most.

    Returns:
        Forces (P, 3), and (6,) what they miss.
    """
    if not len(points):
        return np.zeros((0, 3)), wanted
    from scipy.optimize import nnls

    pushing, pulling = generators(up)
    forces = np.concatenate([np.tile(pushing, (len(points), 1)), np.tile(pulling, (len(points), 1))])
    owner = np.concatenate([np.repeat(np.arange(len(points)), len(each)) for each in (pushing, pulling)])
    pulls = np.arange(len(forces)) >= len(points) * len(pushing)
    most = np.where(pulls, gives[owner, 1], gives[owner, 0])
    able = most > 0.0
    forces, owner, pulls, most = forces[able], owner[able], pulls[able], most[able]
    columns = np.concatenate([forces.T, np.cross(points[owner] - middle, forces).T])
    weight = max(float(np.abs(wanted).max()), 1e-12)
    cost = np.diag(np.where(pulls, PULLING, COST))
    found, free = np.zeros(len(forces)), np.ones(len(forces), bool)
    # What would give more than it can gives all it can, and the others are asked again.
    for _ in range(3):
        rest = (wanted - columns[:, ~free] @ found[~free]) / weight
        system = np.concatenate([columns[:, free], cost[free][:, free]])
        found[free] = nnls(system, np.concatenate([rest, np.zeros(int(free.sum()))]))[0] * weight
        over = free & (found > most)
        if not over.any():
            break
        found[over], free = most[over], free & ~over
    given = np.zeros((len(points), 3))
    np.add.at(given, owner, found[:, None] * forces)
    return given, wanted - columns @ found


def bounded(vector: FloatArray, most: float) -> FloatArray:
    """The vector, no longer than ``most``."""
    length = float(np.linalg.norm(vector))
    return vector if length <= most else vector * (most / length)
