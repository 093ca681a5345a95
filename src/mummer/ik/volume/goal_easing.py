"""Corrections that goals ask for while they hold, led in before and out after."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.ik.body_point import joint_of
from mummer.ik.goal import Goal
from mummer.ik.problem import Problem


def eased_beyond(problem: Problem, turns: FloatArray, reach: int) -> FloatArray:
    """(T, J, 3) rotation vectors that met goals at the frames where these hold, led in and out around those frames.

    Args:
        problem: with the goals and the times of the frames.
        turns: (T, J, 3) what each frame was turned by to meet its goals.
        reach: frames over which a correction fades away.
    """
    eased = turns.copy()
    if reach < 1 or problem.times is None:
        return eased
    count = len(turns)
    for goal in problem.goals:
        on = goal.active(count, problem.times)
        if on.all() or not on.any():
            continue
        joints = _moved_by(problem, goal)
        frames = np.flatnonzero(on)
        for edge, step in ((int(frames[0]), -1), (int(frames[-1]), 1)):
            away = np.arange(1, reach + 1)
            beside = edge + step * away
            inside = (beside >= 0) & (beside < count)
            fade = (1 - (away[inside] / (reach + 1)) ** 2) ** 3
            for joint in joints:
                # Where two goals ask for something, the larger correction stands.
                wanted = fade[:, None] * turns[edge, joint]
                smaller = np.linalg.norm(eased[beside[inside], joint], axis=1) < np.linalg.norm(wanted, axis=1)
                eased[beside[inside][smaller], joint] = wanted[smaller]
    return eased


def _moved_by(problem: Problem, goal: Goal) -> list[int]:
    """The joints above the points that ``goal`` speaks of."""
    found: set[int] = set()
    for point in goal.points:
        joint = joint_of(problem.body.character, point)
        while joint >= 0:
            found.add(joint)
            joint = int(problem.body.parents[joint])
    return sorted(found)
