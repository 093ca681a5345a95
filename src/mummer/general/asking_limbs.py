"""What is asked of the joints of limbs that should make way, and their turns: scalars of one frame."""

from __future__ import annotations

import math

from mummer.general.capsule_scalars import ground_height, place_of
from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.segments import rotation_of, write_rotation
from mummer.ik.analytic.vectors import about, back, cross, dot, minus, plus, scaled, size, times, turned
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output3, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three

LARGEST_TURN = 0.5
"""Radians that a joint turns in one step at most."""
SWING, MOVE = 0.7, 0.5
"""How willingly a limb with a placed tip swings about the line to its tip, and how willingly its tip moves."""
WASTED = 0.3
"""A limb swings half as willingly where the square of the way that this brings is this part of the way it goes."""


@apart
def ask(
    frame: int, joint: int, point: Three, way: Three, scale: float, emphasis: float, is_ground: int, parents: Parents,
    limbs: Parents, is_end: Parents, bases: Parents, middles: Parents, tips: Parents, weights: Floats1,
    hinges: Floats2, planted: Floats2, ground: Floats2, where: Floats3, turn: Floats3, room: Output3,
) -> float:  # fmt: skip
    """How well the limb of ``joint`` can move a point of it some way; with an emphasis, ask its joints to do so.

    Args:
        frame: which.
        joint: what carries the point.
        point: in the world.
        way: unit, in the world.
        scale: radians a metre.
        emphasis: how much the request counts beside others.
        is_ground: whether it is the ground that is to be left.
        parents: see `make_way`, as for all that is not named here.
        limbs: (J,).
        is_end: (J,).
        bases: (L,).
        middles: (L,).
        tips: (L,).
        weights: (J,) how willingly joints turn.
        hinges: (J, 3).
        planted: (L, 2).
        ground: (T, 6).
        where: (T, J, 3).
        turn: (T, J, 4).
        room: (T, J, 4) sums of what is asked of each joint, and of how much that counts.
    """
    limb = limbs[joint]
    if limb < 0:
        return 0.0
    total, tip = 0.0, tips[limb]
    if tip < 0 or (is_ground == 1 and is_end[joint] == 1):
        last = bases[limb] if tip < 0 else tip
        walker = joint
        while True:
            if weights[walker] > 0.0:
                lever = lever_of(frame, walker, point, way, hinges, where, turn)
                total += weights[walker] * dot(lever, lever)
                add(frame, walker, scaled(lever, weights[walker] * scale), emphasis, room)
            if walker == last or parents[walker] < 0:
                break
            walker = parents[walker]
        if tip < 0:
            return total
    if joint < bases[limb]:
        return total
    up = (ground[frame, 3], ground[frame, 4], ground[frame, 5])
    freedom = dot(place_of(frame, tip, where), up) - ground_height(frame, ground) - planted[limb, 0]
    freedom = min(max(freedom / planted[limb, 1], 0.0), 1.0)
    freedom = MOVE * freedom * freedom * (3.0 - 2.0 * freedom)
    base, middle = bases[limb], middles[limb]
    moved = place_of(frame, tip, where) if is_end[joint] == 1 else point
    lever = cross(minus(moved, place_of(frame, base, where)), way)
    line = minus(place_of(frame, tip, where), place_of(frame, base, where))
    along = dot(line, line)
    swing = scaled(line, dot(lever, line) / along) if along > 1e-18 else (0.0, 0.0, 0.0)
    across = minus(lever, swing)
    # Where the limb would swing far and come hardly any way it does not.
    beside = cross(minus(moved, place_of(frame, base, where)), line)
    far = dot(beside, beside) / along if along > 1e-18 else 0.0
    gain = dot(swing, swing)
    swinging = SWING * gain / (gain + WASTED * far) if gain > 0.0 else 0.0
    total += swinging * gain + freedom * dot(across, across)
    add(frame, base, plus(scaled(swing, swinging * scale), scaled(across, freedom * scale)), emphasis, room)
    if freedom > 0.0 and joint >= middle:
        lever = lever_of(frame, middle, moved, way, hinges, where, turn)
        total += freedom * dot(lever, lever)
        add(frame, middle, scaled(lever, freedom * scale), emphasis, room)
    return total


def lever_of(frame: int, joint: int, point: Three, way: Three, hinges: Floats2, where: Floats3, turn: Floats3) -> Three:
    """What a turn of a joint about each axis of the world brings a point that way, metres a radian."""
    lever = cross(minus(point, place_of(frame, joint, where)), way)
    hinge = (hinges[joint, 0], hinges[joint, 1], hinges[joint, 2])
    if hinge[0] == 0.0 and hinge[1] == 0.0 and hinge[2] == 0.0:
        return lever
    axis = turned(rotation_of(frame, joint, turn), hinge)
    return scaled(axis, dot(lever, axis))


def add(frame: int, joint: int, turning: Three, emphasis: float, room: Output3) -> None:
    """Ask a joint to turn by a rotation vector of the world."""
    if emphasis > 0.0:
        for part in range(3):
            room[frame, joint, part] += emphasis * turning[part]
        room[frame, joint, 3] += emphasis


@apart
def turn_all(
    frame: int, parents: Parents, table: Floats2, limbs: Parents, necks: Parents, bases: Parents, tips: Parents,
    room: Output3, turned_by: Output3, turn: Floats3,
) -> None:  # fmt: skip
    """Turn all joints as asked, within their limits; tips of placed limbs keep their turn in the world."""
    for joint in range(1, parents.shape[0]):
        limb = max(limbs[joint], necks[joint])
        if limb < 0:
            continue
        if joint == tips[limb]:
            keep_tip(frame, joint, bases[limb], parents, table, room, turned_by, turn)
        elif room[frame, joint, 3] > 0.0:
            stays = tips[limb] >= 0 and joint == bases[limb]
            turn_one(frame, joint, stays, table, room, turned_by, turn)


def asked_of(frame: int, joint: int, room: Floats3) -> Four:
    """The turn, in the world, that is asked of a joint."""
    if room[frame, joint, 3] <= 0.0:
        return 0.0, 0.0, 0.0, 1.0
    way = (room[frame, joint, 0], room[frame, joint, 1], room[frame, joint, 2])
    way = scaled(way, 1.0 / room[frame, joint, 3])
    angle = size(way)
    if angle < 1e-15:
        return 0.0, 0.0, 0.0, 1.0
    return about(scaled(way, 1.0 / angle), LARGEST_TURN * math.tanh(angle / LARGEST_TURN))


def turn_one(
    frame: int, joint: int, stays: bool, table: Floats2, room: Floats3, turned_by: Output3, turn: Floats3
) -> None:
    """Turn a joint as asked; one whose tip should stay turns only as far as its limits do not change the turn."""
    world, had = rotation_of(frame, joint, turn), rotation_of(frame, joint, turned_by)
    asked = asked_of(frame, joint, room)
    own = times(times(back(world), asked), world)
    wanted = times(had, own)
    held = hold_joint(joint, table, wanted)
    if stays:
        off = times(back(wanted), held)
        beyond = math.sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2])
        whole = math.sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2])
        share = max(0.0, 1.0 - 2.0 * beyond / whole) if whole > 1e-12 else 0.0
        own = (own[0] * share, own[1] * share, own[2] * share, math.sqrt(max(0.0, 1.0 - (share * whole) ** 2)))
        held = hold_joint(joint, table, times(had, own))
    write_rotation(frame, joint, held, turned_by)


def keep_tip(
    frame: int, tip: int, base: int, parents: Parents, table: Floats2, room: Floats3, turned_by: Output3,
    turn: Floats3,
) -> None:  # fmt: skip
    """Turn the tip of a limb back to how it was in the world, and on as asked of itself."""
    if room[frame, tip, 3] <= 0.0 and room[frame, base, 3] <= 0.0:
        return
    local, above = (0.0, 0.0, 0.0, 1.0), parents[tip]
    while above != base and above >= 0:
        local = times(rotation_of(frame, above, turned_by), local)
        above = parents[above]
    world = times(rotation_of(frame, base, turned_by), local)
    if parents[base] >= 0:
        world = times(rotation_of(frame, parents[base], turn), world)
    wanted = times(asked_of(frame, tip, room), rotation_of(frame, tip, turn))
    write_rotation(frame, tip, hold_joint(tip, table, times(back(world), wanted)), turned_by)
