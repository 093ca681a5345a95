"""The tasks of a layout as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.measure_goals import PLACE
from mummer.ik.particles.tasks import Task

SHORT = 0.5
"""A first piece shorter than this part of the longest is a collarbone; the limb begins after it."""


@dataclass(frozen=True, eq=False)
class TaskLayout:
    """N tasks.

    Attributes:
        kinds: (N,) PLACE, ORIENT or AIM.
        joints: (N,) among the joints of the layout.
        points: (N, 3) in the joints' frames, metres.
        axes: (N, 3) of aims, in the joints' frames.
        weights: (N,)
        masked: (N,) one where only some of the world's axes count.
        bases: (N,) the joint where the limb of a place begins, after a collarbone, or -1.
        reaches: (N,) metres from there along the joints to the place.
    """

    kinds: IntArray
    joints: IntArray
    points: FloatArray
    axes: FloatArray
    weights: FloatArray
    masked: IntArray
    bases: IntArray
    reaches: FloatArray


def task_layout(tasks: list[Task], layout: JointLayout) -> TaskLayout:
    """``tasks`` for the joints of ``layout``."""
    joints = np.array([layout.place_of(task.joint) for task in tasks], np.int64)
    limbs = [limb_of(task, joint, layout) for task, joint in zip(tasks, joints.tolist(), strict=True)]
    return TaskLayout(
        np.array([task.kind for task in tasks], np.int64),
        joints,
        np.array([task.point for task in tasks]).reshape(-1, 3),
        np.array([task.axis for task in tasks]).reshape(-1, 3),
        np.array([task.weight for task in tasks]),
        np.array([min(task.axes) < 1 for task in tasks], np.int64),
        np.array([base for base, _ in limbs], np.int64),
        np.array([reach for _, reach in limbs]),
    )


def limb_of(task: Task, joint: int, layout: JointLayout) -> tuple[int, float]:
    """Where the limb that ends at ``task`` begins, and how long it is; -1 for tasks of the spine or of other kinds."""
    if task.kind != PLACE or layout.is_spine[joint] or min(task.axes) < 1:
        return -1, 0.0
    way, lengths = [joint], [float(np.linalg.norm(task.point))]
    while not layout.is_spine[layout.parents[way[0]]]:
        lengths.insert(0, float(np.linalg.norm(layout.offsets[way[0]])))
        way.insert(0, int(layout.parents[way[0]]))
    # A collarbone is no part of what becomes straight.
    start = int(len(way) + (lengths[-1] > 0) > 3 and lengths[0] < SHORT * max(lengths))
    return way[start], sum(lengths[start:])


def ragged(lists: list[list[int]]) -> tuple[IntArray, IntArray]:
    """Lists of whole numbers one after another: (n + 1,) where each starts, and all of them."""
    starts = np.cumsum([0, *(len(members) for members in lists)]).astype(np.int64)
    return starts, np.array([member for members in lists for member in members], np.int64)
