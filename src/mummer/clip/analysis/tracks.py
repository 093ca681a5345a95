"""Tracks: where chosen joints are over time, evenly sampled, smoothed against noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import world_positions
from mummer.clip.clip import BLOCK, Clip


@dataclass(frozen=True, eq=False)
class Tracks:
    """Places of some joints at even steps of time.

    Attributes:
        times: (T,) seconds.
        places: (T, n, 3) in the world, metres.
    """

    times: FloatArray
    places: FloatArray

    @property
    def step(self) -> float:
        """Seconds from one time to the next."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0

    @cached_property
    def velocities(self) -> FloatArray:
        """(T, n, 3) metres a second, by central differences."""
        if len(self.times) < 2:
            return np.zeros_like(self.places)
        return np.asarray(np.gradient(self.places, self.step, axis=0))


def follow(clip: Clip, joints: Sequence[int], *, rate: float, smoothing: float = 0.0) -> Tracks:
    """Where ``joints`` of the clip's body are.

    Args:
        clip: any clip.
        joints: joint indices.
        rate: samples a second.
        smoothing: seconds; the width (one standard deviation) of the bell that places are averaged with.
    """
    times, chosen = clip.times(rate), list(joints)
    places = np.empty((len(times), len(chosen), 3))
    for begin in range(0, len(times), BLOCK):
        rows = slice(begin, begin + BLOCK)
        places[rows] = world_positions(clip.body.skeleton, clip.sample(times[rows]))[:, chosen]
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    return Tracks(times, smoothed(places, smoothing / step) if smoothing > 0 else places)


def smoothed(values: FloatArray, width: float) -> FloatArray:
    """(T, ...) averaged along the first axis with a bell of ``width`` samples; the ends are continued by reflection."""
    from scipy.ndimage import gaussian_filter1d

    if len(values) < 2 or not width > 0:
        return values
    # Reflection through the end point keeps a steady motion steady right up to the end.
    pad = min(len(values) - 1, int(np.ceil(4 * width)))
    before = 2 * values[0] - values[pad:0:-1]
    after = 2 * values[-1] - values[-2 : -pad - 2 : -1]
    padded = np.concatenate([before, values, after])
    return np.asarray(gaussian_filter1d(padded, width, axis=0, mode="nearest")[pad : pad + len(values)])
