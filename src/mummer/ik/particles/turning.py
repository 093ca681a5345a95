"""Arithmetic on single numbers for turning one direction into another without snapping. No float literals."""

from __future__ import annotations

import math

from mummer.kernels.scalars import Four, Three, multiply_quaternions, rotate


def turned(q: Four, v: Three) -> Three:
    """The vector ``v`` turned by the unit quaternion ``q``."""
    return rotate(q[0], q[1], q[2], q[3], v[0], v[1], v[2])


def after(second: Four, first: Four) -> Four:
    """The rotation ``first`` followed by ``second``."""
    return multiply_quaternions(
        second[0], second[1], second[2], second[3], first[0], first[1], first[2], first[3]
    )  # fmt: skip


def undone(q: Four) -> Four:
    """The inverse of the unit quaternion ``q``."""
    return -q[0], -q[1], -q[2], q[3]


def minus(a: Three, b: Three) -> Three:
    """``a`` less ``b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Three, b: Three) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Three, b: Three) -> Three:
    """The cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length_of(a: Three) -> float:
    """How long ``a`` is."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def unit_quaternion(x: float, y: float, z: float, w: float, one: float) -> Four:
    """At length one; the identity where there is next to nothing to scale."""
    size = math.sqrt(x * x + y * y + z * z + w * w)
    if size * size > 0:
        return x / size, y / size, z / size, w / size
    zero = one - one
    return zero, zero, zero, one


def turn_between(a: Three, b: Three, soft: float, one: float) -> Four:
    """The smallest turn of ``a`` to the direction of ``b``; the identity if either has no direction.

    Nearly opposite to ``a`` the smallest turn could go any way round. There the answer turns less and less, down to
    not at all right opposite, so that a small move of ``b`` never throws it from one side to the other.

    Args:
        a: of any length.
        b: of any length.
        soft: how early that begins, as a part of 2; 0.1 is about 26 degrees off the opposite.
        one: the number 1 in the precision of the rest, since a literal would widen it.
    """
    size = length_of(a) * length_of(b)
    if not size * size > 0:
        return one - one, one - one, one - one, one
    x = (a[1] * b[2] - a[2] * b[1]) / size
    y = (a[2] * b[0] - a[0] * b[2]) / size
    z = (a[0] * b[1] - a[1] * b[0]) / size
    together = one + (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / size
    if together < soft:
        together = (together * together + soft * soft) / (soft + soft)
    return unit_quaternion(x, y, z, together, one)


def turn_by_way_of(a: Three, pole: Three, b: Three, soft: float, one: float) -> Four:
    """A turn of ``a`` to ``b`` that is calm everywhere but right opposite to ``pole``; none for ``b`` along ``a``."""
    return after(turn_between(pole, b, soft, one), turn_between(a, pole, soft, one))


def calm_angle(sine: float, cosine: float, little: float, soft: float, one: float) -> float:
    """The angle that ``sine`` and ``cosine``, of any common length, stand for; calm where it is hardly known.

    Towards half a turn, where it could as well be negative, it goes back to zero; so it does where both are small.

    Args:
        sine: of the angle.
        cosine: of the angle.
        little: the length of both below which the angle fades.
        soft: how early it goes back, as a part of 2; see `turn_between`.
        one: the number 1 in the precision of the rest.
    """
    size = math.sqrt(sine * sine + cosine * cosine + little * little)
    if not size > 0:
        return one - one
    together = one + cosine / size
    if together < soft:
        together = (together * together + soft * soft) / (soft + soft)
    half = math.atan2(sine / size, together)
    return half + half


def share_of_turn(a: Four, b: Four, share: float, one: float) -> Four:
    """Some of the way from ``a`` to ``b`` on the shorter arc, quickly: straight through and back to length one."""
    rest = one - share
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0:
        share = -share
    x, y, z = rest * a[0] + share * b[0], rest * a[1] + share * b[1], rest * a[2] + share * b[2]
    return unit_quaternion(x, y, z, rest * a[3] + share * b[3], one)


def twist_about(axis: Three, angle: float, one: float) -> Four:
    """A turn by ``angle`` radians about ``axis``, of any length; the identity if it has none."""
    size = length_of(axis)
    if not size > 0:
        return one - one, one - one, one - one, one
    half = angle / (one + one)
    s = math.sin(half) / size
    return s * axis[0], s * axis[1], s * axis[2], math.cos(half)
