"""Distance from points to tapered capsules."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray


def signed_distance(
    points: FloatArray, ends: FloatArray, radii: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far points are outside tapered capsules, negative within; arguments broadcast.

    Args:
        points: (..., 3).
        ends: (..., 2, 3) the centres of both balls.
        radii: (..., 2) of both balls.

    Returns:
        Distances (...), the shares of the way along the axis (...) of the ball that is nearest, and the unit normals
        (..., 3) away from the axis there.
    """
    axis = ends[..., 1, :] - ends[..., 0, :]
    length = np.linalg.norm(axis, axis=-1)
    away = points - ends[..., 0, :]
    along = np.vecdot(away, axis) / np.maximum(length, 1e-12)
    across = np.sqrt(np.maximum(np.vecdot(away, away) - along**2, 0.0))
    growth = radii[..., 1] - radii[..., 0]
    slope = np.clip(growth / np.maximum(length, 1e-12), -0.999999, 0.999999)
    share = np.clip((along + across * slope / np.sqrt(1 - slope**2)) / np.maximum(length, 1e-12), 0.0, 1.0)
    # One ball may lie wholly within the other: then the larger ball is all there is.
    share = np.where(np.abs(growth) < length, share, np.where(growth > 0, 1.0, 0.0))
    from_axis = away - share[..., None] * axis
    far = np.linalg.norm(from_axis, axis=-1)
    distance = far - radii[..., 0] - share * (radii[..., 1] - radii[..., 0])
    return distance, share, from_axis / np.maximum(far, 1e-12)[..., None]
