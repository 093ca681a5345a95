"""Joint limits in kernels, one joint at a time: the same answers as `mummer.character.clamp`.

A joint is known by its angles: a hinge has one, a pivot two, a ball two parts of its swing and a twist. Everything
about limits is said in these: where a rotation is held (`hold_joint`), how far it was past (`limited`), and about which
axes a joint turns as they change (`axes_at`).
"""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character.limit_angles import FADE, WHOLE_CIRCLE_SLACK
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.rigid_body import RigidBody
from mummer.kept import kept
from mummer.kernels.linking import apart
from mummer.kernels.scalars import PI, Four, Three
from mummer.kernels.vectors import (
    about,
    back,
    cross,
    dot,
    exponential,
    exponential_slope,
    four,
    logarithm,
    plus,
    scaled,
    size,
    three,
    times,
    turned,
    unit_rotation,
)

# The columns of a table of limits: the kind, its axis and second axis, both ranges, and the rotation at rest.
KIND, AXIS, SECOND_AXIS, RANGE, SECOND_RANGE, REST, WIDTH = 0, 1, 4, 7, 9, 11, 15
NEWTON_STEPS = 12
TWO_PI = 2.0 * PI
SLACK = 1e-13
"""Radians past a limit that are rounding."""
NOWHERE = (0.0, 0.0, 0.0)


@kept
def joint_table(body: RigidBody) -> FloatArray:
    """(J, WIDTH) for each joint: kind, axis, second axis, range and second range of its limit, rest rotation."""
    limits = body.limits
    return locked(np.column_stack([
        limits.kinds, limits.axes, limits.second_axes, limits.ranges, limits.second_ranges, body.rest_rotations,
    ]))  # fmt: skip


def hold_joint(joint: int, table: FloatArray, rotation: Four) -> Four:
    """A joint's rotation against its parent, held in its limits.

    Args:
        joint: which row of the table.
        table: of `joint_table`.
        rotation: parent_from_joint.
    """
    return rotation if int(table[joint, KIND]) == FREE else unit_rotation(limited(joint, table, rotation)[0])


def limited(joint: int, table: FloatArray, rotation: Four) -> tuple[Four, Three]:
    """As `hold_joint`, and by how many radians the rotation was past the limits.

    About the axis of a hinge; about the two axes of a pivot; of the swing of a ball (never negative) and, third, of its
    twist. These go with the axes of `limit_axes`.
    """
    kind = int(table[joint, KIND])
    if kind == FREE:
        return rotation, NOWHERE
    rest, axis = four(table, joint, REST), three(table, joint, AXIS)
    delta = times(back(rest), rotation)
    if kind == BALL:
        held, past, inside = _limited_ball(joint, table, delta, axis)
        if inside:
            return rotation, NOWHERE
    elif kind == HINGE:
        sine, cosine = _half_twist(delta, axis)
        amount = _trust(delta, axis, 0.0)
        held, excess = _limited_turn(axis, sine, cosine, amount, table[joint, RANGE], table[joint, RANGE + 1])
        past = (excess, 0.0, 0.0)
    else:
        held, past = _limited_pivot(joint, table, delta, axis)
    return times(rest, held), past


def hinge_angle(joint: int, table: FloatArray, rotation: Four) -> float:
    """The angle in radians at which a hinge is held when asked to turn to ``rotation``, parent_from_joint."""
    return angles_of(joint, table, rotation)[0]


def angles_of(joint: int, table: FloatArray, rotation: Four) -> Three:
    """The angles at which a limited joint is held when asked to turn to ``rotation``, parent_from_joint."""
    kind, axis = int(table[joint, KIND]), three(table, joint, AXIS)
    low, high = table[joint, RANGE], table[joint, RANGE + 1]
    delta = times(back(four(table, joint, REST)), rotation)
    sine, cosine = _half_twist(delta, axis)
    first, farthest = 2.0 * math.atan2(sine, cosine), 0.0
    if kind != HINGE:
        farthest = max(abs(table[joint, SECOND_RANGE]), abs(table[joint, SECOND_RANGE + 1]))
    amount = _trust(delta, axis, farthest)
    held = faded(held_on_circle(first, low, high), low, high, amount)
    if kind == HINGE:
        return held, 0.0, 0.0
    wide, tall = table[joint, SECOND_RANGE], table[joint, SECOND_RANGE + 1]
    second = three(table, joint, SECOND_AXIS)
    if kind == PIVOT:
        swing = times((-sine * axis[0], -sine * axis[1], -sine * axis[2], cosine), delta)
        sine, cosine = _half_twist(swing, second)
        other = 2.0 * math.atan2(sine, cosine)
        return held, faded(min(max(other, wide), tall), wide, tall, amount), 0.0
    u, v = _swing_parts(_swing(delta, axis, sine, cosine), second, cross(axis, second))
    u, v = nearest_in_ellipse(u, v, wide, tall)
    return u * amount, v * amount, held


def rotation_at(joint: int, table: FloatArray, angles: Three) -> Four:
    """The rotation, parent_from_joint, of a limited joint by its angles."""
    kind, axis, second = int(table[joint, KIND]), three(table, joint, AXIS), three(table, joint, SECOND_AXIS)
    turn = about(axis, angles[2] if kind == BALL else angles[0])
    if kind == PIVOT:
        turn = times(turn, about(second, angles[1]))
    elif kind == BALL:
        turn = times(exponential(_swing_at(axis, second, angles)), turn)
    return unit_rotation(times(four(table, joint, REST), turn))


def allowed_angles(joint: int, table: FloatArray, angles: Three) -> Three:
    """The angles nearest to ``angles`` that a limited joint allows."""
    a, b, c = angles
    low, high = table[joint, RANGE], table[joint, RANGE + 1]
    second_low, second_high = table[joint, SECOND_RANGE], table[joint, SECOND_RANGE + 1]
    if int(table[joint, KIND]) == BALL:
        a, b = nearest_in_ellipse(a, b, second_low, second_high)
        return a, b, min(max(c, low), high)
    if int(table[joint, KIND]) == PIVOT:
        b = min(max(b, second_low), second_high)
    return min(max(a, low), high), b, c


def axes_at(joint: int, table: FloatArray, angles: Three) -> tuple[Three, Three, Three]:
    """The axes in the frame of rest about which a limited joint turns as its angles grow; zeros where it has fewer."""
    kind, axis, second = int(table[joint, KIND]), three(table, joint, AXIS), three(table, joint, SECOND_AXIS)
    if kind == BALL:
        swing = _swing_at(axis, second, angles)
        turn = exponential(swing)
        across = exponential_slope(swing, turn, cross(axis, second))
        return exponential_slope(swing, turn, second), across, turned(turn, axis)
    if kind == PIVOT:
        return axis, turned(about(axis, angles[0]), second), NOWHERE
    return axis, NOWHERE, NOWHERE


def limit_axes(joint: int, table: FloatArray, rotation: Four) -> tuple[Three, Three, Three]:
    """The axes, in the frame of rest, that a joint turns about, laid so that each limit stops one of them.

    As `axes_at`, but of a ball the first leads across the rim of its cone and the second along it; of a free joint
    those of the frame.
    """
    kind = int(table[joint, KIND])
    if kind == FREE:
        return (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    axis, second = three(table, joint, AXIS), three(table, joint, SECOND_AXIS)
    if kind == HINGE:
        return axis, NOWHERE, NOWHERE
    delta = times(back(four(table, joint, REST)), rotation)
    if kind == PIVOT:
        return axis, turned(delta, second), NOWHERE
    sine, cosine = _half_twist(delta, axis)
    swing, third = _swing(delta, axis, sine, cosine), cross(axis, second)
    u, v = _swing_parts(swing, second, third)
    # Across the rim, as the ellipse through this swing has it.
    wide, tall = max(table[joint, SECOND_RANGE], 1e-12), max(table[joint, SECOND_RANGE + 1], 1e-12)
    x, y = u * tall / wide, v * wide / tall
    length = math.sqrt(x * x + y * y)
    x, y = (x / length, y / length) if length > 0.0 else (1.0, 0.0)
    vector = plus(scaled(second, u), scaled(third, v))
    out, along = plus(scaled(second, x), scaled(third, y)), plus(scaled(third, x), scaled(second, -y))
    return exponential_slope(vector, swing, out), exponential_slope(vector, swing, along), turned(swing, axis)


def is_whole(low: float, high: float) -> bool:
    """Whether a range of radians leaves nothing out."""
    return high - low >= 2.0 * (PI - WHOLE_CIRCLE_SLACK)


def held_on_circle(angle: float, low: float, high: float) -> float:
    """``angle`` held between ``low`` and ``high`` on the circle, as `limit_angles.hold_on_circle` does."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    offset = angle - middle
    offset -= TWO_PI * math.floor((offset + PI) / TWO_PI)
    if abs(offset) <= half or is_whole(low, high):
        return middle + offset
    gap = max(PI - half, WHOLE_CIRCLE_SLACK)
    from_opposite = min(max(2.0 * (PI - abs(offset)) / gap, 0.0), 1.0)
    return middle + math.copysign(half * from_opposite, offset)


def faded(angle: float, low: float, high: float, amount: float) -> float:
    """``angle`` drawn to the angle of its range nearest to rest as ``amount`` goes from 1 to 0."""
    if is_whole(low, high):
        return angle
    calm = min(max(0.0, low), high)
    return calm + amount * (angle - calm)


@apart
def nearest_in_ellipse(x: float, y: float, a: float, b: float) -> tuple[float, float]:
    """The point of the ellipse with half-axes ``a`` and ``b`` nearest to (x, y); the point itself if inside."""
    a, b = max(a, 1e-12), max(b, 1e-12)
    if (x / a) * (x / a) + (y / b) * (y / b) <= 1.0:
        return x, y
    px, py, aa, bb = abs(x), abs(y), a * a, b * b
    t = max(a * px - aa, b * py - bb, 0.0)
    for _ in range(NEWTON_STEPS):
        first, second = a * px / (t + aa), b * py / (t + bb)
        first, second = first * first, second * second
        excess, slope = first + second - 1.0, 2.0 * (first / (t + aa) + second / (t + bb))
        if excess <= 1e-15 or slope <= 0.0:
            break
        t += excess / slope
    nx, ny = aa * px / (t + aa), bb * py / (t + bb)
    # Rounding must not leave the point outside.
    over = math.sqrt((nx / a) * (nx / a) + (ny / b) * (ny / b))
    if over > 1.0:
        nx, ny = nx / over, ny / over
    return math.copysign(nx, x), math.copysign(ny, y)


def _limited_turn(
    axis: Three, sine: float, cosine: float, amount: float, low: float, high: float
) -> tuple[Four, float]:
    """A turn, given by half its angle, held in a range on the circle; and what was beyond it."""
    if amount == 1.0 and _surely_between(sine, low, high):
        return (sine * axis[0], sine * axis[1], sine * axis[2], cosine), 0.0
    angle = 2.0 * math.atan2(sine, cosine)
    held = faded(held_on_circle(angle, low, high), low, high, amount)
    past = angle - held
    past -= TWO_PI * math.floor(past / TWO_PI + 0.5)
    if abs(past) <= SLACK:
        return (sine * axis[0], sine * axis[1], sine * axis[2], cosine), 0.0
    return about(axis, held), past


def _limited_pivot(joint: int, table: FloatArray, delta: Four, axis: Three) -> tuple[Four, Three]:
    low, high = table[joint, SECOND_RANGE], table[joint, SECOND_RANGE + 1]
    second = three(table, joint, SECOND_AXIS)
    amount = _trust(delta, axis, max(abs(low), abs(high)))
    sine, cosine = _half_twist(delta, axis)
    turn, excess = _limited_turn(axis, sine, cosine, amount, table[joint, RANGE], table[joint, RANGE + 1])
    sine, cosine = _half_twist(times((-sine * axis[0], -sine * axis[1], -sine * axis[2], cosine), delta), second)
    if amount == 1.0 and _surely_between(sine, low, high):
        return times(turn, (sine * second[0], sine * second[1], sine * second[2], cosine)), (excess, 0.0, 0.0)
    angle = 2.0 * math.atan2(sine, cosine)
    held = faded(min(max(angle, low), high), low, high, amount)
    past = angle - held if abs(angle - held) > SLACK else 0.0
    return times(turn, about(second, held)), (excess, past, 0.0)


def _limited_ball(joint: int, table: FloatArray, delta: Four, axis: Three) -> tuple[Four, Three, bool]:
    """A ball's turn held in its cone and range, how far it was past them, and whether it was within both."""
    low, high = table[joint, RANGE], table[joint, RANGE + 1]
    wide, tall = table[joint, SECOND_RANGE], table[joint, SECOND_RANGE + 1]
    sine, cosine = _half_twist(delta, axis)
    amount, swing = _trust(delta, axis, max(wide, tall)), _swing(delta, axis, sine, cosine)
    half = 0.5 * min(wide, tall, PI)
    is_twisted_little = amount == 1.0 and _surely_between(sine, low, high)
    # No cosine is larger than this much of its series.
    if is_twisted_little and swing[3] >= 1.0 - half * half * (0.5 - half * half / 24.0):
        return delta, NOWHERE, True
    second = three(table, joint, SECOND_AXIS)
    third = cross(axis, second)
    u, v = _swing_parts(swing, second, third)
    x, y = nearest_in_ellipse(u, v, wide, tall)
    twist, excess = _limited_turn(axis, sine, cosine, amount, low, high)
    if amount == 1.0 and excess == 0.0 and x == u and y == v:
        return delta, NOWHERE, True
    x, y = x * amount, y * amount
    held = times(exponential(plus(scaled(second, x), scaled(third, y))), twist)
    return held, (math.sqrt((u - x) * (u - x) + (v - y) * (v - y)), 0.0, excess), False


def _surely_between(half_sine: float, low: float, high: float) -> bool:
    """Whether the turn by an angle is within a range, told from the sine of half of it; False may be either."""
    up, down = 0.5 * min(high, PI), 0.5 * max(low, -PI)
    # Sines are larger than the first two terms of their series.
    return down - down * down * down / 6.0 <= half_sine <= up - up * up * up / 6.0 and low <= 0.0 <= high


def _half_twist(q: Four, axis: Three) -> tuple[float, float]:
    """Sine and cosine of half the twist of a rotation about an axis; none where a swing hides it."""
    along, w = dot((q[0], q[1], q[2]), axis), q[3]
    if w < 0.0:
        along, w = -along, -w
    length = math.sqrt(along * along + w * w)
    if length < 8.0 * 2.220446049250313e-16:
        return 0.0, 1.0
    return along / length, w / length


def _trust(delta: Four, axis: Three, farthest: float) -> float:
    """How far to trust a twist: 1 normally, 0 where a swing by half a circle hides it; see `fade_amount`."""
    along = dot((delta[0], delta[1], delta[2]), axis)
    known = math.sqrt(along * along + delta[3] * delta[3])
    if known >= FADE:
        return 1.0
    start = min(FADE, 0.999 * math.cos(0.5 * min(farthest, PI)))
    return min(known / start, 1.0) if start > 1e-9 else 1.0


def _swing(delta: Four, axis: Three, sine: float, cosine: float) -> Four:
    """What comes after the twist of ``delta``, the short way."""
    swing = times(delta, (-sine * axis[0], -sine * axis[1], -sine * axis[2], cosine))
    return swing if swing[3] >= 0.0 else (-swing[0], -swing[1], -swing[2], -swing[3])


def _swing_parts(swing: Four, second: Three, third: Three) -> tuple[float, float]:
    vector = logarithm(swing)
    return dot(vector, second), dot(vector, third)


def _swing_at(axis: Three, second: Three, angles: Three) -> Three:
    """A ball's swing as a rotation vector."""
    return plus(scaled(second, angles[0]), scaled(cross(axis, second), angles[1]))


def excess_angle(joint: int, table: FloatArray, rotation: Four) -> float:
    """Radians by which a rotation, parent_from_joint, is past the limits of its joint."""
    apart_by = times(back(rotation), hold_joint(joint, table, rotation))
    return 2.0 * math.asin(min(size((apart_by[0], apart_by[1], apart_by[2])), 1.0))
