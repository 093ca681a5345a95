"""How far a stance misses each entry of the goals, row by row, and how rows change when joints move: the Jacobian."""

# ruff: noqa: SIM109  (chains of == compile faster than looking into a tuple)

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.ik.goal_table import (
    AIM_ALONG,
    AIM_AT,
    APART,
    HALF_SPACE,
    JOINT_VALUE,
    MASS_HALF_SPACE,
    MASS_PLACE,
    MATCH,
    ORIENT,
    PLACE,
    TOGETHER,
)
from mummer.ik.numeric import records as col
from mummer.ik.numeric.posing import dof_count
from mummer.ik.numeric.records import Body, Goals, Work
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import (
    across,
    back,
    cross,
    dot,
    four,
    logarithm,
    minus,
    plus,
    put_three,
    scaled,
    size,
    three,
    times,
    turned,
)

RADIAN = 0.25
"""In heights: the length that a radian of a turn counts as, beside lengths."""
FAR = 1e9
"""Metres: the target of an aim along a direction."""


def is_one_sided(kind: int) -> bool:
    """Whether an entry asks for no more than one side of something."""
    return kind == HALF_SPACE or kind == APART or kind == MASS_HALF_SPACE


def is_turn(kind: int) -> bool:
    """Whether an entry asks for a whole rotation."""
    return kind == ORIENT or kind == MATCH or kind == JOINT_VALUE


def is_aim(kind: int) -> bool:
    """Whether an entry asks for a direction."""
    return kind == AIM_AT or kind == AIM_ALONG


def is_about_mass(kind: int) -> bool:
    """Whether an entry speaks of the centre of mass."""
    return kind == MASS_PLACE or kind == MASS_HALF_SPACE


def row_count(kind: int, axes: FloatArray) -> int:
    """How many rows an entry has."""
    if is_one_sided(kind):
        return 1
    if is_aim(kind):
        return 2
    if kind in (PLACE, MASS_PLACE):
        return int((axes != 0.0).sum())
    return 3


def point_of(world: FloatArray, joint: int, values: FloatArray, entry: int, column: int) -> Three:
    """Where a point of a joint is in the world."""
    return plus(turned(four(world, joint, col.TURN), three(values, entry, column)), three(world, joint, col.PLACE_AT))


@apart
def measure(goals: Goals, body: Body, work: Work) -> None:
    """Fill the row AHEAD, metres: what each row still lacks; below zero for a one-sided row with room to spare."""
    labels, rows = goals.labels, work.rows
    for entry in range(labels.shape[0]):
        if labels[entry, col.ROWS] == 0:
            continue
        kind, row = labels[entry, col.GOAL_KIND], labels[entry, col.ROW]
        if is_turn(kind):
            lacking = turn_miss(goals, entry, body, work.stance, work.world)
            put_three(rows, col.AHEAD, row, scaled(lacking, goals.how.radian))
        elif is_aim(kind):
            rows[col.AHEAD, row], rows[col.AHEAD, row + 1] = aim_miss(goals, entry, work.world)
        else:
            place_miss(goals, entry, work)


@apart
def turn_miss(goals: Goals, entry: int, body: Body, stance: FloatArray, world: FloatArray) -> Three:
    """Axis times angle, in the world, of the turn that is still lacking."""
    joint, wanted = goals.labels[entry, col.JOINT], four(goals.values, entry, col.TARGET)
    kind = goals.labels[entry, col.GOAL_KIND]
    if kind == JOINT_VALUE:
        parent, lacking = body.joints[joint, col.PARENT], logarithm(times(wanted, back(four(stance, joint, col.LOCAL))))
        return lacking if parent < 0 else turned(four(world, parent, col.TURN), lacking)
    if kind == MATCH:
        wanted = times(four(world, goals.labels[entry, col.OTHER], col.TURN), wanted)
    return logarithm(times(wanted, back(four(world, joint, col.TURN))))


@apart
def place_miss(goals: Goals, entry: int, work: Work) -> None:
    """Fill the rows of an entry that speaks of places."""
    labels, values, rows = goals.labels, goals.values, work.rows
    kind, row, joint = labels[entry, col.GOAL_KIND], labels[entry, col.ROW], labels[entry, col.JOINT]
    point = three(work.lever, 3, 0)
    if joint >= 0:
        point = point_of(work.world, joint, values, entry, col.POINT)
    if kind == TOGETHER or kind == APART:
        point = minus(point, point_of(work.world, labels[entry, col.OTHER], values, entry, col.OTHER_POINT))
    if is_one_sided(kind):
        rows[col.AHEAD, row] = values[entry, col.TARGET + 3] - dot(plane_normal(values, entry, kind), point)
        return
    for axis in range(3):
        if kind == TOGETHER or values[entry, col.AXES + axis] != 0.0:
            rows[col.AHEAD, row] = values[entry, col.TARGET + axis] - point[axis]
            row += 1


def plane_normal(values: FloatArray, entry: int, kind: int) -> Three:
    """The direction of a one-sided entry."""
    return three(values, entry, col.AXES if kind == HALF_SPACE else col.TARGET)


@apart
def sight(goals: Goals, entry: int, world: FloatArray) -> tuple[Three, Three, float]:
    """Where an aim points, where it should point, both unit, and how far away its target is."""
    joint = goals.labels[entry, col.JOINT]
    pointing = turned(four(world, joint, col.TURN), three(goals.values, entry, col.AXES))
    wanted = three(goals.values, entry, col.TARGET)
    if goals.labels[entry, col.GOAL_KIND] != AIM_AT:
        return pointing, wanted, FAR
    away = minus(wanted, point_of(world, joint, goals.values, entry, col.POINT))
    distance = size(away)
    if distance < 1e-9:
        return pointing, pointing, FAR
    return pointing, (away[0] / distance, away[1] / distance, away[2] / distance), distance


@apart
def aim_miss(goals: Goals, entry: int, world: FloatArray) -> tuple[float, float]:
    """The turn that an aim still lacks, along two axes across where it points."""
    pointing, wanted, _ = sight(goals, entry, world)
    side = across(pointing)
    lacking, cosine = cross(pointing, wanted), dot(pointing, wanted)
    sine = size(lacking)
    angle = math.atan2(sine, cosine) * goals.how.radian
    if sine < 1e-9:
        # Right behind: turn any way. Right ahead: nothing is lacking.
        return (angle, 0.0) if cosine < 0.0 else (0.0, 0.0)
    return angle / sine * dot(lacking, side), angle / sine * dot(lacking, cross(pointing, side))


def near_enough(goals: Goals, entry: int) -> float:
    """Metres up to which an entry counts as met; a turn is asked for as many radians as a place is for heights."""
    kind = goals.labels[entry, col.GOAL_KIND]
    return goals.how.near * RADIAN if is_turn(kind) or is_aim(kind) else goals.how.near


def miss_size(goals: Goals, entry: int, rows: FloatArray, part: int) -> float:
    """How far an entry is missed, metres, by MISS or AHEAD of the rows."""
    row, count = goals.labels[entry, col.ROW], goals.labels[entry, col.ROWS]
    if count == 1 and is_one_sided(goals.labels[entry, col.GOAL_KIND]):
        return max(rows[part, row], 0.0)
    total = 0.0
    for place in range(row, row + count):
        total += rows[part, place] * rows[part, place]
    return math.sqrt(total)


@apart
def write_slopes(goals: Goals, body: Body, work: Work) -> None:
    """Fill ``work.slopes`` and BEND; ``work.carried`` must be up to date where a goal speaks of the centre of mass."""
    labels = goals.labels
    for dof in range(work.slopes.shape[0]):
        work.dofs[col.BEND, dof] = 0.0
        for row in range(work.slopes.shape[1]):
            work.slopes[dof, row] = 0.0
    for entry in range(labels.shape[0]):
        if labels[entry, col.ROWS] == 0:
            continue
        kind, joint = labels[entry, col.GOAL_KIND], labels[entry, col.JOINT]
        write_lever(goals, entry, work.world, work.lever)
        if is_about_mass(kind):
            mass_slopes(body, work, labels[entry, col.ROW], labels[entry, col.ROWS])
            continue
        paired = kind == TOGETHER or kind == APART or kind == MATCH
        for side in range(2 if paired else 1):
            point = point_of(work.world, joint, goals.values, entry, col.POINT if side == 0 else col.OTHER_POINT)
            sign, alone = (1.0 if side == 0 else -1.0), kind == JOINT_VALUE
            chain_slopes(body, joint, point, work, labels[entry, col.ROW], labels[entry, col.ROWS], sign, alone)
            joint = labels[entry, col.OTHER]
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
    kind, values = goals.labels[entry, col.GOAL_KIND], goals.values
    if is_turn(kind):
        for axis in range(3):
            lever[axis, 3 + axis] = goals.how.radian
    elif is_aim(kind):
        aim_lever(goals, entry, world, lever)
    elif is_one_sided(kind):
        put_three(lever, 0, 0, plane_normal(values, entry, kind))
    else:
        row = 0
        for axis in range(3):
            if kind == TOGETHER or values[entry, col.AXES + axis] != 0.0:
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
        put_three(lever, row, 3, scaled(side, goals.how.radian))
        put_three(lever, row, 0, scaled(moved, goals.how.radian / distance))


@apart
def chain_slopes(
    body: Body, joint: int, point: Three, work: Work, row: int, count: int, sign: float, alone: bool
) -> None:
    """Add what the joint and all above it do to a point that it carries; or the joint ``alone``."""
    while joint >= 0:
        add_joint(body, joint, minus(point, three(work.world, joint, col.PLACE_AT)), work, row, count, sign)
        if alone:
            return
        joint = body.joints[joint, col.PARENT]


def add_joint(body: Body, joint: int, arm: Three, work: Work, row: int, count: int, sign: float) -> None:
    """Add what one joint does to a point at ``arm`` from it; a root's way as well.

    A point that turns about an axis leaves its tangent towards the axis: where a row pulls it the other way, that is a
    spring, far stiffer than the metric on a limb that is stretched out.
    """
    slopes, lever = work.slopes, work.lever
    first, travel = body.joints[joint, col.FIRST], body.joints[joint, col.TRAVEL]
    if first >= 0:
        for column in range(dof_count(body.joints[joint, col.KIND])):
            axis = three(work.world, joint, col.COLUMN + 3 * column)
            moved = cross(axis, arm)
            for k in range(count):
                change = dot(three(lever, k, 0), moved) + dot(three(lever, k, 3), axis)
                slopes[first + column, row + k] += sign * change
                inwards = dot(three(lever, k, 0), cross(axis, moved))
                work.dofs[col.BEND, first + column] -= sign * inwards * work.rows[col.PUSH, row + k]
    if travel >= 0:
        for way in range(3):
            for k in range(count):
                slopes[travel + way, row + k] += sign * lever[k, way]


@apart
def mass_slopes(body: Body, work: Work, row: int, count: int) -> None:
    """What every joint does to the centre of mass: it moves the part that hangs from it."""
    carried, total = work.carried, 0.0
    for joint in range(body.joints.shape[0]):
        if body.joints[joint, col.PARENT] < 0:
            total += carried[joint, 0]
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        mass = carried[joint, 0]
        if mass > 0.0:
            middle = (carried[joint, 1] / mass, carried[joint, 2] / mass, carried[joint, 3] / mass)
            add_joint(
                body, joint, minus(middle, three(work.world, joint, col.PLACE_AT)), work, row, count, mass / total
            )
