"""Products, inverses and lengths: what makes quaternions an algebra."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked, require_shape
from mummer.math._floats import as_floats, as_quaternions, cross, unit

IDENTITY = locked([0.0, 0.0, 0.0, 1.0])
"""(4,) the rotation that changes nothing; read-only."""


def multiply(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """The rotations that do ``b`` first and ``a`` after it: world_from_hand is world_from_arm times arm_from_hand.

    Args:
        a: (..., 4) quaternions xyzw.
        b: (..., 4) quaternions xyzw; the leading axes broadcast against those of ``a``.

    Returns:
        (..., 4), of unit length if both were.

    Example:
        >>> quarter = np.array([0, 1, 0, 1]) / np.sqrt(2)
        >>> multiply(quarter, quarter).round(6)
        array([0., 1., 0., 0.])
    """
    a, b = as_quaternions(a, b)
    a_x, a_y, a_z, a_w = (a[..., i] for i in range(4))
    b_x, b_y, b_z, b_w = (b[..., i] for i in range(4))
    out = np.empty(np.broadcast(a, b).shape, a.dtype)
    out[..., 0] = a_w * b_x + a_x * b_w + a_y * b_z - a_z * b_y
    out[..., 1] = a_w * b_y - a_x * b_z + a_y * b_w + a_z * b_x
    out[..., 2] = a_w * b_z + a_x * b_y - a_y * b_x + a_z * b_w
    out[..., 3] = a_w * b_w - a_x * b_x - a_y * b_y - a_z * b_z
    return out


def conjugate(q: npt.ArrayLike) -> FloatArray:
    """(..., 4) the quaternions with their axes reversed: for unit quaternions, the inverse."""
    (q,) = as_quaternions(q)
    return q * np.array([-1, -1, -1, 1], q.dtype)


def dot(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """(...) the sum of products of the four components; negative when the two lie in opposite hemispheres."""
    a, b = as_quaternions(a, b)
    return np.asarray(np.vecdot(a, b))


def inverse(q: npt.ArrayLike) -> FloatArray:
    """(..., 4) the quaternions that undo ``q`` of any length; that of zero is the identity."""
    (q,) = as_quaternions(q)
    square = dot(q, q)[..., None]
    is_zero = square == 0
    return np.where(is_zero, IDENTITY.astype(q.dtype), conjugate(q) / np.where(is_zero, 1, square))


def normalize(q: npt.ArrayLike) -> FloatArray:
    """(..., 4) the quaternions scaled to unit length; a zero becomes the identity.

    Example:
        >>> normalize([[0, 0, 0, 2], [0, 0, 0, 0]])
        array([[0., 0., 0., 1.],
               [0., 0., 0., 1.]])
    """
    (q,) = as_quaternions(q)
    return unit(q, IDENTITY)


def rotate(q: npt.ArrayLike, vectors: npt.ArrayLike) -> FloatArray:
    """The vectors turned by unit quaternions.

    Args:
        q: (..., 4) unit quaternions xyzw, ``target_from_source``.
        vectors: (..., 3) in the source frame, any unit; leading axes broadcast.

    Returns:
        (..., 3) in the target frame.
    """
    q, vectors = as_floats(q, vectors)
    require_shape(q, (4,), "a quaternion")
    require_shape(vectors, (3,), "a vector")
    axis, w = q[..., :3], q[..., 3:]
    # Two cross products: half the work of the sandwich product q v q*.
    twice = 2 * cross(axis, vectors)
    return np.asarray(vectors + w * twice + cross(axis, twice))


def random(rng: np.random.Generator, shape: int | tuple[int, ...] = ()) -> FloatArray:
    """(*shape, 4) rotations drawn uniformly from all there are.

    Args:
        rng: the source of chance; the same seed gives the same rotations.
        shape: the leading shape.
    """
    leading = (shape,) if isinstance(shape, int) else tuple(shape)
    return normalize(rng.standard_normal((*leading, 4)))
