"""How far a posed body is from its goals, and how much of that counts."""

from __future__ import annotations

import math

from mummer.ik.particles.settings import (
    BIAS,
    DAMPING,
    EASE,
    MOST_ERROR,
    ONE,
    ROOT_MOVE,
    SMALL_MISS,
    STRETCH,
    TOLERANCE,
    TURN_SCALE,
)
from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_vector,
    quaternion_of,
    vector,
    vector_of,
)
from mummer.ik.particles.turning import after, cross, dot, length_of, minus, turned, undone
from mummer.kernels.arguments import Floats1, Floats2, Floats3
from mummer.kernels.scalars import Three

PLACE, ORIENT, AIM = 0, 1, 2
ERROR, ANSWER, WHOLE = 0, 1, 2
"""Columns of the rows of equations: what is to be met, the answer, and numbers of the goal as a whole."""
DAMPED_AT, POTENTIAL_AT, WEIGHT_AT = 0, 1, 2
"""Which of a goal's three rows hold, in the last column, its damping, its potential and what that counts for."""


def measure(
    frame: int,
    first: int,
    last: int,
    tasks: Ints1,
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
    stiff: float,
    positions: Scratch3,
    rotations: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
) -> float:
    """Fill the errors of a group's goals and the points they act on; the sum of their squares is the answer.

    No error counts for more than ``most``: a goal far out of reach must not drag those that can be met along with it.
    Damping is ``stiff`` times what it would be.
    """
    one = settings[ONE]
    total = one - one
    for at in range(first, last):
        entry = tasks[at]
        joint = joints[entry]
        turn, start = quaternion_of(rotations, frame, joint), vector_of(positions, frame, joint)
        weight = weights[entry]
        point = turned(turn, vector(points, entry))
        tip = (start[0] + point[0], start[1] + point[1], start[2] + point[2])
        put_vector(tips, frame, at - first, tip)
        goal = (targets[frame, entry, 0], targets[frame, entry, 1], targets[frame, entry, 2])
        if kinds[entry] == PLACE:
            error = (weight * (goal[0] - tip[0]), weight * (goal[1] - tip[1]), weight * (goal[2] - tip[2]))
            # A root that travels brings every goal into reach.
            if bases[entry] >= 0 and not settings[ROOT_MOVE] > 0:
                arm = minus(tip, vector_of(positions, frame, bases[entry]))
                error = eased(error, arm, (one + settings[STRETCH]) * reaches[entry], settings)
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
        row, size = 3 * (at - first), dot(error, error)
        share = one / math.sqrt(one + size / (most * most))
        # The potential whose slope is the error that counts; the square itself for a small error.
        potential = (size + size) * share / (one + share)
        total = total + potential
        # Damped by the error itself: what cannot be met must not be chased with ever larger turns.
        damping = settings[DAMPING] * min(size, settings[MOST_ERROR] * settings[MOST_ERROR])
        rows[frame, row + DAMPED_AT, WHOLE] = stiff * (damping + settings[BIAS])
        rows[frame, row + POTENTIAL_AT, WHOLE] = potential
        rows[frame, row, ERROR] = share * error[0]
        rows[frame, row + 1, ERROR] = share * error[1]
        rows[frame, row + 2, ERROR] = share * error[2]
    return total


def weigh(frame: int, goals: int, one: float, rows: Scratch3) -> None:
    """Keep what each of the first ``goals`` goals counts for while one step is tried: the less the more it is damped.

    A damped step need not lower the plain sum of squares where one goal is damped more than another. The sum with
    these weights it always lowers at first.
    """
    for goal in range(goals):
        row = 3 * goal
        rows[frame, row + WEIGHT_AT, WHOLE] = one / rows[frame, row + DAMPED_AT, WHOLE]


def weighed(frame: int, goals: int, zero: float, rows: Scratch3) -> float:
    """The sum of the potentials of the first ``goals`` goals, with the weights that `weigh` kept."""
    total = zero
    for goal in range(goals):
        row = 3 * goal
        total = total + rows[frame, row + WEIGHT_AT, WHOLE] * rows[frame, row + POTENTIAL_AT, WHOLE]
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
    known = square / (square + little)
    # How surely the goal is out of reach from where the limb begins now.
    goal = (arm[0] + error[0], arm[1] + error[1], arm[2] + error[2])
    beyond = min(max((length_of(goal) - reach) / settings[SMALL_MISS], one - one), one)
    k = outward / (size * size) * straight * straight * known * (one + beyond * (one - known))
    # Nothing but this would bend again what came out straighter on the way.
    past = size - start - settings[EASE] * reach
    if past > 0:
        k = k + beyond * known * past / size
    return error[0] - k * arm[0], error[1] - k * arm[1], error[2] - k * arm[2]


def through_mask(masks: Floats3, frame: int, entry: int, v: Three) -> Three:
    """The part of ``v`` along the world's axes that count."""
    return (
        masks[frame, entry, 0] * v[0] + masks[frame, entry, 1] * v[1] + masks[frame, entry, 2] * v[2],
        masks[frame, entry, 1] * v[0] + masks[frame, entry, 3] * v[1] + masks[frame, entry, 4] * v[2],
        masks[frame, entry, 2] * v[0] + masks[frame, entry, 4] * v[1] + masks[frame, entry, 5] * v[2],
    )
