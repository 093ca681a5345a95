"""Curves kept at even steps of time, smooth in between; and the smoothing that makes them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.math import splines


@dataclass(frozen=True, eq=False)
class Curves:
    """Values at even steps of time, joined by cubics that keep their slopes, held before the first and after the last.

    Attributes:
        start: seconds of the first.
        step: seconds from one to the next.
        values: (N, D).
    """

    start: float
    step: float
    values: FloatArray

    @cached_property
    def times(self) -> FloatArray:
        """(N,) seconds."""
        return self.start + self.step * np.arange(len(self.values))

    @cached_property
    def _tangents(self) -> FloatArray:
        held = np.concatenate([self.values[:1], self.values, self.values[-1:]])
        return np.asarray((held[2:] - held[:-2]) / (2 * self.step))

    def __call__(self, times: FloatArray) -> FloatArray:
        """(..., D) the values at ``times`` (...)."""
        return splines.hermite(self.times, self.values, times, tangents=self._tangents)

    def slopes(self) -> FloatArray:
        """(N, D) the change a second at each step."""
        if len(self.values) < 2:
            return np.zeros_like(self.values)
        return np.asarray(np.gradient(self.values, self.step, axis=0))


def smoothed(values: FloatArray, width: float) -> FloatArray:
    """(N, ...) averaged along the first axis by a bell ``width`` samples wide in all; ends are held.

    The bell is a box three times over, so that what has corners comes out with a steady second derivative.
    """
    third = max(round(width / 3), 1)
    if third < 2 or len(values) < 2:
        return values
    from scipy.ndimage import uniform_filter1d

    size = third | 1
    for _ in range(3):
        values = uniform_filter1d(values, size, axis=0, mode="nearest")
    return values
