"""Which feet a body stands on."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.physique import Physique
from mummer.kept import kept

HANGING = 0.35
"""A foot whose lowest joint is farther above the ground at rest than this part of its leg is not stood on."""


@kept
def standing_feet(physique: Physique) -> tuple[tuple[int, bool], ...]:
    """The feet on the ground at rest, and of each whether it is flat: whether it keeps its turn while it stands."""
    parents = physique.character.skeleton.parents
    feet = physique.anatomy.capabilities.get("foot", ())
    lowest = _lowest(physique)
    return tuple(
        (foot, bool(np.any(parents == foot))) for foot in feet if lowest[foot] < HANGING * physique.limb_lengths[foot]
    )


def _lowest(physique: Physique) -> FloatArray:
    """(J,) metres above the ground, at rest, of the lowest of each joint and all that it carries.

    What is called the foot of a horse is its wrist or its heel, half way up the leg; it stands on what hangs from that.
    """
    lowest = np.array(physique.positions[:, 1])
    for joint in range(len(lowest) - 1, 0, -1):
        above = physique.character.skeleton.parents[joint]
        if above >= 0:
            lowest[above] = min(lowest[above], lowest[joint])
    return lowest
