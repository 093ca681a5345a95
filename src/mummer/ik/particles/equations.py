"""The equations of one step: how goals move as joints turn, damped and solved."""

from __future__ import annotations

import math

from mummer.ik.particles.limit_axes import limit_axes
from mummer.ik.particles.measure_goals import ANSWER, DAMPED_AT, ERROR, PLACE, WEIGHT_AT, WHOLE, through_mask
from mummer.ik.particles.settings import (
    BIAS,
    ONE,
    ROOT_MOVE,
    ROOT_TURN,
    TURN_SCALE,
)
from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_of,
    vector_of,
)
from mummer.ik.particles.turning import after, cross, dot, turned, undone
from mummer.kernels.arguments import Floats1, Floats2, Floats3
from mummer.kernels.scalars import Three


def lay_axes(
    frame: int,
    first_member: int,
    last_member: int,
    members: Ints1,
    parents: Ints1,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    settings: Floats1,
    local: Scratch3,
    rotations: Scratch3,
    blocked: Scratch3,
    axes: Scratch3,
) -> None:
    """Fill the three (or two, or one) axes that each joint turns about, and how readily it does."""
    one = settings[ONE]
    zero = one - one
    for at in range(first_member, last_member):
        joint = members[at]
        if joint == 0:
            put_quaternion(axes, frame, 0, (one, zero, zero, settings[ROOT_TURN]))
            put_quaternion(axes, frame, 1, (zero, one, zero, settings[ROOT_TURN]))
            put_quaternion(axes, frame, 2, (zero, zero, one, settings[ROOT_TURN]))
            continue
        if not freedom[joint] > 0:
            for k in range(3):
                put_quaternion(axes, frame, 3 * joint + k, (zero, zero, zero, zero))
            continue
        rest = quaternion(limit_rest, joint)
        delta = after(undone(rest), quaternion_of(local, frame, joint))
        first, second, third = limit_axes(limit_kinds[joint], delta, limits, joint)
        above = after(quaternion_of(rotations, frame, parents[joint]), rest)
        put_vector(axes, frame, 3 * joint, turned(above, first))
        put_vector(axes, frame, 3 * joint + 1, turned(above, second))
        put_vector(axes, frame, 3 * joint + 2, turned(above, third))
        for k in range(3):
            axes[frame, 3 * joint + k, 3] = freedom[joint] * (one - abs(blocked[frame, joint, k]))


def assemble(
    frame: int,
    first_member: int,
    last_member: int,
    first_task: int,
    last_task: int,
    members: Ints1,
    tasks: Ints1,
    below_starts: Ints1,
    below: Ints1,
    kinds: Ints1,
    weights: Floats1,
    masked: Ints1,
    masks: Floats3,
    settings: Floats1,
    positions: Scratch3,
    tips: Scratch3,
    axes: Scratch3,
    columns: Scratch3,
    matrix: Scratch3,
) -> None:
    """Fill the lower half of J·Jᵀ, row blocks of three for each goal entry."""
    size = 3 * (last_task - first_task)
    zero = settings[ONE] - settings[ONE]
    for row in range(size):
        for column in range(row + 1):
            matrix[frame, row, column] = zero
    for member in range(first_member, last_member):
        joint, first, last = members[member], below_starts[member], below_starts[member + 1]
        place = vector_of(positions, frame, joint)
        for k in range(3):
            x, y, z, free = quaternion_of(axes, frame, 3 * joint + k)
            axis = (free * x, free * y, free * z)
            if not dot(axis, axis) > 0:
                continue
            for at in range(first, last):
                entry = tasks[first_task + below[at]]
                moves = moved(frame, below[at], kinds[entry], axis, place, weights[entry], settings[TURN_SCALE], tips)
                if masked[entry] > 0:
                    moves = through_mask(masks, frame, entry, moves)
                put_vector(columns, frame, at - first, moves)
            for at in range(first, last):
                row, a = 3 * below[at], vector_of(columns, frame, at - first)
                for other in range(first, at + 1):
                    column, b = 3 * below[other], vector_of(columns, frame, other - first)
                    add_product(frame, row, column, a[0], b, matrix)
                    add_product(frame, row + 1, column, a[1], b, matrix)
                    add_product(frame, row + 2, column, a[2], b, matrix)


def add_product(frame: int, row: int, column: int, factor: float, b: Three, matrix: Scratch3) -> None:
    """Add ``factor`` times ``b`` to three numbers of a row."""
    matrix[frame, row, column] += factor * b[0]
    matrix[frame, row, column + 1] += factor * b[1]
    matrix[frame, row, column + 2] += factor * b[2]


def add_travel(frame: int, kinds: Ints1, weights: Floats1, settings: Floats1, matrix: Scratch3) -> None:
    """Add to J·Jᵀ what the root's own travel does to places; masked ones are let off lightly."""
    square = settings[ROOT_MOVE] * settings[ROOT_MOVE]
    for entry in range(kinds.shape[0]):
        for other in range(entry + 1):
            if kinds[entry] == PLACE and kinds[other] == PLACE:
                amount = square * weights[entry] * weights[other]
                for k in range(3):
                    matrix[frame, 3 * entry + k, 3 * other + k] += amount


def moved(
    frame: int, row: int, kind: int, axis: Three, place: Three, weight: float, turn_scale: float, tips: Scratch3
) -> Three:
    """How the error of a row shrinks as a joint at ``place`` turns about ``axis``."""
    if kind == PLACE:
        tip = vector_of(tips, frame, row)
        x, y, z = cross(axis, (tip[0] - place[0], tip[1] - place[1], tip[2] - place[2]))
        return weight * x, weight * y, weight * z
    k = weight * turn_scale
    return k * axis[0], k * axis[1], k * axis[2]


def solve_rows(frame: int, size: int, settings: Floats1, matrix: Scratch3, rows: Scratch3) -> float:
    """Cholesky on the damped matrix, in place, then the answer for the errors.

    Each goal is damped by its own error: one that cannot be met does not slow down the others. Returns by how much
    the weighed sum of squares falls, at first, for a whole step; never less than nothing.
    """
    damping, fall = settings[BIAS], settings[ONE] - settings[ONE]
    for i in range(size):
        if i % 3 == 0:
            damping = rows[frame, i + DAMPED_AT, WHOLE]
        for j in range(i + 1):
            total = matrix[frame, i, j]
            if i == j:
                total = total + damping
            for k in range(j):
                total = total - matrix[frame, i, k] * matrix[frame, j, k]
            if i == j:
                matrix[frame, i, i] = math.sqrt(max(total, settings[BIAS]))
            else:
                matrix[frame, i, j] = total / matrix[frame, j, j]
    for i in range(size):
        total = rows[frame, i, ERROR]
        for k in range(i):
            total = total - matrix[frame, i, k] * rows[frame, k, ANSWER]
        rows[frame, i, ANSWER] = total / matrix[frame, i, i]
    for back in range(size):
        i = size - 1 - back
        total = rows[frame, i, ANSWER]
        for k in range(i + 1, size):
            total = total - matrix[frame, k, i] * rows[frame, k, ANSWER]
        rows[frame, i, ANSWER] = total / matrix[frame, i, i]
    for i in range(size):
        error, weight = rows[frame, i, ERROR], rows[frame, i - i % 3 + WEIGHT_AT, WHOLE]
        fall = fall + error * (weight * error - rows[frame, i, ANSWER])
    return max(fall + fall, settings[ONE] - settings[ONE])
