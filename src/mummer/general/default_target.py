"""A place to reach for, look at or point at, where nobody has said one."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.animation import TargetPlace
from mummer.general.context import select
from mummer.general.physique import Physique
from mummer.general.variants import Variant, side_of
from mummer.math import quaternion

LOWEST = 0.02
"""No target is nearer to the ground than this part of the body's longest side."""


def default_target(physique: Physique, variant: Variant, kind: TargetPlace = "reach") -> FloatArray:
    """(3,) in the world, a place for the target of an animation.

    Args:
        physique: the body.
        variant: who will play; what leads in it should reach the place.
        kind: see `Animation.target`.
    """
    heads = select(physique, "head") or select(physique, "eye") or (physique.root,)
    joint = (variant.leads or heads)[0]
    rest, length = physique.positions[joint], float(physique.limb_lengths[joint])
    base = physique.positions[physique.limb_bases[joint]]
    side = float(side_of(physique, joint) or 1)
    if kind == "far":
        place = physique.positions[heads[0]] + np.array([0.6 * side, 0.1, 1.6]) * physique.height
    elif kind == "ground":
        place = np.array([base[0] + 0.1 * side * length, 0.0, max(rest[2], base[2]) + 0.3 * length])
    elif kind == "above":
        place = base + np.array([0.2 * side, 0.7, 0.5]) * length
    elif joint in select(physique, "grasper"):
        place = base + np.array([0.25 * side, -0.1, 0.65]) * length
    else:
        place = rest + np.array([0.0, -0.25, 0.25]) * length
    place = np.array([place[0], max(place[1], LOWEST * physique.height), place[2]])
    return np.asarray(physique.origin + quaternion.rotate(physique.axes, place))
