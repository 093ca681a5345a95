"""The goals that the particle solver takes, as rows of numbers about the joints that they move."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character
from mummer.ik.axes import axes_mask
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.moving import at_times
from mummer.ik.particles.measure_goals import AIM, ORIENT, PLACE
from mummer.ik.particles.stand import Stand
from mummer.ik.problem import Problem
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

HANDED_ON = ("mouth", "jaw", "eye", "ear")
"""What parts sit on the head like; their places and orientations are handed on to it."""
HARD, SOFT = 1.0, 0.3


@dataclass(frozen=True)
class Task:
    """One goal about one joint, without its targets.

    Attributes:
        kind: PLACE, ORIENT or AIM.
        joint: of the skeleton; the one that the goal was handed on to.
        point: in the joint's frame, metres.
        axis: of an aim, in the joint's frame; else zeros.
        axes: of the world, one where they count.
        weight: of its error, squared it is that of the goal.
        source: the joint that the goal itself speaks of.
    """

    kind: int
    joint: int
    point: tuple[float, ...]
    axis: tuple[float, ...]
    axes: tuple[float, ...]
    weight: float
    source: int


def is_taken(goal: Goal) -> bool:
    """Whether the solver can take ``goal`` into account at all."""
    return isinstance(goal, (Place, Orient, Aim))


def task_of(goal: Goal, state: WorldState, stand: Stand) -> Task:
    """``goal`` as a task."""
    assert isinstance(goal, (Place, Orient, Aim))
    character = state.body.character
    source = joint_of(character, goal.part)
    joint = source if isinstance(goal, Aim) else handed_on_to(character, source)
    away = quaternion.rotate(stand.rotations[source], as_point(goal.part).offset)
    away = away + stand.positions[source] - stand.positions[joint]
    point = quaternion.rotate(quaternion.conjugate(stand.rotations[joint]), away)
    axis = goal.axis_in(state) if isinstance(goal, Aim) else np.zeros(3)
    axes = axes_mask(goal.axes) if isinstance(goal, Place) else np.ones(3)
    kind = PLACE if isinstance(goal, Place) else ORIENT if isinstance(goal, Orient) else AIM
    weight = HARD if goal.weight is None else min(SOFT * math.sqrt(goal.weight), HARD)
    return Task(kind, joint, tuple(point), tuple(axis), tuple(axes), weight, source)


def handed_on_to(character: Character, joint: int) -> int:
    """The joint that takes the goals of ``joint``: a mouth or an eye hands them to the head it sits on."""
    if character.anatomy is None:
        return joint
    parts = {part for kind in HANDED_ON for part in character.anatomy.capabilities.get(kind, ())}
    parents = character.skeleton.parents
    while joint in parts and parents[joint] >= 0:
        joint = int(parents[joint])
    return joint


def targets_of(goals: list[Goal], tasks: list[Task], problem: Problem, rows: IntArray, stand: Stand) -> FloatArray:
    """(B, N, 4) the places and rotations of ``goals`` in the world, for the poses ``rows`` of the problem."""
    count = len(problem)
    targets = np.zeros((count, len(goals), 4))
    for place, (goal, task) in enumerate(zip(goals, tasks, strict=True)):
        if isinstance(goal, Orient):
            wanted = quaternion.normalize(at_times(goal.to, 4, count, problem.times, "an orientation"))
            on_source = quaternion.multiply(
                quaternion.conjugate(stand.rotations[task.source]), stand.rotations[task.joint]
            )
            targets[:, place] = quaternion.multiply(wanted, on_source)
        else:
            assert isinstance(goal, (Place, Aim))
            targets[:, place, :3] = at_times(goal.at, 3, count, problem.times, "the place of a goal")
    return targets[rows]
