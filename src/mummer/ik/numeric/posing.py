"""Where a stance puts the joints, and what a step does to a stance."""

from __future__ import annotations

from mummer.arrays import FloatArray, IntArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.limit_scalars import nearest_in_ellipse
from mummer.ik.numeric.arguments import (
    ANGLE,
    AXIS,
    COLUMN,
    FIRST,
    HIGH,
    KIND,
    LOCAL,
    LOW,
    OFFSET,
    PARENT,
    PLACE_AT,
    REST,
    SECOND,
    SECOND_HIGH,
    SECOND_LOW,
    STEP,
    THIRD,
    TRAVEL,
    TURN,
    Body,
)
from mummer.ik.numeric.joint_angles import swing_vector, write_local
from mummer.ik.numeric.turns import (
    exponential,
    four,
    plus,
    product,
    put_four,
    put_three,
    renormalized,
    rotated,
    swing_column,
    three,
    turn_about,
)
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four


@apart
def place_joints(body: Body, stance: FloatArray, world: FloatArray, chosen: IntArray) -> None:
    """Fill in where the ``chosen`` joints are and how they are turned; parents first."""
    for place in range(chosen.shape[0]):
        joint = chosen[place]
        parent = body.joints[joint, PARENT]
        above, at = (0.0, 0.0, 0.0, 1.0), three(stance, joint, OFFSET)
        if parent >= 0:
            above = four(world, parent, TURN)
            at = plus(rotated(above, at), three(world, parent, PLACE_AT))
        put_three(world, joint, PLACE_AT, at)
        put_four(world, joint, TURN, product(above, four(stance, joint, LOCAL)))


@apart
def write_columns(body: Body, stance: FloatArray, world: FloatArray) -> None:
    """Fill in the axes in the world about which joints turn when their angles change; places must be known."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        if body.joints[joint, FIRST] >= 0:
            parent = body.joints[joint, PARENT]
            above = (0.0, 0.0, 0.0, 1.0)
            if parent >= 0:
                above = four(world, parent, TURN)
            joint_columns(body, stance, world, joint, above)


def joint_columns(body: Body, stance: FloatArray, world: FloatArray, joint: int, above: Four) -> None:
    """The axes of one joint, whose parent is turned as ``above`` says."""
    frames, kind = body.frames, body.joints[joint, KIND]
    if kind == FREE:
        own = four(world, joint, TURN)
        put_three(world, joint, COLUMN, rotated(own, (1.0, 0.0, 0.0)))
        put_three(world, joint, COLUMN + 3, rotated(own, (0.0, 1.0, 0.0)))
        put_three(world, joint, COLUMN + 6, rotated(own, (0.0, 0.0, 1.0)))
        return
    frame, axis = product(above, four(frames, joint, REST)), three(frames, joint, AXIS)
    if kind == BALL:
        swing = swing_vector(frames, joint, stance[joint, ANGLE], stance[joint, ANGLE + 1])
        put_three(world, joint, COLUMN, rotated(frame, swing_column(swing, three(frames, joint, SECOND))))
        put_three(world, joint, COLUMN + 3, rotated(frame, swing_column(swing, three(frames, joint, THIRD))))
        put_three(world, joint, COLUMN + 6, rotated(frame, rotated(exponential(swing), axis)))
        return
    put_three(world, joint, COLUMN, rotated(frame, axis))
    if kind == PIVOT:
        carried = turn_about(axis, stance[joint, ANGLE])
        put_three(world, joint, COLUMN + 3, rotated(frame, rotated(carried, three(frames, joint, SECOND))))


def dof_count(kind: int) -> int:
    """In how many ways a joint of this kind turns."""
    if kind == FREE or kind == BALL:  # noqa: SIM109
        return 3
    return 2 if kind == PIVOT else 1


@apart
def take_step(body: Body, stance: FloatArray, dofs: FloatArray) -> None:
    """Turn and move every joint by the row STEP of ``dofs``, and no joint past its limits."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        travel, first = body.joints[joint, TRAVEL], body.joints[joint, FIRST]
        if travel >= 0:
            for axis in range(3):
                stance[joint, OFFSET + axis] += dofs[STEP, travel + axis]
        if first >= 0:
            if body.joints[joint, KIND] == FREE:
                turned = product(four(stance, joint, LOCAL), exponential(three(dofs, STEP, first)))
                put_four(stance, joint, LOCAL, renormalized(turned))
            else:
                for column in range(dof_count(body.joints[joint, KIND])):
                    stance[joint, ANGLE + column] += dofs[STEP, first + column]
                hold_in_limits(body, stance, joint)
                write_local(body, stance, joint)


def hold_in_limits(body: Body, stance: FloatArray, joint: int) -> None:
    """Move the angles of a limited joint to the nearest ones that it allows."""
    frames, kind = body.frames, body.joints[joint, KIND]
    low, high, twist = frames[joint, LOW], frames[joint, HIGH], ANGLE
    second_low, second_high = frames[joint, SECOND_LOW], frames[joint, SECOND_HIGH]
    if kind == BALL:
        twist = ANGLE + 2
        u, v = nearest_in_ellipse(stance[joint, ANGLE], stance[joint, ANGLE + 1], second_low, second_high)
        stance[joint, ANGLE], stance[joint, ANGLE + 1] = u, v
    elif kind == PIVOT:
        stance[joint, ANGLE + 1] = min(max(stance[joint, ANGLE + 1], second_low), second_high)
    stance[joint, twist] = min(max(stance[joint, twist], low), high)
