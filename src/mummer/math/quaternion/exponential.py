"""The exponential map: between rotation vectors (axis times angle, in radians) and quaternions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.math._floats import as_floats, as_quaternions, as_vectors, length

SMALL = 1e-4
"""Below this the first two terms of a series are exact to rounding and the quotients of sines are not needed."""


def exp(rotation_vectors: npt.ArrayLike) -> FloatArray:
    """The unit quaternions that turn about each vector by its length.

    Args:
        rotation_vectors: (..., 3) axis times angle in radians, of any length.

    Returns:
        (..., 4) unit quaternions; a turn of more than half a circle has negative ``w``, so that the map is
        smooth.

    Example:
        >>> exp([0, np.pi, 0]).round(6)
        array([0., 1., 0., 0.])
    """
    (vectors,) = as_vectors(rotation_vectors)
    angle = length(vectors)[..., None]
    is_small = angle < SMALL
    safe = np.where(is_small, 1, angle)
    factor = np.where(is_small, 0.5 - angle * angle / 48, np.sin(safe / 2) / safe)
    return np.concatenate([vectors * factor, np.cos(angle / 2)], axis=-1)


def log(q: npt.ArrayLike, *, shortest: bool = True) -> FloatArray:
    """The rotation vectors whose exponential is ``q``.

    Args:
        q: (..., 4) quaternions xyzw of any length but zero.
        shortest: take ``q`` and ``-q`` for the same rotation and give the vector of at most pi; otherwise a
            negative ``w`` means a turn beyond half a circle and the vector has up to 2 pi.

    Returns:
        (..., 3) axis times angle in radians. A full turn has no axis and gives zero.
    """
    (q,) = as_quaternions(q)
    if shortest:
        q = np.where(q[..., 3:] < 0, -q, q)
    axis, w = q[..., :3], q[..., 3:]
    sine = length(axis)[..., None]
    is_small = sine < SMALL * np.abs(w)
    safe = np.where(sine == 0, 1, sine)
    near_zero = 2 / np.where(is_small, w, 1)
    near_zero = near_zero - near_zero**3 * sine**2 / 12
    factor = np.where(is_small & (w > 0), near_zero, 2 * np.arctan2(sine, w) / safe)
    return np.asarray(axis * factor)


def log_near(q: npt.ArrayLike, prediction: npt.ArrayLike) -> FloatArray:
    """Of the many rotation vectors of ``q``, which differ by full turns, the one nearest to ``prediction``.

    This is what makes logarithms continuous: predict each from its neighbor, and turns add up instead of
    wrapping.

    Args:
        q: (..., 4) quaternions xyzw.
        prediction: (..., 3) rotation vectors in radians.

    Returns:
        (..., 3) rotation vectors in radians, of any length. Beyond half a turn, rotations within 1.5e-8 radians of
        whole turns count as whole turns about the axis of the prediction.
    """
    q, prediction = as_floats(q, prediction)
    vectors, prediction = np.broadcast_arrays(log(q), prediction)
    angle = length(vectors)[..., None]
    reach = length(prediction)[..., None]
    # Near no turn or whole turns rounding decides the axis, and many turns would magnify that; the prediction's is
    # better there. At this threshold both ways are equally wrong, by about 1e-8.
    toward = prediction / np.where(reach == 0, 1, reach)
    has_axis = angle > np.sqrt(np.finfo(q.dtype).eps)
    axis = np.where(has_axis, vectors / np.where(has_axis, angle, 1), toward)
    turns = np.round((np.vecdot(prediction, axis)[..., None] - angle) / (2 * np.pi))
    return np.asarray(vectors + axis * (turns * 2 * np.pi))


def power(q: npt.ArrayLike, exponent: npt.ArrayLike) -> FloatArray:
    """The rotations done ``exponent`` times: 0.5 is half the way, -1 the way back, 2 twice the angle.

    Args:
        q: (..., 4) unit quaternions xyzw; the shorter way round is meant.
        exponent: (...) any number; broadcasts against the leading axes of ``q``.
    """
    q, exponent = as_floats(q, exponent)
    return exp(log(q) * exponent[..., None])
