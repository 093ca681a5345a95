"""From a problem to arrays, through the kernel, and back to poses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Pose
from mummer.ik.body_goals import Near
from mummer.ik.goal_table import GoalTable
from mummer.ik.numeric.kernel import solve_problems
from mummer.ik.numeric.misses import row_count
from mummer.ik.numeric.plan import plan_for, shape_of
from mummer.ik.problem import Problem
from mummer.kernels.place import CPU

RADIAN = 0.25
"""In heights: the length that a radian of a turn counts as, beside lengths."""


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What the solvers choose for the core.

    Attributes:
        most: steps.
        pull: how strongly a body stays near its start, beside soft goals of weight 1.
        restitution: parts of mass times height squared that every turn costs at least.
    """

    most: int = 100
    pull: float = 0.01
    restitution: float = 1e-4


def run(problem: Problem, table: GoalTable, tuning: Tuning) -> tuple[Pose, IntArray]:
    """The poses found and the steps taken."""
    body, count = problem.body, len(problem)
    shape, plan = shape_of(body), plan_for(problem, table)
    total, height = body.mass.total, body.height
    settings = np.array([
        height, RADIAN * height, problem.tolerance * min(1.0, RADIAN) * height,
        1e-4 * height * np.sqrt(total * tuning.pull), total, tuning.restitution * total * height**2,
    ])  # fmt: skip
    full_rows = np.array([row_count(kind, axes) for kind, axes in zip(table.kinds, table.axes, strict=True)], np.int64)
    start = problem.start
    rotations = np.empty((count, len(shape.parents), 4))
    roots = np.empty((count, len(shape.parents), 3))
    steps = np.zeros(count, np.int64)
    offsets = np.ascontiguousarray(body.offsets_of(start))
    given = np.ascontiguousarray(start.rotations)
    root = np.ascontiguousarray(start.root_translation)
    pulls = np.full(len(shape.parents), tuning.pull)
    CPU.run(
        solve_problems, count,
        shape.parents, shape.kinds, shape.rest, shape.axes, shape.second_axes, shape.third_axes, shape.ranges,
        shape.second_ranges, plan.used, plan.first, plan.travel, plan.owner, shape.masses, shape.centers, shape.seconds,
        table.kinds, table.joints, table.others, table.hard, table.points, table.other_points, table.axes, full_rows,
        table.targets, table.weights, given, offsets, root, given, offsets, root, pulls, settings,
        np.array([tuning.most]), rotations, roots, steps,
    )  # fmt: skip
    return start.replace(rotations=rotations, root_translation=roots[:, 0]), steps
