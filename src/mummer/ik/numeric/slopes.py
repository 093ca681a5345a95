"""How the rows of the goals change when degrees of freedom move: the Jacobian, column by column."""

# ruff: noqa: SIM109  (chains of == compile faster than looking into a tuple)

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.ik.goal_table import APART, JOINT_VALUE, MATCH, TOGETHER
from mummer.ik.numeric.arguments import (
    AXES,
    BEND,
    COLUMN,
    FIRST,
    GOAL_KIND,
    JOINT,
    KIND,
    OTHER,
    OTHER_POINT,
    PARENT,
    PLACE_AT,
    POINT,
    PUSH,
    ROW,
    ROWS,
    TRAVEL,
    Body,
    Goals,
    Work,
)
from mummer.ik.numeric.misses import across, is_about_mass, is_aim, is_one_sided, is_turn, plane_normal, point_of, sight
from mummer.ik.numeric.posing import dof_count
from mummer.ik.numeric.turns import cross, dot, minus, three
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three


@apart
def write_slopes(goals: Goals, body: Body, world: FloatArray, work: Work) -> None:
    """Fill ``work.slopes`` and BEND; ``work.carried`` must be up to date where a goal speaks of the centre of mass."""
    labels = goals.labels
    for dof in range(work.slopes.shape[0]):
        work.dofs[BEND, dof] = 0.0
        for row in range(work.slopes.shape[1]):
            work.slopes[dof, row] = 0.0
    for entry in range(labels.shape[0]):
        if labels[entry, ROWS] == 0:
            continue
        kind, joint = labels[entry, GOAL_KIND], labels[entry, JOINT]
        write_lever(goals, entry, world, work.lever)
        if is_about_mass(kind):
            mass_slopes(body, world, work, labels[entry, ROW], labels[entry, ROWS])
            continue
        paired = kind == TOGETHER or kind == APART or kind == MATCH
        for side in range(2 if paired else 1):
            point = point_of(world, joint, goals.values, entry, POINT if side == 0 else OTHER_POINT)
            sign, alone = (1.0 if side == 0 else -1.0), kind == JOINT_VALUE
            chain_slopes(body, world, joint, point, work, labels[entry, ROW], labels[entry, ROWS], sign, alone)
            joint = labels[entry, OTHER]
    find_spans(work)


def find_spans(work: Work) -> None:
    """Fill in ``work.spans``: from which row to which the slopes of each degree of freedom are not zero."""
    for dof in range(work.slopes.shape[0]):
        first, last = work.slopes.shape[1], 0
        for row in range(work.slopes.shape[1]):
            if work.slopes[dof, row] != 0.0:
                first, last = min(first, row), row + 1
        work.spans[dof, 0], work.spans[dof, 1] = first, last


@apart
def write_lever(goals: Goals, entry: int, world: FloatArray, lever: FloatArray) -> None:
    """Fill ``lever``: a row changes by a velocity times three numbers plus a turn times three more."""
    for row in range(3):
        for part in range(6):
            lever[row, part] = 0.0
    kind, values = goals.labels[entry, GOAL_KIND], goals.values
    if is_turn(kind):
        for axis in range(3):
            lever[axis, 3 + axis] = goals.radian
    elif is_aim(kind):
        aim_lever(goals, entry, world, lever)
    elif is_one_sided(kind):
        lever[0, 0], lever[0, 1], lever[0, 2] = plane_normal(values, entry, kind)
    else:
        row = 0
        for axis in range(3):
            if kind == TOGETHER or values[entry, AXES + axis] != 0.0:
                lever[row, axis] = 1.0
                row += 1


@apart
def aim_lever(goals: Goals, entry: int, world: FloatArray, lever: FloatArray) -> None:
    """An aim turns with its joint, and its line of sight turns when the eye moves."""
    pointing, wanted, distance = sight(goals, entry, world)
    first = across(pointing)
    second = cross(pointing, first)
    for row in range(2):
        side = first if row == 0 else second
        moved = cross(side, wanted)
        for axis in range(3):
            lever[row, 3 + axis] = goals.radian * side[axis]
            lever[row, axis] = goals.radian * moved[axis] / distance


@apart
def chain_slopes(
    body: Body, world: FloatArray, joint: int, point: Three, work: Work, row: int, count: int, sign: float, alone: bool
) -> None:
    """Add what the joint and all above it do to a point that it carries; or the joint ``alone``."""
    while joint >= 0:
        add_joint(body, world, joint, minus(point, three(world, joint, PLACE_AT)), work, row, count, sign)
        if alone:
            return
        joint = body.joints[joint, PARENT]


def add_joint(
    body: Body, world: FloatArray, joint: int, arm: Three, work: Work, row: int, count: int, sign: float
) -> None:
    """Add what one joint does to a point at ``arm`` from it; a root's way as well.

    A point that turns about an axis leaves its tangent towards the axis: where a row pulls it the other way, that is a
    spring, far stiffer than the metric on a limb that is stretched out.
    """
    slopes, lever = work.slopes, work.lever
    first, travel = body.joints[joint, FIRST], body.joints[joint, TRAVEL]
    if first >= 0:
        for column in range(dof_count(body.joints[joint, KIND])):
            axis = three(world, joint, COLUMN + 3 * column)
            moved = cross(axis, arm)
            for k in range(count):
                change = dot(three(lever, k, 0), moved) + dot(three(lever, k, 3), axis)
                slopes[first + column, row + k] += sign * change
                inwards = dot(three(lever, k, 0), cross(axis, moved))
                work.dofs[BEND, first + column] -= sign * inwards * work.rows[PUSH, row + k]
    if travel >= 0:
        for way in range(3):
            for k in range(count):
                slopes[travel + way, row + k] += sign * lever[k, way]


@apart
def mass_slopes(body: Body, world: FloatArray, work: Work, row: int, count: int) -> None:
    """What every joint does to the centre of mass: it moves the part that hangs from it."""
    carried, total = work.carried, 0.0
    for joint in range(body.joints.shape[0]):
        if body.joints[joint, PARENT] < 0:
            total += carried[joint, 0]
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        mass = carried[joint, 0]
        if mass > 0.0:
            middle = (carried[joint, 1] / mass, carried[joint, 2] / mass, carried[joint, 3] / mass)
            add_joint(body, world, joint, minus(middle, three(world, joint, PLACE_AT)), work, row, count, mass / total)
