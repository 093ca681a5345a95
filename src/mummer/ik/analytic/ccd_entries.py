"""What cyclic coordinate descent is asked for, as numbers, and how far it is from it, in a kernel."""

from __future__ import annotations

import math

from mummer.ik.analytic.ccd_turn import paired
from mummer.ik.analytic.vectors import back, cross, direction, dot, minus, size, times, turned
from mummer.ik.goal_table import AIM_ALONG, AIM_AT, ORIENT, PLACE
from mummer.kernels.arguments import Floats2, Floats3
from mummer.kernels.scalars import Four, Nine, Three

# The columns of an entry: the kind of goal, its joint, the point and the mask or axis of `GoalTable`.
KIND, JOINT, POINT, AXES, ENTRY = 0, 1, 2, 5, 8
# The columns of what is known of each entry in a frame: where its point is, and how its joint is turned.
AT, TURN, END = 0, 3, 7


def vector(rows: Floats2, row: int, column: int) -> Three:
    """Three numbers of a row."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2]


def goal_of(frame: int, entry: int, entries: Floats2, targets: Floats3, at: Three) -> Three:
    """Where the point of a place should be; axes that do not count are where the point is."""
    mask = vector(entries, entry, AXES)
    return (
        targets[frame, entry, 0] if mask[0] > 0.0 else at[0],
        targets[frame, entry, 1] if mask[1] > 0.0 else at[1],
        targets[frame, entry, 2] if mask[2] > 0.0 else at[2],
    )


def sight_of(frame: int, entry: int, entries: Floats2, targets: Floats3, at: Three) -> Three:
    """(3) unit: where the axis of an aim should point."""
    target = (targets[frame, entry, 0], targets[frame, entry, 1], targets[frame, entry, 2])
    away = minus(target, at) if int(entries[entry, KIND]) == AIM_AT else target
    return direction(away, (0.0, 0.0, 0.0))


def add_arrows(
    sums: Nine, frame: int, entry: int, entries: Floats2, targets: Floats3, weight: float, lever: float, at: Three,
    turn: Four, center: Three,
) -> Nine:  # fmt: skip
    """``sums`` with the arrows of one entry, for a joint at ``center``; see `ccd_turn`."""
    kind = int(entries[entry, KIND])
    if kind == PLACE:
        goal = goal_of(frame, entry, entries, targets, at)
        return paired(sums, weight, minus(at, center), minus(goal, center))
    strength = weight * lever * lever
    if kind in (AIM_AT, AIM_ALONG):
        points = turned(turn, vector(entries, entry, AXES))
        return paired(sums, strength, points, sight_of(frame, entry, entries, targets, at))
    if kind == ORIENT:
        wanted = (
            targets[frame, entry, 0], targets[frame, entry, 1], targets[frame, entry, 2], targets[frame, entry, 3],
        )  # fmt: skip
        sums = paired(sums, strength, turned(turn, (1.0, 0.0, 0.0)), turned(wanted, (1.0, 0.0, 0.0)))
        sums = paired(sums, strength, turned(turn, (0.0, 1.0, 0.0)), turned(wanted, (0.0, 1.0, 0.0)))
        sums = paired(sums, strength, turned(turn, (0.0, 0.0, 1.0)), turned(wanted, (0.0, 0.0, 1.0)))
    return sums


def missed(frame: int, entry: int, entries: Floats2, targets: Floats3, at: Three, turn: Four) -> float:
    """How far an entry is from being met, metres for a place and radians for the others."""
    kind = int(entries[entry, KIND])
    if kind == PLACE:
        return size(minus(at, goal_of(frame, entry, entries, targets, at)))
    if kind in (AIM_AT, AIM_ALONG):
        points = turned(turn, vector(entries, entry, AXES))
        sight = sight_of(frame, entry, entries, targets, at)
        return math.atan2(size(cross(points, sight)), dot(points, sight))
    wanted = (targets[frame, entry, 0], targets[frame, entry, 1], targets[frame, entry, 2], targets[frame, entry, 3])
    apart = times(back(turn), wanted)
    return 2.0 * math.atan2(size((apart[0], apart[1], apart[2])), abs(apart[3]))
