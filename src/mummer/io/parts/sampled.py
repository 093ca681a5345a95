"""Curves from motion that was sampled frame by frame: what never moves needs no keys."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Curve
from mummer.character.recording import CurvePath
from mummer.math import quaternion

STILL = 1e-6
"""A property that changes less than this (in metres, quaternion components, factors or weights) holds still."""


def curves_from_samples(
    path: CurvePath, targets: IntArray, times: FloatArray, values: FloatArray, base: FloatArray
) -> list[Curve]:
    """The fewest curves that say the same.

    What moves shares one curve with a key at every time; what stands still, but elsewhere than in ``base``, shares a
    curve of one key; what stands as in ``base`` has no curve.

    Args:
        path: which property.
        targets: (n,) joints or morphs.
        times: (T,) seconds.
        values: (T, n, D).
        base: (n, D) the values that hold without any curve.
    """
    if path == "rotation":
        values = quaternion.continuous(quaternion.same_hemisphere(values, base), axis=0)
    moves = np.ptp(values, axis=0).max(axis=-1, initial=0) > STILL
    elsewhere = ~moves & (np.abs(values[0] - base).max(axis=-1, initial=0) > STILL)
    curves = []
    if moves.any():
        curves.append(Curve(path, targets[moves], times, values[:, moves]))
    if elsewhere.any():
        curves.append(Curve(path, targets[elsewhere], times[:1], values[:1, elsewhere]))
    return curves


def curve_of(path: CurvePath, table: dict[int, FloatArray], times: FloatArray) -> list[Curve]:
    """One curve for all joints of ``table``, each with its (T, D) values, or none if it is empty."""
    joints = sorted(table)
    values = [table[joint] for joint in joints]
    return [Curve(path, np.array(joints), times, np.stack(values, axis=1))] if joints else []
