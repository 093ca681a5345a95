"""How far feet may be from where they stand at rest, in any direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray

DIRECTIONS = 8
ALONG = np.array([-0.6, -0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45, 0.6])
"""How far ahead of their homes feet are tried to be lifted, in leg lengths."""


@dataclass(frozen=True, eq=False)
class Comfort:
    """How far feet go with ease.

    Attributes:
        ranges: (L, DIRECTIONS) metres from its home, to the body's left, and on round towards ahead.
        rise: how much higher than at rest the body walks, in leg lengths: folded legs are unfolded first.
        sinks: (L,) how far the body can be lowered from rest before each leg is folded up, in leg lengths.
        lifts: (L, len(ALONG)) how high each foot can be lifted, so far ahead of its home below a body at rest, or how
            far that can be lowered over it; in lengths of its leg.
        lifts_at_rest: (L, len(ALONG)) the same below and above where each stands at rest.
        homes: (L, 2) metres to the left and ahead of where each stands at rest, from which it walks: what folds up
            tightly at rest has more room beside.
        loose: (L,) feet that are better turned by their legs than kept flat on the ground.
    """

    ranges: FloatArray
    rise: float
    sinks: FloatArray
    lifts: FloatArray
    lifts_at_rest: FloatArray
    homes: FloatArray
    loose: BoolArray

    @property
    def sink(self) -> float:
        """How far the body can be lowered before any leg is folded up, in leg lengths."""
        return float(self.sinks.min())

    def far(self, leg: int, offsets: FloatArray) -> FloatArray:
        """(...) metres that a foot may go towards ``offsets`` (..., 2), left and ahead, from its home."""
        around = np.arctan2(offsets[..., 1], offsets[..., 0]) / (2 * np.pi) * DIRECTIONS
        start = np.floor(around).astype(np.int64)
        share = around - start
        ranges = self.ranges[leg]
        return np.asarray((1 - share) * ranges[start % DIRECTIONS] + share * ranges[(start + 1) % DIRECTIONS])

    def room(self, leg: int, ahead: FloatArray, aside: FloatArray) -> FloatArray:
        """(...) leg lengths that a foot can be lifted which is so many (...) ahead of its home.

        ``aside`` is how far to the left of where it stands at rest it is, metres.
        """
        out, home = np.interp(ahead, ALONG, self.lifts[leg]), float(self.homes[leg, 0])
        if home == 0.0:
            return out
        share = np.clip(aside / home, 0.0, 1.0)
        return np.asarray(share * out + (1 - share) * np.interp(ahead, ALONG, self.lifts_at_rest[leg]))
