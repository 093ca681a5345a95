"""The tangents of a space warp's displacement curve at its keys: four rules, and one for keys that crowd."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mummer.arrays import BoolArray, FloatArray

Rule = Literal["smooth", "broken", "scaled", "flat"]
RULES = ("smooth", "broken", "scaled", "flat")
CLOSE = 3
"""Frames below which two keys are joined by a line: a smooth curve between them would swing wildly."""


def tangents(
    times: FloatArray, values: FloatArray, is_tweak: BoolArray, *, rule: Rule, scale: float, rate: float
) -> tuple[FloatArray, FloatArray]:
    """The slopes with which the displacement arrives at each key and leaves it.

    Args:
        times: (K,) seconds, increasing.
        values: (K, D) displacements.
        is_tweak: (K,) which keys were put in later.
        rule: ``smooth`` goes on without a corner through every key, with anticipation and overshoot beside a tweak;
            ``broken`` keeps the outer slopes of the keys beside a tweak as they were without it, and takes those
            towards it as if smooth; ``scaled`` takes ``scale`` times the outer slope towards it, so that the direction
            does not break; ``flat`` stands still at every key, so that the displacement is never more than at its keys.
        scale: for ``scaled``.
        rate: frames a second, to tell which keys are close.

    Returns:
        arriving and leaving slopes, (K, D) each.
    """
    smooth = np.zeros_like(values) if rule == "flat" else _slopes(times, values, rate)
    arriving, leaving = smooth.copy(), smooth.copy()
    if rule in ("broken", "scaled"):
        _keep_outer(arriving, leaving, times, values, is_tweak, rule, scale, rate)
    spans = np.diff(times)
    for place in np.flatnonzero(spans * rate < CLOSE - 1e-9):
        straight = (values[place + 1] - values[place]) / spans[place]
        leaving[place], arriving[place + 1] = straight, straight
    return arriving, leaving


def _slopes(times: FloatArray, values: FloatArray, rate: float) -> FloatArray:
    """(K, D) Catmull-Rom slopes for uneven times; zero at the ends, and at keys that have one very close by.

    Beyond its ends a warp holds its value, so a slope of zero is what makes it smooth there.
    """
    slopes = np.zeros_like(values)
    if len(times) < 3:
        return slopes
    spans = np.diff(times)[:, None]
    steps = np.diff(values, axis=0) / spans
    slopes[1:-1] = (spans[1:] * steps[:-1] + spans[:-1] * steps[1:]) / (spans[:-1] + spans[1:])
    is_close = spans[:, 0] * rate < CLOSE - 1e-9
    slopes[1:-1][is_close[:-1] | is_close[1:]] = 0.0
    return slopes


def _keep_outer(
    arriving: FloatArray,
    leaving: FloatArray,
    times: FloatArray,
    values: FloatArray,
    is_tweak: BoolArray,
    rule: Rule,
    scale: float,
    rate: float,
) -> None:
    """Give the keys that were there before the slopes they had, but for those that lead towards a tweak."""
    before = np.flatnonzero(~is_tweak)
    if not len(before):
        return
    kept = np.zeros_like(values)
    kept[before] = _slopes(times[before], values[before], rate)
    for place in before:
        after_is_tweak = place + 1 < len(times) and is_tweak[place + 1]
        before_is_tweak = place > 0 and is_tweak[place - 1]
        inner = scale * kept[place] if rule == "scaled" else arriving[place].copy()
        arriving[place] = inner if before_is_tweak else kept[place]
        leaving[place] = inner if after_is_tweak else kept[place]
