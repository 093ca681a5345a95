"""Steps that bring a nearly right pose onto its goals while every joint stays within its limits.

The spine and each limb first correct by themselves what is little, each with a small system of its own; then the whole
body takes care of the rest. Each step is a damped least-squares step over the joints of such a group. The damping
grows with the error, so that far from the goal it follows the slope and near it converges as Newton's method does,
with no switch between the two. What a limit stops is left out in that one direction until the goals pull it back, so
that others take over its share.
"""

from __future__ import annotations

import math

from mummer.ik.particles.equations import add_travel, assemble, lay_axes, solve_rows
from mummer.ik.particles.measure_goals import measure, weigh, weighed
from mummer.ik.particles.place_joints import place_joints
from mummer.ik.particles.settings import (
    ALONE,
    LARGEST_STEP,
    LEAST_ERROR,
    LEAST_SHARE,
    LOOSEN,
    MOST_ERROR,
    ONE,
    PATIENCE,
    ROOT_MOVE,
    SIZE,
    STIFFEN,
    TOLERANCE,
)
from mummer.ik.particles.steps import plan_turns, travel, try_turns
from mummer.ik.particles.storage import (
    Ints1,
    put_quaternion,
    put_vector,
    quaternion_of,
    vector,
    vector_of,
)
from mummer.ik.particles.turning import length_of
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output1, Output3
from mummer.kernels.kernel import kernel


@kernel
def correct_frames(
    frame: int,
    first_group: Count,
    last_group: Count,
    steps: Count,
    member_starts: Ints1,
    members: Ints1,
    task_starts: Ints1,
    tasks: Ints1,
    below_starts: Ints1,
    below: Ints1,
    tolerances: Floats1,
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
    """One item is one body: up to ``steps`` steps of each group towards its goals; how many it took is told.

    Positions and rotations of all joints are as ``local`` has them, before and after.
    """
    one = settings[ONE]
    zero = one - one
    if first_group == 0:
        taken[frame] = zero
        put_vector(root_places, frame, 0, vector(rest_positions, 0))
    most_taken = zero
    for group in range(first_group, last_group):
        first, last = member_starts[group], member_starts[group + 1]
        first_task, last_task = task_starts[group], task_starts[group + 1]
        size = last_task - first_task
        moves_root = settings[ROOT_MOVE] > 0 and last > first and members[first] == 0
        tolerance = settings[TOLERANCE] * tolerances[group]
        root = vector_of(root_places, frame, 0)
        for at in range(first, last):
            put_vector(blocked, frame, members[at], (zero, zero, zero))
            # Parents outside the group stay as they are.
            parent = max(parents[members[at]], 0)
            put_quaternion(turned_to, frame, parent, quaternion_of(rotations, frame, parent))
        most, stiff, count = settings[MOST_ERROR], one, zero
        for _ in range(steps):
            total = measure(
                frame, first_task, last_task, tasks, kinds, joints, points, aim_axes, bases, reaches, targets, weights,
                masked, masks, settings, most, stiff, positions, rotations, tips, rows,
            )  # fmt: skip
            # The last step fades in with the error: whether it is taken at the threshold makes no difference.
            if not total > tolerance * tolerance:
                break
            miss = math.sqrt(total)
            share = min(miss / tolerance - one, one)
            # What is far off is left to the whole body, and the less is done alone the farther it is.
            if group + 1 < member_starts.shape[0] - 1:
                share = share * min(one + one - miss / settings[ALONE], one)
                if not share > 0:
                    break
            lay_axes(
                frame, first, last, members, parents, limit_kinds, limits, limit_rest, freedom, settings, local,
                rotations, blocked, axes,
            )  # fmt: skip
            assemble(
                frame, first, last, first_task, last_task, members, tasks, below_starts, below, kinds, weights, masked,
                masks, settings, positions, tips, axes, columns, matrix,
            )  # fmt: skip
            if moves_root:
                add_travel(frame, kinds, weights, settings, matrix)
            weigh(frame, size, one, rows)
            before = weighed(frame, size, zero, rows)
            fall = solve_rows(frame, 3 * size, settings, matrix, rows)
            largest = plan_turns(
                frame, first, last, first_task, members, tasks, below_starts, below, kinds, weights, settings,
                positions, tips, rows, axes, blocked, turns,
            )  # fmt: skip
            way = (zero, zero, zero)
            if moves_root:
                way = travel(frame, kinds, weights, settings, rows)
                largest = max(largest, length_of(way) / settings[SIZE])
            if largest > settings[LARGEST_STEP]:
                share = share * settings[LARGEST_STEP] / largest
            ahead, kept = root, one
            for attempt in range(2):
                ahead = (root[0] + share * way[0], root[1] + share * way[1], root[2] + share * way[2])
                try_turns(
                    frame, share, first, last, members, parents, limit_kinds, limits, limit_rest, settings, rotations,
                    turns, blocked, local, tried,
                )  # fmt: skip
                place_joints(frame, first, last, members, parents, offsets, lengths, tried, ahead, positions, turned_to)
                if attempt > 0:
                    break
                measure(
                    frame, first_task, last_task, tasks, kinds, joints, points, aim_axes, bases, reaches, targets,
                    weights, masked, masks, settings, most, stiff, positions, turned_to, tips, rows,
                )  # fmt: skip
                # The lowest point of the parabola through both sums and the slope at the start.
                rise = weighed(frame, size, zero, rows) - before + share * fall
                if not rise + rise > share * fall:
                    break
                kept = share * fall / (rise + rise)
                share = share * max(kept, settings[LEAST_SHARE])
            for at in range(first, last):
                put_quaternion(local, frame, members[at], quaternion_of(tried, frame, members[at]))
                put_quaternion(rotations, frame, members[at], quaternion_of(turned_to, frame, members[at]))
            root = ahead
            # Steps that overshoot make the next ones shorter, little by little, so that they do not swing to and fro.
            stiff = max(stiff * (settings[STIFFEN] - settings[LOOSEN] * kept), one)
            most = max(most * settings[PATIENCE], settings[LEAST_ERROR])
            count = count + one
        put_vector(root_places, frame, 0, root)
        most_taken = max(most_taken, count)
    taken[frame] += most_taken
