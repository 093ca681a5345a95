"""Rows of numbers that kernels only read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked

RATE = 60.0
"""Rows of scores a second."""


def integers(values: Sequence[int] | IntArray | FloatArray) -> IntArray:
    """(n,) whole numbers, locked."""
    return locked(np.array(values, np.int64).reshape(-1), np.int64)


def numbers(values: Sequence[float]) -> FloatArray:
    """(n,) numbers, locked."""
    return locked(np.array(values, np.float64).reshape(-1))
