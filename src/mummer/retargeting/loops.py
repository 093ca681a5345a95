"""The inner loops of retargeting: one frame of one body made of one frame of another. Float64 throughout."""

from __future__ import annotations

import math

import numpy as np

from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output1, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three, index_at
from mummer.kernels.vectors import back, cross, direction, dot, minus, plus, scaled, shortest, size, times, turned
from mummer.retargeting.columns import (
    AHEAD,
    FIRST,
    FIXED,
    LINE,
    NEED,
    NOTHING,
    OFFSET,
    OTHER_RIGHT,
    PARENT,
    PELVIS,
    PITCH,
    PLACE,
    RATE,
    REST,
    RIGHT,
    SCALE,
    SECOND,
    SHARE,
    SOURCE_JOINT,
    SOURCE_NEED,
    SOURCE_PARENT,
    START,
    TRUNK_FIRST,
    TRUNK_HIPS,
    TRUNK_TOP,
    UP,
    Table,
    four,
    put_four,
    put_three,
    three,
)  # fmt: skip
from mummer.retargeting.leg_loops import plant


def between(a: Four, b: Four, share: float) -> Four:
    """A rotation so far from ``a`` to ``b``, along the straight line; exact enough for neighbors of a spine."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0.0 else -1.0
    mine, theirs = 1.0 - share, sign * share
    x, y, z, w = (
        mine * a[0] + theirs * b[0],
        mine * a[1] + theirs * b[1],
        mine * a[2] + theirs * b[2],
        mine * a[3] + theirs * b[3],
    )
    length = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
    return x * length, y * length, z * length, w * length


def pose_source(
    order: Table, above_scales: Floats1, offsets: Floats2, rotations: Floats2, root: Floats1, settings: Floats1,
    turns: Output2, places: Output2,
) -> None:  # fmt: skip
    """Where the joints of the source are, in the world of the target."""
    left = (settings[0], settings[1], settings[2], settings[3])
    for row in range(order.shape[0]):
        joint, parent = order[row, SOURCE_JOINT], order[row, SOURCE_PARENT]
        above, start = left, (0.0, 0.0, 0.0)
        if parent >= 0:
            above = four(turns, parent, 0)
        put_four(turns, joint, times(above, four(rotations, joint, 0)))
        if order[row, SOURCE_NEED] == PLACE:
            away = scaled(three(offsets, joint, 0), above_scales[joint])
            if joint == 0:
                away = (root[0], root[1], root[2])
            if parent >= 0:
                start = three(places, parent, 0)
            put_three(places, joint, plus(start, turned(above, away)))


@apart
def lay_pelvis(settings: Floats1, turns: Output2, places: Floats2) -> None:
    """Turn the source's pelvis to where its legs begin, which need not hang from it, or hang from it by more joints."""
    hips = int(settings[PELVIS])
    if hips >= 0:
        turn, one, other = four(turns, hips, 0), int(settings[PELVIS + 1]), int(settings[PELVIS + 2])
        line = turned(turn, (settings[LINE], settings[LINE + 1], settings[LINE + 2]))
        put_four(turns, hips, times(shortest(line, minus(three(places, one, 0), three(places, other, 0))), turn))


@apart
def pitched(turn: Four, ahead: Three, up: Three, more: float) -> Four:
    """A foot's turn in the world with its slope to the ground made ``more`` times larger, on top of once.

    It is the tangent that grows: what one foot makes of another's pitch is what the other made it of, on the way back,
    and a foot on its tip, which has no side to tip to, is left as it is.
    """
    along = turned(turn, ahead)
    axis, slope = cross(along, up), dot(along, up)
    level = size(axis)
    half = 0.5 * (math.atan2((1.0 + more) * slope, level) - math.atan2(slope, level))
    side = scaled(direction(axis, (1.0, 0.0, 0.0)), math.sin(half))
    return times((side[0], side[1], side[2], math.cos(half)), turn)


@apart
def copied(joint: int, plan: Table, constants: Floats2, source_turns: Floats2) -> Four:
    """The turn in the world of a joint that has a counterpart."""
    turn = times(four(source_turns, plan[joint, FIRST], 0), four(constants, joint, RIGHT))
    if plan[joint, SECOND] >= 0:
        other = times(four(source_turns, plan[joint, SECOND], 0), four(constants, joint, OTHER_RIGHT))
        turn = between(turn, other, constants[joint, SHARE])
    return turn


@apart
def lean_of(
    trunk: Parents, plan: Table, constants: Floats2, settings: Floats1, source_turns: Floats2, source_places: Floats2
) -> Four:  # fmt: skip
    """What the trunk is to be turned by for the line from hips to neck to point as the source's does.

    Spines bend at other places and in other shares; their ends are what is seen.
    """
    last = trunk.shape[0] - 1
    turn = copied(trunk[TRUNK_FIRST], plan, constants, source_turns)
    fixed = turned(turn, (settings[FIXED], settings[FIXED + 1], settings[FIXED + 2]))
    moved = (0.0, 0.0, 0.0)
    for place in range(TRUNK_FIRST + 1, last):
        joint = trunk[place]
        if plan[joint, FIRST] >= 0:
            turn = copied(joint, plan, constants, source_turns)
        else:
            turn = times(turn, four(constants, joint, REST))
        moved = plus(moved, turned(turn, three(constants, trunk[place + 1], OFFSET)))
    away = minus(three(source_places, trunk[TRUNK_TOP], 0), three(source_places, trunk[TRUNK_HIPS], 0))
    along = direction(away, (0.0, 1.0, 0.0))
    across = minus(fixed, scaled(along, dot(fixed, along)))
    room = dot(moved, moved) - dot(across, across)
    return shortest(moved, minus(scaled(along, math.sqrt(max(room, 0.0))), across))


def pose_target(
    plan: Table, constants: Floats2, settings: Floats1, trunk: Parents, source_turns: Floats2, source_places: Floats2,
    turns: Output2, places: Output2, rotations: Output2,
) -> None:  # fmt: skip
    """The rotations of the target's joints, and where they are if its roots are at the origin."""
    lean = (0.0, 0.0, 0.0, 1.0)
    next_of_trunk, last = TRUNK_FIRST + 1, trunk.shape[0] - 1
    if last > TRUNK_FIRST:
        lean = lean_of(trunk, plan, constants, settings, source_turns, source_places)
    for joint in range(plan.shape[0]):
        local = four(constants, joint, REST)
        if plan[joint, NEED] != NOTHING:
            parent = plan[joint, PARENT]
            above = (0.0, 0.0, 0.0, 1.0)
            if parent >= 0:
                above = four(turns, parent, 0)
            is_trunk = next_of_trunk < last and trunk[next_of_trunk] == joint
            if is_trunk:
                next_of_trunk += 1
            if plan[joint, FIRST] >= 0:
                # Written out, not `copied`: this is the innermost of all, and calls are half of what it costs.
                turn = times(four(source_turns, plan[joint, FIRST], 0), four(constants, joint, RIGHT))
                if plan[joint, SECOND] >= 0:
                    other = times(four(source_turns, plan[joint, SECOND], 0), four(constants, joint, OTHER_RIGHT))
                    turn = between(turn, other, constants[joint, SHARE])
                if is_trunk:
                    turn = times(lean, turn)
                if constants[joint, PITCH] != 0.0:
                    up = (settings[UP], settings[UP + 1], settings[UP + 2])
                    turn = pitched(turn, three(constants, joint, AHEAD), up, constants[joint, PITCH])
                local = times(back(above), turn)
            else:
                turn = times(above, local)
            put_four(turns, joint, turn)
            if plan[joint, NEED] == PLACE:
                place = (0.0, 0.0, 0.0)
                if parent >= 0:
                    place = plus(three(places, parent, 0), turned(above, three(constants, joint, OFFSET)))
                put_three(places, joint, place)
        put_four(rotations, joint, local)


def middle(joints: Parents, places: Floats2) -> Three:
    """The middle of some joints."""
    x = y = z = 0.0
    for place in range(joints.shape[0]):
        x += places[joints[place], 0]
        y += places[joints[place], 1]
        z += places[joints[place], 2]
    share = 1.0 / joints.shape[0]
    return x * share, y * share, z * share


def shifts_at(time: float, settings: Floats1, table: Floats2, shifts: Output1) -> None:
    """One row of the table of shifts, straight between two of its moments."""
    last = table.shape[0] - 1
    place = min(max((time - settings[START]) * settings[RATE], 0.0), float(last))
    before = index_at(place, max(last - 1, 0))
    after, share = min(before + 1, last), place - before
    for column in range(table.shape[1]):
        shifts[column] = (1.0 - share) * table[before, column] + share * table[after, column]


@kernel
def pose_frames(
    frame: int, source_order: Table, source_scales: Floats1, source_offsets: Floats3, source_rotations: Floats3,
    source_roots: Floats2,
    plan: Table, constants: Floats2, settings: Floats1, trunk: Parents, source_turns: Output3, source_places: Output3,
    turns: Output3, places: Output3, rotations: Output3,
) -> None:  # fmt: skip
    """One item is one frame: both bodies with the target's root at the origin and its feet left alone."""
    pose_source(
        source_order, source_scales, source_offsets[frame if source_offsets.shape[0] > 1 else 0],
        source_rotations[frame], source_roots[frame], settings, source_turns[frame], source_places[frame],
    )  # fmt: skip
    lay_pelvis(settings, source_turns[frame], source_places[frame])
    pose_target(
        plan, constants, settings, trunk, source_turns[frame], source_places[frame], turns[frame], places[frame],
        rotations[frame],
    )  # fmt: skip


@kernel(on_cuda=False)
def transfer_frames(
    frame: int, times_of: Floats1, source_order: Table, source_scales: Floats1, source_offsets: Floats3,
    source_rotations: Floats3, source_roots: Floats2, plan: Table, constants: Floats2, settings: Floats1,
    trunk: Parents, source_girdle: Parents, girdle: Parents,
    table: Floats2, leg_joints: Table, leg_numbers: Floats2, rotations: Output3, roots: Output2,
) -> None:  # fmt: skip
    """One item is one frame: the source's pose becomes the target's, and its feet are put where they belong."""
    theirs, mine = source_rotations.shape[1], plan.shape[0]
    # One piece of memory for all: asking for it takes as long as several joints.
    room, shifts = np.empty((2 * (theirs + mine), 4)), np.empty(table.shape[1])
    source_turns, source_places = room[:theirs], room[theirs : 2 * theirs]
    turns, places = room[2 * theirs : 2 * theirs + mine], room[2 * theirs + mine :]
    shifts_at(times_of[frame], settings, table, shifts)
    pose_source(
        source_order, source_scales, source_offsets[frame if source_offsets.shape[0] > 1 else 0],
        source_rotations[frame], source_roots[frame], settings, source_turns, source_places,
    )  # fmt: skip
    lay_pelvis(settings, source_turns, source_places)
    pose_target(plan, constants, settings, trunk, source_turns, source_places, turns, places, rotations[frame])
    there = plus(scaled(middle(source_girdle, source_places), settings[SCALE]), (shifts[0], shifts[1], shifts[2]))
    root = minus(there, middle(girdle, places))
    put_three(roots, frame, root)
    for leg in range(leg_joints.shape[0]):
        plant(
            leg, leg_joints, leg_numbers, settings, shifts, source_turns, source_places, turns, places, root,
            rotations[frame],
        )  # fmt: skip
