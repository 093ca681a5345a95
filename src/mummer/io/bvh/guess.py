"""What a BVH file leaves open: which way is up, and what position channels mean."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mummer.arrays import FloatArray
from mummer.io.axes import UP_AXES
from mummer.io.body import Body

PositionMeaning = Literal["replace", "add"]
"""Whether position channels stand in the place of a joint's OFFSET, or are added to it."""

_CLEARLY = 1.2


def guess_up(body: Body) -> str:
    """The axis that legs point along, feet to hips, in the rest pose (first) and the sampled poses (the others).

    +Y where names tell of no feet, or where another axis does not fit both.
    """
    legs = body.leg_directions()
    if not legs.shape[1]:
        return "+Y"
    rest = legs[0].mean(axis=0)
    moving = legs[1:].mean(axis=(0, 1)) if len(legs) > 1 else rest
    both = rest + moving
    scores = {axis: (1 if axis[0] == "+" else -1) * both["XYZ".index(axis[1])] for axis in UP_AXES}
    best = max(scores, key=lambda axis: scores[axis])
    return best if scores[best] > _CLEARLY else "+Y"


def guess_joint_positions(offsets: FloatArray, values: FloatArray) -> PositionMeaning:
    """What position channels of joints below the roots mean.

    A joint hardly moves against its parent, so the values lie near its OFFSET if they replace it, and near zero if
    they are added.

    Args:
        offsets: (n, 3) of the joints that have such channels.
        values: (K, n, 3) in a few frames, NaN for a channel that is missing.
    """
    from_offset = np.nansum(np.abs(values - offsets))
    from_zero = np.nansum(np.abs(values))
    return "add" if from_zero < from_offset else "replace"


def guess_root_positions(offset: FloatArray, values: FloatArray, lowest: float, size: float) -> PositionMeaning:
    """What position channels of the root mean: whichever puts the lowest point of the body nearer to height zero.

    Where that says little, whichever is nearer: channels to OFFSET (they replace it) or channels to zero (they are
    added to it), in doubt the first, as most programs have it.

    Args:
        offset: (3,) of the root, +Y up.
        values: (K, 3) in a few frames, +Y up.
        lowest: height of the body's lowest point over these frames if channels replace the OFFSET.
        size: of the body, in the same unit.
    """
    replaced, added = abs(lowest), abs(lowest + offset[1])
    if abs(replaced - added) > 0.1 * size:
        return "replace" if replaced < added else "add"
    from_offset = float(np.median(np.linalg.norm(values - offset, axis=-1)))
    from_zero = float(np.median(np.linalg.norm(values, axis=-1)))
    return "add" if 2 * from_zero < from_offset else "replace"
