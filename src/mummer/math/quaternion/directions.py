"""Rotations from directions: the shortest arc between two, and where to look."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked
from mummer.math._floats import as_vectors, cross, length, unit
from mummer.math.quaternion.algebra import IDENTITY, normalize
from mummer.math.quaternion.conversions import from_matrix

UP = locked([0.0, 1.0, 0.0])
FORWARD = locked([0.0, 0.0, 1.0])


def between_vectors(start: npt.ArrayLike, end: npt.ArrayLike) -> FloatArray:
    """The smallest rotations that turn each ``start`` into the direction of ``end``.

    Opposite directions leave the axis open; one at right angles to ``start`` is chosen, always the same.

    Args:
        start: (..., 3) of any length.
        end: (..., 3) of any length; leading axes broadcast.

    Returns:
        (..., 4) unit quaternions; the identity where a vector is zero.
    """
    start, end = as_vectors(start, end)
    is_zero = ~(np.any(start, axis=-1) & np.any(end, axis=-1))[..., None]
    start, end = np.broadcast_arrays(unit(start, UP), unit(end, UP))
    middle = start + end
    reach = length(middle)[..., None]
    # Halfway between the two lies the direction that the half angle turns to. Its product with `start` keeps all its
    # digits for nearly opposite vectors too, where the usual (start x end, 1 + start . end) loses them.
    is_opposite = reach < 8 * np.finfo(start.dtype).eps
    halfway = np.where(is_opposite, perpendicular(start), middle / np.where(is_opposite, 1, reach))
    q = np.concatenate([cross(start, halfway), np.where(is_opposite, 0, reach / 2)], axis=-1)
    return np.where(is_zero, IDENTITY.astype(start.dtype), normalize(q))


def look_rotation(forward: npt.ArrayLike, up: npt.ArrayLike = UP) -> FloatArray:
    """The rotations that turn +Z to ``forward`` with +Y as near to ``up`` as that allows.

    Args:
        forward: (..., 3) where to look, of any length.
        up: (..., 3) what should be above, of any length; leading axes broadcast. Where it is zero or along
            ``forward``, some direction at right angles to ``forward`` stands in for it.

    Returns:
        (..., 4) unit quaternions world_from_body; the identity where ``forward`` is zero.
    """
    forward, up = as_vectors(forward, up)
    is_zero = ~np.any(forward, axis=-1)[..., None]
    z, up = np.broadcast_arrays(unit(forward, FORWARD), unit(up, UP))
    side = cross(up, z)
    has_side = length(side)[..., None] > 8 * np.finfo(z.dtype).eps
    x = unit(np.where(has_side, side, perpendicular(z)), UP)
    q = from_matrix(np.stack([x, cross(z, x), z], axis=-1))
    return np.where(is_zero, IDENTITY.astype(z.dtype), q)


def perpendicular(vectors: npt.ArrayLike) -> FloatArray:
    """(..., 3) a unit vector at right angles to each of ``vectors``, (..., 3), always the same one."""
    (vectors,) = as_vectors(vectors)
    smallest = np.argmin(np.abs(vectors), axis=-1)
    return unit(cross(np.eye(3, dtype=vectors.dtype)[smallest], vectors), UP)
