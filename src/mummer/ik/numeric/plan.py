"""What the core needs to know of a body for the goals at hand: which joints matter, and how they turn."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Pose
from mummer.character.limit_angles import is_whole_circle
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.goal_table import (
    AIM_ALONG,
    AIM_AT,
    JOINT_VALUE,
    MASS_HALF_SPACE,
    MASS_PLACE,
    MATCH,
    ORIENT,
    GoalTable,
)
from mummer.ik.numeric.arguments import STAYS
from mummer.ik.numeric.misses import row_count
from mummer.ik.problem import Problem, RootFreedom
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

EVERY = 1e9
"""Radians: the range of a joint that turns right round."""
TURNS = {FREE: 3, HINGE: 1, PIVOT: 2, BALL: 3}
ANGLES = (ORIENT, AIM_AT, AIM_ALONG, JOINT_VALUE, MATCH)
"""The kinds of entries that are missed by an angle."""
PLANS = 256
"""How many plans are remembered for one body."""


@dataclass(frozen=True, eq=False)
class Plan:
    """The arrays of a body for certain goals; see `mummer.ik.numeric.arguments.Body`.

    Attributes:
        joints, frames, used, owner, moments: see there.
        idle: (J,) whether a joint may turn but no goal depends on it.
        moment: ∫ r² dm about the centre of mass at rest, kg m².
        angles: (A,) the entries that are missed by an angle.
        labels: (N, 6) see `Goals`.
    """

    joints: IntArray
    frames: FloatArray
    used: IntArray
    owner: IntArray
    moments: FloatArray
    idle: BoolArray
    moment: float
    angles: IntArray
    labels: IntArray


_plans: WeakKeyDictionary[RigidBody, dict[object, Plan]] = WeakKeyDictionary()


def plan_for(problem: Problem, table: GoalTable) -> Plan:
    """The degrees of freedom that matter to the goals of ``problem``; remembered with its body."""
    plans = _plans.setdefault(problem.body, {})
    spoken_of = (table.kinds.tobytes(), table.joints.tobytes(), table.others.tobytes())
    asked = (table.hard.tobytes(), table.axes.tobytes())
    key = (*spoken_of, *asked, problem.movable.tobytes(), problem.root)
    found = plans.get(key)
    if found is None:
        if len(plans) >= PLANS:
            plans.clear()
        found = plans[key] = _make_plan(problem.body, table, problem.movable, problem.root)
    return found


def _make_plan(body: RigidBody, table: GoalTable, movable: BoolArray, root: RootFreedom) -> Plan:
    used, kinds = _used(body.parents, table), body.limits.kinds
    first, travel = np.where(movable, -1, STAYS), np.full(len(kinds), -1)
    owner: list[int] = []
    for joint in np.flatnonzero(used).tolist():
        if movable[joint]:
            first[joint] = len(owner)
            owner += [joint] * TURNS[int(kinds[joint])]
        if root == "free" and body.parents[joint] < 0:
            travel[joint] = len(owner)
            owner += [joint] * 3
    joints = np.column_stack([body.parents, kinds, first, travel]).astype(np.int64)
    used_joints, idle = np.flatnonzero(used), movable & ~used
    angles = np.flatnonzero(np.isin(table.kinds, ANGLES))
    return Plan(
        joints, _frames(body), used_joints, np.array(owner, np.int64), _moments(body), idle, _moment_of(body), angles,
        _labels(table),
    )  # fmt: skip


def _labels(table: GoalTable) -> IntArray:
    """(N, 6) see `Goals`."""
    rows = [row_count(int(kind), axes) for kind, axes in zip(table.kinds, table.axes, strict=True)]
    starts = np.zeros(len(table), np.int64)
    return np.column_stack([table.kinds, table.joints, table.others, table.hard, starts, np.array(rows, np.int64)])


def _frames(body: RigidBody) -> FloatArray:
    """(J, 17) how joints turn."""
    limits = body.limits
    ranges, second = limits.ranges.copy(), limits.second_ranges.copy()
    ranges[is_whole_circle(ranges[:, 0], ranges[:, 1])] = (-EVERY, EVERY)
    second[(limits.kinds == PIVOT) & is_whole_circle(second[:, 0], second[:, 1])] = (-EVERY, EVERY)
    third_axes = np.cross(limits.axes, limits.second_axes)
    return np.hstack([body.rest_rotations, limits.axes, limits.second_axes, third_axes, ranges, second])


def _moments(body: RigidBody) -> FloatArray:
    """(J, 10) the mass of each joint, its centre and its second moments about that."""
    seconds = body.mass.second_moments[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return np.hstack([body.mass.masses[:, None], body.mass.centers, seconds])


def _moment_of(body: RigidBody) -> float:
    """∫ r² dm about the centre of mass at rest, kg m²; never zero."""
    state, mass = WorldState(body.character, Pose.rest(body.skeleton)), body.mass
    away = state.positions[0] + quaternion.rotate(state.rotations[0], mass.centers) - state.center_of_mass[0]
    moment = mass.masses @ np.sum(away**2, axis=1) + np.trace(mass.second_moments, axis1=1, axis2=2).sum()
    return float(moment) or 0.1 * mass.total * body.height**2


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
