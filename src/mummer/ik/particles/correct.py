"""Steps that bring a nearly right pose onto its goals while every joint stays within its limits.

Each step is a damped least-squares step over the whole tree. The damping grows with the error, so that far from the
goal it follows the slope and near it converges as Newton's method does, with no switch between the two. A joint that its
limit stopped is left out in that one direction until the goals pull it back, so that others take over its share.
"""

from __future__ import annotations

import math

from mummer.character.limits import BALL, FREE
from mummer.ik.particles.limit_axes import limit_axes
from mummer.ik.particles.limit_numbers import clamp_joint, cross
from mummer.ik.particles.place_joints import place_joints
from mummer.ik.particles.settings import (
    BIAS,
    DAMPING,
    EASE,
    LARGEST_STEP,
    LEAST_ERROR,
    LEAST_SHARE,
    MOST_ERROR,
    ONE,
    PATIENCE,
    ROOT_MOVE,
    ROOT_TURN,
    SIZE,
    SMALL_MISS,
    TOLERANCE,
    TURN_SCALE,
)
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
from mummer.ik.particles.turning import after, length_of, minus, turned, undone, unit_quaternion
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output1, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Three

PLACE, ORIENT, AIM = 0, 1, 2
ERROR, ANSWER = 0, 1


def dot(a: Three, b: Three) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def measure(
    frame: int,
    kinds: Ints1,
    joints: Ints1,
    points: Floats2,
    axes: Floats2,
    bases: Ints1,
    reaches: Floats1,
    targets: Floats3,
    weights: Floats1,
    masked: Ints1,
    masks: Floats3,
    settings: Floats1,
    most: float,
    positions: Scratch3,
    rotations: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
) -> float:
    """Fill the errors of all goals and the points they act on; the sum of their squares is the answer.

    No error counts for more than ``most``: a goal far out of reach must not drag those that can be met along with it.
    """
    one = settings[ONE]
    total = one - one
    for entry in range(kinds.shape[0]):
        joint = joints[entry]
        turn, start = quaternion_of(rotations, frame, joint), vector_of(positions, frame, joint)
        weight = weights[entry]
        point = turned(turn, vector(points, entry))
        tip = (start[0] + point[0], start[1] + point[1], start[2] + point[2])
        put_vector(tips, frame, entry, tip)
        goal = (targets[frame, entry, 0], targets[frame, entry, 1], targets[frame, entry, 2])
        if kinds[entry] == PLACE:
            error = (weight * (goal[0] - tip[0]), weight * (goal[1] - tip[1]), weight * (goal[2] - tip[2]))
            if bases[entry] >= 0:
                arm = minus(tip, vector_of(positions, frame, bases[entry]))
                error = eased(error, arm, reaches[entry], settings)
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
        row, size = 3 * entry, dot(error, error)
        share = one / math.sqrt(one + size / (most * most))
        # The potential whose slope is the error that counts; the square itself for a small error.
        total = total + (size + size) * share / (one + share)
        rows[frame, row, ERROR] = share * error[0]
        rows[frame, row + 1, ERROR] = share * error[1]
        rows[frame, row + 2, ERROR] = share * error[2]
    return total


def eased(error: Three, arm: Three, reach: float, settings: Floats1) -> Three:
    """``error`` without the part that would pull a nearly straight limb quite straight for a goal it cannot reach.

    A small error keeps all of it, so that what is within reach is reached.

    Args:
        error: of the limb's end, metres.
        arm: from the joint where the limb begins to its end.
        reach: the length of the limb along its joints, metres.
        settings: see `settings_array`.
    """
    one, size = settings[ONE], length_of(arm)
    outward = dot(error, arm)
    start = (one - settings[EASE] - settings[EASE]) * reach
    if not (size > start and outward > 0):
        return error
    straight = min((size - start) / (settings[EASE] * reach), one)
    square, little = dot(error, error), settings[SMALL_MISS] * settings[SMALL_MISS]
    k = outward / (size * size) * straight * straight * square / (square + little)
    return error[0] - k * arm[0], error[1] - k * arm[1], error[2] - k * arm[2]


def lay_axes(
    frame: int,
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
    put_quaternion(axes, frame, 0, (one, zero, zero, settings[ROOT_TURN]))
    put_quaternion(axes, frame, 1, (zero, one, zero, settings[ROOT_TURN]))
    put_quaternion(axes, frame, 2, (zero, zero, one, settings[ROOT_TURN]))
    for joint in range(1, parents.shape[0]):
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
    parents: Ints1,
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
    size = 3 * kinds.shape[0]
    zero = settings[ONE] - settings[ONE]
    for row in range(size):
        for column in range(row + 1):
            matrix[frame, row, column] = zero
    for joint in range(parents.shape[0]):
        first, last = below_starts[joint], below_starts[joint + 1]
        place = vector_of(positions, frame, joint)
        for k in range(3):
            x, y, z, free = quaternion_of(axes, frame, 3 * joint + k)
            axis = (free * x, free * y, free * z)
            if not dot(axis, axis) > 0:
                continue
            for at in range(first, last):
                entry = below[at]
                column = moved(frame, entry, kinds[entry], axis, place, weights[entry], settings[TURN_SCALE], tips)
                if masked[entry] > 0:
                    column = through_mask(masks, frame, entry, column)
                put_vector(columns, frame, at - first, column)
            for at in range(first, last):
                row, a = 3 * below[at], vector_of(columns, frame, at - first)
                for other in range(first, at + 1):
                    column, b = 3 * below[other], vector_of(columns, frame, other - first)
                    add_product(frame, row, column, a[0], b, matrix)
                    add_product(frame, row + 1, column, a[1], b, matrix)
                    add_product(frame, row + 2, column, a[2], b, matrix)


def add_travel(frame: int, kinds: Ints1, weights: Floats1, settings: Floats1, matrix: Scratch3) -> None:
    """Add to J·Jᵀ what the root's own travel does to places; masked ones are let off lightly."""
    square = settings[ROOT_MOVE] * settings[ROOT_MOVE]
    for entry in range(kinds.shape[0]):
        for other in range(entry + 1):
            if kinds[entry] == PLACE and kinds[other] == PLACE:
                amount = square * weights[entry] * weights[other]
                for k in range(3):
                    matrix[frame, 3 * entry + k, 3 * other + k] += amount


def add_product(frame: int, row: int, column: int, factor: float, b: Three, matrix: Scratch3) -> None:
    """Add ``factor`` times ``b`` to three numbers of a row."""
    matrix[frame, row, column] += factor * b[0]
    matrix[frame, row, column + 1] += factor * b[1]
    matrix[frame, row, column + 2] += factor * b[2]


def moved(
    frame: int, entry: int, kind: int, axis: Three, place: Three, weight: float, turn_scale: float, tips: Scratch3
) -> Three:
    """How the error of an entry shrinks as a joint at ``place`` turns about ``axis``."""
    if kind == PLACE:
        tip = vector_of(tips, frame, entry)
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


def solve_rows(frame: int, size: int, settings: Floats1, matrix: Scratch3, rows: Scratch3) -> float:
    """Cholesky on the damped matrix, in place, then the answer for the errors.

    Each goal is damped by its own error: one that cannot be met does not slow down the others. Returns by how much
    the sum of squares falls, at first, for a whole step.
    """
    damping, fall = settings[BIAS], settings[ONE] - settings[ONE]
    for i in range(size):
        if i % 3 == 0:
            x, y, z = rows[frame, i, ERROR], rows[frame, i + 1, ERROR], rows[frame, i + 2, ERROR]
            damping = settings[DAMPING] * (x * x + y * y + z * z) + settings[BIAS]
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
        if i % 3 == 0:
            x, y, z = rows[frame, i, ERROR], rows[frame, i + 1, ERROR], rows[frame, i + 2, ERROR]
            damping = settings[DAMPING] * (x * x + y * y + z * z) + settings[BIAS]
        error = rows[frame, i, ERROR]
        fall = fall + error * (error - damping * rows[frame, i, ANSWER])
    return fall + fall


def torque_on(
    frame: int,
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
    place = vector_of(positions, frame, joint)
    for at in range(below_starts[joint], below_starts[joint + 1]):
        entry = below[at]
        row, w = 3 * entry, weights[entry]
        force = (w * rows[frame, row, ANSWER], w * rows[frame, row + 1, ANSWER], w * rows[frame, row + 2, ANSWER])
        if kinds[entry] == PLACE:
            tip = vector_of(tips, frame, entry)
            u, v, t = cross((tip[0] - place[0], tip[1] - place[1], tip[2] - place[2]), force)
            x, y, z = x + u, y + v, z + t
        else:
            k = settings[TURN_SCALE]
            x, y, z = x + k * force[0], y + k * force[1], z + k * force[2]
    return x, y, z


def plan_turns(
    frame: int,
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
        pull = torque_on(frame, joint, below_starts, below, kinds, weights, settings, positions, tips, rows)
        x, y, z = settings[ONE] - settings[ONE], settings[ONE] - settings[ONE], settings[ONE] - settings[ONE]
        for k in range(3):
            axis, free = vector_of(axes, frame, 3 * joint + k), axes[frame, 3 * joint + k, 3]
            along = dot(axis, pull)
            if not along * blocked[frame, joint, k] > 0:
                blocked[frame, joint, k] = settings[ONE] - settings[ONE]
            amount = free * free * along
            turns[frame, joint, 3 + k] = amount
            x, y, z = x + amount * axis[0], y + amount * axis[1], z + amount * axis[2]
        put_vector(turns, frame, joint, (x, y, z))
        largest = max(largest, length_of((x, y, z)))
    return largest


def travel(frame: int, kinds: Ints1, weights: Floats1, settings: Floats1, rows: Scratch3) -> Three:
    """How far the root is to travel in a whole step, metres."""
    zero = settings[ONE] - settings[ONE]
    x, y, z = zero, zero, zero
    for entry in range(kinds.shape[0]):
        if kinds[entry] == PLACE:
            k = settings[ROOT_MOVE] * settings[ROOT_MOVE] * weights[entry]
            x, y, z = (
                x + k * rows[frame, 3 * entry, ANSWER],
                y + k * rows[frame, 3 * entry + 1, ANSWER],
                z + k * rows[frame, 3 * entry + 2, ANSWER],
            )
    return x, y, z


def try_turns(
    frame: int,
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
    tried: Scratch3,
) -> None:
    """Fill ``tried`` with every joint turned by its share of the plan and held in its limits.

    What part of a turn about each axis limits held back is remembered as blocked, with the sign of the turn.
    """
    one = settings[ONE]
    half = share / (one + one)
    for joint in range(parents.shape[0]):
        own, way = quaternion_of(local, frame, joint), vector_of(turns, frame, joint)
        put_quaternion(tried, frame, joint, own)
        if not length_of(way) > 0:
            continue
        if joint > 0:
            way = turned(undone(quaternion_of(rotations, frame, parents[joint])), way)
        asked = after(unit_quaternion(half * way[0], half * way[1], half * way[2], one, one), own)
        if joint == 0 or limit_kinds[joint] == FREE:
            put_quaternion(tried, frame, joint, asked)
            continue
        rest = quaternion(limit_rest, joint)
        turn, beyond = clamp_joint(limit_kinds[joint], after(undone(rest), asked), limits, joint)
        put_quaternion(tried, frame, joint, after(rest, turn))
        for k in range(3):
            planned = share * turns[frame, joint, 3 + k]
            if limit_kinds[joint] == BALL and k == 0:
                other = share * turns[frame, joint, 4]
                planned = math.sqrt(planned * planned + other * other)
            if beyond[k] * planned > 0:
                stopped = min(beyond[k] / planned, one)
                if stopped > abs(blocked[frame, joint, k]):
                    blocked[frame, joint, k] = math.copysign(stopped, planned)


@kernel
def correct_frames(
    frame: int,
    steps: Count,
    parents: Ints1,
    offsets: Floats2,
    rest_positions: Floats2,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    kinds: Ints1,
    joints: Ints1,
    points: Floats2,
    aim_axes: Floats2,
    weights: Floats1,
    masked: Ints1,
    bases: Ints1,
    reaches: Floats1,
    below_starts: Ints1,
    below: Ints1,
    settings: Floats1,
    targets: Floats3,
    masks: Floats3,
    lengths: Floats3,
    positions: Output3,
    rotations: Output3,
    tips: Output3,
    rows: Output3,
    axes: Output3,
    blocked: Output3,
    turns: Output3,
    tried: Output3,
    turned_to: Output3,
    columns: Output3,
    matrix: Output3,
    local: Output3,
    root_places: Output3,
    taken: Output1,
) -> None:
    """One item is one body: up to ``steps`` steps towards its goals; how many it took is told."""
    one = settings[ONE]
    taken[frame] = one - one
    for joint in range(parents.shape[0]):
        put_vector(blocked, frame, joint, (one - one, one - one, one - one))
    most, is_placed = settings[MOST_ERROR], False
    root = vector(rest_positions, 0)
    put_vector(root_places, frame, 0, root)
    for _ in range(steps):
        if not is_placed:
            place_joints(frame, parents, offsets, lengths, local, root, positions, rotations)
        total = measure(
            frame, kinds, joints, points, aim_axes, bases, reaches, targets, weights, masked, masks, settings, most,
            positions, rotations, tips, rows,
        )  # fmt: skip
        # The last step fades in with the error, so that it makes no difference whether it is taken at the threshold.
        beyond = math.sqrt(total) / settings[TOLERANCE] - one
        if not beyond > 0:
            return
        lay_axes(frame, parents, limit_kinds, limits, limit_rest, freedom, settings, local, rotations, blocked, axes)
        assemble(
            frame, parents, below_starts, below, kinds, weights, masked, masks, settings, positions, tips, axes,
            columns, matrix,
        )  # fmt: skip
        if settings[ROOT_MOVE] > 0:
            add_travel(frame, kinds, weights, settings, matrix)
        fall = solve_rows(frame, 3 * kinds.shape[0], settings, matrix, rows)
        largest = plan_turns(
            frame, parents, below_starts, below, kinds, weights, settings, positions, tips, rows, axes, blocked, turns
        )
        share = min(beyond, one)
        largest = max(largest, length_of(travel(frame, kinds, weights, settings, rows)) / settings[SIZE])
        if largest > settings[LARGEST_STEP]:
            share = share * settings[LARGEST_STEP] / largest
        way = travel(frame, kinds, weights, settings, rows)
        for attempt in range(2):
            ahead = (root[0] + share * way[0], root[1] + share * way[1], root[2] + share * way[2])
            try_turns(
                frame, share, parents, limit_kinds, limits, limit_rest, settings, rotations, turns, blocked, local,
                tried,
            )  # fmt: skip
            is_placed = attempt == 0
            if attempt > 0:
                break
            place_joints(frame, parents, offsets, lengths, tried, ahead, positions, turned_to)
            now = measure(
                frame, kinds, joints, points, aim_axes, bases, reaches, targets, weights, masked, masks, settings, most,
                positions, turned_to, tips, rows,
            )  # fmt: skip
            # The lowest point of the parabola through both sums and the slope at the start.
            rise = now - total + share * fall
            if not rise + rise > share * fall:
                break
            share = share * max(share * fall / (rise + rise), settings[LEAST_SHARE])
        for joint in range(parents.shape[0]):
            put_quaternion(local, frame, joint, quaternion_of(tried, frame, joint))
            if is_placed:
                put_quaternion(rotations, frame, joint, quaternion_of(turned_to, frame, joint))
        root = ahead
        put_vector(root_places, frame, 0, root)
        most = max(most * settings[PATIENCE], settings[LEAST_ERROR])
        taken[frame] += one
