"""How far a stance misses each entry of the goals, row by row, and how rows change when joints turn."""

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
from mummer.ik.numeric.arguments import Body, Entries, Stance, World
from mummer.ik.numeric.turns import cross, from_to, product, rotated
from mummer.kernels.scalars import Four, Three


def is_inequality(kind: int) -> bool:
    """Whether an entry asks for no more than one side of something."""
    return kind == HALF_SPACE or kind == APART or kind == MASS_HALF_SPACE


def point_of(world: World, joint: int, points: FloatArray, entry: int) -> Three:
    """Where a point of a joint is in the world."""
    positions = world.positions
    x, y, z = rotated(turn_of(world, joint), (points[entry, 0], points[entry, 1], points[entry, 2]))
    return x + positions[joint, 0], y + positions[joint, 1], z + positions[joint, 2]


def turn_of(world: World, joint: int) -> Four:
    """world_from_joint."""
    rotations = world.rotations
    return rotations[joint, 0], rotations[joint, 1], rotations[joint, 2], rotations[joint, 3]


def target_turn(entries: Entries, entry: int) -> Four:
    """The target of an entry as a rotation."""
    targets = entries.targets
    return targets[entry, 0], targets[entry, 1], targets[entry, 2], targets[entry, 3]


def measure(entries: Entries, body: Body, stance: Stance, world: World, center: FloatArray, miss: FloatArray) -> None:
    """Fill ``miss`` (R,), metres: what each row still lacks; below zero for a one-sided row with room to spare.

    Args:
        entries: the goals.
        body: the body.
        stance: how it stands.
        world: where that puts its joints.
        center: (3,) of mass; used by entries that speak of it.
        miss: the result.
    """
    for entry in range(entries.kinds.shape[0]):
        row, count = entries.row[entry], entries.rows[entry]
        if count == 0:
            continue
        kind = entries.kinds[entry]
        if kind == ORIENT or kind == MATCH or kind == JOINT_VALUE:
            x, y, z = turn_miss(entries, entry, kind, body, stance, world)
            miss[row], miss[row + 1] = entries.radian * x, entries.radian * y
            miss[row + 2] = entries.radian * z
        elif kind == AIM_AT or kind == AIM_ALONG:
            miss[row], miss[row + 1] = aim_miss(entries, entry, world)
        else:
            place_miss(entries, entry, kind, world, center, miss)


def turn_miss(entries: Entries, entry: int, kind: int, body: Body, stance: Stance, world: World) -> Three:
    """Axis times angle, in the world, of the turn that is still lacking."""
    joint, wanted = entries.joints[entry], target_turn(entries, entry)
    if kind == JOINT_VALUE:
        local, parent = stance.local, body.parents[joint]
        x, y, z = from_to(local[joint, 0], local[joint, 1], local[joint, 2], local[joint, 3], *wanted)
        return (x, y, z) if parent < 0 else rotated(turn_of(world, parent), (x, y, z))
    own = turn_of(world, joint)
    if kind == MATCH:
        wanted = product(turn_of(world, entries.others[entry]), wanted)
    return from_to(own[0], own[1], own[2], own[3], wanted[0], wanted[1], wanted[2], wanted[3])


def place_miss(entries: Entries, entry: int, kind: int, world: World, center: FloatArray, miss: FloatArray) -> None:
    """The rows of an entry that speaks of places."""
    row, joint, targets, axes = entries.row[entry], entries.joints[entry], entries.targets, entries.axes
    point = (center[0], center[1], center[2])
    if joint >= 0:
        point = point_of(world, joint, entries.points, entry)
    if kind == TOGETHER or kind == APART:
        other = point_of(world, entries.others[entry], entries.other_points, entry)
        point = (point[0] - other[0], point[1] - other[1], point[2] - other[2])
    if is_inequality(kind):
        normal = plane_normal(entries, entry, kind)
        along = normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2]
        miss[row] = targets[entry, 3] - along
        return
    for axis in range(3):
        if kind == TOGETHER or axes[entry, axis] != 0.0:
            miss[row] = targets[entry, axis] - point[axis]
            row += 1


def plane_normal(entries: Entries, entry: int, kind: int) -> Three:
    """The direction of a one-sided entry."""
    axes, targets = entries.axes, entries.targets
    if kind == HALF_SPACE:
        return axes[entry, 0], axes[entry, 1], axes[entry, 2]
    return targets[entry, 0], targets[entry, 1], targets[entry, 2]


def sight(entries: Entries, entry: int, world: World) -> tuple[Three, Three, float]:
    """Where an aim points, where it should point, both unit, and how far away its target is."""
    joint, axes, targets = entries.joints[entry], entries.axes, entries.targets
    pointing = rotated(turn_of(world, joint), (axes[entry, 0], axes[entry, 1], axes[entry, 2]))
    x, y, z = targets[entry, 0], targets[entry, 1], targets[entry, 2]
    distance = 1e9
    if entries.kinds[entry] == AIM_AT:
        eye = point_of(world, joint, entries.points, entry)
        x, y, z = x - eye[0], y - eye[1], z - eye[2]
        distance = math.sqrt(x * x + y * y + z * z)
        if distance < 1e-9:
            return pointing, pointing, 1e9
        x, y, z = x / distance, y / distance, z / distance
    return pointing, (x, y, z), distance


def across(x: float, y: float, z: float) -> Three:
    """A unit vector at right angles to the unit vector xyz."""
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        a, b, c = 0.0, -z, y
    elif abs(y) <= abs(z):
        a, b, c = z, 0.0, -x
    else:
        a, b, c = -y, x, 0.0
    size = math.sqrt(a * a + b * b + c * c)
    return a / size, b / size, c / size


def aim_miss(entries: Entries, entry: int, world: World) -> tuple[float, float]:
    """The turn that an aim still lacks, along two axes across where it points."""
    pointing, wanted, _ = sight(entries, entry, world)
    ux, uy, uz = across(pointing[0], pointing[1], pointing[2])
    vx, vy, vz = cross(pointing[0], pointing[1], pointing[2], ux, uy, uz)
    x, y, z = cross(pointing[0], pointing[1], pointing[2], wanted[0], wanted[1], wanted[2])
    sine = math.sqrt(x * x + y * y + z * z)
    cosine = pointing[0] * wanted[0] + pointing[1] * wanted[1] + pointing[2] * wanted[2]
    angle = math.atan2(sine, cosine) * entries.radian
    if sine < 1e-9:
        # Right behind: turn any way. Right ahead: nothing is lacking.
        return (angle, 0.0) if cosine < 0.0 else (0.0, 0.0)
    factor = angle / sine
    return factor * (x * ux + y * uy + z * uz), factor * (x * vx + y * vy + z * vz)


def miss_size(entries: Entries, entry: int, miss: FloatArray) -> float:
    """How far an entry is missed, metres."""
    row, count = entries.row[entry], entries.rows[entry]
    if count == 1 and is_inequality(entries.kinds[entry]):
        return max(miss[row], 0.0)
    total = 0.0
    for place in range(row, row + count):
        total += miss[place] * miss[place]
    return math.sqrt(total)


def row_count(kind: int, axes: FloatArray) -> int:
    """How many rows an entry has."""
    if is_inequality(kind):
        return 1
    if kind == AIM_AT or kind == AIM_ALONG:
        return 2
    if kind == PLACE or kind == MASS_PLACE:
        return int((axes != 0.0).sum())
    return 3
