"""The inner loops of retargeting: one frame of one body made of one frame of another.

Float64 throughout. The columns of the tables are named here and filled in `mummer.retarget.transfer`.
"""

from __future__ import annotations

import math
from typing import Annotated

from mummer.arrays import IntArray
from mummer.ik.analytic.vectors import back, cross, direction, dot, minus, plus, scaled, shortest, size, times, turned
from mummer.kernels.arguments import Argument, Floats1, Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three

Table = Annotated[IntArray, Argument("int64", 2)]

# Joints of the target, whole numbers: parent, the two joints of the source (or -1).
PARENT, FIRST, SECOND, JOINT_INTS = 0, 1, 2, 3
# Joints of the target: first_from_joint, second_from_joint, share, rotation at rest, offset from the parent.
RIGHT, OTHER_RIGHT, SHARE, REST, OFFSET, JOINT_FLOATS = 0, 4, 8, 9, 13, 16
# Of the whole: target_from_source rotation, scale, up, carrier, number of joints in the two girdles.
LEFT, SCALE, UP, SETTINGS = 0, 4, 5, 8
# Legs, whole numbers: joints of the target, their parents, the foot of the source.
UPPER, LOWER, FOOT, ABOVE_UPPER, ABOVE_LOWER, ABOVE_FOOT, SOURCE_FOOT, LEG_INTS = 0, 1, 2, 3, 4, 5, 6, 7
# Legs: points of the soles in the frames of the feet (source's ball and heel, target's ball and heel), how the foot of
# the target is longer, the axis of the knee in the frame of the hip, ankle in the frame of the knee, rest of the
# source's foot, how far heel or ball must rise to be the one that does not count.
BALL_S, HEEL_S, BALL_T, HEEL_T, LONGER, HINGE, ANKLE, FOOT_REST, ROLL, SOFTNESS, LEG_FLOATS = (
    0, 3, 6, 9, 12, 15, 18, 21, 25, 26, 27,
)  # fmt: skip
TRUSTED = 0.35


def four(rows: Floats3, frame: int, row: int) -> Four:
    """A rotation of one frame."""
    return rows[frame, row, 0], rows[frame, row, 1], rows[frame, row, 2], rows[frame, row, 3]


def three(rows: Floats3, frame: int, row: int) -> Three:
    """A point of one frame."""
    return rows[frame, row, 0], rows[frame, row, 1], rows[frame, row, 2]


def row_four(rows: Floats2, row: int, column: int) -> Four:
    """Four numbers of a table."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2], rows[row, column + 3]


def row_three(rows: Floats2, row: int, column: int) -> Three:
    """Three numbers of a table."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2]


def put_four(rows: Output3, frame: int, row: int, value: Four) -> None:
    """Write a rotation."""
    rows[frame, row, 0], rows[frame, row, 1], rows[frame, row, 2], rows[frame, row, 3] = value


def put_three(rows: Output3, frame: int, row: int, value: Three) -> None:
    """Write a point."""
    rows[frame, row, 0], rows[frame, row, 1], rows[frame, row, 2] = value


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
    frame: int, parents: Parents, offsets: Floats3, rotations: Floats3, roots: Floats2, settings: Floats1,
    turns: Output3, places: Output3,
) -> None:  # fmt: skip
    """Where the joints of the source are, in the world of the target."""
    left = (settings[0], settings[1], settings[2], settings[3])
    row = frame if offsets.shape[0] > 1 else 0
    for joint in range(parents.shape[0]):
        parent, local = parents[joint], four(rotations, frame, joint)
        away = three(offsets, row, joint)
        if joint == 0:
            away = (roots[frame, 0], roots[frame, 1], roots[frame, 2])
        if parent < 0:
            put_four(turns, frame, joint, times(left, local))
            put_three(places, frame, joint, turned(left, away))
        else:
            above = four(turns, frame, parent)
            put_four(turns, frame, joint, times(above, local))
            put_three(places, frame, joint, plus(three(places, frame, parent), turned(above, away)))


def pose_target(
    frame: int, plan: Table, constants: Floats2, source_turns: Floats3, turns: Output3, places: Output3,
    rotations: Output3,
) -> None:  # fmt: skip
    """The rotations of the target's joints, and where they are if its roots are at the origin."""
    for joint in range(plan.shape[0]):
        parent, first, second = plan[joint, 0], plan[joint, 1], plan[joint, 2]
        above = (0.0, 0.0, 0.0, 1.0)
        place = (0.0, 0.0, 0.0)
        if parent >= 0:
            above = four(turns, frame, parent)
            place = plus(three(places, frame, parent), turned(above, row_three(constants, joint, OFFSET)))
        local = row_four(constants, joint, REST)
        if first >= 0:
            turn = times(four(source_turns, frame, first), row_four(constants, joint, RIGHT))
            if second >= 0:
                other = times(four(source_turns, frame, second), row_four(constants, joint, OTHER_RIGHT))
                turn = between(turn, other, constants[joint, SHARE])
            local = times(back(above), turn)
        else:
            turn = times(above, local)
        put_four(turns, frame, joint, turn)
        put_three(places, frame, joint, place)
        put_four(rotations, frame, joint, local)


def middle(frame: int, joints: Parents, places: Floats3) -> Three:
    """The middle of some joints."""
    x = y = z = 0.0
    for place in range(joints.shape[0]):
        x += places[frame, joints[place], 0]
        y += places[frame, joints[place], 1]
        z += places[frame, joints[place], 2]
    share = 1.0 / joints.shape[0]
    return x * share, y * share, z * share


def stand(
    frame: int, source_girdle: Parents, girdle: Parents, settings: Floats1, shifts: Floats2, source_places: Floats3,
    places: Floats3, roots: Output2,
) -> None:  # fmt: skip
    """Where the root of the target is: its legs begin where those of the source do, scaled and shifted."""
    there = scaled(middle(frame, source_girdle, source_places), settings[SCALE])
    there = plus(there, (shifts[frame, 0], shifts[frame, 1], shifts[frame, 2]))
    roots[frame, 0], roots[frame, 1], roots[frame, 2] = minus(there, middle(frame, girdle, places))


def ankle_target(
    frame: int, leg: int, joints: Table, numbers: Floats2, settings: Floats1, shifts: Floats2, source_turns: Floats3,
    source_places: Floats3, foot_turn: Four,
) -> Three:  # fmt: skip
    """Where the ankle of the target should be, so that the part of the sole that stands does what the source's does."""
    source_foot = joints[leg, SOURCE_FOOT]
    turn, ankle = four(source_turns, frame, source_foot), three(source_places, frame, source_foot)
    up = (settings[UP], settings[UP + 1], settings[UP + 2])
    ball = plus(ankle, turned(turn, row_three(numbers, leg, BALL_S)))
    heel = plus(ankle, turned(turn, row_three(numbers, leg, HEEL_S)))
    column = 3 + 3 * leg
    shift = (shifts[frame, column], shifts[frame, column + 1], shifts[frame, column + 2])
    by_ball = minus(plus(scaled(ball, settings[SCALE]), shift), turned(foot_turn, row_three(numbers, leg, BALL_T)))
    roll = numbers[leg, ROLL]
    if roll <= 0.0:
        return by_ball
    # Heel above ball: the ball stands. Ball above heel: the heel does.
    share = min(max(0.5 + 0.5 * dot(minus(heel, ball), up) / roll, 0.0), 1.0)
    share = share * share * (3.0 - 2.0 * share)
    if share >= 1.0:
        return by_ball
    longer = turned(about_up(times(turn, row_four(numbers, leg, FOOT_REST)), up), row_three(numbers, leg, LONGER))
    by_heel = minus(plus(scaled(heel, settings[SCALE]), shift), longer)
    by_heel = minus(by_heel, turned(foot_turn, row_three(numbers, leg, HEEL_T)))
    return plus(scaled(by_heel, 1.0 - share), scaled(by_ball, share))


def about_up(q: Four, up: Three) -> Four:
    """The part of a rotation that turns about ``up``."""
    along = q[0] * up[0] + q[1] * up[1] + q[2] * up[2]
    length = math.sqrt(along * along + q[3] * q[3])
    if length < 1e-9:
        return 0.0, 0.0, 0.0, 1.0
    along, w = along / length, q[3] / length
    return up[0] * along, up[1] * along, up[2] * along, w


def soft_reach(length: float, shortest_reach: float, longest: float, softness: float) -> float:
    """``length`` as a leg follows it: exactly, and less and less as it comes near its end."""
    band = softness * longest
    if length > longest - band:
        return longest - band * math.exp((longest - band - length) / band)
    return max(length, shortest_reach)


def bend_leg(hip: Three, knee: Three, ankle: Three, target: Three, hinge: Three, softness: float) -> tuple[Four, Four]:
    """The turns in the world of thigh and shin that bring the ankle to the target in the plane the leg bends in."""
    thigh, shin = minus(knee, hip), minus(ankle, knee)
    upper, lower = size(thigh), size(shin)
    along, shin_along = direction(thigh, (0.0, -1.0, 0.0)), direction(shin, (0.0, -1.0, 0.0))
    bent = cross(along, shin_along)
    # A leg that is nearly straight hardly tells its plane; then the knee's own axis does.
    share = min(size(bent) / TRUSTED, 1.0)
    pull = 0.0 if dot(along, shin_along) < 0.0 else TRUSTED * (1.0 - share * share) * (1.0 - share * share)
    axis = plus(bent, scaled(hinge, pull))
    axis = direction(minus(axis, scaled(along, dot(axis, along))), hinge)
    away = minus(target, hip)
    far, was = size(away), minus(ankle, hip)
    # What the leg does already it may go on doing, so that a body keeps its own motion to the last digit.
    length = max(soft_reach(far, abs(upper - lower) * 1.001, upper + lower, softness), min(far, size(was)))
    cosine = (length * length - upper * upper - lower * lower) / (2.0 * upper * lower)
    cosine = min(max(cosine, -1.0), 1.0)
    sine = math.sqrt(1.0 - cosine * cosine)
    new_shin = plus(scaled(along, lower * cosine), scaled(cross(axis, along), lower * sine))
    fold = shortest(shin, new_shin)
    swing = times(shortest(was, away), shortest(plus(thigh, new_shin), was))
    return swing, times(swing, fold)


def plant(
    frame: int, leg: int, joints: Table, numbers: Floats2, settings: Floats1, shifts: Floats2, source_turns: Floats3,
    source_places: Floats3, turns: Floats3, places: Floats3, roots: Floats2, rotations: Output3,
) -> None:  # fmt: skip
    """Bend one leg so that its foot is where it should be, turned as it is."""
    upper, lower, foot = joints[leg, UPPER], joints[leg, LOWER], joints[leg, FOOT]
    root = (roots[frame, 0], roots[frame, 1], roots[frame, 2])
    foot_turn, hip_turn, knee_turn = four(turns, frame, foot), four(turns, frame, upper), four(turns, frame, lower)
    target = ankle_target(frame, leg, joints, numbers, settings, shifts, source_turns, source_places, foot_turn)
    hip, knee = plus(three(places, frame, upper), root), plus(three(places, frame, lower), root)
    ankle = plus(knee, turned(knee_turn, row_three(numbers, leg, ANKLE)))
    hinge = turned(hip_turn, row_three(numbers, leg, HINGE))
    swing, shin_turn = bend_leg(hip, knee, ankle, target, hinge, numbers[leg, SOFTNESS])
    above_hip = (0.0, 0.0, 0.0, 1.0)
    if joints[leg, ABOVE_UPPER] >= 0:
        above_hip = four(turns, frame, joints[leg, ABOVE_UPPER])
    above_knee = times(swing, four(turns, frame, joints[leg, ABOVE_LOWER]))
    put_four(rotations, frame, upper, times(back(above_hip), times(swing, hip_turn)))
    put_four(rotations, frame, lower, times(back(above_knee), times(shin_turn, knee_turn)))
    if joints[leg, ABOVE_FOOT] >= 0:
        above_foot = times(shin_turn, four(turns, frame, joints[leg, ABOVE_FOOT]))
        put_four(rotations, frame, foot, times(back(above_foot), foot_turn))


@kernel(on_cuda=False)
def transfer_frames(
    frame: int, source_parents: Parents, source_offsets: Floats3, source_rotations: Floats3, source_roots: Floats2,
    plan: Table, constants: Floats2, settings: Floats1, source_girdle: Parents, girdle: Parents, shifts: Floats2,
    leg_joints: Table, leg_numbers: Floats2, source_turns: Output3, source_places: Output3, turns: Output3,
    places: Output3, rotations: Output3, roots: Output2,
) -> None:  # fmt: skip
    """One item is one frame: the source's pose becomes the target's, and its feet are put where they belong."""
    pose_source(
        frame, source_parents, source_offsets, source_rotations, source_roots, settings, source_turns, source_places
    )
    pose_target(frame, plan, constants, source_turns, turns, places, rotations)
    stand(frame, source_girdle, girdle, settings, shifts, source_places, places, roots)
    for leg in range(leg_joints.shape[0]):
        plant(
            frame, leg, leg_joints, leg_numbers, settings, shifts, source_turns, source_places, turns, places, roots,
            rotations,
        )  # fmt: skip
