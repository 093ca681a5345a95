"""The gait of a body that nobody directs."""

from __future__ import annotations

import numpy as np

from mummer.general.gait.legs import legs_of
from mummer.general.physique import Physique

FOLDED = 1.7
"""Bodies whose hind legs are longer by this factor than those in front, and folded at rest, hop."""


def natural_style(physique: Physique) -> str:
    """The style of a body that nobody directs: one leg hops, and so does who has springs for hind legs."""
    legs = legs_of(physique)
    if len({leg.hip for leg in legs}) == 1:
        return "hop"
    front = [leg.reach for leg in legs if leg.contact[2] > np.mean([leg.contact[2] for leg in legs])]
    hind = [leg for leg in legs if leg.reach not in front]
    springs = [leg.reach > FOLDED * leg.length for leg in hind]
    return "hop" if front and hind and all(springs) and min(leg.reach for leg in hind) > FOLDED * max(front) else "walk"
