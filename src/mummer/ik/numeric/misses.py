"""How far a stance misses each entry of the goals, row by row."""

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
from mummer.ik.numeric.arguments import (
    AHEAD,
    AXES,
    GOAL_KIND,
    JOINT,
    LOCAL,
    OTHER,
    OTHER_POINT,
    PARENT,
    PLACE_AT,
    POINT,
    ROW,
    ROWS,
    TARGET,
    TURN,
    Body,
    Goals,
    Work,
)
from mummer.ik.numeric.turns import cross, dot, four, from_to, length, minus, plus, product, rotated, three
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three

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
    return plus(rotated(four(world, joint, TURN), three(values, entry, column)), three(world, joint, PLACE_AT))


@apart
def measure(goals: Goals, body: Body, stance: FloatArray, world: FloatArray, work: Work) -> None:
    """Fill the row AHEAD, metres: what each row still lacks; below zero for a one-sided row with room to spare."""
    labels, rows = goals.labels, work.rows
    for entry in range(labels.shape[0]):
        if labels[entry, ROWS] == 0:
            continue
        kind, row = labels[entry, GOAL_KIND], labels[entry, ROW]
        if is_turn(kind):
            x, y, z = turn_miss(goals, entry, body, stance, world)
            rows[AHEAD, row], rows[AHEAD, row + 1] = goals.radian * x, goals.radian * y
            rows[AHEAD, row + 2] = goals.radian * z
        elif is_aim(kind):
            rows[AHEAD, row], rows[AHEAD, row + 1] = aim_miss(goals, entry, world)
        else:
            place_miss(goals, entry, world, work)


@apart
def turn_miss(goals: Goals, entry: int, body: Body, stance: FloatArray, world: FloatArray) -> Three:
    """Axis times angle, in the world, of the turn that is still lacking."""
    joint, wanted = goals.labels[entry, JOINT], four(goals.values, entry, TARGET)
    kind = goals.labels[entry, GOAL_KIND]
    if kind == JOINT_VALUE:
        parent, lacking = body.joints[joint, PARENT], from_to(four(stance, joint, LOCAL), wanted)
        return lacking if parent < 0 else rotated(four(world, parent, TURN), lacking)
    if kind == MATCH:
        wanted = product(four(world, goals.labels[entry, OTHER], TURN), wanted)
    return from_to(four(world, joint, TURN), wanted)


@apart
def place_miss(goals: Goals, entry: int, world: FloatArray, work: Work) -> None:
    """Fill the rows of an entry that speaks of places."""
    labels, values, rows = goals.labels, goals.values, work.rows
    kind, row, joint = labels[entry, GOAL_KIND], labels[entry, ROW], labels[entry, JOINT]
    point = three(work.lever, 3, 0)
    if joint >= 0:
        point = point_of(world, joint, values, entry, POINT)
    if kind == TOGETHER or kind == APART:
        point = minus(point, point_of(world, labels[entry, OTHER], values, entry, OTHER_POINT))
    if is_one_sided(kind):
        rows[AHEAD, row] = values[entry, TARGET + 3] - dot(plane_normal(values, entry, kind), point)
        return
    for axis in range(3):
        if kind == TOGETHER or values[entry, AXES + axis] != 0.0:
            rows[AHEAD, row] = values[entry, TARGET + axis] - point[axis]
            row += 1


def plane_normal(values: FloatArray, entry: int, kind: int) -> Three:
    """The direction of a one-sided entry."""
    return three(values, entry, AXES if kind == HALF_SPACE else TARGET)


@apart
def sight(goals: Goals, entry: int, world: FloatArray) -> tuple[Three, Three, float]:
    """Where an aim points, where it should point, both unit, and how far away its target is."""
    joint = goals.labels[entry, JOINT]
    pointing = rotated(four(world, joint, TURN), three(goals.values, entry, AXES))
    wanted = three(goals.values, entry, TARGET)
    if goals.labels[entry, GOAL_KIND] != AIM_AT:
        return pointing, wanted, FAR
    away = minus(wanted, point_of(world, joint, goals.values, entry, POINT))
    distance = length(away)
    if distance < 1e-9:
        return pointing, pointing, FAR
    return pointing, (away[0] / distance, away[1] / distance, away[2] / distance), distance


def across(v: Three) -> Three:
    """A unit vector at right angles to the unit vector v."""
    x, y, z = v
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        size = math.sqrt(y * y + z * z)
        return 0.0, -z / size, y / size
    if abs(y) <= abs(z):
        size = math.sqrt(x * x + z * z)
        return z / size, 0.0, -x / size
    size = math.sqrt(x * x + y * y)
    return -y / size, x / size, 0.0


@apart
def aim_miss(goals: Goals, entry: int, world: FloatArray) -> tuple[float, float]:
    """The turn that an aim still lacks, along two axes across where it points."""
    pointing, wanted, _ = sight(goals, entry, world)
    side = across(pointing)
    lacking, cosine = cross(pointing, wanted), dot(pointing, wanted)
    sine = length(lacking)
    angle = math.atan2(sine, cosine) * goals.radian
    if sine < 1e-9:
        # Right behind: turn any way. Right ahead: nothing is lacking.
        return (angle, 0.0) if cosine < 0.0 else (0.0, 0.0)
    return angle / sine * dot(lacking, side), angle / sine * dot(lacking, cross(pointing, side))


def near_enough(goals: Goals, entry: int) -> float:
    """Metres up to which an entry counts as met; a turn is asked for as many radians as a place is for heights."""
    kind = goals.labels[entry, GOAL_KIND]
    return goals.near * RADIAN if is_turn(kind) or is_aim(kind) else goals.near


def miss_size(goals: Goals, entry: int, rows: FloatArray, part: int) -> float:
    """How far an entry is missed, metres, by MISS or AHEAD of the rows."""
    row, count = goals.labels[entry, ROW], goals.labels[entry, ROWS]
    if count == 1 and is_one_sided(goals.labels[entry, GOAL_KIND]):
        return max(rows[part, row], 0.0)
    total = 0.0
    for place in range(row, row + count):
        total += rows[part, place] * rows[part, place]
    return math.sqrt(total)
