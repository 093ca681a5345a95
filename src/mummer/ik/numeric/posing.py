"""Where a stance puts the joints, and what a step does to a stance."""

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.numeric.arguments import Body, Stance, World
from mummer.ik.numeric.joint_angles import rotation_of, swing_vector
from mummer.ik.numeric.limit_scalars import nearest_in_ellipse
from mummer.ik.numeric.turns import exponential, product, renormalized, rotated, swing_column, turn_about
from mummer.kernels.scalars import Four, Three


def place_joints(body: Body, stance: Stance, world: World, joints: FloatArray) -> None:
    """Fill in where ``joints`` are and what they turn about; parents first."""
    local, offsets, positions, rotations = stance.local, stance.offsets, world.positions, world.rotations
    for place in range(joints.shape[0]):
        joint = joints[place]
        parent = body.parents[joint]
        above = (0.0, 0.0, 0.0, 1.0)
        x, y, z = offsets[joint, 0], offsets[joint, 1], offsets[joint, 2]
        if parent >= 0:
            above = (rotations[parent, 0], rotations[parent, 1], rotations[parent, 2], rotations[parent, 3])
            x, y, z = rotated(above, (x, y, z))
            x, y, z = x + positions[parent, 0], y + positions[parent, 1], z + positions[parent, 2]
        positions[joint, 0], positions[joint, 1], positions[joint, 2] = x, y, z
        own = product(above, (local[joint, 0], local[joint, 1], local[joint, 2], local[joint, 3]))
        rotations[joint, 0], rotations[joint, 1], rotations[joint, 2], rotations[joint, 3] = own
        if body.first[joint] >= 0:
            write_columns(body, stance, world, joint, above, own)


def write_columns(body: Body, stance: Stance, world: World, joint: int, above: Four, own: Four) -> None:
    """The axes in the world about which a joint turns when its angles change."""
    kind, rest, angles = body.kinds[joint], body.rest, stance.angles
    if kind == FREE:
        set_column(world, joint, 0, rotated(own, (1.0, 0.0, 0.0)))
        set_column(world, joint, 1, rotated(own, (0.0, 1.0, 0.0)))
        set_column(world, joint, 2, rotated(own, (0.0, 0.0, 1.0)))
        return
    frame = product(above, (rest[joint, 0], rest[joint, 1], rest[joint, 2], rest[joint, 3]))
    axis = (body.axes[joint, 0], body.axes[joint, 1], body.axes[joint, 2])
    second = (body.second_axes[joint, 0], body.second_axes[joint, 1], body.second_axes[joint, 2])
    if kind == BALL:
        third = (body.third_axes[joint, 0], body.third_axes[joint, 1], body.third_axes[joint, 2])
        swing = swing_vector(body, joint, angles[joint, 0], angles[joint, 1])
        sx, sy, sz = swing
        set_column(world, joint, 0, rotated(frame, swing_column(sx, sy, sz, second[0], second[1], second[2])))
        set_column(world, joint, 1, rotated(frame, swing_column(sx, sy, sz, third[0], third[1], third[2])))
        set_column(world, joint, 2, rotated(frame, rotated(exponential(sx, sy, sz), axis)))
        return
    set_column(world, joint, 0, rotated(frame, axis))
    if kind == PIVOT:
        carried = turn_about(axis[0], axis[1], axis[2], angles[joint, 0])
        set_column(world, joint, 1, rotated(frame, rotated(carried, second)))


def set_column(world: World, joint: int, column: int, axis: Three) -> None:
    """Write one axis."""
    world.columns[joint, column, 0] = axis[0]
    world.columns[joint, column, 1] = axis[1]
    world.columns[joint, column, 2] = axis[2]


def dof_count(kind: int) -> int:
    """In how many ways a joint of this kind turns."""
    if kind == FREE or kind == BALL:
        return 3
    return 2 if kind == PIVOT else 1


def take_step(body: Body, stance: Stance, step: FloatArray, share: float) -> None:
    """Turn and move every joint by ``share`` of ``step`` (D,), and no joint past its limits."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        travel, first = body.travel[joint], body.first[joint]
        if travel >= 0:
            for axis in range(3):
                stance.offsets[joint, axis] += share * step[travel + axis]
        if first >= 0:
            turn_joint(body, stance, joint, first, step, share)


def turn_joint(body: Body, stance: Stance, joint: int, first: int, step: FloatArray, share: float) -> None:
    """Turn one joint by ``share`` of its part of ``step``, which starts at ``first``."""
    local, angles, ranges, second = stance.local, stance.angles, body.ranges, body.second_ranges
    kind = body.kinds[joint]
    if kind == FREE:
        own = (local[joint, 0], local[joint, 1], local[joint, 2], local[joint, 3])
        more = exponential(share * step[first], share * step[first + 1], share * step[first + 2])
        turned = renormalized(product(own, more))
    else:
        if kind == BALL:
            u, v = angles[joint, 0] + share * step[first], angles[joint, 1] + share * step[first + 1]
            angles[joint, 0], angles[joint, 1] = nearest_in_ellipse(u, v, second[joint, 0], second[joint, 1])
            twist = angles[joint, 2] + share * step[first + 2]
            angles[joint, 2] = min(max(twist, ranges[joint, 0]), ranges[joint, 1])
        else:
            angles[joint, 0] = min(max(angles[joint, 0] + share * step[first], ranges[joint, 0]), ranges[joint, 1])
        if kind == PIVOT:
            turned_by = angles[joint, 1] + share * step[first + 1]
            angles[joint, 1] = min(max(turned_by, second[joint, 0]), second[joint, 1])
        turned = rotation_of(body, joint, angles[joint, 0], angles[joint, 1], angles[joint, 2])
    local[joint, 0], local[joint, 1], local[joint, 2], local[joint, 3] = turned
