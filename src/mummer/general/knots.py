"""Knots: even moments at which a whole clip is worked out once."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray

RATE = 60.0
"""Knots a second, whatever frames are asked for."""
ON_KNOT = 1e-6
"""Part of a step that a moment may be off a knot and still be that knot."""


def knots_between(start: float, end: float) -> FloatArray:
    """(K,) seconds from ``start`` to ``end``, two at least."""
    return np.linspace(start, end, max(2, round((end - start) * RATE) + 1))


def on_knots(knots: FloatArray, times: FloatArray) -> IntArray | None:
    """(T,) the knots that ``times`` (T,) are, if all are: a clip shown at the rate of its knots is made only once."""
    places = (np.asarray(times) - knots[0]) / max(float(knots[1] - knots[0]), 1e-12)
    nearest = np.rint(places).astype(np.int64)
    if np.any(np.abs(places - nearest) > ON_KNOT) or np.any((nearest < 0) | (nearest >= len(knots))):
        return None
    return nearest


def nearest_knots(knots: FloatArray, times: FloatArray) -> tuple[IntArray, FloatArray]:
    """(T,) the knot at or before each moment, the last aside, and (T,) how far it is to the next, 0 to 1."""
    at = np.clip((np.asarray(times) - knots[0]) / max(float(knots[1] - knots[0]), 1e-12), 0.0, len(knots) - 1.0)
    piece = np.minimum(at.astype(np.int64), len(knots) - 2)
    return piece, at - piece
