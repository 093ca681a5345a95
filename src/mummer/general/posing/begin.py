"""How a limb is begun: hip and knee in closed form, in a plane that is carried along with the limb from rest.

The only direction without a plane is the one opposite to where the limb points at rest, so nothing flips within reach.
"""

from __future__ import annotations

import math

from mummer.character.limits import BALL, HINGE
from mummer.general.posing.turns import held
from mummer.ik.analytic.joint_table import AXIS, KIND, REST, SECOND_RANGE
from mummer.ik.analytic.knee import bend_axis, bend_for, bend_range, length_at, reach_terms, soft_band, soft_length
from mummer.ik.analytic.place_limb import knee_zero
from mummer.ik.analytic.reach import end_of, held_bend
from mummer.ik.analytic.segments import Segments, offset_of, rotation_of, write_rotation
from mummer.ik.analytic.vectors import (
    about,
    across,
    back,
    cross,
    direction,
    dot,
    minus,
    plus,
    scaled,
    shortest,
    size,
    times,
    turned,
)
from mummer.kernels.arguments import Floats2, Floats3, Output3, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three

# How far an elbow that should point somewhere goes there from where it is carried, as a share: below one, so that it
# never has to choose a side.
PULL = 0.9
# Parts of a limb's length: nearer to rest than the first, elbows are as at rest; beyond the second, where they should.
NEAR_REST, FAR_FROM_REST = 0.1, 0.6
# Parts of the farthest swing: from the first on the knee goes to where the hip swings less, from the second on all.
EASY, HARD = 0.6, 1.2
# Radians from rest beyond which a limb does not follow.
OPPOSITE = 2.85
OPPOSITE_COSINE = math.cos(OPPOSITE)
# Targets nearer to the hip than this part of the limb's length are gone around, and how boldly.
TOO_NEAR, AROUND = 0.25, 1.5


@apart
def begin_limb(
    frame: int, hip: int, knee: int, table: Floats2, segments: Segments, lower: Three, aimed: Three, preferred: Three,
    elbow: Three, elbow_pull: float, softness: float, rotations: Output3,
) -> Three:  # fmt: skip
    """Turn hip and knee so that the ankle comes to a place; what of the way there is too far, metres in the world.

    Args:
        frame: which row of the rotations.
        hip: joint.
        knee: joint.
        table: of `joint_table`.
        segments: what stays.
        lower: from knee to ankle, in the knee's frame.
        aimed: where the ankle should be, metres in the world.
        preferred: unit, in the hip's frame: the axis that a straight knee bends about.
        elbow: unit, in the world: to where the knee should point as far as ``elbow_pull`` says.
        elbow_pull: 0 to 1.
        softness: see `soft_length`.
        rotations: (T, J, 4) parent_from_joint.
    """
    hip_start, knee_start = rotation_of(frame, hip, rotations), rotation_of(frame, knee, rotations)
    zero, angle_start = knee_zero(knee, table, knee_start)
    base_from_zero = times(segments.base_from_above, zero)
    axis = bend_axis(knee, table, segments.knee, lower, base_from_zero, preferred)
    upper, above = segments.knee, segments.world_from_above
    constant, turning, straight = reach_terms(turned(back(base_from_zero), upper), lower, axis)
    bends = bend_range(knee, table, straight)
    start = end_of(upper, base_from_zero, axis, angle_start, lower)
    longest, least = length_at(constant, turning, bends.least), length_at(constant, turning, bends.most)
    hip_now = times(above, hip_start)
    was = turned(hip_now, start)
    if size(was) < 1e-9 + 1e-6 * size(upper):
        was = turned(hip_now, upper)
    was = direction(was, (0.0, -1.0, 0.0))
    away = minus(aimed, segments.hip)
    outside = kept_off(away, was, max(least, TOO_NEAR * longest))
    length = soft_length(size(outside), least, longest, soft_band(size(start), longest, softness))
    angle = held_bend(bends, bend_for(constant, turning, length))
    toward = not_opposite(direction(outside, was), was)
    end = end_of(upper, base_from_zero, axis, angle, lower)
    world_from_hip = times(times(shortest(was, toward), shortest(turned(hip_now, end), was)), hip_now)
    side = scaled(cross(toward, turned(times(world_from_hip, base_from_zero), axis)), bends.side)
    if elbow_pull > 0.0:
        turn = elbow_turn(toward, turned(world_from_hip, upper), side, elbow, elbow_pull)
        world_from_hip, side = times(about(toward, turn), world_from_hip), turned(about(toward, turn), side)
    write_rotation(frame, hip, spared(hip, table, above, hip_now, world_from_hip, upper, toward, side), rotations)
    write_rotation(frame, knee, held(knee, table, times(zero, about(axis, angle))), rotations)
    return minus(away, scaled(toward, length))


@apart
def begin_curl(
    frame: int, hip_place: int, first: int, count: int, tip: int, members: Parents, curls: Floats3, chain: int,
    table: Floats2, hip_spot: Three, above: Four, offsets: Floats3, roots: Floats2, point: Three, aimed: Three,
    softness: float, rotations: Output3,
) -> Three:  # fmt: skip
    """Turn hip and hinges of a limb of many joints so that its tip comes to a place; what is too far, as `begin_limb`.

    Args:
        frame: which row of the rotations.
        hip_place: where the hip stands among the chain's joints.
        first: where the chain's joints begin in ``members``.
        count: how many they are.
        tip: what is placed.
        members: joints.
        curls: (N, ROWS, 1 + M) of `curl_table`.
        chain: which of its rows.
        table: of `joint_table`.
        hip_spot: where the hip is.
        above: world_from_parent of the hip.
        offsets: (1, J, 3)
        roots: (T, 3)
        point: in the tip's frame.
        aimed: where the point should be.
        softness: see `soft_length`.
        rotations: (T, J, 4)
    """
    hip = members[first + hip_place]
    rows = curls.shape[1]
    hip_now = times(above, rotation_of(frame, hip, rotations))
    start = curled_end(frame, hip_place, first, count, tip, members, offsets, roots, point, rotations)
    was = direction(turned(hip_now, start), (0.0, -1.0, 0.0))
    longest, least = curls[chain, 0, 0], curls[chain, rows - 1, 0]
    away = minus(aimed, hip_spot)
    outside = kept_off(away, was, max(least, TOO_NEAR * longest))
    length = soft_length(size(outside), least, longest, soft_band(size(start), longest, softness))
    row = 0
    while row < rows - 2 and curls[chain, row + 1, 0] > length:
        row += 1
    share = (curls[chain, row, 0] - length) / (curls[chain, row, 0] - curls[chain, row + 1, 0])
    share = min(max(share, 0.0), 1.0)
    for place in range(hip_place + 1, count):
        joint = members[first + place]
        if int(table[joint, KIND]) == HINGE:
            angle = curls[chain, row, 1 + place] * (1.0 - share) + curls[chain, row + 1, 1 + place] * share
            rest = (table[joint, REST], table[joint, REST + 1], table[joint, REST + 2], table[joint, REST + 3])
            axis = (table[joint, AXIS], table[joint, AXIS + 1], table[joint, AXIS + 2])
            write_rotation(frame, joint, held(joint, table, times(rest, about(axis, angle))), rotations)
    toward = not_opposite(direction(outside, was), was)
    end = curled_end(frame, hip_place, first, count, tip, members, offsets, roots, point, rotations)
    world_from_hip = times(times(shortest(was, toward), shortest(turned(hip_now, end), was)), hip_now)
    below = members[first + hip_place + 1] if hip_place + 1 < count else tip
    upper = offset_of(frame, below, offsets, roots)
    side = across(toward)
    write_rotation(frame, hip, spared(hip, table, above, hip_now, world_from_hip, upper, toward, side), rotations)
    return minus(away, scaled(toward, length))


def curled_end(
    frame: int, hip_place: int, first: int, count: int, tip: int, members: Parents, offsets: Floats3, roots: Floats2,
    point: Three, rotations: Floats3,
) -> Three:  # fmt: skip
    """Where the point of the tip is, in the hip's frame."""
    end = plus(offset_of(frame, tip, offsets, roots), turned(rotation_of(frame, tip, rotations), point))
    for back_by in range(count - 1 - hip_place):
        joint = members[first + count - 1 - back_by]
        end = plus(offset_of(frame, joint, offsets, roots), turned(rotation_of(frame, joint, rotations), end))
    return end


def spared(
    hip: int, table: Floats2, above: Four, hip_now: Four, world_from_hip: Four, upper: Three, toward: Three, side: Three
) -> Four:
    """The hip's rotation parent_from_joint, turned about the line to its target to where it swings less, and held.

    Args:
        hip: joint.
        table: of `joint_table`.
        above: world_from_parent.
        hip_now: world_from_joint at rest.
        world_from_hip: as it would be.
        upper: from hip to knee, in the hip's frame.
        toward: unit, from hip to target.
        side: unit, to where the knee would go if it were bent a little.
    """
    rest = turned(hip_now, upper)
    strain = swing_strain(hip, table, rest, turned(world_from_hip, upper))
    if strain > 0.0:
        turn = elbow_turn(toward, turned(world_from_hip, upper), side, direction(rest, toward), strain)
        world_from_hip = times(about(toward, turn), world_from_hip)
    return held(hip, table, times(back(above), world_from_hip))


def kept_off(away: Three, rest: Three, radius: float) -> Three:
    """``away``, from a hip to a target, moved to where the limb points at rest where it is nearer than ``radius``.

    A target that goes through the hip would swing the limb about in no time; so it goes around.
    """
    near = 1.0 - size(away) / radius
    return away if near <= 0.0 else plus(away, scaled(rest, AROUND * near * radius))


def not_opposite(toward: Three, rest: Three) -> Three:
    """Where a limb points for a target in the direction ``toward``: there, unless that is nearly opposite to rest.

    From `OPPOSITE` radians on it comes back the way it went, as it could not go on to either side without a jump.

    Args:
        toward: unit.
        rest: unit, where it points at rest.
    """
    along = dot(toward, rest)
    if along >= OPPOSITE_COSINE:
        return toward
    side = minus(toward, scaled(rest, along))
    angle = OPPOSITE * (math.pi - math.atan2(size(side), along)) / (math.pi - OPPOSITE)
    return plus(scaled(rest, math.cos(angle)), scaled(direction(side, across(rest)), math.sin(angle)))


def swing_strain(hip: int, table: Floats2, rest: Three, upper: Three) -> float:
    """How near a hip is to the limits of its swing, or beyond, 0 to 1.

    Args:
        hip: joint.
        table: of `joint_table`.
        rest: where the bone below the hip points at rest.
        upper: where it would point.
    """
    if int(table[hip, KIND]) != BALL:
        return 0.0
    most = max(table[hip, SECOND_RANGE], table[hip, SECOND_RANGE + 1])
    swing = math.atan2(size(cross(rest, upper)), dot(rest, upper))
    share = min(max((swing / most - EASY) / (HARD - EASY), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def elbow_turn(toward: Three, knee: Three, side: Three, elbow: Three, pull: float) -> float:
    """How far to turn about ``toward`` for the knee to point more to where it should, radians within a right angle.

    Args:
        toward: unit, from hip to target.
        knee: from hip to knee.
        side: unit, to where the knee would go if it were bent a little; what a straight limb goes by.
        elbow: unit, to where the knee should point.
        pull: how much it should, 0 to 1.
    """
    out = plus(minus(knee, scaled(toward, dot(knee, toward))), scaled(side, 0.02 * size(knee)))
    out = direction(out, side)
    wanted = minus(elbow, scaled(toward, dot(elbow, toward)))
    mixed = plus(out, scaled(wanted, PULL * pull))
    return math.atan2(dot(toward, cross(out, mixed)), dot(out, mixed))
