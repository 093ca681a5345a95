"""Shifts: what is added over time to where the scaled source would put the body and its feet.

A foot follows the source's foot, scaled: p(t) = scale · q(t) + shift(t). The shift is constant while the foot stands,
so that it slides no more than the source's does; in flight it goes over from the one to the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Shifts:
    """Shifts at even steps of time, straight in between.

    Attributes:
        start: seconds of the first.
        rate: how many a second.
        values: (N, 3 + 3 L) metres: of the body, and of each leg's foot.
    """

    start: float
    rate: float
    values: FloatArray

    def at(self, times: FloatArray) -> FloatArray:
        """(T, 3 + 3 L) the shifts at ``times`` (T,); held before the first and after the last."""
        place = np.clip((times - self.start) * self.rate, 0.0, len(self.values) - 1.0)
        before = np.minimum(place.astype(np.int64), max(len(self.values) - 2, 0))
        after = np.minimum(before + 1, len(self.values) - 1)
        share = (place - before)[:, None]
        return np.asarray((1.0 - share) * self.values[before] + share * self.values[after])
