"""The joint in the middle of a limb as a hinge: how far it must bend for the limb to be a given length.

With the upper segment ``u`` and the lower one ``l`` seen in the knee's frame, and the knee turned about an axis ``a``
by ``θ``, the squared length from hip to ankle is ``u² + l² + 2 u·R(a, θ) l``, and ``u·R(a, θ) l`` is
``along + turning cos(θ − straight)``, whatever angle the axis makes with the segments.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mummer.character.limits import HINGE
from mummer.ik.analytic.joint_table import AXIS, KIND, RANGE
from mummer.ik.analytic.vectors import back, cross, direction, dot, plus, scaled, size, turned
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three


class Bends(NamedTuple):
    """How far a knee bends.

    Attributes:
        straight: the angle of its axis at which it is straight, radians.
        side: 1 or -1, to which it bends.
        least: radians from straight.
        most: radians from straight.
    """

    straight: float
    side: float
    least: float
    most: float


TRUSTED_BEND, TRUSTED_PULL = 0.5, 0.35
LEAST_BAND = 0.03
ROOM = math.radians(15.0)
"""A hinge that goes farther than this past straight could bend both ways."""


def bend_axis(
    middle: int, table: Floats2, upper: Three, lower: Three, base_from_middle: Four, preferred: Three
) -> Three:
    """(3) the unit axis in the knee's frame that it bends about: that of its hinge, else that of its present bend.

    A knee that is nearly straight hardly tells its plane; ``preferred`` counts for more the straighter it is, and
    outweighs a knee that is bent the wrong way by up to thirteen degrees.

    Args:
        middle: the knee.
        table: of `joint_table`.
        upper: from hip to knee, in the hip's frame.
        lower: from knee to ankle, in the knee's frame.
        base_from_middle: the knee's rotation seen from the hip.
        preferred: (3) unit, in the hip's frame.
    """
    if int(table[middle, KIND]) == HINGE:
        return table[middle, AXIS], table[middle, AXIS + 1], table[middle, AXIS + 2]
    thigh = direction(upper, preferred)
    shin = direction(turned(base_from_middle, lower), thigh)
    bent = cross(thigh, shin)
    share = min(size(bent) / TRUSTED_BEND, 1.0)
    # Folded beyond a right angle the sine falls again, but the plane is well known.
    pull = 0.0 if dot(thigh, shin) < 0.0 else TRUSTED_PULL * (1.0 - share * share) ** 2
    axis = direction(plus(bent, scaled(preferred, pull)), preferred)
    return turned(back(base_from_middle), axis)


def reach_terms(upper: Three, lower: Three, axis: Three) -> Three:
    """``u² + l² + 2 along``, ``turning`` and ``straight``; see the head of this file.

    Args:
        upper: from hip to knee, in the knee's frame as it is at θ = 0.
        lower: from knee to ankle, in the knee's frame.
        axis: unit, in the knee's frame.
    """
    along = dot(upper, axis) * dot(lower, axis)
    cosine = dot(upper, lower) - along
    sine = dot(upper, cross(axis, lower))
    turning, straight = math.hypot(cosine, sine), math.atan2(sine, cosine)
    constant = dot(upper, upper) + dot(lower, lower) + 2.0 * along
    return constant, turning, straight


def bend_range(middle: int, table: Floats2, straight: float) -> Bends:
    """How far a joint bends whose chain is straight at angle ``straight``.

    A hinge bends to the side where it has more room, or if it has much on both, to the side where it is at rest; its
    straight angle is given on the turn nearest to its range.
    """
    if int(table[middle, KIND]) != HINGE:
        return Bends(straight, 1.0, 0.0, math.pi)
    low, high = table[middle, RANGE], table[middle, RANGE + 1]
    center = 0.5 * (low + high)
    straight = center + (straight - center + math.pi) % (2.0 * math.pi) - math.pi
    up = high - straight >= straight - low
    if min(high - straight, straight - low) > ROOM and abs(straight) > ROOM:
        up = straight < 0.0
    if up:
        return Bends(straight, 1.0, max(low - straight, 0.0), min(high - straight, math.pi))
    return Bends(straight, -1.0, max(straight - high, 0.0), min(straight - low, math.pi))


def length_at(constant: float, turning: float, bend: float) -> float:
    """The length from hip to ankle when the knee is ``bend`` radians from straight."""
    return math.sqrt(max(constant + 2.0 * turning * math.cos(bend), 0.0))


def bend_for(constant: float, turning: float, length: float) -> float:
    """The bend in radians, 0 to π, at which the limb has ``length``, or the nearest that there is."""
    if turning < 1e-15:
        return 0.0
    return math.acos(min(max((length * length - constant) / (2.0 * turning), -1.0), 1.0))


def soft_length(length: float, shortest: float, longest: float, band: float) -> float:
    """``length`` held between the limb's shortest and longest, with no corner at the long end.

    In the last ``band`` metres of the reach the limb follows less and less and never quite gets straight: exact up to
    there, smooth in its first derivative, and ever nearer to ``longest``.
    """
    band = min(band, longest - shortest)
    if length > longest - band:
        if band < 1e-12:
            return longest
        return longest - band * math.exp((longest - band - length) / band)
    return max(length, shortest)


def soft_band(now: float, longest: float, softness: float) -> float:
    """Metres before the end of the reach where it gets soft: ``softness`` of it, or less for a limb that is straighter.

    So a limb that is asked to stay where it is stays, to a third of a thousandth of its length.
    """
    widest = softness * longest
    return min(max(longest - now, LEAST_BAND * widest), widest)
