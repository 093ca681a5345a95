"""What the core needs to know of a body for the goals at hand: which joints matter, and how they turn."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character.limit_angles import is_whole_circle
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.goal_table import MASS_HALF_SPACE, MASS_PLACE, GoalTable
from mummer.ik.numeric.joint_angles import STAYS
from mummer.ik.problem import Problem, RootFreedom
from mummer.ik.rigid_body import RigidBody

EVERY = 1e9
"""Radians: the range of a joint that turns right round."""
TURNS = {FREE: 3, HINGE: 1, PIVOT: 2, BALL: 3}


@dataclass(frozen=True, eq=False)
class Shape:
    """The arrays of a body that no goal changes; see `mummer.ik.numeric.arguments.Body`."""

    parents: IntArray
    kinds: IntArray
    rest: FloatArray
    axes: FloatArray
    second_axes: FloatArray
    third_axes: FloatArray
    ranges: FloatArray
    second_ranges: FloatArray
    masses: FloatArray
    centers: FloatArray
    seconds: FloatArray


@dataclass(frozen=True, eq=False)
class Plan:
    """Which joints goals depend on, and the degrees of freedom that they have; see `Body`."""

    used: IntArray
    first: IntArray
    travel: IntArray
    owner: IntArray


_shapes: WeakKeyDictionary[RigidBody, Shape] = WeakKeyDictionary()
_plans: WeakKeyDictionary[RigidBody, dict[object, Plan]] = WeakKeyDictionary()


def shape_of(body: RigidBody) -> Shape:
    """The flat arrays of ``body``; made once."""
    found = _shapes.get(body)
    if found is None:
        found = _shapes[body] = _make_shape(body)
    return found


def _make_shape(body: RigidBody) -> Shape:
    limits = body.limits
    ranges, second = limits.ranges.copy(), limits.second_ranges.copy()
    ranges[is_whole_circle(ranges[:, 0], ranges[:, 1])] = (-EVERY, EVERY)
    second[(limits.kinds == PIVOT) & is_whole_circle(second[:, 0], second[:, 1])] = (-EVERY, EVERY)
    return Shape(
        np.ascontiguousarray(body.parents, np.int64), limits.kinds.astype(np.int64), body.rest_rotations,
        limits.axes, limits.second_axes, np.cross(limits.axes, limits.second_axes), ranges, second,
        body.mass.masses, body.mass.centers, body.mass.second_moments,
    )  # fmt: skip


def plan_for(problem: Problem, table: GoalTable) -> Plan:
    """The degrees of freedom that matter to the goals of ``problem``; remembered with its body."""
    plans = _plans.setdefault(problem.body, {})
    key = (table.kinds.tobytes(), table.joints.tobytes(), table.others.tobytes(), problem.movable.tobytes(), problem.root)
    found = plans.get(key)
    if found is None:
        if len(plans) > 256:
            plans.clear()
        found = plans[key] = _make_plan(problem.body, table, problem.movable, problem.root)
    return found


def _make_plan(body: RigidBody, table: GoalTable, movable: BoolArray, root: RootFreedom) -> Plan:
    used = _used(body.parents, table)
    first, travel = np.where(movable, -1, STAYS), np.full(len(body.parents), -1)
    owner: list[int] = []
    for joint in np.flatnonzero(used).tolist():
        if movable[joint]:
            first[joint] = len(owner)
            owner += [joint] * TURNS[int(body.limits.kinds[joint])]
        if root == "free" and body.parents[joint] < 0:
            travel[joint] = len(owner)
            owner += [joint] * 3
    return Plan(np.flatnonzero(used), first, travel, np.array(owner, np.int64))


def _used(parents: IntArray, table: GoalTable) -> BoolArray:
    """(J,) the joints that some goal depends on: all above those that it speaks of."""
    if np.isin(table.kinds, (MASS_PLACE, MASS_HALF_SPACE)).any():
        return np.ones(len(parents), bool)
    used = np.zeros(len(parents), bool)
    for joint in (*table.joints.tolist(), *table.others.tolist()):
        while joint >= 0 and not used[joint]:
            used[joint] = True
            joint = int(parents[joint])
    return used
