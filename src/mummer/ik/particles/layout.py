"""Everything that is worked out once for a body and a set of goals, and remembered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character
from mummer.ik.particles.group_layout import GroupLayout, group_layout
from mummer.ik.particles.joint_layout import JointLayout, joint_layout
from mummer.ik.particles.limb_layout import LimbLayout, limb_layout
from mummer.ik.particles.measure_goals import ORIENT
from mummer.ik.particles.pins import Pin, pins_of
from mummer.ik.particles.spine_layout import SpineLayout, spine_layout
from mummer.ik.particles.stand import Stand
from mummer.ik.particles.task_layout import TaskLayout, task_layout
from mummer.ik.particles.tasks import Task
from mummer.ik.rigid_body import RigidBody

REMEMBERED = 64
COMPRESS = 0.1


@dataclass(frozen=True, eq=False)
class Layout:
    """What the kernels need of a body and of the joints that its goals speak of.

    Attributes:
        tasks: the goals, without their targets.
        pins: the places at which particles are held.
        joints: what moves.
        rows: the tasks as arrays.
        groups: what corrections go through.
        spine, limbs: the two phases.
        turn_tasks: (n,) for each joint the task with its orientation, or -1.
        front: (3,) where the front is, in the body's space.
    """

    tasks: tuple[Task, ...]
    pins: tuple[Pin, ...]
    joints: JointLayout
    rows: TaskLayout
    groups: GroupLayout
    spine: SpineLayout
    limbs: LimbLayout
    turn_tasks: IntArray
    front: FloatArray


_layouts: WeakKeyDictionary[Character, OrderedDict[object, Layout]] = WeakKeyDictionary()


def layout_of(body: RigidBody, stand: Stand, tasks: list[Task], movable: BoolArray) -> Layout:
    """The layout for ``tasks``; made once, and remembered with the body while it is among the last ones used."""
    known = _layouts.setdefault(body.character, OrderedDict())
    key = (tuple(tasks), movable.tobytes(), stand.local.tobytes(), stand.positions.tobytes())
    found = known.get(key)
    if found is None:
        found = known[key] = make_layout(body, stand, tasks, movable)
        if len(known) > REMEMBERED:
            known.popitem(last=False)
    return found


def make_layout(body: RigidBody, stand: Stand, tasks: list[Task], movable: BoolArray) -> Layout:
    """The layout for ``tasks``."""
    joints = joint_layout(body, stand, tasks, movable)
    pins, anatomy = pins_of(tasks, joints), body.character.anatomy
    turn_tasks = np.full(len(joints), -1, np.int64)
    for entry, task in enumerate(tasks):
        if task.kind == ORIENT:
            turn_tasks[joints.place_of(task.joint)] = entry
    rows = task_layout(tasks, joints)
    return Layout(
        tuple(tasks),
        tuple(pins),
        joints,
        rows,
        group_layout(joints, rows.joints),
        spine_layout(joints, pins, COMPRESS),
        limb_layout(joints, pins, anatomy),
        turn_tasks,
        np.array([0.0, 0.0, 1.0]) if anatomy is None else np.asarray(anatomy.front, np.float64),
    )
