"""Curves of numbers over frames, smoothed or smoothly covered."""

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


def spread_turns(turns: FloatArray, reach: int) -> FloatArray:
    """Rotation vectors (T, J, 3) spread over ``reach`` frames each way, nowhere smaller than they were.

    The size is covered smoothly, the direction averaged by size, so that a correction sets in before it is needed.
    """
    if reach < 1 or len(turns) < 2:
        return turns
    sizes = np.linalg.norm(turns, axis=-1)
    direction = smoothed(turns, reach)
    length = np.linalg.norm(direction, axis=-1)
    # Where corrections to both sides cancel there is no direction to lead along.
    agreed = length / np.maximum(smoothed(sizes, reach), 1e-12)
    size = covered(sizes, reach) * np.clip(2 * agreed, 0.0, 1.0)
    return np.asarray(direction * (size / np.maximum(length, 1e-12))[..., None])
