"""The hot loop in which parts make way for others and for the ground: a few smooth steps, the same for every frame."""

from __future__ import annotations

import math

from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.segments import rotation_of, write_rotation
from mummer.ik.analytic.vectors import about, back, cross, dot, minus, plus, scaled, size, times, turned
from mummer.ik.volume.capsule_loops import nearest_on_lines, nearest_share
from mummer.kernels.arguments import (
    Count,
    Floats1,
    Floats2,
    Floats3,
    Floats4,
    Output1,
    Output3,
    Output4,
    Parents,
)
from mummer.kernels.fk_rigid import pose_frame
from mummer.kernels.kernel import kernel
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three

LARGEST_TURN = 0.5
"""Radians that a joint turns in one step at most."""
ROUNDS = 2
SWING, MOVE = 0.7, 0.5
"""How willingly a limb with a placed tip swings about the line to its tip, and how willingly its tip moves."""
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
def find_contacts(
    frame: int,
    parents: Parents,
    offsets: Floats3,
    roots: Floats2,
    rotations: Floats3,
    limbs: Parents,
    joints: Parents,
    ends: Floats3,
    radii: Floats2,
    gathers: Parents,
    first: Parents,
    second: Parents,
    trims: Floats3,
    gives: Floats2,
    groups: Parents,
    ground: Floats2,
    deepest: Floats1,
    lifts: Floats1,
    where: Output3,
    turn: Output3,
    placed: Output4,
    around: Output3,
    balls: Output3,
    sunk: Output1,
    touches: Output1,
) -> None:
    """One item is one frame: whether anything of it must make way, and how deep the rest is in the ground.

    Args:
        frame: which.
        parents: see `make_way`, as for all that is not named here.
        offsets: (1, J, 3).
        roots: (T, 3).
        rotations: (T, J, 4) parent_from_joint.
        limbs: (J,).
        joints: (C,).
        ends: (C, 2, 3).
        radii: (C, 2).
        gathers: (C,).
        first: (P,).
        second: (P,).
        trims: (P, 2, 2).
        gives: (P, 2).
        groups: (4 G,).
        ground: (T, 6).
        deepest: (C,).
        lifts: (C,) one for what lifts the whole body, else zero.
        where: (T, J, 3) to work in.
        turn: (T, J, 4).
        placed: (T, C, 2, 3).
        around: (T, C, 4).
        balls: (T, M, 4).
        sunk: (T,) takes metres that the deepest of what lifts the body is in the ground; negative above it.
        touches: (T,) takes one where something must make way, else zero.
    """
    pose_frame(frame, parents, rotations, offsets, roots, where, turn)
    put_capsules(frame, joints, ends, radii, gathers, where, turn, placed, around, balls)
    up, floor, found = (ground[frame, 3], ground[frame, 4], ground[frame, 5]), ground_height(frame, ground), 0.0
    sunk[frame] = -math.inf
    for capsule in range(joints.shape[0]):
        low = min(
            dot(end_of(frame, capsule, 0, placed), up) - radii[capsule, 0],
            dot(end_of(frame, capsule, 1, placed), up) - radii[capsule, 1],
        )
        depth = floor - low - deepest[capsule]
        if lifts[capsule] > 0.0:
            sunk[frame] = max(sunk[frame], depth)
        if depth > 0.0 and limbs[joints[capsule]] >= 0:
            found = 1.0
    touches[frame] = found
    if found == 0.0 and any_overlap(frame, radii, first, second, trims, gives, groups, placed, around, balls):
        touches[frame] = 1.0


def any_overlap(
    frame: int, radii: Floats2, first: Parents, second: Parents, trims: Floats3, gives: Floats2, groups: Parents,
    placed: Floats4, around: Floats3, balls: Floats3,
) -> bool:  # fmt: skip
    """Whether any pair overlaps."""
    for group in range(groups.shape[0] // 4):
        if not near(frame, groups[4 * group], groups[4 * group + 1], balls, 0.0):
            continue
        for pair in range(groups[4 * group + 2], groups[4 * group + 3]):
            a, b = first[pair], second[pair]
            if near(frame, a, b, around, gives[pair, 0]):
                point, other, thick = nearest(frame, pair, a, b, trims, radii, placed)
                if thick - size(minus(point, other)) > gives[pair, 0]:
                    return True
    return False


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


def put_capsules(
    frame: int, joints: Parents, ends: Floats3, radii: Floats2, gathers: Parents, where: Floats3, turn: Floats3,
    placed: Output4, around: Output3, balls: Output3,
) -> None:  # fmt: skip
    """The ends of all capsules in the world, and the balls around each of them and around each group of them."""
    for group in range(balls.shape[1]):
        balls[frame, group, 3] = -1.0
    for capsule in range(joints.shape[0]):
        joint, group = joints[capsule], gathers[capsule]
        rotation, at = rotation_of(frame, joint, turn), place_of(frame, joint, where)
        one = plus(at, turned(rotation, (ends[capsule, 0, 0], ends[capsule, 0, 1], ends[capsule, 0, 2])))
        two = plus(at, turned(rotation, (ends[capsule, 1, 0], ends[capsule, 1, 1], ends[capsule, 1, 2])))
        middle, half = scaled(plus(one, two), 0.5), 0.5 * size(minus(two, one))
        radius = half + max(radii[capsule, 0], radii[capsule, 1])
        for part in range(3):
            placed[frame, capsule, 0, part], placed[frame, capsule, 1, part] = one[part], two[part]
            around[frame, capsule, part] = middle[part]
        around[frame, capsule, 3] = radius
        grow(frame, group, middle, radius, balls)


def grow(frame: int, group: int, middle: Three, radius: float, balls: Output3) -> None:
    """Let the ball around a group hold one more ball."""
    have = balls[frame, group, 3]
    center = (balls[frame, group, 0], balls[frame, group, 1], balls[frame, group, 2])
    away = minus(middle, center)
    far = size(away) if have >= 0.0 else 0.0
    if have >= 0.0 and far + radius <= have:
        return
    if have < 0.0 or far + have <= radius:
        center, have = middle, radius
    else:
        center = plus(center, scaled(away, 0.5 * (far + radius - have) / far))
        have = 0.5 * (far + radius + have)
    for part in range(3):
        balls[frame, group, part] = center[part]
    balls[frame, group, 3] = have


def place_of(frame: int, joint: int, where: Floats3) -> Three:
    """Where a joint is."""
    return where[frame, joint, 0], where[frame, joint, 1], where[frame, joint, 2]


def end_of(frame: int, capsule: int, end: int, placed: Floats4) -> Three:
    """Where an end of a capsule is."""
    return placed[frame, capsule, end, 0], placed[frame, capsule, end, 1], placed[frame, capsule, end, 2]


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


def ground_height(frame: int, ground: Floats2) -> float:
    """How high the ground is, along its direction up."""
    return (
        ground[frame, 0] * ground[frame, 3] + ground[frame, 1] * ground[frame, 4] + ground[frame, 2] * ground[frame, 5]
    )


def beyond(frame: int, row: int, depth: float, soft: float, pressed: Output3) -> float:
    """What of a depth is too much.

    At first touch nothing is; the deeper something would be, the more of that, and at most ``soft`` is left.
    """
    if depth <= 0.0:
        return 0.0
    pressed[frame, row, 0] = max(pressed[frame, row, 0], depth)
    return depth - soft * (1.0 - math.exp(-pressed[frame, row, 0] / soft))


def near(frame: int, one: int, two: int, balls: Floats3, give: float) -> bool:
    """Whether two balls overlap by more than ``give`` metres."""
    x, y = balls[frame, one, 0] - balls[frame, two, 0], balls[frame, one, 1] - balls[frame, two, 1]
    z, reach = balls[frame, one, 2] - balls[frame, two, 2], balls[frame, one, 3] + balls[frame, two, 3] - give
    return reach > 0.0 and x * x + y * y + z * z < reach * reach


@apart
def nearest(
    frame: int, pair: int, one: int, two: int, trims: Floats3, radii: Floats2, placed: Floats4
) -> tuple[Three, Three, float]:
    """The places of the axes of a pair where they come nearest, and both radii there."""
    a, b = end_of(frame, one, 0, placed), end_of(frame, two, 0, placed)
    u, v = minus(end_of(frame, one, 1, placed), a), minus(end_of(frame, two, 1, placed), b)
    squared, other_squared = dot(u, u), dot(v, v)
    growth, other_growth = radii[one, 1] - radii[one, 0], radii[two, 1] - radii[two, 0]
    low, high, other_low, other_high = trims[pair, 0, 0], trims[pair, 0, 1], trims[pair, 1, 0], trims[pair, 1, 1]
    away = minus(a, b)
    s = nearest_on_lines(
        away[0], away[1], away[2], u[0], u[1], u[2], v[0], v[1], v[2], low, high, other_low, other_high
    )
    t = other_low
    for _ in range(ROUNDS):
        p = plus(a, scaled(u, s))
        t = nearest_share(
            p[0], p[1], p[2], b[0], b[1], b[2], v[0], v[1], v[2], other_squared, other_growth, other_low, other_high
        )
        q = plus(b, scaled(v, t))
        s = nearest_share(q[0], q[1], q[2], a[0], a[1], a[2], u[0], u[1], u[2], squared, growth, low, high)
    thick = radii[one, 0] + s * growth + radii[two, 0] + t * other_growth
    return plus(a, scaled(u, s)), plus(b, scaled(v, t)), thick


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
    total += SWING * dot(swing, swing) + freedom * dot(across, across)
    add(frame, base, plus(scaled(swing, SWING * scale), scaled(across, freedom * scale)), emphasis, room)
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
    frame: int, parents: Parents, table: Floats2, limbs: Parents, bases: Parents, tips: Parents, room: Output3,
    turned_by: Output3, turn: Floats3,
) -> None:  # fmt: skip
    """Turn all joints as asked, within their limits; tips of placed limbs keep their turn in the world."""
    for joint in range(1, parents.shape[0]):
        limb = limbs[joint]
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
