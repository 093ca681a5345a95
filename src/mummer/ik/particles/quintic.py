"""Quintic Hermite curves: six vectors, the place and two derivatives at either end."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray

SMOOTHING = 1e-3
"""How much a fitted curve prefers to be straight; what it misses is kept as offsets."""


def quintic_weights(t: FloatArray) -> FloatArray:
    """(..., 6) the share of start, its two derivatives, end, and its two derivatives at ``t``, 0 to 1."""
    t = np.asarray(t, np.float64)
    t2, t3 = t * t, t * t * t
    t4, t5 = t2 * t2, t3 * t2
    return np.stack(
        [
            1 - 10 * t3 + 15 * t4 - 6 * t5,
            t - 6 * t3 + 8 * t4 - 3 * t5,
            (t2 - 3 * t3 + 3 * t4 - t5) / 2,
            10 * t3 - 15 * t4 + 6 * t5,
            -4 * t3 + 7 * t4 - 3 * t5,
            (t3 - 2 * t4 + t5) / 2,
        ],
        axis=-1,
    )


def quintic(start: FloatArray, end: FloatArray, curve: FloatArray, times: FloatArray) -> FloatArray:
    """(k, 3) points of a curve.

    Args:
        start: (3,)
        end: (3,)
        curve: (4, 3) first and second derivative at the start, then at the end.
        times: (k,) 0 to 1.
    """
    shares = quintic_weights(times)
    return shares @ np.stack([start, curve[0], curve[1], end, curve[2], curve[3]])


def fit_quintic(times: FloatArray, points: FloatArray) -> FloatArray:
    """(4, 3) the derivatives of the curve through the first and last point that comes nearest to the others.

    Args:
        times: (k,) 0 to 1.
        points: (k, 3).
    """
    chord = points[-1] - points[0]
    straight = np.stack([chord, 0 * chord, chord, 0 * chord])
    missing = points - quintic(points[0], points[-1], straight, times)
    shares = quintic_weights(times)[:, [1, 2, 4, 5]]
    ridge = SMOOTHING * np.eye(4)
    stacked = np.vstack([shares, ridge])
    found = np.linalg.lstsq(stacked, np.vstack([missing, np.zeros((4, 3))]), rcond=None)[0]
    return np.asarray(straight + found)
