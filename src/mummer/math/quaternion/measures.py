"""Angles between rotations, equality up to sign, signs that do not flip, and angular velocity."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, require_shape
from mummer.errors import InputError
from mummer.math._floats import as_floats, as_quaternions, length
from mummer.math.quaternion.algebra import conjugate, dot, multiply
from mummer.math.quaternion.exponential import log


def angle(q: npt.ArrayLike) -> FloatArray:
    """(...) how far each rotation turns, 0 to pi radians; exact near both, for any length of ``q``."""
    (q,) = as_quaternions(q)
    return np.asarray(2 * np.arctan2(length(q[..., :3]), np.abs(q[..., 3])))


def angle_between(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """(...) the angle in radians, 0 to pi, of the rotation that leads from ``a`` to ``b``, (..., 4) each."""
    return angle(multiply(conjugate(a), b))


def equal_rotations(a: npt.ArrayLike, b: npt.ArrayLike, tolerance: float = 1e-9) -> BoolArray:
    """(...) whether ``a`` and ``b``, (..., 4), are the same to within ``tolerance`` radians, up to sign.

    Example:
        >>> bool(equal_rotations([0, 0, 0, 1], [0, 0, 0, -1]))
        True
    """
    return np.asarray(angle_between(a, b) <= tolerance)


def same_hemisphere(q: npt.ArrayLike, reference: npt.ArrayLike) -> FloatArray:
    """(..., 4) the same rotations as ``q``, signed so that none points away from ``reference``, (..., 4)."""
    q, reference = as_quaternions(q, reference)
    return np.where(dot(q, reference)[..., None] < 0, -q, q)


def continuous(q: npt.ArrayLike, axis: int = 0) -> FloatArray:
    """The same rotations, signed so that neighbors along ``axis`` never lie in opposite hemispheres.

    Args:
        q: (..., 4) unit quaternions, for instance (T, J, 4).
        axis: the axis of time; the last axis is not one.

    Returns:
        the same shape; the first sample keeps its sign.
    """
    (q,) = as_quaternions(q)
    over_time = np.moveaxis(q, _leading_axis(q, axis), 0)
    flips = dot(over_time[1:], over_time[:-1]) < 0
    signs = np.ones(over_time.shape[:-1], q.dtype)
    signs[1:] = 1 - 2 * (np.cumsum(flips, axis=0) % 2)
    return np.moveaxis(over_time * signs[..., None], 0, _leading_axis(q, axis))


def angular_velocity(
    q: npt.ArrayLike, times: npt.ArrayLike, *, axis: int = 0, frame: Literal["parent", "joint"] = "parent"
) -> FloatArray:
    """How fast and about which axis the rotations turn at each sample.

    The rates of the two neighboring intervals are weighted as a parabola through three samples would, so
    uneven times are fine and a constant turn comes out exactly. The ends continue that parabola.

    Args:
        q: (T, ..., 4) unit quaternions parent_from_joint; time is ``axis``.
        times: (T,) seconds, increasing.
        axis: which axis of ``q`` is time.
        frame: whether the vectors are in the frame of the ``parent`` or of the turning ``joint``.

    Returns:
        (T, ..., 3) radians per second.

    Raises:
        InputError: if the times do not increase or do not match, or the frame is unknown.
    """
    q, times = as_floats(q, times)
    require_shape(q, (4,), "a quaternion")
    if frame not in ("parent", "joint"):
        raise InputError(f"angular velocity has no frame {frame!r}; expected 'parent' or 'joint'")
    place = _leading_axis(q, axis)
    over_time = np.moveaxis(q, place, 0)
    if times.shape != over_time.shape[:1] or not np.all(np.diff(times) > 0):
        raise InputError(f"times has shape {times.shape}; expected {over_time.shape[:1]} increasing seconds")
    before, after = over_time[:-1], over_time[1:]
    steps = multiply(after, conjugate(before)) if frame == "parent" else multiply(conjugate(before), after)
    spans = np.diff(times).reshape(-1, *[1] * (q.ndim - 1))
    return np.moveaxis(_rates_at_samples(log(steps) / spans, spans, len(times)), 0, place)


def _rates_at_samples(rates: FloatArray, spans: FloatArray, count: int) -> FloatArray:
    """(count, ..., 3) rates at the samples from those (count - 1, ..., 3) of the intervals between them."""
    if count < 3:
        return np.broadcast_to(rates if count == 2 else np.zeros(1), (count, *rates.shape[1:])).astype(rates.dtype)
    out = np.empty((count, *rates.shape[1:]), rates.dtype)
    out[1:-1] = (rates[:-1] * spans[1:] + rates[1:] * spans[:-1]) / (spans[:-1] + spans[1:])
    out[0] = 2 * rates[0] - out[1]
    out[-1] = 2 * rates[-1] - out[-2]
    return out


def _leading_axis(q: FloatArray, axis: int) -> int:
    """``axis`` counted from the front, which must not be the axis of the four components."""
    place = axis + q.ndim if axis < 0 else axis
    if not 0 <= place < q.ndim - 1:
        raise InputError(f"axis {axis} is no leading axis of quaternions with shape {q.shape}")
    return place
