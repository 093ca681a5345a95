"""The inner loops of legs: where a foot belongs, and how its leg bends to put it there."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.ik.reach import bend_for, bend_plane, swing_onto
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import (
    NO_TURN,
    about,
    back,
    cross,
    direction,
    dot,
    exponential,
    four,
    minus,
    plus,
    put_four,
    scaled,
    size,
    smooth_step,
    soft_limit,
    three,
    times,
    turned,
)
from mummer.retargeting import columns as col
from mummer.retargeting.columns import Room, Tables

# How bent a leg must be, as a sine, for its own plane to be trusted.
TRUSTED = 0.35
# How bent a knee must be, radians, to be bent further for however little; and what is little, in leg lengths.
BENT, SLIGHT = 0.25, 0.012
# How much of what is left to be stretched a leg uses up to bring its foot to its place.
GIVE = 0.7
# How far toes bend upwards at most, radians.
MOST_BENT = 1.5


@apart
def ankle_target(leg: int, tables: Tables, shifts: FloatArray, room: Room, foot_turn: Four, natural: Three) -> Three:
    """Where the ankle of the target should be, so that the part of the sole that stands does what the source's does.

    High above the floor the leg is left as it is, ``natural``, but for what the body was raised over uneven ground; the
    lift is given to it in any case.
    """
    numbers, settings, source_foot = tables.leg_numbers, tables.settings, tables.leg_joints[leg, col.SOURCE_FOOT]
    turn, ankle = four(room.source_turns, source_foot, 0), three(room.source_places, source_foot, 0)
    up = (settings[col.UP], settings[col.UP + 1], settings[col.UP + 2])
    ball = plus(ankle, turned(turn, three(numbers, leg, col.BALL_S)))
    heel = plus(ankle, turned(turn, three(numbers, leg, col.HEEL_S)))
    floor, column = shifts[col.FLOOR], col.FIRST_LEG + col.A_LEG * leg
    shift = (shifts[column], shifts[column + 1], shifts[column + 2])
    lift = shifts[column + col.LIFT]
    ball_height, heel_height = dot(ball, up) - numbers[leg, col.BALL_HIGH] - floor, dot(heel, up) - floor
    free = minus(natural, scaled(up, shifts[col.RAISED] - lift))
    held = let_go(min(ball_height, heel_height) / numbers[leg, col.NEAR])
    if held <= 0.0:
        return free
    # Over the ground the ball is followed all the time; how high the ankle is, the part that stands decides.
    by_ball = plus(scaled(ball, settings[col.SCALE]), shift)
    by_ball = minus(by_ball, turned(foot_turn, three(numbers, leg, col.BALL_T)))
    share = standing_share(heel_height - ball_height, numbers[leg, col.ROLL])
    by_heel = dot(minus(scaled(heel, settings[col.SCALE]), turned(foot_turn, three(numbers, leg, col.HEEL_T))), up)
    rise = share * numbers[leg, col.BALL_LIFT] + (1.0 - share) * (by_heel + dot(shift, up) - dot(by_ball, up))
    target = plus(by_ball, scaled(up, rise))
    return plus(scaled(plus(target, scaled(up, lift)), held), scaled(free, 1.0 - held))


def let_go(height: float) -> float:
    """How much a foot is held: 1 up to `HELD`, 0 from `FREE` on."""
    return smooth_step((col.FREE - height) / (col.FREE - col.HELD))


def standing_share(heel_over_ball: float, roll: float) -> float:
    """1 where the ball stands because the heel is up, 0 where the heel stands because the ball is up."""
    return 1.0 if roll <= 0.0 else smooth_step(0.5 + 0.5 * heel_over_ball / roll)


def soft_reach(length: float, natural: float, shortest_reach: float, longest: float) -> float:
    """``length`` as a leg follows it: exactly, but it straightens only by a part of what it could.

    Legs that are nearly straight change their knees much for a little length; a foot a few millimetres off is seen by
    nobody, a knee that snaps is.
    """
    if length <= natural:
        return max(length, min(natural, shortest_reach))
    half = 0.5 * GIVE * max(longest - natural, 0.0)
    return soft_limit(length, natural + half, natural + 2.0 * half)


@apart
def bend_leg(hip: Three, knee: Three, ankle: Three, target: Three, hinge: Three) -> tuple[Four, Four]:
    """The turns in the world of thigh and shin that bring the ankle to the target in the plane the leg bends in."""
    thigh, shin = minus(knee, hip), minus(ankle, knee)
    upper, lower = size(thigh), size(shin)
    along, shin_along = direction(thigh, (0.0, -1.0, 0.0)), direction(shin, (0.0, -1.0, 0.0))
    bent = cross(along, shin_along)
    # Overstretched knees, and trembling ones, do not bend the other way for that; only those that bend far.
    against = min(dot(bent, hinge), 0.0)
    bent = minus(bent, scaled(hinge, against * (1.0 - smooth_step(-against / TRUSTED - 1.0))))
    # A leg that is nearly straight hardly tells its plane; then the knee's own axis does.
    axis = bend_plane(bent, dot(along, shin_along) < 0.0, hinge, TRUSTED, TRUSTED)
    axis = direction(minus(axis, scaled(along, dot(axis, along))), hinge)
    away, was = minus(target, hip), minus(ankle, hip)
    length = soft_reach(size(away), size(was), abs(upper - lower) * 1.001, upper + lower)
    side = cross(axis, along)
    x, y = dot(shin, along), dot(shin, side)
    level = math.sqrt(x * x + y * y)
    angle, wanted = math.atan2(y, x), bend_for(upper * upper + lower * lower, upper * level, length)
    # A leg that is straight, or overstretched, would change its knee by much for next to no length.
    off = abs(length - size(was)) / (upper + lower)
    share = 1.0 - (1.0 - smooth_step(angle / BENT)) * (1.0 - smooth_step((off - SLIGHT) / SLIGHT))
    fold = about(axis, share * (wanted - angle))
    swing = swing_onto(was, plus(thigh, turned(fold, shin)), away)
    return swing, times(swing, fold)


def turn_of(leg: int, column: int, shifts: FloatArray) -> Four:
    """A turn of one leg: that which lays its sole on sloping ground, or one that lays sole or toes flat."""
    column += col.FIRST_LEG + col.A_LEG * leg
    return exponential((shifts[column], shifts[column + 1], shifts[column + 2]))


@apart
def bend_toes(
    leg: int, numbers: FloatArray, up: Three, level: float, tilt: Four, ball: Three, toes_turn: Four
) -> Four:  # fmt: skip
    """The turn in the world of toes that do not sink into the ground: as it was, or bent upwards by what is wrong."""
    normal = turned(tilt, up)
    tip, other = turned(toes_turn, three(numbers, leg, col.TIPS)), turned(toes_turn, three(numbers, leg, col.TIPS + 3))
    short = numbers[leg, col.TIPS_REST] - dot(tip, normal)
    if numbers[leg, col.TIPS_REST + 1] - dot(other, normal) > short:
        tip, short = other, numbers[leg, col.TIPS_REST + 1] - dot(other, normal)
    short -= dot(ball, up) - level
    axis = turned(toes_turn, three(numbers, leg, col.SIDE))
    high, ahead = dot(minus(tip, scaled(axis, dot(tip, axis))), normal), dot(cross(axis, tip), normal)
    far = math.sqrt(high * high + ahead * ahead)
    if short <= 0.0 or far <= 0.0:
        return toes_turn
    short = short * short / (short + numbers[leg, col.SOFT])
    # Bending goes round a circle; also toes that point straight down, or further, know which way is up.
    wanted = math.asin(max(min(high / far + short / far, 0.95), -1.0)) - math.atan2(high, ahead)
    # Those of a foot that lies on its side do not.
    trust = smooth_step(far / (0.5 * size(tip)))
    return times(about(axis, min(max(wanted, 0.0), MOST_BENT) * trust), toes_turn)


def plant(leg: int, tables: Tables, shifts: FloatArray, room: Room, root: Three, rotations: FloatArray) -> None:
    """Bend one leg so that its foot is where it should be, turned as it is."""
    joints, numbers, settings, turns, places = (
        tables.leg_joints, tables.leg_numbers, tables.settings, room.turns, room.places
    )  # fmt: skip
    upper, lower, foot = joints[leg, col.UPPER], joints[leg, col.LOWER], joints[leg, col.FOOT]
    tilt = turn_of(leg, col.TILT, shifts)
    hip_turn, knee_turn = four(turns, upper, 0), four(turns, lower, 0)
    foot_turn = times(times(tilt, turn_of(leg, col.LAID, shifts)), four(turns, foot, 0))
    hip, knee = plus(three(places, upper, 0), root), plus(three(places, lower, 0), root)
    ankle = plus(knee, turned(knee_turn, three(numbers, leg, col.ANKLE)))
    target = ankle_target(leg, tables, shifts, room, foot_turn, ankle)
    hinge = turned(hip_turn, three(numbers, leg, col.HINGE))
    swing, shin_turn = bend_leg(hip, knee, ankle, target, hinge)
    above_hip = NO_TURN
    if joints[leg, col.ABOVE_UPPER] >= 0:
        above_hip = four(turns, joints[leg, col.ABOVE_UPPER], 0)
    above_knee = times(swing, four(turns, joints[leg, col.ABOVE_LOWER], 0))
    put_four(rotations, upper, 0, times(back(above_hip), times(swing, hip_turn)))
    put_four(rotations, lower, 0, times(back(above_knee), times(shin_turn, knee_turn)))
    if joints[leg, col.ABOVE_FOOT] >= 0:
        above_foot = times(shin_turn, four(turns, joints[leg, col.ABOVE_FOOT], 0))
        put_four(rotations, foot, 0, times(back(above_foot), foot_turn))
    toes = joints[leg, col.TOES]
    if toes >= 0:
        reached = plus(plus(hip, turned(swing, minus(knee, hip))), turned(shin_turn, minus(ankle, knee)))
        ball = plus(reached, turned(foot_turn, three(numbers, leg, col.BALL_T)))
        up, level = (
            (settings[col.UP], settings[col.UP + 1], settings[col.UP + 2]),
            shifts[col.FIRST_LEG + col.A_LEG * leg + col.LEVEL],
        )
        toes_turn = times(times(tilt, turn_of(leg, col.TOES_LAID, shifts)), four(turns, toes, 0))
        toes_turn = bend_toes(leg, numbers, up, level, tilt, ball, toes_turn)
        put_four(rotations, toes, 0, times(back(foot_turn), toes_turn))
