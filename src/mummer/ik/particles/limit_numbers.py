"""Joint limits as rows of numbers, and the clamp that kernels run on them: the same as `mummer.character.clamp`."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Limits
from mummer.character.limit_angles import FADE, WHOLE_CIRCLE_SLACK
from mummer.character.limit_ball import NEWTON_STEPS
from mummer.character.limits import BALL, FREE, HINGE
from mummer.ik.particles.turning import after, cross, twist_about, undone
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three

AXIS, SECOND_AXIS = 0, 3
MIDDLE, HALF, GAP, CALM, IS_WHOLE = 6, 7, 8, 9, 10
SECOND_LOW, SECOND_HIGH, SECOND_CALM, FADE_START, PI, ONE, SLACK = 11, 12, 13, 14, 15, 16, 17
LEAST_SINE, MOST_SINE, SECOND_LEAST_SINE, SECOND_MOST_SINE, LEAST_COSINE = 18, 19, 20, 21, 22
"""Sines of half the angles at the ends of both ranges, and the cosine of half the swing that is surely in a cone."""
WIDTH = 23


def limit_numbers(limits: Limits, joints: IntArray) -> FloatArray:
    """(n, WIDTH) what `clamp_joint` needs of each of ``joints``."""
    rows = np.zeros((len(joints), WIDTH))
    for row, joint in zip(rows, joints.tolist(), strict=True):
        low, high = limits.ranges[joint]
        first, second = limits.second_ranges[joint]
        kind = int(limits.kinds[joint])
        farthest = {HINGE: 0.0, BALL: max(first, second)}.get(kind, max(abs(first), abs(second)))
        whole = high - low >= 2 * (np.pi - WHOLE_CIRCLE_SLACK)
        row[AXIS : AXIS + 3], row[SECOND_AXIS : SECOND_AXIS + 3] = limits.axes[joint], limits.second_axes[joint]
        half = (high - low) / 2
        row[MIDDLE], row[HALF], row[GAP] = (low + high) / 2, half, max(np.pi - half, WHOLE_CIRCLE_SLACK)
        row[CALM], row[IS_WHOLE] = min(max(0.0, low), high), float(whole)
        row[SECOND_LOW], row[SECOND_HIGH] = np.maximum((first, second), 1e-12) if kind == BALL else (first, second)
        row[SECOND_CALM] = 0.0 if kind == BALL else min(max(0.0, first), second)
        row[FADE_START] = min(FADE, 0.999 * math.cos(min(farthest, np.pi) / 2))
        row[PI], row[ONE], row[SLACK] = np.pi, 1.0, 1e-13
        row[LEAST_SINE], row[MOST_SINE] = (-2.0, 2.0) if whole else half_sines(low, high)
        row[SECOND_LEAST_SINE], row[SECOND_MOST_SINE] = half_sines(first, second)
        row[LEAST_COSINE] = math.cos(min(first, second, np.pi) / 2) if kind == BALL else 2.0
    return rows


def half_sines(low: float, high: float) -> tuple[float, float]:
    """The sines of half of both angles, between which an angle within the range is known without asking for it."""
    if low < -np.pi or high > np.pi:
        return 2.0, -2.0
    return math.sin(low / 2), math.sin(high / 2)


def row_vector(rows: Floats2, row: int, column: int) -> Three:
    """Three numbers of a row."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2]


def hold_on_circle(angle: float, limits: Floats2, joint: int) -> float:
    """See `mummer.character.limit_angles.hold_on_circle`."""
    middle, half, pi = limits[joint, MIDDLE], limits[joint, HALF], limits[joint, PI]
    offset = angle - middle
    while offset >= pi:
        offset = offset - pi - pi
    while offset < -pi:
        offset = offset + pi + pi
    size = abs(offset)
    if size <= half or limits[joint, IS_WHOLE] > 0:
        return middle + offset
    left = pi - size
    from_opposite = (left + left) / limits[joint, GAP]
    return middle + math.copysign(half * min(from_opposite, limits[joint, ONE]), offset)


def twist_angle(q: Four, axis: Three) -> float:
    """See `mummer.math.swing_twist.twist_angle`."""
    along = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2]
    w = q[3]
    if w < 0:
        along, w = -along, -w
    if not along * along + w * w > 0:
        return w - w
    half = math.atan2(along, w)
    return half + half


def trusted(q: Four, axis: Three, start: float, one: float) -> float:
    """How far the twist of ``q`` is known; see `mummer.character.limit_angles.fade_amount`."""
    along = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2]
    known = math.sqrt(along * along + q[3] * q[3])
    if known < start:
        return known / start
    return one


def clamp_joint(kind: int, delta: Four, limits: Floats2, joint: int) -> tuple[Four, Three]:
    """``delta``, how a joint is turned from rest, held in the joint's limits; and by how much it was beyond them.

    The excess is in radians: about the axis of a hinge; about the two axes of a pivot; of the swing (never negative)
    and, third, of the twist of a ball. See `limit_axes` for the axes that these go with.
    """
    one = limits[joint, ONE]
    zero = one - one
    if kind == FREE:
        return delta, (zero, zero, zero)
    axis = row_vector(limits, joint, AXIS)
    second_axis = row_vector(limits, joint, SECOND_AXIS)
    amount = trusted(delta, axis, limits[joint, FADE_START], one)
    if kind == BALL:
        return clamp_ball(delta, axis, second_axis, amount, limits, joint)
    if kind == HINGE:
        _, sine, cosine = swing_of(delta, axis, one)
        turn, excess = clamp_angle(axis, sine, cosine, amount, limits, joint)
        return turn, (excess, zero, zero)
    # delta = twist * swing is the mirror image of swing * twist: take the inverse apart instead.
    swing, sine, cosine = swing_of(undone(delta), axis, one)
    turn, excess = clamp_angle(axis, -sine, cosine, amount, limits, joint)
    _, sine, cosine = swing_of(undone(swing), second_axis, one)
    turn_too = (sine * second_axis[0], sine * second_axis[1], sine * second_axis[2], cosine)
    is_inside = limits[joint, SECOND_LEAST_SINE] <= sine and sine <= limits[joint, SECOND_MOST_SINE]
    if is_inside and amount == one:
        return after(turn, turn_too), (excess, zero, zero)
    angle = math.atan2(sine, cosine)
    angle = angle + angle
    held = min(max(angle, limits[joint, SECOND_LOW]), limits[joint, SECOND_HIGH])
    held = limits[joint, SECOND_CALM] + amount * (held - limits[joint, SECOND_CALM])
    if abs(held - angle) > limits[joint, SLACK]:
        turn_too = twist_about(second_axis, held, one)
    return after(turn, turn_too), (excess, angle - held, zero)


def clamp_angle(
    axis: Three, sine: float, cosine: float, amount: float, limits: Floats2, joint: int
) -> tuple[Four, float]:
    """A turn about ``axis``, given by half its angle, held in the first range of a joint; and what was beyond it."""
    turn = (sine * axis[0], sine * axis[1], sine * axis[2], cosine)
    is_inside = limits[joint, LEAST_SINE] <= sine and sine <= limits[joint, MOST_SINE]
    if is_inside and amount == limits[joint, ONE]:
        return turn, sine - sine
    angle = math.atan2(sine, cosine)
    angle = angle + angle
    held = hold_on_circle(angle, limits, joint)
    if not limits[joint, IS_WHOLE] > 0:
        held = limits[joint, CALM] + amount * (held - limits[joint, CALM])
    # Inside, the turn is known without asking for sines again.
    if abs(held - angle) <= limits[joint, SLACK]:
        return turn, angle - angle
    return twist_about(axis, held, limits[joint, ONE]), angle - held


def swing_of(delta: Four, axis: Three, one: float) -> tuple[Four, float, float]:
    """The swing of ``delta`` after its twist about ``axis``, and the sine and cosine of half that twist."""
    along = delta[0] * axis[0] + delta[1] * axis[1] + delta[2] * axis[2]
    w = delta[3]
    if w < 0:
        along, w = -along, -w
    size = math.sqrt(along * along + w * w)
    if not size > 0:
        return delta, one - one, one
    along, w = along / size, w / size
    swing = after(delta, (-along * axis[0], -along * axis[1], -along * axis[2], w))
    if swing[3] < 0:
        swing = (-swing[0], -swing[1], -swing[2], -swing[3])
    return swing, along, w


def swing_vector(swing: Four, second: Three, third: Three, one: float) -> tuple[float, float]:
    """A swing as a rotation vector in the two directions across its twist axis."""
    size = math.sqrt(swing[0] * swing[0] + swing[1] * swing[1] + swing[2] * swing[2])
    scale = one + one
    if size > 0:
        half = math.atan2(size, swing[3])
        scale = (half + half) / size
    u = scale * (swing[0] * second[0] + swing[1] * second[1] + swing[2] * second[2])
    v = scale * (swing[0] * third[0] + swing[1] * third[1] + swing[2] * third[2])
    return u, v


def clamp_ball(
    delta: Four, axis: Three, second: Three, amount: float, limits: Floats2, joint: int
) -> tuple[Four, Three]:
    """See `mummer.character.limit_ball.clamp_ball`."""
    one = limits[joint, ONE]
    zero = one - one
    third = cross(axis, second)
    swing, sine, cosine = swing_of(delta, axis, one)
    is_inside = limits[joint, LEAST_SINE] <= sine and sine <= limits[joint, MOST_SINE]
    if is_inside and amount == one and swing[3] >= limits[joint, LEAST_COSINE]:
        return delta, (zero, zero, zero)
    u, v = swing_vector(swing, second, third, one)
    angle = math.atan2(sine, cosine)
    angle = angle + angle
    held = hold_on_circle(angle, limits, joint)
    if not limits[joint, IS_WHOLE] > 0:
        held = limits[joint, CALM] + amount * (held - limits[joint, CALM])
    a, b = limits[joint, SECOND_LOW], limits[joint, SECOND_HIGH]
    inside = (u / a) * (u / a) + (v / b) * (v / b) <= one
    if inside and abs(held - angle) <= limits[joint, SLACK] and amount == one:
        return delta, (zero, zero, zero)
    x, y = u, v
    if not inside:
        x, y = nearest_in_ellipse(u, v, a, b, one)
    x, y = x * amount, y * amount
    way = (x * second[0] + y * third[0], x * second[1] + y * third[1], x * second[2] + y * third[2])
    turn = after(twist_about(way, math.sqrt(x * x + y * y), one), twist_about(axis, held, one))
    return turn, (math.sqrt((u - x) * (u - x) + (v - y) * (v - y)), zero, angle - held)


def nearest_in_ellipse(u: float, v: float, a: float, b: float, one: float) -> tuple[float, float]:
    """See `mummer.character.limit_ball.nearest_in_ellipse`; for a point outside."""
    x, y = abs(u), abs(v)
    t = max(max(a * x - a * a, b * y - b * b), one - one)
    for _ in range(NEWTON_STEPS):
        p, q = a * x / (t + a * a), b * y / (t + b * b)
        p, q = p * p, q * q
        excess = p + q - one
        slope = p / (t + a * a) + q / (t + b * b)
        slope = slope + slope
        if not (excess > 0 and slope > 0):
            break
        t = t + excess / slope
    return math.copysign(a * a * x / (t + a * a), u), math.copysign(b * b * y / (t + b * b), v)
