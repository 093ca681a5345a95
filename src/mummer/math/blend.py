"""Mixing any number of rotations so that their order does not matter."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.math._floats import as_floats


def blend(quaternions: npt.ArrayLike, weights: npt.ArrayLike | None = None, axis: int = -2) -> FloatArray:
    """The rotation nearest to all the given ones together, whatever their order and signs.

    It is the largest eigenvector of the weighted sum of ``q qᵀ``: the rotation with the least weighted sum of
    squared chords. Two rotations exactly opposite with equal weights have no middle; then one of the
    eigenvectors is taken.

    Args:
        quaternions: (..., N, 4) unit quaternions xyzw; the axis of length N is ``axis``.
        weights: (N,) or the shape of ``quaternions`` without its last axis; not negative, need not sum to
            one. All equal if left out.
        axis: which axis of ``quaternions`` to blend over; it is gone from the result.

    Returns:
        (..., 4) unit quaternions with ``w`` not negative.

    Raises:
        InputError: if there is nothing to blend, a weight is negative or not finite, or all weights are zero.

    Example:
        >>> turns = quaternion.exp([[0, 0.1, 0], [0, 0.2, 0], [0, 0.6, 0]])
        >>> round(float(quaternion.angle(blend(turns, [1, 1, 0]))), 6)
        0.15
    """
    q, shares = _arrange(quaternions, weights, axis)
    total = shares.sum(axis=-1)
    if not np.all(np.isfinite(shares)) or np.any(shares < 0) or not np.all(total > 0):
        raise InputError("weights of a blend must be finite, not negative, and not all zero")
    weighted = q * (shares / total[..., None])[..., None]
    _, vectors = np.linalg.eigh(np.swapaxes(weighted, -1, -2) @ q)
    return _canonical(vectors[..., -1])


def blend_near(
    quaternions: npt.ArrayLike, weights: npt.ArrayLike, reference: npt.ArrayLike, axis: int = -2
) -> FloatArray:
    """The weighted sum of how far each rotation is from ``reference``, done to ``reference``: fast, good near it.

    Weights are taken as they are. If they sum to one this is a mean; what they lack stays with the reference,
    and negative weights or sums above one exaggerate, so layers can be added and taken off.

    Args:
        quaternions: (..., N, 4) unit quaternions xyzw; the axis of length N is ``axis``.
        weights: (N,) or the shape of ``quaternions`` without its last axis; any finite numbers.
        reference: (..., 4) unit quaternions with the shape of the result: the rest pose, or the first guess.
        axis: which axis of ``quaternions`` to blend over; it is gone from the result.

    Returns:
        (..., 4) unit quaternions.
    """
    q, shares = _arrange(quaternions, weights, axis)
    (reference,) = as_floats(reference)
    require_shape(reference, (4,), "the reference of a blend")
    offsets = quaternion.log(quaternion.multiply(quaternion.conjugate(reference)[..., None, :], q))
    return quaternion.multiply(reference, quaternion.exp(np.sum(shares[..., None] * offsets, axis=-2)))


def _arrange(quaternions: npt.ArrayLike, weights: npt.ArrayLike | None, axis: int) -> tuple[FloatArray, FloatArray]:
    """The rotations as (..., N, 4) and their weights as (..., N)."""
    (given,) = as_floats(quaternions)
    require_shape(given, (None, 4), "rotations to blend")
    place = axis + given.ndim if axis < 0 else axis
    if not 0 <= place < given.ndim - 1 or given.shape[place] == 0:
        raise InputError(f"axis {axis} of rotations with shape {given.shape} holds nothing to blend")
    q = np.moveaxis(given, place, -2)
    if weights is None:
        return q, np.ones(q.shape[-2], q.dtype)
    shares = np.asarray(weights, q.dtype)
    if shares.shape == given.shape[:-1]:
        return q, np.moveaxis(shares, place, -1)
    if shares.shape == q.shape[-2:-1]:
        return q, shares
    raise InputError(f"weights have shape {shares.shape}; expected {q.shape[-2:-1]} or {given.shape[:-1]}")


def _canonical(q: FloatArray) -> FloatArray:
    """Of ``q`` and ``-q`` the one whose last component that is not zero is positive."""
    backward = q[..., ::-1]
    first = np.argmax(backward != 0, axis=-1)[..., None]
    return np.where(np.take_along_axis(backward, first, axis=-1) < 0, -q, q)
