"""The groups that corrections go through: the spine alone, each limb alone, and at last the whole body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.task_layout import ragged


@dataclass(frozen=True, eq=False)
class GroupLayout:
    """G groups of joints that turn together, each with the tasks that it corrects.

    The first is the spine with the tasks of its own joints, the last is all joints with all tasks, those between
    are limbs. Only the last one holds the root.

    Attributes:
        member_starts, members: the joints of each group, parents first.
        task_starts, tasks: the tasks of each group.
        below_starts, below: for each of ``members`` the tasks that it moves, counted among those of its group.
        tolerances: (G,) what part of the whole tolerance each group may use up, so that all of them together keep it.
    """

    member_starts: IntArray
    members: IntArray
    task_starts: IntArray
    tasks: IntArray
    below_starts: IntArray
    below: IntArray
    tolerances: FloatArray

    def __len__(self) -> int:
        return len(self.member_starts) - 1

    @property
    def most_below(self) -> int:
        """The largest number of tasks that one joint moves."""
        return int(np.diff(self.below_starts).max(initial=0))


def group_layout(layout: JointLayout, task_joints: IntArray) -> GroupLayout:
    """The groups of ``layout`` for tasks of the joints ``task_joints`` (N,)."""
    count = len(layout)
    which = np.zeros(count, np.int64)
    limbs = 0
    for joint in range(1, count):
        parent = int(layout.parents[joint])
        starts_a_limb = layout.is_spine[parent] and not layout.is_spine[joint]
        limbs += bool(starts_a_limb)
        which[joint] = limbs if starts_a_limb else which[parent]
    members = [[joint for joint in range(1, count) if which[joint] == group] for group in range(limbs + 1)]
    tasks = [[task for task, joint in enumerate(task_joints) if which[joint] == group] for group in range(limbs + 1)]
    members.append(list(range(count)))
    tasks.append(list(range(len(task_joints))))
    below = [
        [row for row, task in enumerate(own) if is_above(layout, joint, int(task_joints[task]))]
        for joints, own in zip(members, tasks, strict=True)
        for joint in joints
    ]
    shares = np.sqrt([len(own) / max(1, len(task_joints)) for own in tasks])
    return GroupLayout(*ragged(members), *ragged(tasks), *ragged(below), shares)


def is_above(layout: JointLayout, joint: int, other: int) -> bool:
    """Whether ``joint`` carries ``other``, or is it."""
    while other > joint:
        other = int(layout.parents[other])
    return other == joint
