"""Steps that bring a nearly right pose onto its goals while every joint stays within its limits.

Each step is a damped least-squares step over the whole tree. The damping grows with the error, so that far from the
goal it follows the slope and near it converges as Newton's method does, with no switch between the two. What a
limit stops is left out in that one direction until the goals pull it back, so that others take over its share.
"""

from __future__ import annotations

import math

from mummer.ik.particles.equations import add_travel, assemble, lay_axes, solve_rows
from mummer.ik.particles.measure_goals import measure
from mummer.ik.particles.place_joints import place_joints
from mummer.ik.particles.settings import (
    LARGEST_STEP,
    LEAST_ERROR,
    LEAST_SHARE,
    MOST_ERROR,
    ONE,
    PATIENCE,
    ROOT_MOVE,
    SIZE,
    TOLERANCE,
)
from mummer.ik.particles.steps import plan_turns, travel, try_turns
from mummer.ik.particles.storage import (
    Ints1,
    put_quaternion,
    put_vector,
    quaternion_of,
    vector,
)
from mummer.ik.particles.turning import length_of
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output1, Output3
from mummer.kernels.kernel import kernel


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
