"""Cubic curves through knots with tangents that someone gives: the form that all vector curves here come down to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.math._floats import as_floats
from mummer.math.splines.knots import locate, require_knots, require_values


def hermite(
    times: npt.ArrayLike,
    values: npt.ArrayLike,
    at: npt.ArrayLike,
    *,
    tangents: npt.ArrayLike,
    in_tangents: npt.ArrayLike | None = None,
) -> FloatArray:
    """The cubic curve with the given values and slopes at its knots.

    Args:
        times: (K,) seconds of the knots, increasing.
        values: (K, ...) at the knots.
        at: (...) seconds; outside the knots the end values hold.
        tangents: (K, ...) slopes per second with which the curve leaves each knot.
        in_tangents: (K, ...) slopes with which it arrives, where they differ: then the curve has corners.

    Returns:
        (*at.shape, *values.shape[1:]).

    Raises:
        InputError: if knots do not increase or shapes do not fit.

    Example:
        >>> hermite([0, 2], [0, 1], [0, 1, 2], tangents=[0, 0])
        array([0. , 0.5, 1. ])
    """
    arriving_given = tangents if in_tangents is None else in_tangents
    times, values, at, leaving, arriving = as_floats(times, values, at, tangents, arriving_given)
    segments = locate(times, at)
    require_values(values, len(times), "values")
    require_values(leaving, len(times), "tangents", values.shape)
    require_values(arriving, len(times), "in_tangents", values.shape)
    span, u = segments.reach(values.ndim - 1)
    before, after = segments.before, segments.after
    rise = u * u * (3 - 2 * u)
    return np.asarray(
        values[before] * (1 - rise)
        + values[after] * rise
        + span * u * (1 - u) * (leaving[before] * (1 - u) - arriving[after] * u)
    )


def bezier(
    times: npt.ArrayLike,
    values: npt.ArrayLike,
    at: npt.ArrayLike,
    *,
    leaving: npt.ArrayLike,
    arriving: npt.ArrayLike,
) -> FloatArray:
    """The cubic Bézier curve with two control points between each pair of knots.

    Args:
        times: (K,) seconds of the knots, increasing.
        values: (K, ...) at the knots.
        at: (...) seconds; outside the knots the end values hold.
        leaving: (K - 1, ...) the control point after each knot but the last, a third of the way in time.
        arriving: (K - 1, ...) the control point before each knot but the first, two thirds of the way in
            time.

    Returns:
        (*at.shape, *values.shape[1:]).

    Raises:
        InputError: if knots do not increase or shapes do not fit.
    """
    times, values, at, leaving, arriving = as_floats(times, values, at, leaving, arriving)
    require_knots(times)
    require_values(values, len(times), "values")
    between = (len(times) - 1, *values.shape[1:])
    require_values(leaving, between[0], "leaving control points", between)
    require_values(arriving, between[0], "arriving control points", between)
    spans = np.diff(times).reshape(-1, *[1] * (values.ndim - 1))
    nothing = np.zeros_like(values[:1])
    out_tangents = np.concatenate([3 * (leaving - values[:-1]) / spans, nothing])
    in_tangents = np.concatenate([nothing, 3 * (values[1:] - arriving) / spans])
    return hermite(times, values, at, tangents=out_tangents, in_tangents=in_tangents)
