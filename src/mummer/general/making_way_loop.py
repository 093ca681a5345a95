"""The hot loop in which parts make way for others and for the ground: a few smooth steps, the same for every frame."""

from __future__ import annotations

import math

from mummer.general.asking_limbs import ask, turn_all
from mummer.general.capsule_scalars import end_of, ground_height, near, nearest, put_capsules
from mummer.ik.analytic.segments import rotation_of
from mummer.ik.analytic.vectors import dot, minus, plus, scaled, size, turned
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Floats4, Output3, Output4, Parents
from mummer.kernels.fk_rigid import pose_frame
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three

SIDE = 0.5
"""Parts whose axes nearly cross are parted the way they are at rest: that counts as this part of their overlap."""
CROSSED = 0.5
"""Where both ways cancel, within this part of both radii, the push fades."""
FARTHER = 3.0
"""The way out that was chosen is at most so many times as long as the shortest."""
ENOUGH = 1.5e-3
"""Part of the body's size: parts that overlap by no more than this beyond what may be are left."""
SHORT = 0.05
"""Levers shorter than this part of the body bring little."""


@kernel(on_cuda=False)
def make_way(
    frame: int,
    parents: Parents,
    offsets: Floats3,
    roots: Floats2,
    table: Floats2,
    limbs: Parents,
    is_end: Parents,
    bases: Parents,
    middles: Parents,
    tips: Parents,
    willing: Floats1,
    supple: Floats1,
    hinges: Floats2,
    planted: Floats2,
    joints: Parents,
    ends: Floats3,
    radii: Floats2,
    gathers: Parents,
    first: Parents,
    second: Parents,
    trims: Floats3,
    gives: Floats2,
    rest_sides: Floats2,
    groups: Parents,
    ground: Floats2,
    deepest: Floats1,
    measures: Floats1,
    most: Count,
    turned_by: Output3,
    where: Output3,
    turn: Output3,
    placed: Output4,
    around: Output3,
    balls: Output3,
    room: Output3,
    pressed: Output3,
) -> None:
    """One item is one frame. ``turned_by`` (T, J, 4) holds the local rotations and takes the result.

    Args:
        frame: which.
        parents: (J,).
        offsets: (1, J, 3) local translations.
        roots: (T, 3).
        table: of `joint_table`.
        limbs: see `Ways`, as for all of the next.
        is_end: (J,).
        bases: (L,).
        middles: (L,).
        tips: (L,).
        willing: (J,).
        supple: (J,).
        hinges: (J, 3).
        planted: (L, 2).
        joints: (C,) that carry the capsules.
        ends: (C, 2, 3).
        radii: (C, 2).
        gathers: (C,) the group of each capsule; groups are numbered from zero.
        first: (P,) one capsule of each pair.
        second: (P,) the other.
        trims: (P, 2, 2).
        gives: (P, 2) metres of overlap that count as touching, and how much deeper parts may be pressed at most.
        rest_sides: (P, 3) unit, from the second to the first at rest, in the frame of the root.
        groups: (4 G,) of each pair of groups: both, the first of their pairs, and the one after the last.
        ground: (T, 6) a place of the ground and the unit direction up.
        deepest: (C,) metres that capsules may be below the ground.
        measures: (3,) the size of the body, the root joint, and metres that parts may be pressed into the ground.
        most: steps.
        turned_by: the local rotations, which change.
        where: (T, J, 3) room for places of joints.
        turn: (T, J, 4) room for their rotations.
        placed: (T, C, 2, 3) room for capsules.
        around: (T, C, 4) room for the balls around them.
        balls: (T, M, 4) room for the balls around groups of them.
        room: (T, J, 4) room for what is asked of joints.
        pressed: (T, P + 2 C, 4) zeros: of each pair, and of each end of a capsule in the ground, metres by which it was
            deepest so far; and of pairs the way out, which is chosen when they first overlap.
    """
    for _ in range(most):
        pose_frame(frame, parents, turned_by, offsets, roots, where, turn)
        put_capsules(frame, joints, ends, radii, gathers, where, turn, placed, around, balls)
        for joint in range(parents.shape[0]):
            for part in range(4):
                room[frame, joint, part] = 0.0
        found = leave_ground(
            frame, parents, limbs, is_end, bases, middles, tips, supple, hinges, planted, joints, radii, gathers,
            ground, deepest, measures, first.shape[0], where, turn, placed, balls, room, pressed,
        )  # fmt: skip
        found = max(found, leave_parts(
            frame, parents, limbs, is_end, bases, middles, tips, willing, hinges, planted, joints, radii, first, second,
            trims, gives, rest_sides, groups, ground, measures, where, turn, placed, around, balls, room, pressed,
        ))  # fmt: skip
        # The less is left to do the less is done, and then nothing: no step comes or goes at once.
        share = min(found / (ENOUGH * measures[0]) - 1.0, 1.0)
        if share <= 0.0:
            return
        for joint in range(parents.shape[0]):
            for part in range(3):
                room[frame, joint, part] *= share
        turn_all(frame, parents, table, limbs, bases, tips, room, turned_by, turn)


def leave_ground(
    frame: int, parents: Parents, limbs: Parents, is_end: Parents, bases: Parents, middles: Parents, tips: Parents,
    supple: Floats1, hinges: Floats2, planted: Floats2, joints: Parents, radii: Floats2, gathers: Parents,
    ground: Floats2, deepest: Floats1, measures: Floats1, pairs: int, where: Floats3, turn: Floats3, placed: Floats4,
    balls: Floats3, room: Output3, pressed: Output3,
) -> float:  # fmt: skip
    """Ask limbs to leave the ground; the depth, in metres, of the deepest that may make way."""
    up, floor = (ground[frame, 3], ground[frame, 4], ground[frame, 5]), ground_height(frame, ground)
    short, worst = SHORT * measures[0], 0.0
    for capsule in range(joints.shape[0]):
        joint, group = joints[capsule], gathers[capsule]
        if limbs[joint] < 0:
            continue
        middle = (balls[frame, group, 0], balls[frame, group, 1], balls[frame, group, 2])
        if dot(middle, up) - floor > balls[frame, group, 3]:
            continue
        # Both ends by themselves: the lower of them may become the other one at any moment.
        for end in range(2):
            point, row = end_of(frame, capsule, end, placed), pairs + 2 * capsule + end
            sunk = floor + radii[capsule, end] - dot(point, up) - deepest[capsule]
            sunk = beyond(frame, row, sunk, measures[2], pressed)
            if sunk <= 0.0:
                continue
            total = ask(frame, joint, point, up, 0.0, 0.0, 1, parents, limbs, is_end, bases, middles, tips, supple,
                        hinges, planted, ground, where, turn, room)  # fmt: skip
            if total > 0.0:
                worst = max(worst, sunk)
                # What has hardly a lever would spin on the spot.
                scale = sunk * total / (total + short * short) ** 2
                ask(frame, joint, point, up, scale, sunk * sunk, 1, parents, limbs, is_end, bases, middles, tips,
                    supple, hinges, planted, ground, where, turn, room)  # fmt: skip
    return worst


def leave_parts(
    frame: int, parents: Parents, limbs: Parents, is_end: Parents, bases: Parents, middles: Parents, tips: Parents,
    willing: Floats1, hinges: Floats2, planted: Floats2, joints: Parents, radii: Floats2, first: Parents,
    second: Parents, trims: Floats3, gives: Floats2, rest_sides: Floats2, groups: Parents, ground: Floats2,
    measures: Floats1, where: Floats3, turn: Floats3, placed: Floats4, around: Floats3, balls: Floats3,
    room: Output3, pressed: Output3,
) -> float:  # fmt: skip
    """Ask limbs to leave other parts; the depth, in metres, of the deepest overlap."""
    worst, root = 0.0, rotation_of(frame, int(measures[1]), turn)
    short = SHORT * measures[0]
    for group in range(groups.shape[0] // 4):
        one, two = groups[4 * group], groups[4 * group + 1]
        if not near(frame, one, two, balls, 0.0):
            continue
        for pair in range(groups[4 * group + 2], groups[4 * group + 3]):
            a, b = first[pair], second[pair]
            if not near(frame, a, b, around, gives[pair, 0]):
                continue
            depth, point, other, way = overlap(
                frame, pair, a, b, trims, radii, gives, rest_sides, root, placed, pressed
            )
            if depth <= 0.0:
                continue
            there = scaled(way, -1.0)
            total = ask(frame, joints[a], point, way, 0.0, 0.0, 0, parents, limbs, is_end, bases, middles, tips,
                        willing, hinges, planted, ground, where, turn, room)  # fmt: skip
            total += ask(frame, joints[b], other, there, 0.0, 0.0, 0, parents, limbs, is_end, bases, middles, tips,
                         willing, hinges, planted, ground, where, turn, room)  # fmt: skip
            if total <= 0.0:
                continue
            worst = max(worst, depth)
            scale = depth / (total + short * short)
            ask(frame, joints[a], point, way, scale, depth * depth, 0, parents, limbs, is_end, bases, middles, tips,
                willing, hinges, planted, ground, where, turn, room)  # fmt: skip
            ask(frame, joints[b], other, there, scale, depth * depth, 0, parents, limbs, is_end, bases, middles, tips,
                willing, hinges, planted, ground, where, turn, room)  # fmt: skip
    return worst


def beyond(frame: int, row: int, depth: float, soft: float, pressed: Output3) -> float:
    """What of a depth is too much.

    At first touch nothing is; the deeper something would be, the more of that, and at most ``soft`` is left.
    """
    if depth <= 0.0:
        return 0.0
    pressed[frame, row, 0] = max(pressed[frame, row, 0], depth)
    return depth - soft * (1.0 - math.exp(-pressed[frame, row, 0] / soft))


def overlap(
    frame: int, pair: int, one: int, two: int, trims: Floats3, radii: Floats2, gives: Floats2, rest_sides: Floats2,
    root: Four, placed: Floats4, pressed: Output3,
) -> tuple[float, Three, Three, Three]:  # fmt: skip
    """How deep a pair overlaps beyond what may be, the places of both axes, and the way that the first should go."""
    nothing = (0.0, 0.0, 0.0)
    point, other, thick = nearest(frame, pair, one, two, trims, radii, placed)
    away = minus(point, other)
    far = size(away)
    depth = thick - far - gives[pair, 0]
    if depth <= 0.0:
        return 0.0, nothing, nothing, nothing
    if pressed[frame, pair, 0] <= 0.0:
        rest = turned(root, (rest_sides[pair, 0], rest_sides[pair, 1], rest_sides[pair, 2]))
        choose_way(frame, pair, plus(away, scaled(rest, SIDE * depth)), CROSSED * thick, pressed)
    way = (pressed[frame, pair, 1], pressed[frame, pair, 2], pressed[frame, pair, 3])
    along = dot(away, way) / max(size(way), 1e-12)
    depth = beyond(frame, pair, min(thick - along - gives[pair, 0], FARTHER * depth), gives[pair, 1], pressed)
    return depth, point, other, way


def choose_way(frame: int, pair: int, away: Three, crossed: float, pressed: Output3) -> None:
    """Remember which way the first of a pair leaves the second: shorter where there is no telling."""
    far = size(away)
    share = min(far / crossed, 1.0)
    way = scaled(away, share * share * (3.0 - 2.0 * share) / max(far, 1e-12))
    for part in range(3):
        pressed[frame, pair, 1 + part] = way[part]
