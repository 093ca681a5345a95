"""Arithmetic on arrays of vectors."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray


def rejection(vectors: FloatArray, axis: FloatArray) -> FloatArray:
    """(..., 3) the part of ``vectors`` (..., 3) at right angles to a unit ``axis`` (3,): of up, what is level."""
    return np.asarray(vectors - (vectors @ axis)[..., None] * axis)
