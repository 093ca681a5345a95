"""See `mummer.ik.limbs`."""

from __future__ import annotations

from mummer.character.limits import HINGE
from mummer.ik.limits import KIND, REST, hinge_angle
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four


def knee_zero(middle: int, table: Floats2, rotation: Four) -> tuple[Four, float]:
    """The knee's rotation at angle zero, rest for a hinge and else as it is now, and its angle now."""
    if int(table[middle, KIND]) != HINGE:
        return rotation, 0.0
    rest = (table[middle, REST], table[middle, REST + 1], table[middle, REST + 2], table[middle, REST + 3])
    return rest, hinge_angle(middle, table, rotation)
