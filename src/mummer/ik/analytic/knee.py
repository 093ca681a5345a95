"""See `mummer.ik.reach`."""

from __future__ import annotations

from mummer.character.limits import HINGE
from mummer.ik.limits import AXIS, KIND
from mummer.ik.reach import (
    TRUSTED_BEND,
    TRUSTED_PULL,
    Bends,
    bend_for,
    bend_range,
    length_at,
    reach_terms,
    soft_band,
    soft_length,
)
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import back, cross, direction, dot, plus, scaled, size, turned

__all__ = [
    "Bends", "bend_axis", "bend_for", "bend_range", "length_at", "reach_terms", "soft_band", "soft_length",
]  # fmt: skip


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
