"""Quaternions from and to axis and angle, and rotation matrices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked, require_shape
from mummer.math._floats import as_floats, as_quaternions, length, unit

X_AXIS = locked([1.0, 0.0, 0.0])


def from_axis_angle(axis: npt.ArrayLike, angle: npt.ArrayLike) -> FloatArray:
    """The rotations by ``angle`` about ``axis``, counter-clockwise seen from the axis' tip.

    Args:
        axis: (..., 3) of any length; a zero axis gives the identity.
        angle: (...) radians; broadcasts against the leading axes of ``axis``.

    Returns:
        (..., 4) unit quaternions.
    """
    axis, angle = as_floats(axis, angle)
    require_shape(axis, (3,), "a rotation axis")
    half = np.where(np.any(axis, axis=-1), angle / 2, 0)[..., None]
    return np.concatenate([unit(axis, X_AXIS) * np.sin(half), np.cos(half)], axis=-1)


def to_axis_angle(q: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The axis and the angle of each rotation, the shorter way round.

    Args:
        q: (..., 4) quaternions xyzw.

    Returns:
        (..., 3) unit axes, +X where there is no turn, and (...) angles in radians from 0 to pi.
    """
    (q,) = as_quaternions(q)
    q = np.where(q[..., 3:] < 0, -q, q)
    return unit(q[..., :3], X_AXIS), np.asarray(2 * np.arctan2(length(q[..., :3]), q[..., 3]))


def from_matrix(matrices: npt.ArrayLike) -> FloatArray:
    """The quaternions of rotation matrices.

    Args:
        matrices: (..., 3, 3) proper rotations, as columns: without scale, shear or reflection
            (`transform.decompose` takes those off).

    Returns:
        (..., 4) unit quaternions with ``w`` not negative.
    """
    (matrices,) = as_floats(matrices)
    require_shape(matrices, (3, 3), "a rotation matrix")
    products = _component_products(matrices)
    # Row i is 4 q_i q: all four rows are the same rotation, the one with the largest q_i loses no digits.
    best = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(products, best[..., None, None], axis=-2)[..., 0, :]
    q = row / length(row)[..., None]
    return np.where(q[..., 3:] < 0, -q, q)


def to_matrix(q: npt.ArrayLike) -> FloatArray:
    """(..., 3, 3) the matrices that turn column vectors as the unit quaternions ``q``, (..., 4), do."""
    (q,) = as_quaternions(q)
    x, y, z, w = np.moveaxis(q, -1, 0)
    twice_x, twice_y, twice_z = x + x, y + y, z + z
    xx, yy, zz = x * twice_x, y * twice_y, z * twice_z
    xy, yz, zx = x * twice_y, y * twice_z, z * twice_x
    wx, wy, wz = w * twice_x, w * twice_y, w * twice_z
    out = np.empty((*q.shape[:-1], 3, 3), q.dtype)
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = 1 - yy - zz, xy - wz, zx + wy
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = xy + wz, 1 - zz - xx, yz - wx
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = zx - wy, yz + wx, 1 - xx - yy
    return out


def _component_products(m: FloatArray) -> FloatArray:
    """(..., 4, 4) the products 4 q_i q_j that the entries of a rotation matrix hold."""
    out = np.empty((*m.shape[:-2], 4, 4), m.dtype)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    out[..., 0, 0] = 1 + xx - yy - zz
    out[..., 1, 1] = 1 - xx + yy - zz
    out[..., 2, 2] = 1 - xx - yy + zz
    out[..., 3, 3] = 1 + xx + yy + zz
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i, j] = out[..., j, i] = m[..., i, j] + m[..., j, i]
        out[..., i, 3] = out[..., 3, i] = m[..., k, j] - m[..., j, k]
    return out
