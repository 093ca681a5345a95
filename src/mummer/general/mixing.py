"""Several channels that share a part: what they want, mixed by how much each counts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.track import NOTHING, Track, mixed


class Mixed:
    """Tracks of joints, each joint's mixed as they are added."""

    def __init__(self) -> None:
        self._values: dict[int, FloatArray] = {}
        self._weights: dict[int, FloatArray] = {}

    def add(self, joint: int, values: FloatArray, weights: FloatArray) -> None:
        """Mix in ``values``, (T, 3) or (T, 4), that count ``weights`` (T,)."""
        before = self._weights.get(joint)
        if before is None:
            self._values[joint], self._weights[joint] = values, weights
            return
        together = before + weights
        share = weights / np.maximum(together, NOTHING)
        self._values[joint] = mixed(self._values[joint], values, share)
        self._weights[joint] = together

    def over(self, below: Mapping[int, Track]) -> dict[int, Track]:
        """The tracks, laid over others. More than all that counts is all that counts."""
        found = dict(below)
        for joint, values in self._values.items():
            weights = np.minimum(self._weights[joint], 1.0)
            if weights.any():
                found[joint] = Track(values, weights).over(below.get(joint))
        return found
