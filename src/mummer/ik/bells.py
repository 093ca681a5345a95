"""Curves over frames averaged under a bell, and curves that lie over others."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray


def smoothed(values: FloatArray, reach: int) -> FloatArray:
    """``values`` (T, ...) averaged over ``reach`` frames each way with weights that fade out like a bell.

    Beyond its ends a curve stays at its first and last value.
    """
    if reach < 1 or len(values) < 2:
        return values
    steps = np.arange(-reach, reach + 1) / (reach + 1)
    weights = (1 - steps**2) ** 3
    weights /= weights.sum()
    padded = np.concatenate([np.repeat(values[:1], reach, 0), values, np.repeat(values[-1:], reach, 0)])
    total = np.zeros(values.shape)
    for place, weight in enumerate(weights):
        total += weight * padded[place : place + len(values)]
    return total


def covered(values: FloatArray, reach: int) -> FloatArray:
    """A smooth curve that is nowhere below ``values`` (T, ...), and begins to rise ``reach`` frames before they do."""
    if reach < 1 or len(values) < 2:
        return values
    half = (reach + 1) // 2
    highest = values.copy()
    for shift in range(1, half + 1):
        highest[shift:] = np.maximum(highest[shift:], values[:-shift])
        highest[:-shift] = np.maximum(highest[:-shift], values[shift:])
    return np.maximum(smoothed(highest, half), values)
