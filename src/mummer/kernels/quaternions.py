"""Quaternion arithmetic on a few hundred rows, compiled: the same as `mummer.math.quaternion`, several times as quick.

Numpy needs some thirty calls to multiply quaternions, which cost more than the arithmetic until there are thousands.
What is asked for in other types than arrays of float64 is left to numpy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Output2
from mummer.kernels.kernel import Compiled, compiled
from mummer.kernels.scalars import Four, Three, multiply_quaternions
from mummer.kernels.scalars import rotate as rotate_vector
from mummer.math import interpolate, quaternion

FLOAT64 = np.dtype(np.float64)
SMALL = 1e-4
"""Radians below which series stand for quotients of sines."""
OPPOSITE = 8 * 2.0**-52
"""Sums of unit vectors shorter than this have no direction."""


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """See `mummer.math.quaternion.multiply`."""
    shape = _shape(a, b, 4, 4)
    return quaternion.multiply(a, b) if shape is None else _run(multiply_rows, (a, b), shape, 4)


def rotate(q: npt.ArrayLike, vectors: npt.ArrayLike) -> FloatArray:
    """See `mummer.math.quaternion.rotate`."""
    shape = _shape(q, vectors, 4, 3)
    return quaternion.rotate(q, vectors) if shape is None else _run(rotate_rows, (q, vectors), shape, 3)


def conjugate(q: npt.ArrayLike) -> FloatArray:
    """See `mummer.math.quaternion.conjugate`."""
    shape = _shape(q, q, 4, 4)
    return quaternion.conjugate(q) if shape is None else _run(conjugate_rows, (q,), shape, 4)


def exp(rotation_vectors: npt.ArrayLike) -> FloatArray:
    """See `mummer.math.quaternion.exp`."""
    shape = _shape(rotation_vectors, rotation_vectors, 3, 3)
    return quaternion.exp(rotation_vectors) if shape is None else _run(exp_rows, (rotation_vectors,), shape, 4)


def log(q: npt.ArrayLike) -> FloatArray:
    """See `mummer.math.quaternion.log`, of the shortest way."""
    shape = _shape(q, q, 4, 4)
    return quaternion.log(q) if shape is None else _run(log_rows, (q,), shape, 3)


def between_vectors(start: npt.ArrayLike, end: npt.ArrayLike) -> FloatArray:
    """See `mummer.math.quaternion.between_vectors`."""
    shape = _shape(start, end, 3, 3)
    return quaternion.between_vectors(start, end) if shape is None else _run(between_rows, (start, end), shape, 4)


def slerp(a: FloatArray, b: FloatArray, t: FloatArray) -> FloatArray:
    """See `mummer.math.interpolate.slerp`, the shortest way; ``t`` has the leading shape of ``a`` and ``b``."""
    shape = _shape(a, b, 4, 4)
    if shape is None or t.dtype is not FLOAT64 or t.shape != shape:
        return interpolate.slerp(a, b, t)
    return _run(slerp_rows, (a, b, t[..., None]), shape, 4)


def _shape(a: Any, b: Any, of_a: int, of_b: int) -> tuple[int, ...] | None:
    """The leading shape of the result, or None for what is left to numpy."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.dtype is not FLOAT64 or b.dtype is not FLOAT64:
        return None
    if not a.ndim or not b.ndim or a.shape[-1] != of_a or b.shape[-1] != of_b:
        return None
    if a.ndim == 1:
        return b.shape[:-1]
    return a.shape[:-1] if b.ndim == 1 else np.broadcast_shapes(a.shape[:-1], b.shape[:-1])


def _run(rows: Compiled, given: tuple[Any, ...], shape: tuple[int, ...], width: int) -> FloatArray:
    out = np.empty((*shape, width))
    rows.at(FLOAT64)(*(_flat(each, shape) for each in given), out.reshape(-1, width))
    return out


def _flat(given: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """(n, width) rows for each of ``shape``, or a single one for all."""
    if given.ndim > 1 and given.shape[:-1] != shape:
        given = np.broadcast_to(given, (*shape, given.shape[-1]))
    return np.ascontiguousarray(given).reshape(-1, given.shape[-1])


@compiled
def multiply_rows(a: Floats2, b: Floats2, out: Output2) -> None:
    """(n, 4) products; either factor may be a single row."""
    for row in range(out.shape[0]):
        i, j = min(row, a.shape[0] - 1), min(row, b.shape[0] - 1)
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = multiply_quaternions(
            a[i, 0], a[i, 1], a[i, 2], a[i, 3], b[j, 0], b[j, 1], b[j, 2], b[j, 3]
        )


@compiled
def rotate_rows(q: Floats2, vectors: Floats2, out: Output2) -> None:
    """(n, 3) vectors turned; either side may be a single row."""
    for row in range(out.shape[0]):
        i, j = min(row, q.shape[0] - 1), min(row, vectors.shape[0] - 1)
        out[row, 0], out[row, 1], out[row, 2] = rotate_vector(
            q[i, 0], q[i, 1], q[i, 2], q[i, 3], vectors[j, 0], vectors[j, 1], vectors[j, 2]
        )


@compiled
def conjugate_rows(q: Floats2, out: Output2) -> None:
    """(n, 4) the axes reversed."""
    for row in range(out.shape[0]):
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = -q[row, 0], -q[row, 1], -q[row, 2], q[row, 3]


@compiled
def exp_rows(vectors: Floats2, out: Output2) -> None:
    """(n, 4) of rotation vectors."""
    for row in range(out.shape[0]):
        x, y, z = vectors[row, 0], vectors[row, 1], vectors[row, 2]
        angle = math.sqrt(x * x + y * y + z * z)
        factor = 0.5 - angle * angle / 48 if angle < SMALL else math.sin(angle / 2) / angle
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = x * factor, y * factor, z * factor, math.cos(angle / 2)


@compiled
def log_rows(q: Floats2, out: Output2) -> None:
    """(n, 3) rotation vectors of at most half a turn."""
    for row in range(out.shape[0]):
        sign = -1.0 if q[row, 3] < 0 else 1.0
        x, y, z, w = sign * q[row, 0], sign * q[row, 1], sign * q[row, 2], sign * q[row, 3]
        sine = math.sqrt(x * x + y * y + z * z)
        if sine < SMALL * w:
            factor = 2 / w - (2 / w) ** 3 * sine * sine / 12
        else:
            factor = 2 * math.atan2(sine, w) / sine if sine > 0 else 0.0
        out[row, 0], out[row, 1], out[row, 2] = x * factor, y * factor, z * factor


@compiled
def between_rows(start: Floats2, end: Floats2, out: Output2) -> None:
    """(n, 4) the smallest rotations from one direction to another; either side may be a single row."""
    for row in range(out.shape[0]):
        i, j = min(row, start.shape[0] - 1), min(row, end.shape[0] - 1)
        q = between(start[i, 0], start[i, 1], start[i, 2], end[j, 0], end[j, 1], end[j, 2])
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = q


def between(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Four:
    """The smallest rotation from the direction of one vector to that of another."""
    of_a, of_b = math.sqrt(ax * ax + ay * ay + az * az), math.sqrt(bx * bx + by * by + bz * bz)
    if of_a == 0.0 or of_b == 0.0:
        return 0.0, 0.0, 0.0, 1.0
    ax, ay, az, bx, by, bz = ax / of_a, ay / of_a, az / of_a, bx / of_b, by / of_b, bz / of_b
    # Halfway between the two lies the direction that the half angle turns to.
    x, y, z = ax + bx, ay + by, az + bz
    reach = math.sqrt(x * x + y * y + z * z)
    if reach < OPPOSITE:
        x, y, z = perpendicular(ax, ay, az)
        reach, w = 1.0, 0.0
    else:
        w = reach / 2
    x, y, z = x / reach, y / reach, z / reach
    x, y, z = ay * z - az * y, az * x - ax * z, ax * y - ay * x
    size = math.sqrt(x * x + y * y + z * z + w * w)
    return x / size, y / size, z / size, w / size


def perpendicular(x: float, y: float, z: float) -> Three:
    """A unit vector at right angles to another."""
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        x, y, z = 0.0, -z, y
    elif abs(y) <= abs(z):
        x, y, z = z, 0.0, -x
    else:
        x, y, z = -y, x, 0.0
    size = math.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


@compiled
def slerp_rows(a: Floats2, b: Floats2, t: Floats2, out: Output2) -> None:
    """(n, 4) along the great circle; either end may be a single row."""
    for row in range(out.shape[0]):
        i, j, share = min(row, a.shape[0] - 1), min(row, b.shape[0] - 1), t[row, 0]
        likeness = a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2] + a[i, 3] * b[j, 3]
        sign = -1.0 if likeness < 0 else 1.0
        near, far = 0.0, 0.0
        for part in range(4):
            off, sum_of = a[i, part] - sign * b[j, part], a[i, part] + sign * b[j, part]
            near, far = near + off * off, far + sum_of * sum_of
        arc = 2 * math.atan2(math.sqrt(near), math.sqrt(far))
        sine = math.sin(arc)
        from_a, from_b = 1.0 - share, share
        if sine >= OPPOSITE:
            from_a, from_b = math.sin((1.0 - share) * arc) / sine, math.sin(share * arc) / sine
        square = 0.0
        for part in range(4):
            out[row, part] = from_a * a[i, part] + sign * from_b * b[j, part]
            square += out[row, part] * out[row, part]
        for part in range(4):
            out[row, part] /= math.sqrt(square)
