"""Euler angles over time without jumps, for curves that people look at and programs interpolate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.math._floats import as_floats
from mummer.math.euler.angles import from_euler, parse_order


def continuous_euler(angles: npt.ArrayLike, order: str, *, axis: int = 0, lock_tolerance: float = 1e-9) -> FloatArray:
    """The same rotations over time, written with the angles that move least from sample to sample.

    Three things make curves of Euler angles jump, and each is undone: angles wrap at half a turn; two
    different triples mean the same rotation; and in gimbal lock two axes share one turn, of which the last
    keeps what it had before.

    Args:
        angles: (T, ..., N) radians.
        order: N letters as `from_euler` takes them.
        axis: which axis of ``angles`` is time; not the last one.
        lock_tolerance: radians from lock within which a sample counts as locked. Rotations change by about
            this much at most, so raise it to 1e-6 for angles that came from float32.

    Returns:
        the same shape, in radians of any size.

    Raises:
        InputError: if the order does not exist or the shape does not fit it.
    """
    axes, _ = parse_order(order)
    (angles,) = as_floats(angles)
    require_shape(angles, (len(axes),), f"Euler angles {order!r}")
    place = axis + angles.ndim if axis < 0 else axis
    if not 0 <= place < angles.ndim - 1:
        raise InputError(f"axis {axis} is no leading axis of Euler angles with shape {angles.shape}")
    curves = np.moveaxis(angles, place, 0)
    if len(axes) == 3 and len(curves) > 1:
        curves = _keep_last_in_lock(curves, order, lock_tolerance)
        curves = _choose_triples(curves, is_symmetric=axes[0] == axes[2])
    return np.moveaxis(np.unwrap(curves, axis=0).astype(angles.dtype, copy=False), 0, place)


def _choose_triples(curves: FloatArray, *, is_symmetric: bool) -> FloatArray:
    """Of the two triples that mean each rotation, the one nearer to its predecessor, up to whole turns.

    Going over to the other triple keeps distances between samples, so whether a step should change triples
    does not depend on which one the step starts from, and a running count of changes is all that must be
    known.
    """
    half_turn = np.pi
    other = np.stack(
        [
            curves[..., 0] + half_turn,
            (0 if is_symmetric else half_turn) - curves[..., 1],
            curves[..., 2] + half_turn,
        ],
        axis=-1,
    )
    changes = _distance(other[1:], curves[:-1]) < _distance(curves[1:], curves[:-1])
    is_other = np.zeros(curves.shape[:-1], bool)
    is_other[1:] = np.cumsum(changes, axis=0) % 2 == 1
    return np.where(is_other[..., None], other, curves)


def _distance(a: FloatArray, b: FloatArray) -> FloatArray:
    """(...) the sum of the smallest angles between the entries of ``a`` and ``b``."""
    return np.abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi).sum(axis=-1)


def _keep_last_in_lock(curves: FloatArray, order: str, tolerance: float) -> FloatArray:
    """Locked samples with the last angle of the free sample before (else after), and a first to match."""
    axes, is_intrinsic = parse_order(order)
    middle = curves[..., 1]
    from_lock = np.abs(np.sin(middle)) if axes[0] == axes[2] else np.abs(np.cos(middle))
    is_locked = from_lock < tolerance
    if not np.any(is_locked):
        return curves
    last = np.take_along_axis(curves[..., 2], _nearest_free(is_locked), axis=0)
    kept = np.stack([np.zeros_like(last), middle, last], axis=-1)
    rest, whole = from_euler(kept, order), from_euler(curves, order)
    # The first angle is what is left: on the outside of moving axes, on the inside of fixed ones.
    undo = quaternion.conjugate(rest)
    left = quaternion.multiply(whole, undo) if is_intrinsic else quaternion.multiply(undo, whole)
    kept[..., 0] = 2 * np.arctan2(left[..., axes[0]], left[..., 3])
    return np.where(is_locked[..., None], kept, curves)


def _nearest_free(is_locked: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """(T, ...) the index of the last free sample up to each, else of the first free one, else 0."""
    count = len(is_locked)
    index = np.arange(count).reshape(-1, *[1] * (is_locked.ndim - 1))
    latest = np.maximum.accumulate(np.where(is_locked, -1, index), axis=0)
    first = np.where(is_locked.all(axis=0), 0, np.argmin(is_locked, axis=0))
    return np.where(latest < 0, first, latest)
