"""Tracks: values over some moments, and how much each counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels import quaternions

NOTHING = 1e-12


class Track(NamedTuple):
    """Values over T moments, and how much each counts.

    Attributes:
        values: (T, 3) places in the world, or (T, 4) world_from_joint rotations.
        weights: (T,) 0 for where the body would carry the joint at rest, 1 for the value.
        offset: (3,) of a place: metres from the joint, in its own frame, to the point that is placed; None for the
            joint itself.
    """

    values: FloatArray
    weights: FloatArray
    offset: FloatArray | None = None

    def over(self, below: Track | None) -> Track:
        """This track laid over another: where it counts less than fully, the other one shows through."""
        if below is None or np.all(self.weights >= 1):
            return self
        shown = below.weights * (1 - self.weights)
        weights = self.weights + shown
        share = self.weights / np.maximum(weights, NOTHING)
        return Track(mixed(below.values, self.values, share), weights, self.offset)

    def at(self, carried: FloatArray) -> FloatArray:
        """(T, 3) or (T, 4) the values where they count, what is ``carried`` where they do not, and between between."""
        if np.all(self.weights >= 1):
            return self.values
        return mixed(carried, self.values, self.weights)


def mixed(first: FloatArray, second: FloatArray, share: FloatArray) -> FloatArray:
    """(T, 3) places or (T, 4) rotations from ``first``, at 0, to ``second``, at 1, by ``share`` (T,)."""
    if first.shape[-1] == 4:
        return quaternions.slerp(first, second, share)
    return np.asarray(first + (second - first) * share[:, None])
