"""Cubic curves through knots that find their own tangents: three answers to what "smooth" should mean."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.math._floats import as_floats
from mummer.math.splines.hermite import hermite
from mummer.math.splines.knots import require_knots, require_values


def catmull_rom(times: npt.ArrayLike, values: npt.ArrayLike, at: npt.ArrayLike) -> FloatArray:
    """The curve whose slope at each knot is that of the parabola through it and its neighbors.

    Moving a knot changes only four segments. The slope is continuous; the curve may overshoot the knots.

    Args:
        times: (K,) seconds of the knots, increasing, evenly spaced or not.
        values: (K, ...) at the knots.
        at: (...) seconds; outside the knots the end values hold.

    Returns:
        (*at.shape, *values.shape[1:]).

    Raises:
        InputError: if knots do not increase or shapes do not fit.
    """
    times, values = _knots(times, values)
    if len(times) < 3:
        return hermite(times, values, at, tangents=_straight(times, values))
    return hermite(times, values, at, tangents=np.gradient(values, times, axis=0, edge_order=2))


def monotone_cubic(times: npt.ArrayLike, values: npt.ArrayLike, at: npt.ArrayLike) -> FloatArray:
    """The curve that rises only where the knots rise and falls only where they fall: it never overshoots.

    The slopes are weighted harmonic means of those on both sides (Fritsch and Butland), which always meet the
    condition of Fritsch and Carlson for a monotone cubic.

    Args:
        times: (K,) seconds of the knots, increasing, evenly spaced or not.
        values: (K, ...) at the knots.
        at: (...) seconds; outside the knots the end values hold.

    Returns:
        (*at.shape, *values.shape[1:]).

    Raises:
        InputError: if knots do not increase or shapes do not fit.
    """
    times, values = _knots(times, values)
    if len(times) < 3:
        return hermite(times, values, at, tangents=_straight(times, values))
    h, d = _steps(times, values)
    tangents = np.empty_like(values)
    tangents[1:-1] = harmonic_slopes(times, values)
    tangents[0] = _end_slope(h[0], h[1], d[0], d[1])
    tangents[-1] = _end_slope(h[-1], h[-2], d[-1], d[-2])
    return hermite(times, values, at, tangents=tangents)


def natural_cubic(times: npt.ArrayLike, values: npt.ArrayLike, at: npt.ArrayLike) -> FloatArray:
    """The smoothest curve: of all through the knots the one that bends least, with continuous acceleration.

    It is straight at both ends. Moving one knot changes the whole curve, less the farther away.

    Args:
        times: (K,) seconds of the knots, increasing, evenly spaced or not.
        values: (K, ...) at the knots.
        at: (...) seconds; outside the knots the end values hold.

    Returns:
        (*at.shape, *values.shape[1:]).

    Raises:
        InputError: if knots do not increase or shapes do not fit.
    """
    times, values = _knots(times, values)
    if len(times) < 3:
        return hermite(times, values, at, tangents=_straight(times, values))
    h, d = _steps(times, values)
    ends = np.ones((1, *[1] * (values.ndim - 1)), values.dtype)
    lower = np.concatenate([0 * ends, h[1:], ends])
    diagonal = np.concatenate([2 * ends, 2 * (h[:-1] + h[1:]), 2 * ends])
    upper = np.concatenate([ends, h[:-1], 0 * ends])
    right = np.concatenate([3 * d[:1], 3 * (h[1:] * d[:-1] + h[:-1] * d[1:]), 3 * d[-1:]])
    return hermite(times, values, at, tangents=_solve_tridiagonal(lower, diagonal, upper, right))


def _knots(times: npt.ArrayLike, values: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    times, values = as_floats(times, values)
    require_knots(times)
    require_values(values, len(times), "values")
    return times, values


def _steps(times: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Spans (K - 1, 1, ...) and slopes (K - 1, ...) of the straight lines between knots."""
    spans = np.diff(times).reshape(-1, *[1] * (values.ndim - 1))
    return spans, np.diff(values, axis=0) / spans


def _straight(times: FloatArray, values: FloatArray) -> FloatArray:
    """Tangents of a curve with one or two knots."""
    if len(times) == 1:
        return np.zeros_like(values)
    return np.repeat(_steps(times, values)[1], 2, axis=0)


def harmonic_slopes(times: FloatArray, values: FloatArray) -> FloatArray:
    """(K - 2, ...) slopes at the inner knots of a curve that never overshoots: zero at a turning point.

    Args:
        times: (K,) seconds of the knots, increasing.
        values: (K, ...) at the knots.
    """
    h, d = _steps(times, values)
    left, right = d[:-1], d[1:]
    is_turning = np.sign(left) * np.sign(right) <= 0
    weight_left, weight_right = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    safe_left, safe_right = np.where(is_turning, 1, left), np.where(is_turning, 1, right)
    with np.errstate(over="ignore"):
        # An overflow here means slopes below 1e-300, whose mean is rightly zero.
        mean = (weight_left + weight_right) / (weight_left / safe_left + weight_right / safe_right)
    return np.where(is_turning, 0, mean)


def _end_slope(h_near: FloatArray, h_next: FloatArray, d_near: FloatArray, d_next: FloatArray) -> FloatArray:
    """The slope of a parabola at its end knot, held back where it would make the curve turn."""
    slope = ((2 * h_near + h_next) * d_near - h_near * d_next) / (h_near + h_next)
    slope = np.where(np.sign(slope) != np.sign(d_near), 0, slope)
    is_steep = (np.sign(d_near) != np.sign(d_next)) & (np.abs(slope) > 3 * np.abs(d_near))
    return np.where(is_steep, 3 * d_near, slope)


def _solve_tridiagonal(lower: FloatArray, diagonal: FloatArray, upper: FloatArray, right: FloatArray) -> FloatArray:
    """(K, ...) the solution of a system whose row i holds lower[i], diagonal[i] and upper[i] around its diagonal."""
    out = right.copy()
    pivots = diagonal.copy()
    for i in range(1, len(out)):
        factor = lower[i] / pivots[i - 1]
        pivots[i] -= factor * upper[i - 1]
        out[i] -= factor * out[i - 1]
    out[-1] /= pivots[-1]
    for i in range(len(out) - 2, -1, -1):
        out[i] = (out[i] - upper[i] * out[i + 1]) / pivots[i]
    return out
