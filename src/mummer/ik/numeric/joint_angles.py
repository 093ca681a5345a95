"""Joints by their angles: from a rotation to angles within limits, and back."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.numeric.arguments import Body, Stance
from mummer.ik.numeric.limit_scalars import (
    faded,
    fading,
    held_on_circle,
    nearest_in_ellipse,
    twist_about,
)
from mummer.ik.numeric.turns import exponential, logarithm, product, renormalized, turn_about
from mummer.kernels.scalars import Four, Three


def dot(vectors: FloatArray, row: int, x: float, y: float, z: float) -> float:
    """One row of ``vectors`` times xyz."""
    return vectors[row, 0] * x + vectors[row, 1] * y + vectors[row, 2] * z


def from_rest(body: Body, joint: int, rotation: Four) -> Four:
    """How a joint is turned from rest, seen in its own frame."""
    rest = body.rest
    return product((-rest[joint, 0], -rest[joint, 1], -rest[joint, 2], rest[joint, 3]), rotation)


def angles_of(body: Body, joint: int, rotation: Four) -> Three:
    """The angles of a limited joint turned by ``rotation``, brought into its limits as `mummer.character.clamp` does."""
    kind = body.kinds[joint]
    x, y, z, w = from_rest(body, joint, rotation)
    along = dot(body.axes, joint, x, y, z)
    known = math.hypot(along, w)
    low, high = body.ranges[joint, 0], body.ranges[joint, 1]
    if kind == HINGE:
        return faded(held_on_circle(twist_about(along, w), low, high), low, high, fading(known, 0.0)), 0.0, 0.0
    if kind == PIVOT:
        return pivot_angles(body, joint, (x, y, z, w), along, known)
    return ball_angles(body, joint, (x, y, z, w), along, known)


def pivot_angles(body: Body, joint: int, delta: Four, along: float, known: float) -> Three:
    """Both angles of a pivot, held in range."""
    low, high = body.ranges[joint, 0], body.ranges[joint, 1]
    second_low, second_high = body.second_ranges[joint, 0], body.second_ranges[joint, 1]
    first = twist_about(along, delta[3])
    axes = body.axes
    back = turn_about(axes[joint, 0], axes[joint, 1], axes[joint, 2], -first)
    x, y, z, w = product(back, delta)
    second = twist_about(dot(body.second_axes, joint, x, y, z), w)
    amount = fading(known, max(abs(second_low), abs(second_high)))
    second = min(max(second, second_low), second_high)
    calm = min(max(0.0, second_low), second_high)
    whole = second_high - second_low >= 6.283183
    return (
        faded(held_on_circle(first, low, high), low, high, amount),
        second if whole else calm + amount * (second - calm),
        0.0,
    )


def ball_angles(body: Body, joint: int, delta: Four, along: float, known: float) -> Three:
    """The two parts of a ball's swing, and its twist, held in the cone and in range."""
    x, y, z, w = delta
    if w < 0:
        x, y, z, w, along = -x, -y, -z, -w, -along
    low, high = body.ranges[joint, 0], body.ranges[joint, 1]
    twist = twist_about(along, w)
    axes = body.axes
    back = turn_about(axes[joint, 0], axes[joint, 1], axes[joint, 2], -twist)
    a, b, c, d = product((x, y, z, w), back)
    sx, sy, sz = logarithm(a, b, c, d)
    wide, tall = body.second_ranges[joint, 0], body.second_ranges[joint, 1]
    amount = fading(known, max(wide, tall))
    u, v = nearest_in_ellipse(
        dot(body.second_axes, joint, sx, sy, sz), dot(body.third_axes, joint, sx, sy, sz), wide, tall
    )
    return u * amount, v * amount, faded(held_on_circle(twist, low, high), low, high, amount)


def swing_vector(body: Body, joint: int, u: float, v: float) -> Three:
    """The swing of a ball as axis times angle, from its two parts."""
    second, third = body.second_axes, body.third_axes
    return (
        u * second[joint, 0] + v * third[joint, 0],
        u * second[joint, 1] + v * third[joint, 1],
        u * second[joint, 2] + v * third[joint, 2],
    )


def rotation_of(body: Body, joint: int, a: float, b: float, c: float) -> Four:
    """parent_from_joint of a limited joint with the angles a, b and c."""
    kind, axes, second, rest = body.kinds[joint], body.axes, body.second_axes, body.rest
    x, y, z = axes[joint, 0], axes[joint, 1], axes[joint, 2]
    turned = turn_about(x, y, z, c if kind == BALL else a)
    if kind == PIVOT:
        turned = product(turned, turn_about(second[joint, 0], second[joint, 1], second[joint, 2], b))
    elif kind == BALL:
        sx, sy, sz = swing_vector(body, joint, a, b)
        turned = product(exponential(sx, sy, sz), turned)
    return renormalized(product((rest[joint, 0], rest[joint, 1], rest[joint, 2], rest[joint, 3]), turned))


def read_joint(body: Body, joint: int, given: FloatArray, stance: Stance) -> None:
    """Take over the rotation ``given`` (J, 4) of a joint, held in its limits if it may turn."""
    local, angles = stance.local, stance.angles
    rotation = (given[joint, 0], given[joint, 1], given[joint, 2], given[joint, 3])
    if body.kinds[joint] != FREE and body.first[joint] != STAYS:
        a, b, c = angles_of(body, joint, rotation)
        angles[joint, 0], angles[joint, 1], angles[joint, 2] = a, b, c
        rotation = rotation_of(body, joint, a, b, c)
    local[joint, 0], local[joint, 1], local[joint, 2], local[joint, 3] = rotation


STAYS = -2
"""What `Body.first` says of joints that must not be turned at all; -1 says that no goal needs them to."""
