"""Which feet a body stands on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mummer.general.physique import Physique

HANGING = 0.35
"""A foot farther above the ground at rest than this part of its leg is not stood on."""


@lru_cache(maxsize=256)
def standing_feet(physique: Physique) -> tuple[tuple[int, bool], ...]:
    """The feet on the ground at rest, and of each whether it is flat: whether it keeps its turn while it stands."""
    parents = physique.character.skeleton.parents
    feet = physique.anatomy.capabilities.get("foot", ())
    return tuple(
        (foot, bool(np.any(parents == foot)))
        for foot in feet
        if physique.positions[foot, 1] < HANGING * physique.limb_lengths[foot]
    )
