"""Steps that bring a nearly right pose onto its goals while every joint stays within its limits.

Each step is a damped least-squares step over all joints that have goals below them. The damping grows with the error,
so that far from the goal it follows the slope and near it converges as Newton's method does, with no switch between the
two. What a limit stops is left out in that one direction until the goals pull it back, so that others take over its
share.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL
from mummer.ik.limits import KIND, REST, hold_joint, limit_axes, limited
from mummer.ik.particles.records import ORIENT, PLACE, Body, Lane, Settings
from mummer.kernels.cholesky import factor, solve_factored
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import (
    back,
    cross,
    dot,
    four,
    minus,
    plus,
    put_four,
    put_three,
    scaled,
    size,
    three,
    times,
    turned,
    unit_rotation,
)

ERROR, ANSWER, WHOLE = 0, 1, 2
"""Columns of the rows of equations: what is to be met, the answer, and numbers of the goal as a whole."""
DAMPED_AT, POTENTIAL_AT, WEIGHT_AT = 0, 1, 2
"""Which of a goal's three rows hold, in the last column, its damping, its potential and what that counts for."""
NOWHERE = (0.0, 0.0, 0.0)


@apart
def settle(body: Body, lane: Lane, joint: int, wanted: Four) -> None:
    """Turn one joint as near as it can to ``wanted`` from rest, and place it; its parent is placed already."""
    joints = body.joints
    parent, held = joints.parents[joint], four(joints.local, joint, 0)
    above = four(lane.work.turns, parent, 0)
    if joints.freedom[joint] > 0.0:
        asked = times(back(above), times(wanted, four(joints.turns, joint, 0)))
        # What rounding adds to one joint would grow along a chain of hundreds.
        held = hold_joint(joint, joints.limits, unit_rotation(asked))
    put_four(lane.local, joint, 0, held)
    put_four(lane.work.turns, joint, 0, times(above, held))
    away = turned(above, three(joints.offsets, joint, 0))
    put_three(lane.work.places, joint, 0, plus(three(lane.work.places, parent, 0), away))


@apart
def correct(body: Body, settings: Settings, lane: Lane, steps: int) -> int:
    """Up to ``steps`` steps of the body towards its goals; how many were taken."""
    work, joints, goals = lane.work, body.joints.parents.shape[0], body.tasks.kinds.shape[0]
    moves_root = settings.root_move > 0.0
    tolerance, root = settings.tolerance, three(lane.root, 0, 0)
    for joint in range(joints):
        put_three(work.blocked, joint, 0, NOWHERE)
    most, stiff, count = settings.most_error, 1.0, 0
    for _ in range(steps):
        total = measure(body, settings, lane, most, stiff, work.turns)
        # The last step fades in with the error: whether it is taken at the threshold makes no difference.
        if not total > tolerance * tolerance:
            break
        share = min(math.sqrt(total) / tolerance - 1.0, 1.0)
        lay_axes(body, settings, lane)
        assemble(body, settings, lane)
        if moves_root:
            add_travel(body, settings.root_move, work.matrix)
        weigh(goals, work.rows)
        before = weighed(goals, work.rows)
        fall = solve_rows(3 * goals, settings.bias, work.matrix, work.rows)
        largest, way = plan_turns(body, settings, lane), NOWHERE
        if moves_root:
            way = travel(body, settings.root_move, work.rows)
            largest = max(largest, size(way) / settings.size)
        if largest > settings.largest_step:
            share = share * settings.largest_step / largest
        ahead, kept = root, 1.0
        for attempt in range(2):
            ahead = plus(root, scaled(way, share))
            try_turns(body, lane, share)
            place_joints(body, lane, ahead)
            if attempt > 0:
                break
            measure(body, settings, lane, most, stiff, work.turned_to)
            # The lowest point of the parabola through both sums and the slope at the start.
            rise = weighed(goals, work.rows) - before + share * fall
            if not 2.0 * rise > share * fall:
                break
            kept = share * fall / (2.0 * rise)
            share = share * max(kept, settings.least_share)
        for joint in range(joints):
            put_four(lane.local, joint, 0, four(work.tried, joint, 0))
            put_four(work.turns, joint, 0, four(work.turned_to, joint, 0))
        root = ahead
        # Steps that overshoot make the next ones shorter, little by little, so that they do not swing to and fro.
        stiff = max(stiff * (settings.stiffen - settings.loosen * kept), 1.0)
        most = max(most * settings.patience, settings.least_error)
        count += 1
    put_three(lane.root, 0, 0, root)
    return count


def measure(body: Body, settings: Settings, lane: Lane, most: float, stiff: float, turns: FloatArray) -> float:
    """Fill the errors of all goals and the points they act on; the sum of their squares is the answer.

    No error counts for more than ``most``: a goal far out of reach must not drag those that can be met along with it.
    Damping is ``stiff`` times what it would be; joints are turned as ``turns`` (n, 4) says.
    """
    tasks, rows, total = body.tasks, lane.work.rows, 0.0
    for entry in range(tasks.kinds.shape[0]):
        row, error = 3 * entry, error_of(body, settings, lane, entry, turns)
        tip = turned(four(turns, tasks.joints[entry], 0), three(tasks.points, entry, 0))
        put_three(lane.work.tips, entry, 0, plus(three(lane.work.places, tasks.joints[entry], 0), tip))
        square = dot(error, error)
        share = 1.0 / math.sqrt(1.0 + square / (most * most))
        # The potential whose slope is the error that counts; the square itself for a small error.
        potential = 2.0 * square * share / (1.0 + share)
        total = total + potential
        # Damped by the error itself: what cannot be met must not be chased with ever larger turns.
        damping = settings.damping * min(square, settings.most_error * settings.most_error)
        rows[row + DAMPED_AT, WHOLE] = stiff * (damping + settings.bias)
        rows[row + POTENTIAL_AT, WHOLE] = potential
        for axis in range(3):
            rows[row + axis, ERROR] = share * error[axis]
    return total


def error_of(body: Body, settings: Settings, lane: Lane, entry: int, turns: FloatArray) -> Three:
    """How far a task is from being met, metres: as it is weighed, and as far as its axes count."""
    tasks = body.tasks
    joint, kind, weight = tasks.joints[entry], tasks.kinds[entry], 1.0 * tasks.weights[entry]
    turn, goal = four(turns, joint, 0), three(lane.targets, entry, 0)
    tip = plus(three(lane.work.places, joint, 0), turned(turn, three(tasks.points, entry, 0)))
    if kind == PLACE:
        error = scaled(minus(goal, tip), weight)
        # A root that travels brings every goal into reach.
        if tasks.bases[entry] >= 0 and not settings.root_move > 0.0:
            arm = minus(tip, three(lane.work.places, tasks.bases[entry], 0))
            error = eased(error, arm, 1.0 * tasks.reaches[entry], settings)
    elif kind == ORIENT:
        x, y, z, w = times(four(lane.targets, entry, 0), back(turn))
        error = scaled((x, y, z), 2.0 * weight * settings.turn_scale * (-1.0 if w < 0.0 else 1.0))
    else:
        away = minus(goal, tip)
        scale = weight * settings.turn_scale / max(size(away), settings.tolerance)
        error = cross(turned(turn, three(tasks.axes, entry, 0)), scaled(away, scale))
    return through_mask(lane.masks, entry, error) if tasks.masked[entry] > 0 else error


def eased(error: Three, arm: Three, reach: float, settings: Settings) -> Three:
    """``error`` without the part that would pull a nearly straight limb quite straight for a goal it cannot reach.

    A small error keeps all of it, so that what is within reach is reached.

    Args:
        error: of the limb's end, metres.
        arm: from the joint where the limb begins to its end.
        reach: the length of the limb along its joints, metres.
        settings: see `settings_for`.
    """
    length, outward = size(arm), dot(error, arm)
    start = (1.0 - 2.0 * settings.ease) * reach
    if not (length > start and outward > 0.0):
        return error
    straight = min((length - start) / (settings.ease * reach), 1.0)
    square, little = dot(error, error), settings.small_miss * settings.small_miss
    known = square / (square + little)
    # How surely the goal is out of reach from where the limb begins now.
    beyond = min(max((size(plus(arm, error)) - reach) / settings.small_miss, 0.0), 1.0)
    k = outward / (length * length) * straight * straight * known * (1.0 + beyond * (1.0 - known))
    # Nothing but this would bend again what came out straighter on the way.
    past = length - start - settings.ease * reach
    if past > 0.0:
        k = k + beyond * known * past / length
    return minus(error, scaled(arm, k))


def through_mask(masks: FloatArray, entry: int, v: Three) -> Three:
    """The part of ``v`` along the world's axes that count."""
    a, b = three(masks, entry, 0), three(masks, entry, 3)
    return dot(a, v), dot((a[1], b[0], b[1]), v), dot((a[2], b[1], b[2]), v)


def weigh(goals: int, rows: FloatArray) -> None:
    """Keep what each of the first ``goals`` goals counts for while one step is tried: the less the more it is damped.

    A damped step need not lower the plain sum of squares where one goal is damped more than another. The sum with
    these weights it always lowers at first.
    """
    for goal in range(goals):
        rows[3 * goal + WEIGHT_AT, WHOLE] = 1.0 / rows[3 * goal + DAMPED_AT, WHOLE]


def weighed(goals: int, rows: FloatArray) -> float:
    """The sum of the potentials of the first ``goals`` goals, with the weights that `weigh` kept."""
    total = 0.0
    for goal in range(goals):
        total = total + 1.0 * rows[3 * goal + WEIGHT_AT, WHOLE] * rows[3 * goal + POTENTIAL_AT, WHOLE]
    return total


def lay_axes(body: Body, settings: Settings, lane: Lane) -> None:
    """Fill the three (or two, or one) axes that each joint turns about, and how readily it does."""
    joints, axes = body.joints, lane.work.axes
    for joint in range(joints.parents.shape[0]):
        first, second, third = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        if joint > 0 and joints.freedom[joint] > 0.0:
            first, second, third = limit_axes(joint, joints.limits, four(lane.local, joint, 0))
            above = times(four(lane.work.turns, joints.parents[joint], 0), four(joints.limits, joint, REST))
            first, second, third = turned(above, first), turned(above, second), turned(above, third)
        put_three(axes, 3 * joint, 0, first)
        put_three(axes, 3 * joint + 1, 0, second)
        put_three(axes, 3 * joint + 2, 0, third)
        for k in range(3):
            free = joints.freedom[joint] * (1.0 - abs(lane.work.blocked[joint, k]))
            axes[3 * joint + k, 3] = free if joint > 0 else settings.root_turn


def assemble(body: Body, settings: Settings, lane: Lane) -> None:
    """Fill the lower half of J·Jᵀ, row blocks of three for each goal entry."""
    tasks, matrix, columns = body.tasks, lane.work.matrix, lane.work.columns
    for row in range(3 * tasks.kinds.shape[0]):
        for column in range(row + 1):
            matrix[row, column] = 0.0
    for joint in range(body.joints.parents.shape[0]):
        first, last = tasks.below_starts[joint], tasks.below_starts[joint + 1]
        place = three(lane.work.places, joint, 0)
        for k in range(3):
            axis = scaled(three(lane.work.axes, 3 * joint + k, 0), 1.0 * lane.work.axes[3 * joint + k, 3])
            if not dot(axis, axis) > 0.0:
                continue
            for at in range(first, last):
                entry = tasks.below[at]
                if tasks.kinds[entry] == PLACE:
                    moves = cross(axis, minus(three(lane.work.tips, entry, 0), place))
                else:
                    moves = scaled(axis, settings.turn_scale)
                moves = scaled(moves, 1.0 * tasks.weights[entry])
                if tasks.masked[entry] > 0:
                    moves = through_mask(lane.masks, entry, moves)
                put_three(columns, at - first, 0, moves)
            for at in range(first, last):
                row, a = 3 * tasks.below[at], three(columns, at - first, 0)
                for other in range(first, at + 1):
                    column, b = 3 * tasks.below[other], three(columns, other - first, 0)
                    for line in range(3):
                        put_three(
                            matrix, row + line, column, plus(three(matrix, row + line, column), scaled(b, a[line]))
                        )


def add_travel(body: Body, root_move: float, matrix: FloatArray) -> None:
    """Add to J·Jᵀ what the root's own travel does to places; masked ones are let off lightly."""
    tasks = body.tasks
    for entry in range(tasks.kinds.shape[0]):
        for other in range(entry + 1):
            if tasks.kinds[entry] == PLACE and tasks.kinds[other] == PLACE:
                amount = root_move * root_move * tasks.weights[entry] * tasks.weights[other]
                for k in range(3):
                    matrix[3 * entry + k, 3 * other + k] += amount


def solve_rows(count: int, bias: float, matrix: FloatArray, rows: FloatArray) -> float:
    """The answer for the errors; what is left of the matrix is its factor.

    Each goal is damped by its own error: one that cannot be met does not slow down the others. Returns by how much
    the weighed sum of squares falls, at first, for a whole step; never less than nothing.
    """
    fall = 0.0
    for i in range(count):
        matrix[i, i] += rows[i - i % 3 + DAMPED_AT, WHOLE]
    factor(count, matrix, 0.0, bias)
    solve_factored(count, matrix, rows[:, ERROR], rows[:, ANSWER])
    for i in range(count):
        error, weight = 1.0 * rows[i, ERROR], 1.0 * rows[i - i % 3 + WEIGHT_AT, WHOLE]
        fall = fall + error * (weight * error - rows[i, ANSWER])
    return max(2.0 * fall, 0.0)


def plan_turns(body: Body, settings: Settings, lane: Lane) -> float:
    """Fill how each joint is to turn, a rotation vector in the body's space; the largest is the answer."""
    largest = 0.0
    for joint in range(body.joints.parents.shape[0]):
        turn, pull = NOWHERE, torque_on(body, settings, lane, joint)
        for k in range(3):
            axis, free = three(lane.work.axes, 3 * joint + k, 0), 1.0 * lane.work.axes[3 * joint + k, 3]
            along = dot(axis, pull)
            if not along * lane.work.blocked[joint, k] > 0.0:
                lane.work.blocked[joint, k] = 0.0
            amount = free * free * along
            lane.work.steps[joint, 3 + k] = amount
            turn = plus(turn, scaled(axis, amount))
        put_three(lane.work.steps, joint, 0, turn)
        largest = max(largest, size(turn))
    return largest


def torque_on(body: Body, settings: Settings, lane: Lane, joint: int) -> Three:
    """Jᵀ times the answer for one joint, before its axes are looked at."""
    tasks, rows, found = body.tasks, lane.work.rows, NOWHERE
    place = three(lane.work.places, joint, 0)
    for at in range(tasks.below_starts[joint], tasks.below_starts[joint + 1]):
        entry = tasks.below[at]
        row = 3 * entry
        force = (1.0 * rows[row, ANSWER], 1.0 * rows[row + 1, ANSWER], 1.0 * rows[row + 2, ANSWER])
        force = scaled(force, 1.0 * tasks.weights[entry])
        if tasks.kinds[entry] == PLACE:
            found = plus(found, cross(minus(three(lane.work.tips, entry, 0), place), force))
        else:
            found = plus(found, scaled(force, settings.turn_scale))
    return found


def travel(body: Body, root_move: float, rows: FloatArray) -> Three:
    """How far the root is to travel in a whole step, metres."""
    found = NOWHERE
    for entry in range(body.tasks.kinds.shape[0]):
        if body.tasks.kinds[entry] == PLACE:
            answer = (rows[3 * entry, ANSWER], rows[3 * entry + 1, ANSWER], rows[3 * entry + 2, ANSWER])
            found = plus(found, scaled(answer, root_move * root_move * body.tasks.weights[entry]))
    return found


def try_turns(body: Body, lane: Lane, share: float) -> None:
    """Fill ``tried`` with every joint turned by its share of the plan and held in its limits.

    What part of a turn about each axis limits held back is remembered as blocked, with the sign of the turn.
    """
    joints, work = body.joints, lane.work
    for joint in range(joints.parents.shape[0]):
        own, way = four(lane.local, joint, 0), three(work.steps, joint, 0)
        put_four(work.tried, joint, 0, own)
        if not size(way) > 0.0:
            continue
        if joint > 0:
            way = turned(back(four(work.turns, joints.parents[joint], 0)), way)
        half = 0.5 * share
        asked = times(unit_rotation((half * way[0], half * way[1], half * way[2], 1.0)), own)
        if joint == 0:
            put_four(work.tried, joint, 0, asked)
            continue
        held, past = limited(joint, joints.limits, asked)
        put_four(work.tried, joint, 0, held)
        for k in range(3):
            planned = share * work.steps[joint, 3 + k]
            if int(joints.limits[joint, KIND]) == BALL and k == 0:
                planned = math.hypot(planned, share * work.steps[joint, 4])
            if past[k] * planned > 0.0:
                stopped = min(past[k] / planned, 1.0)
                if stopped > abs(work.blocked[joint, k]):
                    work.blocked[joint, k] = math.copysign(stopped, planned)


def place_joints(body: Body, lane: Lane, root: Three) -> None:
    """Fill places and turns in the body's space as tried, with the root at ``root``."""
    joints, work = body.joints, lane.work
    for joint in range(joints.parents.shape[0]):
        parent, turn = joints.parents[joint], four(work.tried, joint, 0)
        if parent < 0:
            put_three(work.places, joint, 0, root)
            put_four(work.turned_to, joint, 0, turn)
            continue
        above = four(work.turned_to, parent, 0)
        away = turned(above, three(joints.offsets, joint, 0))
        put_three(work.places, joint, 0, plus(three(work.places, parent, 0), away))
        put_four(work.turned_to, joint, 0, times(above, turn))
