"""The goals that the particle solver takes, as tasks of joints, and the pins at which particles are held for them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.ik.axes import axes_mask
from mummer.ik.body_point import as_point, joint_of
from mummer.ik.goal import Goal
from mummer.ik.goals import Aim, Orient, Place
from mummer.ik.moving import at_times
from mummer.ik.particles.records import AIM, ORIENT, PLACE, Joints
from mummer.ik.problem import Problem
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

HANDED_ON = ("mouth", "jaw", "eye", "ear")
"""What parts sit on the head like; their places and orientations are handed on to it."""
HARD, SOFT = 1.0, 0.3


@dataclass(frozen=True, eq=False)
class Stand:
    """How the body stands when nothing is asked of it: the pose that every answer departs from.

    Attributes:
        local: (J, 4) parent_from_joint.
        positions: (J, 3) metres, in the body's space: the world, with the root as in this pose.
        rotations: (J, 4) world_from_joint.
        offsets: (J, 3) from parents to joints in the parents' frames, metres.
    """

    local: FloatArray
    positions: FloatArray
    rotations: FloatArray
    offsets: FloatArray


def stand_of(body: RigidBody, lengths: Pose | None = None) -> Stand:
    """The stand of ``body``: at rest, but for how far joints are from their parents in the pose ``lengths``."""
    rest = Pose.rest(body.skeleton)
    given = rest if lengths is None else lengths
    whole = given.replace(rotations=rest.rotations, root_translation=rest.root_translation, morphs=None)
    state = WorldState(body.character, whole)
    return Stand(state.pose.rotations[0], state.positions[0], state.rotations[0], body.offsets_of(whole)[0])


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
            source_from_world = quaternion.conjugate(stand.rotations[task.source])
            on_source = quaternion.multiply(source_from_world, stand.rotations[task.joint])
            targets[:, place] = quaternion.multiply(wanted, on_source)
        else:
            assert isinstance(goal, (Place, Aim))
            targets[:, place, :3] = at_times(goal.at, 3, count, problem.times, "the place of a goal")
    return targets[rows]


@dataclass(frozen=True)
class Pin:
    """A particle to hold, at a joint or at a point that the joint carries.

    Attributes:
        entry: the task with the place.
        turn: the task with the orientation of the same joint, or -1.
        joint: among the joints of the layout.
        point: in the joint's frame, metres; zeros if the joint itself is held.
    """

    entry: int
    turn: int
    joint: int
    point: tuple[float, ...]

    @property
    def has_tip(self) -> bool:
        """Whether the particle is a point away from the joint."""
        return max(abs(number) for number in self.point) > 1e-9


def pins_of(tasks: list[Task], joints: Joints) -> list[Pin]:
    """One pin for each joint with a place to be. Of an oriented joint the joint itself is held."""
    turns = {task.joint: entry for entry, task in enumerate(tasks) if task.kind == ORIENT}
    pins: dict[int, Pin] = {}
    for entry, task in enumerate(tasks):
        if task.kind == PLACE and task.joint not in pins:
            turn = turns.get(task.joint, -1)
            point = task.point if turn < 0 else (0.0, 0.0, 0.0)
            pins[task.joint] = Pin(entry, turn, joints.place_of(task.joint), point)
    return list(pins.values())


def rest_of(pin: Pin, joints: Joints) -> FloatArray:
    """(3,) where the particle of ``pin`` stands at rest, in the body's space."""
    return np.asarray(joints.places[pin.joint] + quaternion.rotate(joints.turns[pin.joint], np.array(pin.point)))


def pin_places(pins: list[Pin], tasks: list[Task], targets: FloatArray) -> FloatArray:
    """(B, G, 3) where the particles of ``pins`` are to be, in the space of ``targets`` (B, N, 4)."""
    places = np.zeros((len(targets), len(pins), 3))
    for row, pin in enumerate(pins):
        places[:, row] = targets[:, pin.entry, :3]
        if pin.turn >= 0:
            places[:, row] -= quaternion.rotate(targets[:, pin.turn], np.array(tasks[pin.entry].point))
    return places
