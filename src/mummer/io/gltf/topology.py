"""Triangles from lists, strips and fans of corners."""

from __future__ import annotations

import numpy as np

from mummer.arrays import IntArray
from mummer.io.gltf.reading import Reading


def to_triangles(reading: Reading, corners: IntArray, mode: int) -> IntArray:
    """(F, 3) the triangles of a list (mode 4), strip (5) or fan (6) of corners (N,)."""
    if mode == 4:
        spare = len(corners) % 3
        if spare:
            reading.report.add("repaired", "corners that make no whole triangle were dropped", count=spare)
        return corners[: len(corners) - spare].reshape(-1, 3)
    if len(corners) < 3:
        return np.zeros((0, 3), np.int32)
    return _strip(corners) if mode == 5 else _fan(corners)


def _strip(corners: IntArray) -> IntArray:
    first = np.arange(len(corners) - 2)
    odd = first % 2
    # Every other triangle of a strip turns the other way round.
    return np.stack([corners[first], corners[first + 1 + odd], corners[first + 2 - odd]], axis=1)


def _fan(corners: IntArray) -> IntArray:
    middle = np.broadcast_to(corners[0], len(corners) - 2)
    return np.stack([corners[1:-1], corners[2:], middle], axis=1)
