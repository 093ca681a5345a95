"""Steps that bring a nearly right pose onto its goals while every joint stays within its limits.

Each step is a damped least-squares step over the whole tree. The damping grows with the error, so that far from the
goal it follows the slope and near it converges as Newton's method does, with no switch between the two. A joint that its
limit stopped is left out in that one direction until the goals pull it back, so that others take over its share.
"""

from __future__ import annotations

import math

from mummer.character.limits import FREE, HINGE, PIVOT
from mummer.ik.particles.limit_numbers import AXIS, SECOND_AXIS, clamp_joint, row_vector
from mummer.ik.particles.place_joints import place_joints
from mummer.ik.particles.settings import BIAS, DAMPING, LARGEST_STEP, ONE, TOLERANCE, TURN_SCALE
from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_of,
    vector,
    vector_of,
)
from mummer.ik.particles.turning import after, length_of, turned, undone, unit_quaternion
from mummer.kernels.arguments import Floats1, Floats2, Floats3
from mummer.kernels.scalars import Three

PLACE, ORIENT, AIM = 0, 1, 2
ERROR, ANSWER = 0, 1


def cross(a: Three, b: Three) -> Three:
    """The cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Three, b: Three) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def measure(
    lane: int,
    frame: int,
    kinds: Ints1,
    joints: Ints1,
    points: Floats2,
    axes: Floats2,
    targets: Floats3,
    weights: Floats1,
    masked: Ints1,
    masks: Floats3,
    settings: Floats1,
    positions: Scratch3,
    rotations: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
) -> float:
    """Fill the errors of all goals and the arms they act on; the sum of their squares is the answer."""
    one = settings[ONE]
    total = one - one
    for entry in range(kinds.shape[0]):
        joint = joints[entry]
        turn, start = quaternion_of(rotations, lane, joint), vector_of(positions, lane, joint)
        weight = weights[entry]
        point = turned(turn, vector(points, entry))
        tip = (start[0] + point[0], start[1] + point[1], start[2] + point[2])
        put_vector(tips, lane, entry, tip)
        goal = (targets[frame, entry, 0], targets[frame, entry, 1], targets[frame, entry, 2])
        if kinds[entry] == PLACE:
            error = (weight * (goal[0] - tip[0]), weight * (goal[1] - tip[1]), weight * (goal[2] - tip[2]))
        elif kinds[entry] == ORIENT:
            wanted = (goal[0], goal[1], goal[2], targets[frame, entry, 3])
            x, y, z, w = after(wanted, undone(turn))
            scale = weight * settings[TURN_SCALE] * (one + one)
            if w < 0:
                scale = -scale
            error = (scale * x, scale * y, scale * z)
        else:
            away = (goal[0] - tip[0], goal[1] - tip[1], goal[2] - tip[2])
            scale = weight * settings[TURN_SCALE] / max(length_of(away), settings[TOLERANCE])
            error = cross(turned(turn, vector(axes, entry)), (scale * away[0], scale * away[1], scale * away[2]))
        if masked[entry] > 0:
            error = through_mask(masks, frame, entry, error)
        row = 3 * entry
        for k in range(3):
            rows[lane, row + k, ERROR] = error[k]
            total = total + error[k] * error[k]
    return total


def lay_axes(
    lane: int,
    parents: Ints1,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    settings: Floats1,
    rotations: Scratch3,
    blocked: Scratch3,
    axes: Scratch3,
) -> None:
    """Fill the three (or two, or one) axes that each joint turns about, shortened by what is blocked."""
    one = settings[ONE]
    zero = one - one
    for joint in range(parents.shape[0]):
        w, kind = freedom[joint], limit_kinds[joint]
        if parents[joint] < 0 or not w > 0:
            for k in range(3):
                put_vector(axes, lane, 3 * joint + k, (zero, zero, zero))
            continue
        first, second, third = (w, zero, zero), (zero, w, zero), (zero, zero, w)
        if kind == HINGE:
            a = turned(quaternion_of(rotations, lane, joint), row_vector(limits, joint, AXIS))
            first, second, third = (w * a[0], w * a[1], w * a[2]), (zero, zero, zero), (zero, zero, zero)
        elif kind == PIVOT:
            above = after(quaternion_of(rotations, lane, parents[joint]), quaternion(limit_rest, joint))
            a = turned(above, row_vector(limits, joint, AXIS))
            b = turned(quaternion_of(rotations, lane, joint), row_vector(limits, joint, SECOND_AXIS))
            first, second = (w * a[0], w * a[1], w * a[2]), (w * b[0], w * b[1], w * b[2])
            third = (zero, zero, zero)
        stop, share = vector_of(blocked, lane, joint), blocked[lane, joint, 3]
        put_vector(axes, lane, 3 * joint, less_along(first, stop, share))
        put_vector(axes, lane, 3 * joint + 1, less_along(second, stop, share))
        put_vector(axes, lane, 3 * joint + 2, less_along(third, stop, share))


def less_along(a: Three, direction: Three, share: float) -> Three:
    """``a`` without that share of its part along a unit ``direction``."""
    k = share * dot(a, direction)
    return a[0] - k * direction[0], a[1] - k * direction[1], a[2] - k * direction[2]


def assemble(
    lane: int,
    parents: Ints1,
    below_starts: Ints1,
    below: Ints1,
    kinds: Ints1,
    weights: Floats1,
    masked: Ints1,
    masks: Floats3,
    frame: int,
    settings: Floats1,
    positions: Scratch3,
    tips: Scratch3,
    axes: Scratch3,
    columns: Scratch3,
    matrix: Scratch3,
) -> None:
    """Fill the lower half of J·Jᵀ, row blocks of three for each goal entry."""
    size = 3 * kinds.shape[0]
    zero = settings[ONE] - settings[ONE]
    for row in range(size):
        for column in range(row + 1):
            matrix[lane, row, column] = zero
    for joint in range(parents.shape[0]):
        first, last = below_starts[joint], below_starts[joint + 1]
        if parents[joint] < 0:
            continue
        place = vector_of(positions, lane, joint)
        for k in range(3):
            axis = vector_of(axes, lane, 3 * joint + k)
            if not dot(axis, axis) > 0:
                continue
            for at in range(first, last):
                entry = below[at]
                column = moved(lane, entry, kinds[entry], axis, place, weights[entry], settings[TURN_SCALE], tips)
                if masked[entry] > 0:
                    column = through_mask(masks, frame, entry, column)
                put_vector(columns, lane, at - first, column)
            for at in range(first, last):
                row, a = 3 * below[at], vector_of(columns, lane, at - first)
                for other in range(first, at + 1):
                    column, b = 3 * below[other], vector_of(columns, lane, other - first)
                    for i in range(3):
                        for j in range(3):
                            matrix[lane, row + i, column + j] += a[i] * b[j]


def moved(
    lane: int, entry: int, kind: int, axis: Three, place: Three, weight: float, turn_scale: float, tips: Scratch3
) -> Three:
    """How the error of an entry shrinks as a joint at ``place`` turns about ``axis``."""
    if kind == PLACE:
        tip = vector_of(tips, lane, entry)
        x, y, z = cross(axis, (tip[0] - place[0], tip[1] - place[1], tip[2] - place[2]))
        return weight * x, weight * y, weight * z
    k = weight * turn_scale
    return k * axis[0], k * axis[1], k * axis[2]


def through_mask(masks: Floats3, frame: int, entry: int, v: Three) -> Three:
    """The part of ``v`` along the world's axes that count."""
    return (
        masks[frame, entry, 0] * v[0] + masks[frame, entry, 1] * v[1] + masks[frame, entry, 2] * v[2],
        masks[frame, entry, 1] * v[0] + masks[frame, entry, 3] * v[1] + masks[frame, entry, 4] * v[2],
        masks[frame, entry, 2] * v[0] + masks[frame, entry, 4] * v[1] + masks[frame, entry, 5] * v[2],
    )


def solve_rows(lane: int, size: int, damping: float, matrix: Scratch3, rows: Scratch3) -> None:
    """Cholesky on the damped matrix, in place, then the answer for the errors."""
    for i in range(size):
        for j in range(i + 1):
            total = matrix[lane, i, j]
            if i == j:
                total = total + damping
            for k in range(j):
                total = total - matrix[lane, i, k] * matrix[lane, j, k]
            if i == j:
                matrix[lane, i, i] = math.sqrt(max(total, damping))
            else:
                matrix[lane, i, j] = total / matrix[lane, j, j]
    for i in range(size):
        total = rows[lane, i, ERROR]
        for k in range(i):
            total = total - matrix[lane, i, k] * rows[lane, k, ANSWER]
        rows[lane, i, ANSWER] = total / matrix[lane, i, i]
    for back in range(size):
        i = size - 1 - back
        total = rows[lane, i, ANSWER]
        for k in range(i + 1, size):
            total = total - matrix[lane, k, i] * rows[lane, k, ANSWER]
        rows[lane, i, ANSWER] = total / matrix[lane, i, i]


def torque_on(
    lane: int,
    joint: int,
    below_starts: Ints1,
    below: Ints1,
    kinds: Ints1,
    weights: Floats1,
    settings: Floats1,
    positions: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
) -> Three:
    """Jᵀ times the answer for one joint, before its axes are looked at."""
    zero = settings[ONE] - settings[ONE]
    x, y, z = zero, zero, zero
    place = vector_of(positions, lane, joint)
    for at in range(below_starts[joint], below_starts[joint + 1]):
        entry = below[at]
        row, w = 3 * entry, weights[entry]
        force = (w * rows[lane, row, ANSWER], w * rows[lane, row + 1, ANSWER], w * rows[lane, row + 2, ANSWER])
        if kinds[entry] == PLACE:
            tip = vector_of(tips, lane, entry)
            u, v, t = cross((tip[0] - place[0], tip[1] - place[1], tip[2] - place[2]), force)
            x, y, z = x + u, y + v, z + t
        else:
            k = settings[TURN_SCALE]
            x, y, z = x + k * force[0], y + k * force[1], z + k * force[2]
    return x, y, z


def plan_turns(
    lane: int,
    parents: Ints1,
    below_starts: Ints1,
    below: Ints1,
    kinds: Ints1,
    weights: Floats1,
    settings: Floats1,
    positions: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
    axes: Scratch3,
    blocked: Scratch3,
    turns: Scratch3,
) -> float:
    """Fill how each joint is to turn, a rotation vector in the body's space; the largest is the answer."""
    largest = settings[ONE] - settings[ONE]
    for joint in range(parents.shape[0]):
        if parents[joint] < 0:
            continue
        pull = torque_on(lane, joint, below_starts, below, kinds, weights, settings, positions, tips, rows)
        if not dot(pull, vector_of(blocked, lane, joint)) > 0:
            blocked[lane, joint, 3] = settings[ONE] - settings[ONE]
        a, b = vector_of(axes, lane, 3 * joint), vector_of(axes, lane, 3 * joint + 1)
        c = vector_of(axes, lane, 3 * joint + 2)
        p, q, r = dot(a, pull), dot(b, pull), dot(c, pull)
        turn = (p * a[0] + q * b[0] + r * c[0], p * a[1] + q * b[1] + r * c[1], p * a[2] + q * b[2] + r * c[2])
        put_vector(turns, lane, joint, turn)
        largest = max(largest, length_of(turn))
    return largest


def turn_joints(
    lane: int,
    share: float,
    parents: Ints1,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    settings: Floats1,
    rotations: Scratch3,
    turns: Scratch3,
    blocked: Scratch3,
    local: Scratch3,
) -> None:
    """Turn every joint by its share of the plan, held in its limits; what was held back is remembered as blocked."""
    one = settings[ONE]
    half = share / (one + one)
    for joint in range(parents.shape[0]):
        turn = vector_of(turns, lane, joint)
        wanted = length_of(turn)
        if parents[joint] < 0 or not wanted > 0:
            continue
        above = quaternion_of(rotations, lane, parents[joint])
        x, y, z = turned(undone(above), turn)
        step = unit_quaternion(half * x, half * y, half * z, one, one)
        asked = after(step, quaternion_of(local, lane, joint))
        if limit_kinds[joint] == FREE:
            put_quaternion(local, lane, joint, asked)
            continue
        rest = quaternion(limit_rest, joint)
        held = after(rest, clamp_joint(limit_kinds[joint], after(undone(rest), asked), limits, joint))
        put_quaternion(local, lane, joint, held)
        x, y, z, w = after(asked, undone(held))
        if w < 0:
            x, y, z = -x, -y, -z
        missing = length_of((x, y, z))
        missing = missing + missing
        if missing > blocked[lane, joint, 3] * wanted * share:
            stop = turned(above, (x, y, z))
            size = length_of(stop)
            put_vector(blocked, lane, joint, (stop[0] / size, stop[1] / size, stop[2] / size))
            blocked[lane, joint, 3] = min(missing / (wanted * share), one)


def correct(
    lane: int,
    frame: int,
    steps: int,
    parents: Ints1,
    offsets: Floats2,
    rest_positions: Floats2,
    rest_rotations: Floats2,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    kinds: Ints1,
    joints: Ints1,
    points: Floats2,
    aim_axes: Floats2,
    targets: Floats3,
    weights: Floats1,
    masked: Ints1,
    masks: Floats3,
    below_starts: Ints1,
    below: Ints1,
    settings: Floats1,
    lengths: Scratch3,
    local: Scratch3,
    positions: Scratch3,
    rotations: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
    axes: Scratch3,
    blocked: Scratch3,
    turns: Scratch3,
    columns: Scratch3,
    matrix: Scratch3,
) -> int:
    """Up to ``steps`` steps towards the goals; how many were taken is the answer."""
    one = settings[ONE]
    for joint in range(parents.shape[0]):
        put_quaternion(blocked, lane, joint, (one - one, one - one, one - one, one - one))
    for step in range(steps):
        place_joints(lane, parents, offsets, rest_positions, rest_rotations, lengths, local, positions, rotations)
        total = measure(
            lane, frame, kinds, joints, points, aim_axes, targets, weights, masked, masks, settings, positions,
            rotations, tips, rows,
        )  # fmt: skip
        # The last step fades in with the error, so that it makes no difference whether it is taken at the threshold.
        beyond = math.sqrt(total) / settings[TOLERANCE] - one
        if not beyond > 0:
            return step
        lay_axes(lane, parents, limit_kinds, limits, limit_rest, freedom, settings, rotations, blocked, axes)
        assemble(
            lane, parents, below_starts, below, kinds, weights, masked, masks, frame, settings, positions, tips, axes,
            columns, matrix,
        )  # fmt: skip
        solve_rows(lane, 3 * kinds.shape[0], settings[DAMPING] * total + settings[BIAS], matrix, rows)
        largest = plan_turns(
            lane, parents, below_starts, below, kinds, weights, settings, positions, tips, rows, axes, blocked, turns
        )
        share = min(beyond, one)
        if largest > settings[LARGEST_STEP]:
            share = share * settings[LARGEST_STEP] / largest
        turn_joints(
            lane, share, parents, limit_kinds, limits, limit_rest, settings, rotations, turns, blocked, local
        )
    return steps
