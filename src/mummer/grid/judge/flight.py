"""Flight: when nothing of a body is on the ground, and whether it then moves as what is thrown does."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.grid.judge.scene import Scene

NEAR = 0.01
"""How near the ground, in sizes of the body, skin is carried by it."""
GRAVITY = 9.81
THROWN = 0.2
"""The share of the rise above a straight way, of what is thrown on earth, from which on a flight is one: creatures of
fables jump slowly."""
SHORT = 0.1
"""Seconds that nobody sees a body hang in the air."""


def lowest(scene: Scene) -> FloatArray:
    """(T,) metres of the lowest skin above the ground."""
    return np.asarray(scene.heights.min(axis=1))


def hanging(scene: Scene) -> BoolArray:
    """(T,) whether nothing carries the body, and it is not on the way up or down as what is thrown is."""
    up = lowest(scene) > NEAR * scene.size
    hangs = np.zeros(len(up), bool)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], up, [False]])))
    for first, end in edges.reshape(-1, 2):
        hangs[first:end] = not _thrown(scene, first, end)
    return hangs


def _thrown(scene: Scene, first: int, end: int) -> bool:
    """Whether the mass rises above the straight way from one end of a flight to the other."""
    seconds = (end - first) * scene.step
    if seconds <= SHORT:
        return True
    height = scene.center[max(first - 1, 0) : end + 1] @ scene.up
    straight = np.linspace(height[0], height[-1], len(height))
    return float(np.max(height - straight)) >= THROWN * GRAVITY * seconds**2 / 8.0
