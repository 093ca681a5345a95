"""A motion split into bands of frequency, each half as fast as the one before: an equalizer for movement.

The signal is smoothed again and again by a cubic B-spline whose samples lie 1, 2, 4, ... frames apart. What
each smoothing takes away is a band; what is left in the end is the base. Nothing is dropped, so everything
put back is the signal.

Beyond its ends a signal goes on as its own mirror image, turned about the end point: value and slope do not
jump, and the first and the last frame stay where they are whatever is done to the bands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.errors import InputError
from mummer.math import quaternion
from mummer.math._floats import as_floats

# Weights of a cubic B-spline at one and two steps from its middle; the middle has what remains.
ONE_STEP, TWO_STEPS = 4 / 16, 1 / 16


@dataclass(frozen=True)
class Bands:
    """A signal in parts.

    Attributes:
        details: (B, T, ..., D) the bands, fastest first. For rotations D is 3: rotation vectors in radians,
            in the frame of the joint.
        base: (T, ..., D) what remains when all bands are taken away. For rotations D is 4: unit quaternions.
    """

    details: FloatArray
    base: FloatArray


def most_bands(frames: int) -> int:
    """How many bands a signal of ``frames`` samples can be split into: the widest smoothing must fit into it."""
    return max(0, (max(frames, 1) - 1).bit_length() - 1)


def split(signal: npt.ArrayLike, *, count: int | None = None) -> Bands:
    """The bands of positions, angles or any other numbers.

    Args:
        signal: (T, ...) samples at an even rate. Band ``k`` holds most of a wave of 2.7 to 5.5 times
            ``2 ** k`` frames; the first holds all shorter ones too.
        count: how many bands; as many as fit if left out.

    Returns:
        details of shape (count, T, ...) and a base of shape (T, ...).

    Raises:
        InputError: if the signal has no frames or is too short for ``count`` bands.
    """
    (level,) = as_floats(signal)
    number = _checked_count(level, 1, count)
    details = np.empty((number, *level.shape), level.dtype)
    for band in range(number):
        smooth = _smooth(level, 2**band)
        details[band] = level - smooth
        level = smooth
    return Bands(details, level.copy())


def combine(bands: Bands, gains: npt.ArrayLike = 1.0) -> FloatArray:
    """The signal (T, ...) of `split` put together again, each band multiplied by its gain.

    Args:
        bands: what `split` gave.
        gains: one number for all bands, or (B,) one for each, fastest first; 1 leaves a band as it is.

    Raises:
        InputError: if there is not one gain for each band.
    """
    factors = _checked_gains(bands, gains)
    signal = bands.base.copy()
    for detail, factor in zip(bands.details[::-1], factors[::-1], strict=True):
        signal = signal + factor * detail
    return signal


def split_rotations(quaternions: npt.ArrayLike, *, count: int | None = None) -> Bands:
    """The bands of rotations.

    Each sample is averaged with its neighbors in the logarithms seen from itself, so no fixed reference comes
    near its opposite. Logarithms over longer steps are predicted from those over shorter ones: whole turns
    add up.

    Args:
        quaternions: (T, ..., 4) unit quaternions parent_from_joint at an even rate.
        count: how many bands; as many as fit if left out.

    Returns:
        details of shape (count, T, ..., 3), and a base of shape (T, ..., 4).

    Raises:
        InputError: if there are no frames or too few for ``count`` bands.
    """
    (level,) = as_floats(quaternions)
    if level.ndim < 2 or level.shape[-1] != 4:
        raise InputError(f"rotations to split have shape {level.shape}; expected (T, ..., 4)")
    number = _checked_count(level, 2, count)
    level = quaternion.normalize(level)
    details = np.empty((number, *level.shape[:-1], 3), level.dtype)
    for band in range(number):
        details[band] = _rotation_band(level, 2**band)
        level = quaternion.normalize(quaternion.multiply(level, quaternion.exp(-details[band])))
    return Bands(details, level)


def combine_rotations(bands: Bands, gains: npt.ArrayLike = 1.0) -> FloatArray:
    """The rotations (T, ..., 4) of `split_rotations` put together again, each band multiplied by its gain.

    Args:
        bands: what `split_rotations` gave.
        gains: one number for all bands, or (B,) one for each, fastest first; 1 leaves a band as it is.

    Raises:
        InputError: if there is not one gain for each band.
    """
    factors = _checked_gains(bands, gains)
    rotations = bands.base.copy()
    for detail, factor in zip(bands.details[::-1], factors[::-1], strict=True):
        rotations = quaternion.multiply(rotations, quaternion.exp(factor * detail))
    return quaternion.normalize(rotations)


def _smooth(level: FloatArray, step: int) -> FloatArray:
    """The samples averaged with those one and two ``step`` away on both sides."""
    frames, reach = len(level), 2 * step
    padding = [(reach, reach), *[(0, 0)] * (level.ndim - 1)]
    padded = np.pad(level, padding, mode="reflect", reflect_type="odd")

    def beside(offset: int) -> FloatArray:
        return padded[reach + offset : reach + offset + frames] - level

    return np.asarray(
        level + ONE_STEP * (beside(step) + beside(-step)) + TWO_STEPS * (beside(2 * step) + beside(-2 * step))
    )


def _rotation_band(level: FloatArray, step: int) -> FloatArray:
    """(T, ..., 3) what smoothing over ``step`` frames takes off the rotations (T, ..., 4)."""
    frames, margin = len(level), 2 * step
    padded = _mirror_rotations(level, margin)
    one = _logarithms_over(padded, step)
    two = _join_logarithms(padded, one)

    def both_sides(logarithms: FloatArray, reach: int) -> FloatArray:
        # The way back is the way there from the earlier sample, reversed.
        return logarithms[margin : margin + frames] - logarithms[margin - reach : margin - reach + frames]

    return -(ONE_STEP * both_sides(one, step) + TWO_STEPS * both_sides(two, margin))


def _logarithms_over(q: FloatArray, step: int, widest: float | None = None) -> FloatArray:
    """(T - step, ..., 3) the rotation vectors from each sample to that ``step`` later, whole turns included."""
    if widest is None:
        widest = float(np.max(quaternion.angle_between(q[:-1], q[1:]), initial=0))
    if step == 1 or step * widest < np.pi:
        # So few frames cannot have gone more than half a turn.
        return quaternion.log(quaternion.multiply(quaternion.conjugate(q[:-step]), q[step:]))
    return _join_logarithms(q, _logarithms_over(q, step // 2, widest))


def _join_logarithms(q: FloatArray, over_half: FloatArray) -> FloatArray:
    """The rotation vectors over twice the step of ``over_half``, on the turn nearest to the sum of both halves."""
    half = len(q) - len(over_half)
    whole = quaternion.multiply(quaternion.conjugate(q[: -2 * half]), q[2 * half :])
    return quaternion.log_near(whole, over_half[:-half] + over_half[half:])


def _mirror_rotations(q: FloatArray, margin: int) -> FloatArray:
    """The rotations with ``margin`` more at each end, where what followed the end is undone instead."""

    def beyond(end: FloatArray, inside: FloatArray) -> FloatArray:
        return quaternion.multiply(end, quaternion.multiply(quaternion.conjugate(inside), end))

    before = beyond(q[:1], q[1 : margin + 1][::-1])
    after = beyond(q[-1:], q[-margin - 1 : -1][::-1])
    return np.concatenate([before, q, after])


def _checked_count(signal: FloatArray, least_axes: int, count: int | None) -> int:
    """``count``, or as many bands as fit."""
    if signal.ndim < least_axes or not len(signal):
        raise InputError(f"a signal of shape {signal.shape} has no frames to split into bands")
    most = most_bands(len(signal))
    if count is not None and not 0 <= count <= most:
        raise InputError(f"{len(signal)} frames cannot be split into {count} bands; at most {most}")
    return most if count is None else count


def _checked_gains(bands: Bands, gains: npt.ArrayLike) -> FloatArray:
    """(B,) one gain for each band."""
    factors = np.asarray(gains, bands.details.dtype)
    if factors.shape not in ((), (len(bands.details),)):
        raise InputError(f"gains have shape {factors.shape}; expected one for each of {len(bands.details)} bands")
    return np.broadcast_to(factors, len(bands.details))
