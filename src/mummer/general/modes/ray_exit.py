"""Where rays from within leave a heap of tapered capsules."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray


def exit_distances(origins: FloatArray, directions: FloatArray, ends: FloatArray, radii: FloatArray) -> FloatArray:
    """How far along each ray the last point of any capsule lies; 0 for a ray that meets none.

    Args:
        origins: (T, 3) metres.
        directions: (T, 3) unit.
        ends: (T, C, 2, 3) the centres of both balls of each capsule.
        radii: (C, 2) of both balls.

    Returns:
        (T,) metres.
    """
    away = origins[:, None] - ends[:, :, 0]
    axis = ends[:, :, 1] - ends[:, :, 0]
    ray = directions[:, None]
    found = np.maximum(_ball(away, ray, radii[:, 0]), _ball(away - axis, ray, radii[:, 1]))
    found = np.maximum(found, _cone(away, axis, ray, radii))
    return np.maximum(found.max(axis=1, initial=0.0), 0.0)


def _ball(away: FloatArray, ray: FloatArray, radius: FloatArray) -> FloatArray:
    """(T, C) where rays leave balls, minus infinity where they miss."""
    half = np.vecdot(away, ray)
    under = half**2 - np.vecdot(away, away) + radius**2
    return np.where(under >= 0, -half + np.sqrt(np.maximum(under, 0)), -np.inf)


def _cone(away: FloatArray, axis: FloatArray, ray: FloatArray, radii: FloatArray) -> FloatArray:
    """(T, C) where rays leave the flanks between two balls, minus infinity where they do not.

    A point on the flank, ``along`` and ``across`` from the axis, has across * cosine + along * sine = first radius,
    where the sine is the part of the length by which the radius shrinks.
    """
    length = np.linalg.norm(axis, axis=-1)
    usable = length > np.abs(radii[:, 0] - radii[:, 1]) + 1e-12
    safe = np.where(usable, length, 1.0)
    unit = axis / safe[..., None]
    sine = np.where(usable, (radii[:, 0] - radii[:, 1]) / safe, 0.0)
    squared = 1 - sine**2
    start, rate = np.vecdot(away, unit), np.vecdot(ray, unit)
    # across^2 * cosine^2 = (first radius - along * sine)^2, a quadratic equation in the distance along the ray.
    first = radii[:, 0] - sine * start
    a = squared * (1 - rate**2) - (sine * rate) ** 2
    b = squared * (np.vecdot(away, ray) - start * rate) + first * sine * rate
    c = squared * (np.vecdot(away, away) - start**2) - first**2
    under = b**2 - a * c
    root = np.sqrt(np.maximum(under, 0))
    best = np.full(start.shape, -np.inf)
    # Both forms of each root keep their digits for some signs; a flat equation has the second form alone.
    lead = -b - np.where(b >= 0, root, -root)
    with np.errstate(divide="ignore", invalid="ignore"):
        for distance in (lead / a, c / lead):
            along = start + distance * rate
            rest = radii[:, 0] - sine * along
            share = (along - rest * sine / squared) / safe
            on_flank = usable & (under >= 0) & np.isfinite(distance) & (rest >= 0) & (share >= 0) & (share <= 1)
            best = np.where(on_flank, np.maximum(best, distance), best)
    return best
