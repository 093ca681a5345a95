"""Between Euler angles and quaternions, without loops over samples."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.errors import UnknownNameError
from mummer.math._floats import as_floats, as_quaternions

_UPPER = [
    "".join(letters)
    for count in (1, 2, 3)
    for letters in itertools.product("XYZ", repeat=count)
    if all(first != second for first, second in itertools.pairwise(letters))
]
ORDERS = (*_UPPER, *(order.lower() for order in _UPPER))
"""Every valid order: 12 of three axes, 6 of two and 3 of one, in upper and in lower case."""


def from_euler(angles: npt.ArrayLike, order: str) -> FloatArray:
    """The rotations that Euler angles mean.

    Args:
        angles: (..., N) radians, one for each letter of ``order``, in that order.
        order: N letters, for instance ``"ZXY"`` (moving axes) or ``"xyz"`` (fixed axes).

    Returns:
        (..., 4) unit quaternions xyzw.

    Raises:
        InputError: if the order does not exist or the last axis of ``angles`` has another length.
    """
    axes, is_intrinsic = parse_order(order)
    (angles,) = as_floats(angles)
    require_shape(angles, (len(axes),), f"Euler angles {order!r}")
    half = np.moveaxis(angles, -1, 0) / 2
    sines, cosines = np.sin(half), np.cos(half)
    turns = list(zip(axes, sines, cosines, strict=True))
    # Fixed axes in one order are moving axes in the reverse order.
    (first, sine, cosine), *others = turns if is_intrinsic else turns[::-1]
    # Component by component, each contiguous in memory: several times faster than quaternion by quaternion.
    zero = np.zeros_like(sine)
    planes = [zero, zero, zero, cosine]
    planes[first] = sine
    for axis, sine, cosine in others:
        planes = _turn(planes, axis, sine, cosine)
    out = np.empty((*angles.shape[:-1], 4), angles.dtype)
    for place, plane in enumerate(planes):
        out[..., place] = plane
    return out


def to_euler(q: npt.ArrayLike, order: str) -> FloatArray:
    """The Euler angles of rotations.

    Three axes reach every rotation. Where the first and the last axis line up (gimbal lock) only their sum or
    difference is known; then the last angle is zero. Fewer axes reach some rotations; others get the nearest
    that can be reached.

    Args:
        q: (..., 4) unit quaternions xyzw.
        order: one to three letters, for instance ``"ZXY"`` (moving axes) or ``"xyz"`` (fixed axes).

    Returns:
        (..., N) radians from -pi to pi. The middle one of three is within a quarter turn of zero, or from 0
        to pi if the first and the last letter are the same.

    Raises:
        InputError: if the order does not exist.
    """
    axes, is_intrinsic = parse_order(order)
    (q,) = as_quaternions(q)
    ordered = axes if is_intrinsic else axes[::-1]
    solve = (_one_angle, _two_angles, _three_angles)[len(axes) - 1]
    # Of three angles the one that lock leaves open must be the caller's last.
    angles = solve(q, ordered, -1 if is_intrinsic else 0)
    angles = np.where(np.abs(angles) > np.pi, angles - np.sign(angles) * (2 * np.pi), angles)
    return angles if is_intrinsic else angles[..., ::-1]


def from_euler_degrees(angles: npt.ArrayLike, order: str) -> FloatArray:
    """`from_euler` with (..., N) angles in degrees."""
    (angles,) = as_floats(angles)
    return from_euler(np.deg2rad(angles), order)


def to_euler_degrees(q: npt.ArrayLike, order: str) -> FloatArray:
    """`to_euler` with (..., N) angles in degrees from -180 to 180."""
    return np.asarray(np.rad2deg(to_euler(q, order)))


def parse_order(order: str) -> tuple[tuple[int, ...], bool]:
    """The axes of an order as 0, 1, 2 for X, Y, Z, and whether they move with the body.

    Raises:
        InputError: naming the closest order that exists.
    """
    if order not in ORDERS:
        raise UnknownNameError("the list of Euler orders", "order", order, ORDERS)
    return tuple("xyz".index(letter) for letter in order.lower()), order.isupper()


def _turn(q: list[FloatArray], axis: int, sine: FloatArray, cosine: FloatArray) -> list[FloatArray]:
    """The components ``q`` followed on their right by a turn about one coordinate axis: 8 products, not 16."""
    i, j, k = axis, (axis + 1) % 3, (axis + 2) % 3
    out = list(q)
    out[i] = q[i] * cosine + q[3] * sine
    out[j] = q[j] * cosine + q[k] * sine
    out[k] = q[k] * cosine - q[j] * sine
    out[3] = q[3] * cosine - q[i] * sine
    return out


def _one_angle(q: FloatArray, axes: tuple[int, ...], _open: int) -> FloatArray:
    return np.asarray(2 * np.arctan2(q[..., axes[0]], q[..., 3]))[..., None]


def _two_angles(q: FloatArray, axes: tuple[int, ...], _open: int) -> FloatArray:
    """The two moving-axis angles whose product is nearest to ``q``.

    A product of two turns has the components cos cos, sin cos, cos sin and sin sin of the half angles, so its
    match with ``q`` splits into one term in their sum and one in their difference, and each is largest at its
    own arctangent.
    """
    i, j, k, sign = _third_axis(axes[0], axes[1])
    w, both = q[..., 3], sign * q[..., k]
    total = np.arctan2(q[..., i] + q[..., j], w - both)
    difference = np.arctan2(q[..., i] - q[..., j], w + both)
    return np.stack([total + difference, total - difference], axis=-1)


def _three_angles(q: FloatArray, axes: tuple[int, ...], open_angle: int) -> FloatArray:
    """The three moving-axis angles of ``q``; in lock the first (0) or the last (-1) of them is zero.

    In an order like ZXZ the half sum and half difference of the outer angles are the phases of two pairs of
    components, and the middle angle says how the length of ``q`` is shared between the pairs. An order like
    ZXY is brought to that form by a quarter turn about the middle axis.
    """
    i, j, k, sign = _third_axis(axes[0], axes[1])
    is_symmetric = axes[2] == axes[0]
    w, x, y, z = q[..., 3], q[..., i], q[..., j], sign * q[..., k]
    if not is_symmetric:
        w, x, y, z = w - y, x - z, y + w, z + x
    aligned, opposed = np.hypot(w, x), np.hypot(y, z)
    total, difference = np.arctan2(x, w), np.arctan2(z, y)
    locked = 64 * np.finfo(q.dtype).eps
    side = 1 if open_angle == -1 else -1
    difference = np.where(opposed < locked, side * total, difference)
    total = np.where(aligned < locked, side * difference, total)
    middle, last = 2 * np.arctan2(opposed, aligned), total - difference
    if not is_symmetric:
        middle, last = middle - np.pi / 2, -sign * last
    return np.stack([total + difference, middle, last], axis=-1)


def _third_axis(first: int, second: int) -> tuple[int, int, int, int]:
    """Both axes, the remaining one, and +1 if the three follow each other as XYZ do, else -1."""
    third = 3 - first - second
    return first, second, third, 1 if (second - first) % 3 == 1 else -1
