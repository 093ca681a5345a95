"""Turns from one direction to another that never snap: nearly opposite they turn less and less, down to not at all."""

from __future__ import annotations

import math

from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import NO_TURN, cross, dot, size, times, unit_rotation


def turn_between(a: Three, b: Three, soft: float) -> Four:
    """The smallest turn of ``a`` to the direction of ``b``; none if either has no direction.

    Nearly opposite to ``a`` the smallest turn could go any way round. There the answer turns less and less, down to
    not at all right opposite, so that a small move of ``b`` never throws it from one side to the other.

    Args:
        a: of any length.
        b: of any length.
        soft: how early that begins, as a part of 2; 0.1 is about 26 degrees off the opposite.
    """
    length = size(a) * size(b)
    if not length * length > 0.0:
        return NO_TURN
    x, y, z = cross(a, b)
    return unit_rotation((x / length, y / length, z / length, softened(1.0 + dot(a, b) / length, soft)))


def softened(together: float, soft: float) -> float:
    """One plus a cosine, kept away from zero: what the half angle is told by."""
    return together if together >= soft else (together * together + soft * soft) / (soft + soft)


def turn_by_way_of(a: Three, pole: Three, b: Three, soft: float) -> Four:
    """A turn of ``a`` to ``b`` that is calm everywhere but right opposite to ``pole``; none for ``b`` along ``a``."""
    return times(turn_between(pole, b, soft), turn_between(a, pole, soft))


def calm_angle(sine: float, cosine: float, little: float, soft: float) -> float:
    """The angle that ``sine`` and ``cosine``, of any common length, stand for; calm where it is hardly known.

    Towards half a turn, where it could as well be negative, it goes back to zero; so it does where both are small.

    Args:
        sine: of the angle.
        cosine: of the angle.
        little: the length of both below which the angle fades.
        soft: how early it goes back, as a part of 2; see `turn_between`.
    """
    length = math.sqrt(sine * sine + cosine * cosine + little * little)
    if not length > 0.0:
        return 0.0
    return 2.0 * math.atan2(sine / length, softened(1.0 + cosine / length, soft))
