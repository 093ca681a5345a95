"""Rigid motions as unit dual quaternions (..., 8).

The first four numbers are the rotation xyzw, the others the dual part xyzw, which holds the translation.
Weighted sums of them, normalized, stay rigid: that is what skinning without collapsing elbows is made of.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.math import quaternion
from mummer.math._floats import as_floats
from mummer.math.rigid import Rigid


def from_rigid(translation: npt.ArrayLike, rotation: npt.ArrayLike) -> FloatArray:
    """(..., 8) the dual quaternions that turn by unit ``rotation`` (..., 4), then move by ``translation`` (..., 3)."""
    translation, rotation = as_floats(translation, rotation)
    require_shape(translation, (3,), "a translation")
    half = np.concatenate([translation / 2, np.zeros_like(translation[..., :1])], axis=-1)
    dual = quaternion.multiply(half, rotation)
    return np.concatenate([np.broadcast_to(rotation, dual.shape), dual], axis=-1)


def to_rigid(dual_quaternions: npt.ArrayLike) -> Rigid:
    """The translation (..., 3) and the rotation (..., 4) of unit dual quaternions (..., 8)."""
    d = _checked(dual_quaternions)
    rotation = d[..., :4].copy()
    return 2 * quaternion.multiply(d[..., 4:], quaternion.conjugate(rotation))[..., :3], rotation


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """(..., 8) the motion that does ``b`` first and ``a`` after it, (..., 8) each."""
    a, b = as_floats(a, b)
    a, b = _checked(a), _checked(b)
    real = quaternion.multiply(a[..., :4], b[..., :4])
    dual = quaternion.multiply(a[..., :4], b[..., 4:]) + quaternion.multiply(a[..., 4:], b[..., :4])
    return np.concatenate([real, dual], axis=-1)


def normalize(dual_quaternions: npt.ArrayLike) -> FloatArray:
    """The nearest rigid motions: real parts of unit length, dual parts at right angles to them.

    Args:
        dual_quaternions: (..., 8) for instance weighted sums of unit ones, all in one hemisphere.

    Returns:
        (..., 8); where the real part is zero, the identity.
    """
    d = _checked(dual_quaternions)
    size = np.sqrt(np.vecdot(d[..., :4], d[..., :4]))[..., None]
    is_zero = size == 0
    real = quaternion.normalize(d[..., :4])
    dual = np.where(is_zero, 0, d[..., 4:] / np.where(is_zero, 1, size))
    return np.concatenate([real, dual - real * np.vecdot(real, dual)[..., None]], axis=-1)


def _checked(dual_quaternions: npt.ArrayLike) -> FloatArray:
    """The argument as floating numbers of shape (..., 8)."""
    (d,) = as_floats(dual_quaternions)
    require_shape(d, (8,), "a dual quaternion")
    return d
