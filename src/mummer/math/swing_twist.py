"""A rotation as a twist about an axis, followed by a swing of that axis: how limits and limbs think of joints."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.math._floats import as_floats, unit
from mummer.math.quaternion.conversions import X_AXIS


def decompose(q: npt.ArrayLike, axis: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The swing and the twist whose product ``swing * twist`` is ``q``: twist first, then swing.

    A swing by half a circle hides the twist: every twist explains it. Then the twist is the identity.

    Args:
        q: (..., 4) unit quaternions xyzw.
        axis: (..., 3) the twist axis, of any length but zero; leading axes broadcast.

    Returns:
        swing (..., 4), which turns about an axis at right angles to ``axis``, and twist (..., 4), which turns
        about ``axis`` by at most pi.

    Raises:
        InputError: if an axis is zero.
    """
    q, axis = _prepare(q, axis)
    along = np.vecdot(q[..., :3], axis)[..., None]
    w = q[..., 3:]
    along, w = np.where(w < 0, -along, along), np.abs(w)
    is_hidden = np.hypot(along, w) < 8 * np.finfo(q.dtype).eps
    twist = np.concatenate([np.where(is_hidden, 0, along) * axis, np.where(is_hidden, 1, w)], axis=-1)
    twist = quaternion.normalize(twist)
    return quaternion.multiply(q, quaternion.conjugate(twist)), twist


def compose(swing: npt.ArrayLike, twist: npt.ArrayLike) -> FloatArray:
    """(..., 4) the rotation that twists first and swings after it; undoes `decompose`."""
    return quaternion.multiply(swing, twist)


def twist_angle(q: npt.ArrayLike, axis: npt.ArrayLike) -> FloatArray:
    """How far each rotation twists about ``axis``.

    Args:
        q: (..., 4) unit quaternions xyzw.
        axis: (..., 3) of any length but zero; leading axes broadcast.

    Returns:
        (...) radians from -pi to pi, positive counter-clockwise seen from the axis' tip; 0 where a swing by
        half a circle hides it.
    """
    _, twist = decompose(q, axis)
    _, axis = _prepare(q, axis)
    return np.asarray(2 * np.arctan2(np.vecdot(twist[..., :3], axis), twist[..., 3]))


def _prepare(q: npt.ArrayLike, axis: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both in one floating type, the axis of unit length."""
    q, axis = as_floats(q, axis)
    require_shape(q, (4,), "a quaternion")
    require_shape(axis, (3,), "a twist axis")
    if not np.all(np.any(axis, axis=-1)):
        raise InputError("a twist axis is zero; expected a direction")
    return q, unit(axis, X_AXIS)
