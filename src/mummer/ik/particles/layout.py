"""Everything that is worked out once for a body and a set of goals, and remembered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character
from mummer.clip.standing import front_of
from mummer.ik.limits import joint_table
from mummer.ik.particles.limbs import limbs_of
from mummer.ik.particles.pins import Pin, Stand, Task, pins_of
from mummer.ik.particles.records import ORIENT, PLACE, Body, Joints, Tasks, ragged, record
from mummer.ik.particles.spine import spine_joints, spine_of
from mummer.ik.rigid_body import RigidBody, carries, joints_above

REMEMBERED = 64
SPINE_FREEDOM = 0.5
SHORT = 0.5
"""A first piece shorter than this part of the longest is a collarbone; the limb begins after it."""


@dataclass(frozen=True, eq=False)
class Layout:
    """What the kernel needs of a body and of the joints that its goals speak of.

    Attributes:
        tasks: the goals, without their targets.
        pins: the places at which particles are held.
        body: all of it as the kernel sees it.
        front: (3,) where the front is, in the body's space.
    """

    tasks: tuple[Task, ...]
    pins: tuple[Pin, ...]
    body: Body
    front: FloatArray


_layouts: WeakKeyDictionary[Character, OrderedDict[object, Layout]] = WeakKeyDictionary()


def layout_of(body: RigidBody, stand: Stand, tasks: list[Task], movable: BoolArray) -> Layout:
    """The layout for ``tasks``; made once, and remembered with the body while it is among the last ones used."""
    known = _layouts.setdefault(body.character, OrderedDict())
    key = (tuple(tasks), movable.tobytes(), stand.local.tobytes(), stand.positions.tobytes())
    found = known.get(key)
    if found is None:
        found = known[key] = _make(body, stand, tasks, movable)
        if len(known) > REMEMBERED:
            known.popitem(last=False)
    return found


def _make(body: RigidBody, stand: Stand, tasks: list[Task], movable: BoolArray) -> Layout:
    joints = joints_of(body, stand, tasks, movable)
    pins, rows = pins_of(tasks, joints), tasks_of(tasks, joints)
    parts = Body(joints, rows, spine_of(joints, pins), limbs_of(joints, pins, body.character))
    return Layout(tuple(tasks), tuple(pins), parts, front_of(body.character))


def joints_of(body: RigidBody, stand: Stand, tasks: list[Task], movable: BoolArray) -> Joints:
    """The joints above those of ``tasks``."""
    numbers = joints_above(body.parents, [0, *(task.joint for task in tasks)])
    places = {joint: place for place, joint in enumerate(numbers.tolist())}
    parents = np.array([places.get(int(body.parents[joint]), -1) for joint in numbers])
    is_spine = spine_joints(body, numbers, parents, stand.positions[numbers])
    turn_tasks = np.full(len(numbers), -1, np.int64)
    for entry, task in enumerate(tasks):
        if task.kind == ORIENT:
            turn_tasks[places[task.joint]] = entry
    return record(
        Joints,
        numbers,
        parents,
        stand.offsets[numbers],
        stand.positions[numbers],
        stand.rotations[numbers],
        stand.local[numbers],
        joint_table(body)[numbers],
        np.where(movable[numbers], np.where(is_spine, SPINE_FREEDOM, 1.0), 0.0),
        is_spine,
        turn_tasks,
    )


def tasks_of(tasks: list[Task], joints: Joints) -> Tasks:
    """``tasks`` as arrays."""
    places = np.array([joints.place_of(task.joint) for task in tasks], np.int64)
    limbs = [reach_of(task, joint, joints) for task, joint in zip(tasks, places.tolist(), strict=True)]
    below = [
        [row for row, place in enumerate(places.tolist()) if carries(joint, place, joints.parents)]
        for joint in range(len(joints.parents))
    ]
    return record(
        Tasks,
        np.array([task.kind for task in tasks], np.int64),
        places,
        np.array([task.point for task in tasks]).reshape(-1, 3),
        np.array([task.axis for task in tasks]).reshape(-1, 3),
        np.array([task.weight for task in tasks]),
        np.array([min(task.axes) < 1 for task in tasks], np.int64),
        np.array([base for base, _ in limbs], np.int64),
        np.array([reach for _, reach in limbs], np.float64),
        *ragged(below),
    )


def reach_of(task: Task, joint: int, joints: Joints) -> tuple[int, float]:
    """Where the limb that ends at ``task`` begins, and how long it is; -1 for tasks of the spine or of other kinds."""
    if task.kind != PLACE or joints.is_spine[joint] or min(task.axes) < 1:
        return -1, 0.0
    way, lengths = [joint], [float(np.linalg.norm(task.point))]
    while not joints.is_spine[joints.parents[way[0]]]:
        lengths.insert(0, float(np.linalg.norm(joints.offsets[way[0]])))
        way.insert(0, int(joints.parents[way[0]]))
    # A collarbone is no part of what becomes straight.
    start = int(len(way) + (lengths[-1] > 0) > 3 and lengths[0] < SHORT * max(lengths))
    return way[start], sum(lengths[start:])
