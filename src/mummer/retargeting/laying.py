"""Soles laid flat: what a foot that stands is off level, and off the ground, is taken out of it.

Recorded feet stand a few degrees on edge and a centimetre or two high or low: rest poses that were not quite flat, a
floor that is one number for a whole motion. Only what is steady is taken out, so that heels and toes come down and
leave in turn as they do in the source.
"""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip.analysis.tracks import WIDEST, rates, smoothed
from mummer.math.steps import smooth_step

STILL = 0.35
"""Radians a second that a sole turns by at which it counts for a third as lying still."""
NEAR, WHOLE = 0.12, 0.4
"""Seconds over which a sole that lies still tells how it lies, and the share of them from which on that is believed."""
EASE = 0.06
"""Seconds over which one stand goes over into the next at least."""
SEEN, SURE, MOST = np.radians((0.25, 14.0, 24.0))
"""How far off level a sole may be, up to where it is laid flat, and from where on it is meant: some stand on toes."""
SEEN_HIGH, SURE_HIGH, MOST_HIGH = 0.001, 0.04, 0.08
"""The same for how far it is off the ground, in leg lengths: straight knees show a centimetre more than feet do, and
those who stand on a step stand so."""


def stillness(ups: FloatArray, planted: BoolArray, step: float) -> FloatArray:
    """(N,) 1 where a foot stands and its sole does not turn, down to 0.

    Args:
        ups: (N, 3) unit, where the sole's normal points.
        planted: (N,) whether the foot stands.
        step: seconds between two moments.
    """
    if len(ups) < 2:
        return planted.astype(np.float64)
    speed = np.linalg.norm(rates(ups, step), axis=1)
    return np.asarray(planted * np.exp(-((speed / STILL) ** 2)))


def leveling(ups: FloatArray, still: FloatArray, up: FloatArray, step: float) -> FloatArray:
    """(N, 3) rotation vectors that lay a sole level where it lies still, and in between go from one such to the next.

    Args:
        ups: (N, 3) unit, where the sole's normal points.
        still: (N,) how much each moment counts.
        up: (3,) unit.
        step: seconds between two moments.
    """
    axes = np.cross(ups, up)
    sines = np.linalg.norm(axes, axis=1)
    angles = np.arctan2(sines, ups @ up)
    turns = axes / np.maximum(sines, 1e-12)[:, None] * angles[:, None]
    return _steady(turns, still * _trust(angles, SURE, MOST), SEEN, step)


def grounding(off: FloatArray, still: FloatArray, leg: float, step: float) -> FloatArray:
    """(N,) metres to raise a foot by so that it is on the ground where it lies still.

    Args:
        off: (N,) metres that it is above the ground.
        still: (N,) how much each moment counts.
        leg: metres that a leg is long.
        step: seconds between two moments.
    """
    weights = still * _trust(np.abs(off), SURE_HIGH * leg, MOST_HIGH * leg)
    return -_steady(off[:, None], weights, SEEN_HIGH * leg, step)[:, 0]


def _trust(values: FloatArray, sure: float, most: float) -> FloatArray:
    return smooth_step((most - values) / (most - sure))


def _steady(values: FloatArray, weights: FloatArray, seen: float, step: float) -> FloatArray:
    """(N, k) averages of ``values`` near by, each as much as it counts, less what nobody sees; 0 if nothing counts."""
    from scipy.ndimage import gaussian_filter1d

    width = min(NEAR / step, WIDEST * len(values))
    total = gaussian_filter1d(weights[:, None] * values, width, axis=0, mode="nearest")
    counts = gaussian_filter1d(weights[:, None], width, axis=0, mode="nearest")
    steady = total / np.maximum(counts, 1e-9) * smooth_step(counts / WHOLE)
    size = np.linalg.norm(steady, axis=1, keepdims=True)
    return smoothed(steady * np.maximum(1.0 - seen / np.maximum(size, 1e-12), 0.0), EASE / step)
