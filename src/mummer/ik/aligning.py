"""The best fit of one list of vectors on another, as far as distances need it: how much they overlap then."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray


def cross_moments(first: FloatArray, second: FloatArray) -> FloatArray:
    """(A, B, 3, 3) Σ a bᵀ over the vectors of each of A poses (A, N, 3) and each of B others (B, N, 3)."""
    rows, columns = (vectors.transpose(0, 2, 1).reshape(-1, vectors.shape[1]) for vectors in (first, second))
    found = (rows @ columns.T).reshape(len(first), 3, len(second), 3)
    return found.transpose(0, 2, 1, 3)


def most_overlap(moments: FloatArray, up: FloatArray | None = None) -> FloatArray:
    """(...) the largest Σ a·(R b) over turns R, from the moments Σ a bᵀ (..., 3, 3).

    Args:
        moments: Σ a bᵀ.
        up: (3,) unit for turns about that axis alone; None for turns of any kind.
    """
    if up is None:
        values = np.linalg.svd(moments, compute_uv=False)
        # Only turns count, not mirrorings: where those would fit better the smallest overlap is lost.
        mirrored = np.linalg.det(moments) < 0
        return np.asarray(values.sum(axis=-1) - np.where(mirrored, 2 * values[..., 2], 0.0))
    along = np.einsum("i,...ij,j->...", up, moments, up)
    level = np.trace(moments, axis1=-2, axis2=-1) - along
    crossed = np.cross(up, np.eye(3))
    turned = np.einsum("ij,...ij->...", crossed, moments)
    return np.asarray(along + np.hypot(level, turned))
