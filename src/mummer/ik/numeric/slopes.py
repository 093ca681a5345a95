"""How the rows of the goals change when degrees of freedom move: the Jacobian, column by column."""

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.ik.goal_table import (
    AIM_ALONG,
    AIM_AT,
    APART,
    JOINT_VALUE,
    MASS_HALF_SPACE,
    MASS_PLACE,
    MATCH,
    ORIENT,
    TOGETHER,
)
from mummer.ik.numeric.arguments import Body, Entries, World
from mummer.ik.numeric.misses import across, is_inequality, plane_normal, point_of, sight
from mummer.ik.numeric.posing import dof_count
from mummer.ik.numeric.turns import cross
from mummer.kernels.scalars import Three


def write_slopes(
    entries: Entries, body: Body, world: World, carried: FloatArray, lever: FloatArray, slopes: FloatArray
) -> None:
    """Fill ``slopes`` (D, R): by how much each degree of freedom lessens what each row lacks.

    Args:
        entries: the goals.
        body: the body.
        world: where its joints are.
        carried: (J, 4) mass and first moments of what hangs from each joint; used for the centre of mass.
        lever: (3, 6) room for what one entry's rows take from velocities and from turns.
        slopes: the result.
    """
    slopes[:, :] = 0.0
    for entry in range(entries.kinds.shape[0]):
        count = entries.rows[entry]
        if count == 0:
            continue
        kind, row, joint = entries.kinds[entry], entries.row[entry], entries.joints[entry]
        write_lever(entries, entry, world, lever)
        if kind == MASS_PLACE or kind == MASS_HALF_SPACE:
            mass_slopes(body, world, carried, lever, row, count, slopes)
            continue
        point = point_of(world, joint, entries.points, entry)
        chain_slopes(body, world, joint, point, lever, row, count, 1.0, kind == JOINT_VALUE, slopes)
        if kind == TOGETHER or kind == APART or kind == MATCH:
            other = entries.others[entry]
            far = point_of(world, other, entries.other_points, entry)
            chain_slopes(body, world, other, far, lever, row, count, -1.0, False, slopes)


def write_lever(entries: Entries, entry: int, world: World, lever: FloatArray) -> None:
    """Fill ``lever``: each row is a velocity times its first three numbers plus a turn times its last three."""
    lever[:, :] = 0.0
    kind = entries.kinds[entry]
    if kind == ORIENT or kind == MATCH or kind == JOINT_VALUE:
        for axis in range(3):
            lever[axis, 3 + axis] = entries.radian
    elif kind == AIM_AT or kind == AIM_ALONG:
        aim_lever(entries, entry, world, lever)
    elif is_inequality(kind):
        lever[0, 0], lever[0, 1], lever[0, 2] = plane_normal(entries, entry, kind)
    else:
        row = 0
        for axis in range(3):
            if kind == TOGETHER or entries.axes[entry, axis] != 0.0:
                lever[row, axis] = 1.0
                row += 1


def aim_lever(entries: Entries, entry: int, world: World, lever: FloatArray) -> None:
    """An aim turns with its joint, and its line of sight turns when the eye moves."""
    pointing, wanted, distance = sight(entries, entry, world)
    first = across(pointing[0], pointing[1], pointing[2])
    second = cross(pointing[0], pointing[1], pointing[2], first[0], first[1], first[2])
    for row in range(2):
        side = first if row == 0 else second
        moved = cross(side[0], side[1], side[2], wanted[0], wanted[1], wanted[2])
        for axis in range(3):
            lever[row, 3 + axis] = entries.radian * side[axis]
            lever[row, axis] = entries.radian * moved[axis] / distance


def chain_slopes(
    body: Body,
    world: World,
    joint: int,
    point: Three,
    lever: FloatArray,
    row: int,
    count: int,
    sign: float,
    alone: bool,
    slopes: FloatArray,
) -> None:
    """Add what the joint and all above it do to a point that it carries; or the joint ``alone``."""
    positions = world.positions
    while joint >= 0:
        first, travel = body.first[joint], body.travel[joint]
        if first >= 0:
            x, y = point[0] - positions[joint, 0], point[1] - positions[joint, 1]
            z = point[2] - positions[joint, 2]
            for column in range(dof_count(body.kinds[joint])):
                add_slopes(world, joint, column, x, y, z, lever, row, count, sign, slopes[first + column])
        if alone:
            return
        if travel >= 0:
            for axis in range(3):
                for k in range(count):
                    slopes[travel + axis, row + k] += sign * lever[k, axis]
        joint = body.parents[joint]


def add_slopes(
    world: World,
    joint: int,
    column: int,
    x: float,
    y: float,
    z: float,
    lever: FloatArray,
    row: int,
    count: int,
    sign: float,
    slope: FloatArray,
) -> None:
    """Add to ``slope`` (R,) what one turning axis does to a point at xyz from its joint."""
    a, b, c = world.columns[joint, column, 0], world.columns[joint, column, 1], world.columns[joint, column, 2]
    vx, vy, vz = cross(a, b, c, x, y, z)
    for k in range(count):
        moved = lever[k, 0] * vx + lever[k, 1] * vy + lever[k, 2] * vz
        slope[row + k] += sign * (moved + lever[k, 3] * a + lever[k, 4] * b + lever[k, 5] * c)


def mass_slopes(
    body: Body, world: World, carried: FloatArray, lever: FloatArray, row: int, count: int, slopes: FloatArray
) -> None:
    """What every joint does to the centre of mass: it moves the part that hangs from it."""
    total = 0.0
    for joint in range(body.parents.shape[0]):
        if body.parents[joint] < 0:
            total += carried[joint, 0]
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        share = carried[joint, 0] / total
        first, travel = body.first[joint], body.travel[joint]
        if travel >= 0:
            for axis in range(3):
                for k in range(count):
                    slopes[travel + axis, row + k] += share * lever[k, axis]
        if first >= 0 and carried[joint, 0] > 0.0:
            x = carried[joint, 1] / carried[joint, 0] - world.positions[joint, 0]
            y = carried[joint, 2] / carried[joint, 0] - world.positions[joint, 1]
            z = carried[joint, 3] / carried[joint, 0] - world.positions[joint, 2]
            for column in range(dof_count(body.kinds[joint])):
                add_slopes(world, joint, column, x, y, z, lever, row, count, share, slopes[first + column])
