"""The first phase: the spine finds a pose from which all limbs can reach, with a particle at each branch."""

from __future__ import annotations

from mummer.ik.particles.settings import CHILD_SHARE, ONE, PULL, SIZE, SOFT, SOFT_TWIST
from mummer.ik.particles.storage import Ints1, Scratch3, put_quaternion, put_vector, quaternion_of, vector, vector_of
from mummer.ik.particles.turning import (
    after,
    calm_angle,
    dot,
    length_of,
    minus,
    share_of_turn,
    turn_between,
    turned,
    twist_about,
    undone,
)
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Three

ITERATIONS = 6
ALONG, CHORD, GIVE, APART, FOLD = 0, 1, 2, 3, 4
LEAST, REST, FULL = 0, 1, 2
PLACE_OF, SUM_OF, TANGENT_OF = 0, 3, 7


def softly(excess: float, width: float) -> float:
    """The correction of a length that is ``excess`` too long: little at first, all of it in the end, no corner."""
    if excess < width:
        return excess * excess / (width + width)
    return excess - width / (excess / excess + excess / excess)


def particle(spine: Scratch3, frame: int, k: int, column: int) -> Three:
    """A vector of a spine particle."""
    return spine[frame, k, column], spine[frame, k, column + 1], spine[frame, k, column + 2]


def shift(spine: Scratch3, frame: int, k: int, direction: Three, amount: float) -> None:
    """Move a spine particle along ``direction``."""
    for axis in range(3):
        spine[frame, k, axis] += amount * direction[axis]


def pull_by_limbs(
    frame: int,
    joints: Ints1,
    parents: Ints1,
    limb_particles: Ints1,
    limb_pins: Ints1,
    limb_attach: Floats2,
    limb_lengths: Floats2,
    rest_positions: Floats2,
    pin_places: Floats3,
    settings: Floats1,
    spine: Scratch3,
) -> None:
    """Limbs that are too long pull their particles, all at once, so that left and right count alike."""
    one = settings[ONE]
    for k in range(joints.shape[0]):
        for column in range(SUM_OF, SUM_OF + 4):
            spine[frame, k, column] = one - one
    for limb in range(limb_particles.shape[0]):
        k = limb_particles[limb]
        parent = parents[k]
        if parent < 0:
            continue
        before = minus(vector(rest_positions, joints[k]), vector(rest_positions, joints[parent]))
        now = minus(particle(spine, frame, k, PLACE_OF), particle(spine, frame, parent, PLACE_OF))
        attach = turned(turn_between(before, now, settings[SOFT], one), vector(limb_attach, limb))
        place, pin = particle(spine, frame, k, PLACE_OF), vector_of(pin_places, frame, limb_pins[limb])
        away = (pin[0] - place[0] - attach[0], pin[1] - place[1] - attach[1], pin[2] - place[2] - attach[2])
        size = length_of(away)
        least, rest, full = limb_lengths[limb, LEAST], limb_lengths[limb, REST], limb_lengths[limb, FULL]
        width = full - rest + settings[SIZE] * settings[SOFT] * settings[SOFT]
        spine[frame, k, SUM_OF + 3] += one
        if not size > 0:
            continue
        wanted = one - one
        if size > rest:
            wanted = softly(size - rest, width)
        elif size < least:
            wanted = -softly(least - size, width)
        for axis in range(3):
            spine[frame, k, SUM_OF + axis] += settings[PULL] * wanted * away[axis] / size
    for k in range(joints.shape[0]):
        if spine[frame, k, SUM_OF + 3] > 0:
            shift(spine, frame, k, particle(spine, frame, k, SUM_OF), one / spine[frame, k, SUM_OF + 3])


def keep_lengths(frame: int, parents: Ints1, lengths: Floats2, settings: Floats1, spine: Scratch3) -> None:
    """From the ends inwards, bring neighbouring particles back to their distance, and unfold what is folding."""
    one = settings[ONE]
    for back in range(parents.shape[0] - 1):
        k = parents.shape[0] - 1 - back
        parent = parents[k]
        away = minus(particle(spine, frame, k, PLACE_OF), particle(spine, frame, parent, PLACE_OF))
        size = length_of(away)
        if size > 0:
            wanted = one - one
            if size > lengths[k, ALONG]:
                wanted = lengths[k, ALONG] - size
            elif size < lengths[k, CHORD]:
                wanted = softly(lengths[k, CHORD] - size, lengths[k, GIVE])
            own = settings[CHILD_SHARE] if parents[parent] >= 0 else one
            shift(spine, frame, k, away, own * wanted / size)
            if parents[parent] >= 0:
                shift(spine, frame, parent, away, (own - one) * wanted / size)
        if parents[parent] < 0:
            continue
        away = minus(particle(spine, frame, k, PLACE_OF), particle(spine, frame, parents[parent], PLACE_OF))
        size = length_of(away)
        if size > 0 and size < lengths[k, APART]:
            shift(spine, frame, k, away, softly(lengths[k, APART] - size, lengths[k, FOLD]) / size)


def hold_lengths(frame: int, parents: Ints1, lengths: Floats2, spine: Scratch3) -> None:
    """From the root outwards, put each particle where its piece of spine can really put it."""
    for k in range(1, parents.shape[0]):
        parent = parents[k]
        base = particle(spine, frame, parent, PLACE_OF)
        away = minus(particle(spine, frame, k, PLACE_OF), base)
        size = length_of(away)
        if size > 0:
            held = min(max(size, lengths[k, CHORD] - lengths[k, GIVE]), lengths[k, ALONG])
            scale = held / size
            put_vector(
                spine, frame, k, (base[0] + scale * away[0], base[1] + scale * away[1], base[2] + scale * away[2])
            )


def turn_particles(
    frame: int,
    joints: Ints1,
    parents: Ints1,
    next_starts: Ints1,
    nexts: Ints1,
    tangents: Floats2,
    rest_rotations: Floats2,
    turn_tasks: Ints1,
    targets: Floats3,
    weights: Floats1,
    settings: Floats1,
    spine: Scratch3,
    wanted: Scratch3,
) -> None:
    """Fill how the joints of particles are turned from rest: no more than their tangents ask."""
    one = settings[ONE]
    half = one / (one + one)
    put_quaternion(wanted, frame, joints[0], (one - one, one - one, one - one, one))
    for k in range(parents.shape[0]):
        parent, first, last = parents[k], next_starts[k], next_starts[k + 1]
        place = particle(spine, frame, k, PLACE_OF)
        x, y, z = one - one, one - one, one - one
        for at in range(first, last):
            ahead = particle(spine, frame, nexts[at], PLACE_OF)
            x, y, z = x + ahead[0], y + ahead[1], z + ahead[2]
        count = one - one
        for _ in range(first, last):
            count = count + one
        if count > 0:
            x, y, z = x / count, y / count, z / count
        if parent < 0:
            if count > 0:
                x, y, z = x - place[0], y - place[1], z - place[2]
        elif count > 0:
            before = particle(spine, frame, parent, PLACE_OF)
            x, y, z = half * (x - before[0]), half * (y - before[1]), half * (z - before[2])
        else:
            before, slope = particle(spine, frame, parent, PLACE_OF), particle(spine, frame, parent, TANGENT_OF)
            x = (one + half) * (place[0] - before[0]) - half * slope[0]
            y = (one + half) * (place[1] - before[1]) - half * slope[1]
            z = (one + half) * (place[2] - before[2]) - half * slope[2]
        spine[frame, k, TANGENT_OF], spine[frame, k, TANGENT_OF + 1], spine[frame, k, TANGENT_OF + 2] = x, y, z
        if parent < 0:
            continue
        carried = quaternion_of(wanted, frame, joints[parent])
        turn = turn_between(turned(carried, vector(tangents, k)), (x, y, z), settings[SOFT], one)
        turn = after(turn, carried)
        task = turn_tasks[joints[k]]
        if task >= 0:
            asked = after(quaternion_of(targets, frame, task), undone(row_quaternion(rest_rotations, joints[k])))
            turn = share_of_turn(turn, asked, weights[task], one)
        put_quaternion(wanted, frame, joints[k], turn)


def row_quaternion(rows: Floats2, row: int) -> tuple[float, float, float, float]:
    """Four numbers of a row."""
    return rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]


def row_three(rows: Floats2, row: int, column: int) -> Three:
    """Three numbers of a row."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2]


def on_curve(start: Three, v0: Three, a0: Three, end: Three, v1: Three, a1: Three, t: float, one: float) -> Three:
    """A point of a quintic curve; see `quintic`."""
    s = one - t
    two = one + one
    # The shares of the start, mirrored for the end.
    p = s * s * s * (one + t * (two + one) + t * t * (two + two + two))
    q = s * s * s * t * (one + t * (two + one))
    r = s * s * s * t * t / two
    f = t * t * t * (one + s * (two + one) + s * s * (two + two + two))
    g = -t * t * t * s * (one + s * (two + one))
    h = t * t * t * s * s / two
    return (
        p * start[0] + q * v0[0] + r * a0[0] + f * end[0] + g * v1[0] + h * a1[0],
        p * start[1] + q * v0[1] + r * a0[1] + f * end[1] + g * v1[1] + h * a1[1],
        p * start[2] + q * v0[2] + r * a0[2] + f * end[2] + g * v1[2] + h * a1[2],
    )


def turn_inner(
    frame: int,
    joints: Ints1,
    parents: Ints1,
    curves: Floats2,
    inner_starts: Ints1,
    inner: Ints1,
    inner_times: Floats1,
    inner_offsets: Floats2,
    rest_positions: Floats2,
    settings: Floats1,
    spine: Scratch3,
    wanted: Scratch3,
) -> None:
    """Fill how the joints between particles are turned: carried along the posed curve, twist shared out evenly."""
    one = settings[ONE]
    for k in range(1, parents.shape[0]):
        first, last = inner_starts[k], inner_starts[k + 1]
        if first == last:
            continue
        a, b = joints[parents[k]], joints[k]
        turn_a, turn_b = quaternion_of(wanted, frame, a), quaternion_of(wanted, frame, b)
        start, end = particle(spine, frame, parents[k], PLACE_OF), particle(spine, frame, k, PLACE_OF)
        v0, a0 = turned(turn_a, row_three(curves, k, 0)), turned(turn_a, row_three(curves, k, 3))
        v1, a1 = turned(turn_b, row_three(curves, k, 6)), turned(turn_b, row_three(curves, k, 9))
        carried = turn_a
        here = on_curve(start, v0, a0, end, v1, a1, inner_times[first], one)
        offset = turned(carried, vector(inner_offsets, first))
        here = (here[0] + offset[0], here[1] + offset[1], here[2] + offset[2])
        for at in range(first, last):
            joint = inner[at]
            after_it = b
            ahead = end
            if at + 1 < last:
                after_it = inner[at + 1]
                ahead = on_curve(start, v0, a0, end, v1, a1, inner_times[at + 1], one)
                offset = turned(carried, vector(inner_offsets, at + 1))
                ahead = (ahead[0] + offset[0], ahead[1] + offset[1], ahead[2] + offset[2])
            rest = minus(vector(rest_positions, after_it), vector(rest_positions, joint))
            carried = after(turn_between(turned(carried, rest), minus(ahead, here), settings[SOFT], one), carried)
            put_quaternion(wanted, frame, joint, carried)
            here = ahead
        # What the carried frame lacks in twist at the end is shared out along the way.
        tangent = particle(spine, frame, k, TANGENT_OF)
        size = length_of(tangent)
        if size > 0:
            axis = (tangent[0] / size, tangent[1] / size, tangent[2] / size)
            x, y, z, w = after(turn_b, undone(carried))
            along = dot((x, y, z), axis)
            angle = calm_angle(along * w + along * w, w * w - along * along, settings[SOFT], settings[SOFT_TWIST], one)
            for at in range(first, last):
                joint = inner[at]
                turn = quaternion_of(wanted, frame, joint)
                rest = vector(curves, k)
                way = turned(turn, rest)
                put_quaternion(wanted, frame, joint, after(twist_about(way, inner_times[at] * angle, one), turn))


@kernel
def spine_frames(
    frame: int,
    spine_joints: Ints1,
    spine_parents: Ints1,
    spine_lengths: Floats2,
    tangents: Floats2,
    next_starts: Ints1,
    nexts: Ints1,
    curves: Floats2,
    inner_starts: Ints1,
    inner: Ints1,
    inner_times: Floats1,
    inner_offsets: Floats2,
    limb_particles: Ints1,
    limb_pins: Ints1,
    limb_attach: Floats2,
    limb_lengths: Floats2,
    rest_positions: Floats2,
    rest_rotations: Floats2,
    turn_tasks: Ints1,
    weights: Floats1,
    settings: Floats1,
    targets: Floats3,
    pin_places: Floats3,
    spine: Output3,
    wanted: Output3,
) -> None:
    """One item is one body: fill how the joints of its spine should be turned from rest."""
    for k in range(spine_joints.shape[0]):
        put_vector(spine, frame, k, vector(rest_positions, spine_joints[k]))
    for _ in range(ITERATIONS):
        pull_by_limbs(
            frame, spine_joints, spine_parents, limb_particles, limb_pins, limb_attach, limb_lengths, rest_positions,
            pin_places, settings, spine,
        )  # fmt: skip
        keep_lengths(frame, spine_parents, spine_lengths, settings, spine)
    hold_lengths(frame, spine_parents, spine_lengths, spine)
    turn_particles(
        frame, spine_joints, spine_parents, next_starts, nexts, tangents, rest_rotations, turn_tasks, targets, weights,
        settings, spine, wanted,
    )  # fmt: skip
    turn_inner(
        frame, spine_joints, spine_parents, curves, inner_starts, inner, inner_times, inner_offsets, rest_positions,
        settings, spine, wanted,
    )  # fmt: skip
