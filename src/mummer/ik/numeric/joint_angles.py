"""Joints by their angles: from a rotation to angles within limits, and back."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.limit_scalars import faded, fading, held_on_circle, nearest_in_ellipse, twist_about
from mummer.ik.numeric.arguments import (
    ANGLE,
    AXIS,
    FIRST,
    HIGH,
    KIND,
    LOCAL,
    LOW,
    REST,
    SECOND,
    SECOND_HIGH,
    SECOND_LOW,
    STAYS,
    THIRD,
    Body,
)
from mummer.ik.numeric.turns import (
    dot,
    exponential,
    four,
    inverse,
    logarithm,
    product,
    put_four,
    put_three,
    renormalized,
    three,
    turn_about,
)
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three


def angles_of(frames: FloatArray, joint: int, kind: int, rotation: Four) -> Three:
    """The angles of a limited joint turned by ``rotation``, in its limits, as `mummer.character.clamp` brings them."""
    delta = product(inverse(four(frames, joint, REST)), rotation)
    along = dot(three(frames, joint, AXIS), (delta[0], delta[1], delta[2]))
    if kind == HINGE:
        low, high, known = frames[joint, LOW], frames[joint, HIGH], math.hypot(along, delta[3])
        held = held_on_circle(twist_about(along, delta[3]), low, high)
        return faded(held, low, high, fading(known, 0.0)), 0.0, 0.0
    if kind == PIVOT:
        return pivot_angles(frames, joint, delta, along)
    return ball_angles(frames, joint, delta, along)


def pivot_angles(frames: FloatArray, joint: int, delta: Four, along: float) -> Three:
    """Both angles of a pivot, held in range."""
    low, high = frames[joint, LOW], frames[joint, HIGH]
    second_low, second_high = frames[joint, SECOND_LOW], frames[joint, SECOND_HIGH]
    first = twist_about(along, delta[3])
    x, y, z, w = product(turn_about(three(frames, joint, AXIS), -first), delta)
    second = twist_about(dot(three(frames, joint, SECOND), (x, y, z)), w)
    amount = fading(math.hypot(along, delta[3]), max(abs(second_low), abs(second_high)))
    first = faded(held_on_circle(first, low, high), low, high, amount)
    return first, faded(min(max(second, second_low), second_high), second_low, second_high, amount), 0.0


def ball_angles(frames: FloatArray, joint: int, delta: Four, along: float) -> Three:
    """The two parts of a ball's swing, and its twist, held in the cone and in range."""
    low, high = frames[joint, LOW], frames[joint, HIGH]
    wide, tall = frames[joint, SECOND_LOW], frames[joint, SECOND_HIGH]
    twist = twist_about(along, delta[3])
    swing = logarithm(product(delta, turn_about(three(frames, joint, AXIS), -twist)))
    amount = fading(math.hypot(along, delta[3]), max(wide, tall))
    u, v = dot(swing, three(frames, joint, SECOND)), dot(swing, three(frames, joint, THIRD))
    u, v = nearest_in_ellipse(u, v, wide, tall)
    return u * amount, v * amount, faded(held_on_circle(twist, low, high), low, high, amount)


def swing_vector(frames: FloatArray, joint: int, u: float, v: float) -> Three:
    """The swing of a ball as axis times angle, from its two parts."""
    a, b = three(frames, joint, SECOND), three(frames, joint, THIRD)
    return u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2]


def write_local(body: Body, stance: FloatArray, joint: int) -> None:
    """Write the rotation of a limited joint from its angles."""
    frames, kind = body.frames, body.joints[joint, KIND]
    a, b, c = three(stance, joint, ANGLE)
    turned = turn_about(three(frames, joint, AXIS), c if kind == BALL else a)
    if kind == PIVOT:
        turned = product(turned, turn_about(three(frames, joint, SECOND), b))
    elif kind == BALL:
        turned = product(exponential(swing_vector(frames, joint, a, b)), turned)
    put_four(stance, joint, LOCAL, renormalized(product(four(frames, joint, REST), turned)))


@apart
def read_joint(body: Body, joint: int, given: FloatArray, item: int, stance: FloatArray) -> None:
    """Take over the rotation of a joint from ``given`` (B, J, 4), held in its limits if it may turn."""
    kind = body.joints[joint, KIND]
    rotation = (given[item, joint, 0], given[item, joint, 1], given[item, joint, 2], given[item, joint, 3])
    put_four(stance, joint, LOCAL, rotation)
    if kind != FREE and body.joints[joint, FIRST] != STAYS:
        put_three(stance, joint, ANGLE, angles_of(body.frames, joint, kind, rotation))
        write_local(body, stance, joint)
