"""The carriage of the body over its legs: where the hips go when the feet are moved, slowly and not too far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.tracks import smoothed
from mummer.clip.clip import Clip
from mummer.ik.engine.limb import allowed_length
from mummer.ik.engine.unit import Unit
from mummer.ik.world_state import WorldState
from mummer.math import splines

FOLLOW = 0.25
"""Seconds; the width of the bell over which the hips follow the mean of the feet."""
REACH = 0.25
"""Seconds before and after a leg would be overstretched during which the hips go down and come up again."""
LOWEST = 0.35
"""Part of a leg's length that the hips are never lowered further than."""
GRID = 60.0
"""Moments a second at which the way of the hips is worked out."""


@dataclass(frozen=True, eq=False)
class Carriage:
    """The displacement of the whole body over time: a smooth curve.

    Attributes:
        times: (K,) seconds.
        shifts: (K, 3) metres.
    """

    times: FloatArray
    shifts: FloatArray

    def __call__(self, times: FloatArray) -> FloatArray:
        """(T, 3) metres."""
        if len(self.times) < 2 or not self.shifts.any():
            return np.broadcast_to(self.shifts[:1], (len(times), 3))
        slopes = np.gradient(self.shifts, self.times, axis=0)
        return splines.hermite(self.times, self.shifts, times, tangents=slopes)


def find_carriage(clip: Clip, units: Sequence[Unit], up: FloatArray) -> Carriage:
    """How the body is carried so that all legs among ``units`` reach without being overstretched."""
    times = clip.times(GRID)
    legs = [unit for unit in units if unit.follows]
    if not legs:
        return Carriage(times, np.zeros((len(times), 3)))
    state = WorldState(clip.body, clip.sample(times))
    targets = [leg.target(state, times)[0] for leg in legs]
    moved = [target - state.positions[:, leg.chain.tip] for leg, target in zip(legs, targets, strict=True)]
    step = float(times[1] - times[0])
    follow = smoothed(np.mean(moved, axis=0), FOLLOW / step)
    needed = np.zeros(len(times))
    for leg, target in zip(legs, targets, strict=True):
        needed = np.maximum(needed, _needed_drop(state, leg, target, follow, up))
    return Carriage(times, follow - _envelope(needed, round(REACH / step))[:, None] * up)


def _needed_drop(state: WorldState, leg: Unit, target: FloatArray, follow: FloatArray, up: FloatArray) -> FloatArray:
    """(T,) metres that the hips must go down for one leg to reach its target comfortably."""
    base, middle, tip = np.moveaxis(state.positions[:, leg.chain.joints], 1, 0)
    longest = np.linalg.norm(middle - base, axis=-1) + np.linalg.norm(tip - middle, axis=-1)
    allowed = allowed_length(np.linalg.norm(tip - base, axis=-1), longest)
    way = base + follow - target
    height = way @ up
    level = np.linalg.norm(way - height[:, None] * up, axis=-1)
    drop = height - np.sqrt(np.maximum(allowed**2 - level**2, 0.0))
    return np.clip(drop, 0.0, LOWEST * longest)


def _envelope(needed: FloatArray, reach: int) -> FloatArray:
    """(T,) a smooth curve that is nowhere below ``needed``: the highest nearby, averaged over as wide a bell."""
    from scipy.ndimage import maximum_filter1d

    if not needed.any():
        return needed
    reach = max(1, reach)
    highest = maximum_filter1d(needed, 2 * reach + 1, mode="nearest")
    bell = (1 + np.cos(np.pi * np.arange(-reach, reach + 1) / (reach + 1))) ** 2
    return np.convolve(np.pad(highest, reach, mode="edge"), bell / bell.sum(), mode="valid")
