"""The inner loops of retargeting: one frame of one body made of one frame of another. Float64 throughout."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray, IntArray
from mummer.kernels.arguments import Floats1, Floats2, Output2, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three, index_at
from mummer.kernels.vectors import (
    NO_TURN,
    back,
    cross,
    direction,
    dot,
    four,
    minus,
    mixed,
    plus,
    put_four,
    put_three,
    scaled,
    shortest,
    size,
    three,
    times,
    turned,
)
from mummer.retargeting import columns as col
from mummer.retargeting.columns import Room, Source, Tables
from mummer.retargeting.leg_loops import plant


def pose_source(frame: int, source: Source, settings: FloatArray, turns: FloatArray, places: FloatArray) -> None:
    """Where the joints of the source are, in the world of the target."""
    offsets = source.offsets[frame if source.offsets.shape[0] > 1 else 0]
    rotations, left = source.rotations[frame], (settings[0], settings[1], settings[2], settings[3])
    for joint in range(source.parents.shape[0]):
        parent, above, start = source.parents[joint], left, (0.0, 0.0, 0.0)
        away = scaled(three(offsets, joint, 0), source.scales[joint])
        if joint == 0:
            away = three(source.roots, frame, 0)
        if parent >= 0:
            above, start = four(turns, parent, 0), three(places, parent, 0)
        put_four(turns, joint, 0, times(above, four(rotations, joint, 0)))
        put_three(places, joint, 0, plus(start, turned(above, away)))


@apart
def lay_pelvis(settings: FloatArray, turns: FloatArray, places: FloatArray) -> None:
    """Turn the source's pelvis to where its legs begin, which need not hang from it, or hang from it by more joints."""
    hips = int(settings[col.PELVIS])
    if hips >= 0:
        turn, one, other = four(turns, hips, 0), int(settings[col.PELVIS + 1]), int(settings[col.PELVIS + 2])
        line = turned(turn, (settings[col.LINE], settings[col.LINE + 1], settings[col.LINE + 2]))
        put_four(turns, hips, 0, times(shortest(line, minus(three(places, one, 0), three(places, other, 0))), turn))


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


def copied(joint: int, tables: Tables, source_turns: FloatArray) -> Four:
    """The turn in the world of a joint that has a counterpart."""
    plan, constants = tables.plan, tables.constants
    turn = times(four(source_turns, plan[joint, col.FIRST], 0), four(constants, joint, col.RIGHT))
    if plan[joint, col.SECOND] >= 0:
        other = times(four(source_turns, plan[joint, col.SECOND], 0), four(constants, joint, col.OTHER_RIGHT))
        turn = mixed(turn, other, constants[joint, col.SHARE])
    return turn


@apart
def lean_of(tables: Tables, room: Room) -> Four:
    """What the trunk is to be turned by for the line from hips to neck to point as the source's does.

    Spines bend at other places and in other shares; their ends are what is seen.
    """
    trunk, settings, constants, last = tables.trunk, tables.settings, tables.constants, tables.trunk.shape[0] - 1
    turn = copied(trunk[col.TRUNK_FIRST], tables, room.source_turns)
    fixed = turned(turn, (settings[col.FIXED], settings[col.FIXED + 1], settings[col.FIXED + 2]))
    moved = (0.0, 0.0, 0.0)
    for place in range(col.TRUNK_FIRST + 1, last):
        joint = trunk[place]
        if tables.plan[joint, col.FIRST] >= 0:
            turn = copied(joint, tables, room.source_turns)
        else:
            turn = times(turn, four(constants, joint, col.REST))
        moved = plus(moved, turned(turn, three(constants, trunk[place + 1], col.OFFSET)))
    away = minus(
        three(room.source_places, trunk[col.TRUNK_TOP], 0), three(room.source_places, trunk[col.TRUNK_HIPS], 0)
    )
    along = direction(away, (0.0, 1.0, 0.0))
    across = minus(fixed, scaled(along, dot(fixed, along)))
    square = dot(moved, moved) - dot(across, across)
    return shortest(moved, minus(scaled(along, math.sqrt(max(square, 0.0))), across))


def pose_target(tables: Tables, room: Room, rotations: FloatArray) -> None:
    """The rotations of the target's joints, and where they are if its roots are at the origin."""
    plan, constants, settings, trunk = tables.plan, tables.constants, tables.settings, tables.trunk
    turns, places, lean = room.turns, room.places, NO_TURN
    next_of_trunk, last = col.TRUNK_FIRST + 1, trunk.shape[0] - 1
    if last > col.TRUNK_FIRST:
        lean = lean_of(tables, room)
    for joint in range(plan.shape[0]):
        local = four(constants, joint, col.REST)
        parent, above, place = plan[joint, col.PARENT], NO_TURN, (0.0, 0.0, 0.0)
        if parent >= 0:
            above = four(turns, parent, 0)
            place = plus(three(places, parent, 0), turned(above, three(constants, joint, col.OFFSET)))
        is_trunk = next_of_trunk < last and trunk[next_of_trunk] == joint
        if is_trunk:
            next_of_trunk += 1
        if plan[joint, col.FIRST] >= 0:
            turn = copied(joint, tables, room.source_turns)
            if is_trunk:
                turn = times(lean, turn)
            if constants[joint, col.PITCH] != 0.0:
                up = (settings[col.UP], settings[col.UP + 1], settings[col.UP + 2])
                turn = pitched(turn, three(constants, joint, col.AHEAD), up, constants[joint, col.PITCH])
            local = times(back(above), turn)
        else:
            turn = times(above, local)
        put_four(turns, joint, 0, turn)
        put_three(places, joint, 0, place)
        put_four(rotations, joint, 0, local)


def middle(joints: IntArray, places: FloatArray) -> Three:
    """The middle of some joints."""
    x = y = z = 0.0
    for place in range(joints.shape[0]):
        x += places[joints[place], 0]
        y += places[joints[place], 1]
        z += places[joints[place], 2]
    share = 1.0 / joints.shape[0]
    return x * share, y * share, z * share


def shifts_at(time: float, settings: FloatArray, table: FloatArray, shifts: FloatArray) -> None:
    """One row of the table of shifts, straight between two of its moments."""
    last = table.shape[0] - 1
    place = min(max((time - settings[col.START]) * settings[col.RATE], 0.0), float(last))
    before = index_at(place, max(last - 1, 0))
    after, share = min(before + 1, last), place - before
    for column in range(table.shape[1]):
        shifts[column] = (1.0 - share) * table[before, column] + share * table[after, column]


@kernel(borrows=True)
def pose_frames(frame: int, source: Source, tables: Tables, room: Room, rotations: Output3) -> None:
    """One item is one frame: both bodies with the target's root at the origin and its feet left alone."""
    pose_both(frame, source, tables, room_of(frame, room), rotations[frame])


def room_of(frame: int, room: Room) -> Room:
    """That of one frame."""
    return Room(room.source_turns[frame], room.source_places[frame], room.turns[frame], room.places[frame])


def pose_both(frame: int, source: Source, tables: Tables, room: Room, rotations: FloatArray) -> None:
    """Both bodies in the world."""
    pose_source(frame, source, tables.settings, room.source_turns, room.source_places)
    lay_pelvis(tables.settings, room.source_turns, room.source_places)
    pose_target(tables, room, rotations)


@kernel(on_cuda=False, borrows=True)
def transfer_frames(
    frame: int, times_of: Floats1, source: Source, tables: Tables, table: Floats2, room: Room, shifts: Output2,
    rotations: Output3, roots: Output2,
) -> None:  # fmt: skip
    """One item is one frame: the source's pose becomes the target's, and its feet are put where they belong."""
    mine, shift, settings = room_of(frame, room), shifts[frame], tables.settings
    shifts_at(times_of[frame], settings, table, shift)
    pose_both(frame, source, tables, mine, rotations[frame])
    there = plus(
        scaled(middle(tables.source_girdle, mine.source_places), settings[col.SCALE]), (shift[0], shift[1], shift[2])
    )
    root = minus(there, middle(tables.girdle, mine.places))
    put_three(roots, frame, 0, root)
    for leg in range(tables.leg_joints.shape[0]):
        plant(leg, tables, shift, mine, root, rotations[frame])
