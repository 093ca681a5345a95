"""The second phase: limbs aim at their goals from the posed spine, and their particles settle at their lengths."""

from __future__ import annotations

import math

from mummer.ik.particles.settings import EASE, NEAR, ONE, SOFT, SOFT_TWIST, STRETCH
from mummer.ik.particles.settle import settle
from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_of,
    vector,
    vector_of,
)
from mummer.ik.particles.turning import (
    after,
    calm_angle,
    cross,
    dot,
    length_of,
    minus,
    turn_between,
    turn_by_way_of,
    turned,
    twist_about,
    undone,
)
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output3
from mummer.kernels.kernel import kernel

ITERATIONS = 6


def soft_reach(distance: float, reach: float, chord: float, ease: float) -> float:
    """``distance``, drawn back so that it nears but never passes ``reach`` less ``ease`` of it; equal well inside."""
    room = ease * reach
    start = reach - room - room
    if not distance > max(start, chord):
        return distance
    if chord > start:
        # As straight at rest as that already: it eases as the goal moves away.
        return start + (chord - start) * math.exp((chord - distance) / (room + room + room + room))
    return start + room - room * math.exp((start - distance) / room)


def aim_limbs(
    frame: int,
    rest: Floats2,
    roots: Ints1,
    before: Ints1,
    spines: Ints1,
    aims: Floats2,
    poles: Floats2,
    reaches: Floats1,
    member_starts: Ints1,
    members: Ints1,
    bends: Floats2,
    end_starts: Ints1,
    ends: Ints1,
    offsets: Floats2,
    rest_rotations: Floats2,
    pin_places: Floats3,
    settings: Floats1,
    positions: Scratch3,
    rotations: Scratch3,
    places: Scratch3,
    aim_turns: Scratch3,
    lengths: Scratch3,
) -> None:
    """Turn and scale each limb as a whole so that its end is at its goal; lengths are put right afterwards."""
    one = settings[ONE]
    for aim in range(roots.shape[0]):
        root = roots[aim]
        if before[aim] < 0:
            spine = spines[aim]
            carried = after(quaternion_of(rotations, frame, spine), undone(quaternion(rest_rotations, spine)))
            start, (x, y, z) = (
                vector_of(positions, frame, spine),
                turned(quaternion_of(rotations, frame, spine), vector(offsets, root)),
            )
            put_vector(places, frame, root, (start[0] + x, start[1] + y, start[2] + z))
        else:
            carried = quaternion_of(aim_turns, frame, before[aim])
        base = vector_of(places, frame, root)
        x, y, z, count = -base[0], -base[1], -base[2], one - one
        for _ in range(end_starts[aim], end_starts[aim + 1]):
            count = count + one
        for at in range(end_starts[aim], end_starts[aim + 1]):
            pin = vector_of(pin_places, frame, ends[at])
            x, y, z = x + pin[0] / count, y + pin[1] / count, z + pin[2] / count
        rested = turned(carried, vector(aims, aim))
        chord, distance = length_of(rested), length_of((x, y, z))
        # A goal where the limb itself begins has no direction: it fades into the direction at rest.
        near = settings[NEAR] * chord
        if distance < near and chord > 0:
            k = (near - distance) / near
            k = k * k * near / chord
            x, y, z = x + k * rested[0], y + k * rested[1], z + k * rested[2]
        turn = after(
            turn_by_way_of(rested, turned(carried, vector(poles, aim)), (x, y, z), settings[SOFT], one), carried
        )
        put_quaternion(aim_turns, frame, aim, turn)
        pointed = turned(turn, vector(aims, aim))
        scale, longer, reach = one, one, reaches[aim]
        if chord > 0:
            if settings[STRETCH] > 0 and distance > reach:
                longer = one + settings[STRETCH] * (one - math.exp((one - distance / reach) / settings[STRETCH]))
            scale = soft_reach(distance, longer * reach, chord, settings[EASE]) / chord
            pointed = (pointed[0] / chord, pointed[1] / chord, pointed[2] / chord)
        height = one - one
        if scale < one:
            little = settings[SOFT] * settings[SOFT]
            height = (math.sqrt(one - scale * scale + little) - settings[SOFT]) * reach
        for at in range(member_starts[aim], member_starts[aim + 1]):
            member = members[at]
            v = turned(turn, minus(vector(rest, member), vector(rest, root)))
            out = turned(turn, vector(bends, at))
            k, h = (scale - one) * dot(v, pointed), height
            place = (
                base[0] + v[0] + k * pointed[0] + h * out[0],
                base[1] + v[1] + k * pointed[1] + h * out[1],
                base[2] + v[2] + k * pointed[2] + h * out[2],
            )
            put_vector(places, frame, member, place)
            if member < lengths.shape[1]:
                lengths[frame, member, 0] = longer


def relax_lengths(
    frame: int,
    parents: Ints1,
    lengths: Floats1,
    loose: Floats1,
    order: Ints1,
    cross_firsts: Ints1,
    cross_seconds: Ints1,
    cross_lengths: Floats1,
    settings: Floats1,
    stretch: Scratch3,
    places: Scratch3,
) -> None:
    """From the tips inwards, bring particles to their distances; held ones and the spine stay where they are."""
    one = settings[ONE]
    half = one / (one + one)
    for _ in range(ITERATIONS):
        for back in range(order.shape[0]):
            k = order[order.shape[0] - 1 - back]
            parent = parents[k]
            longer = stretch[frame, k, 0] if k < stretch.shape[1] else one
            own, other = loose[k], loose[parent]
            if own > 0 and other > 0:
                own, other = half, half
            part_them(frame, parent, k, longer * lengths[k], other, own, places)
        for at in range(cross_firsts.shape[0]):
            first, second = cross_firsts[at], cross_seconds[at]
            own, other = half * loose[second], half * loose[first]
            part_them(frame, first, second, cross_lengths[at], other, own, places)


def part_them(frame: int, a: int, b: int, distance: float, share_a: float, share_b: float, places: Scratch3) -> None:
    """Bring two particles to a distance, each by its share of the way."""
    p, q = vector_of(places, frame, a), vector_of(places, frame, b)
    away = minus(q, p)
    size = length_of(away)
    if size > 0:
        k = (distance - size) / size
        put_vector(
            places, frame, a, (p[0] - share_a * k * away[0], p[1] - share_a * k * away[1], p[2] - share_a * k * away[2])
        )
        put_vector(
            places, frame, b, (q[0] + share_b * k * away[0], q[1] + share_b * k * away[1], q[2] + share_b * k * away[2])
        )


def turn_to_particles(
    frame: int,
    joint: int,
    carried: tuple[float, float, float, float],
    rest: Floats2,
    kid_starts: Ints1,
    kids: Ints1,
    settings: Floats1,
    places: Scratch3,
) -> tuple[float, float, float, float]:
    """How a joint is turned from rest so that what hangs on it points to its particles, and twists with them."""
    one = settings[ONE]
    zero = one - one
    first, last = kid_starts[joint], kid_starts[joint + 1]
    own, own_rest = vector_of(places, frame, joint), vector(rest, joint)
    x, y, z, u, v, w = zero, zero, zero, zero, zero, zero
    for at in range(first, last):
        now, then = minus(vector_of(places, frame, kids[at]), own), minus(vector(rest, kids[at]), own_rest)
        x, y, z = x + now[0], y + now[1], z + now[2]
        u, v, w = u + then[0], v + then[1], w + then[2]
    turn = after(turn_between(turned(carried, (u, v, w)), (x, y, z), settings[SOFT], one), carried)
    size = length_of((x, y, z))
    if last - first < 2 or not size > 0:
        return turn
    axis = (x / size, y / size, z / size)
    sine, cosine, spread = zero, zero, zero
    for at in range(first, last):
        now = minus(vector_of(places, frame, kids[at]), own)
        then = turned(turn, minus(vector(rest, kids[at]), own_rest))
        k = dot(now, axis)
        now = (now[0] - k * axis[0], now[1] - k * axis[1], now[2] - k * axis[2])
        sine, cosine = sine + dot(axis, cross(then, now)), cosine + dot(then, now)
        k = dot(then, axis)
        spread = spread + dot(then, then) - k * k
    angle = calm_angle(sine, cosine, settings[SOFT] * spread, settings[SOFT_TWIST], one)
    return after(twist_about(axis, angle, one), turn)


@kernel
def limb_frames(
    frame: int,
    phase: Count,
    rest: Floats2,
    particle_parents: Ints1,
    particle_lengths: Floats1,
    loose: Floats1,
    order: Ints1,
    roots: Ints1,
    before: Ints1,
    spines: Ints1,
    aims: Floats2,
    poles: Floats2,
    reaches: Floats1,
    member_starts: Ints1,
    members: Ints1,
    bends: Floats2,
    end_starts: Ints1,
    ends: Ints1,
    joint_aims: Ints1,
    kid_starts: Ints1,
    kids: Ints1,
    cross_firsts: Ints1,
    cross_seconds: Ints1,
    cross_lengths: Floats1,
    parents: Ints1,
    offsets: Floats2,
    rest_positions: Floats2,
    rest_rotations: Floats2,
    rest_local: Floats2,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    is_spine: Ints1,
    turn_tasks: Ints1,
    settings: Floats1,
    targets: Floats3,
    pin_places: Floats3,
    wanted: Floats3,
    positions: Output3,
    rotations: Output3,
    places: Output3,
    aim_turns: Output3,
    local: Output3,
    lengths: Output3,
) -> None:
    """One item is one body: in phase 0 settle its spine, in phase 1 aim and settle its limbs."""
    one = settings[ONE]
    if phase == 0:
        for joint in range(parents.shape[0]):
            lengths[frame, joint, 0] = one
            put_quaternion(local, frame, joint, quaternion(rest_local, joint))
        put_quaternion(local, frame, 0, quaternion(rest_rotations, 0))
        put_vector(positions, frame, 0, vector(rest_positions, 0))
        put_quaternion(rotations, frame, 0, quaternion(rest_rotations, 0))
    else:
        aim_limbs(
            frame, rest, roots, before, spines, aims, poles, reaches, member_starts, members, bends, end_starts, ends,
            offsets, rest_rotations, pin_places, settings, positions, rotations, places, aim_turns, lengths,
        )  # fmt: skip
        relax_lengths(
            frame, particle_parents, particle_lengths, loose, order, cross_firsts, cross_seconds, cross_lengths,
            settings, lengths, places,
        )  # fmt: skip
    for joint in range(1, parents.shape[0]):
        if (phase > 0) == (is_spine[joint] > 0):
            continue
        turn = quaternion_of(wanted, frame, joint)
        if phase > 0:
            parent = parents[joint]
            turn = after(quaternion_of(rotations, frame, parent), undone(quaternion(rest_rotations, parent)))
            if kid_starts[joint] < kid_starts[joint + 1]:
                carried = quaternion_of(aim_turns, frame, joint_aims[joint])
                turn = turn_to_particles(frame, joint, carried, rest, kid_starts, kids, settings, places)
            task = turn_tasks[joint]
            if task >= 0:
                turn = after(quaternion_of(targets, frame, task), undone(quaternion(rest_rotations, joint)))
        settle(
            frame, joint, turn, parents, offsets, rest_rotations, rest_local, limit_kinds, limits, limit_rest,
            freedom, one, lengths, local, positions, rotations,
        )  # fmt: skip
