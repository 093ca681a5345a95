"""Where a time falls among the knots of a curve."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray
from mummer.errors import InputError
from mummer.math._floats import as_floats


@dataclass(frozen=True)
class Segments:
    """For each time asked about, the two knots around it.

    Attributes:
        before: (...) index of the knot at or before the time.
        after: (...) index of the next knot.
        span: (...) seconds between the two.
        part: (...) how far from the one to the other, 0 to 1.
    """

    before: IntArray
    after: IntArray
    span: FloatArray
    part: FloatArray

    def reach(self, axes: int) -> tuple[FloatArray, FloatArray]:
        """Span and part with ``axes`` more axes of length one, to meet the values of the knots."""
        shape = (*self.part.shape, *[1] * axes)
        return self.span.reshape(shape), self.part.reshape(shape)


def locate(times: npt.ArrayLike, at: npt.ArrayLike) -> Segments:
    """The segments that hold the times ``at``; those outside the knots are held at the first or the last.

    Args:
        times: (K,) seconds of the knots, increasing, at least one.
        at: (...) seconds.

    Raises:
        InputError: if the knots are not one increasing row of finite numbers.
    """
    times, at = as_floats(times, at)
    require_knots(times)
    last = len(times) - 1
    before = np.clip(np.searchsorted(times, at, side="right") - 1, 0, max(last - 1, 0))
    after = np.minimum(before + 1, last)
    span = times[after] - times[before]
    part = np.clip((at - times[before]) / np.where(span == 0, 1, span), 0, 1)
    return Segments(before, after, span, np.where(span == 0, 0, part))


def require_knots(times: FloatArray) -> None:
    """Raise unless ``times`` is (K,) with K at least one, finite and increasing.

    Raises:
        InputError: naming the first knot that does not come after its predecessor.
    """
    if times.ndim != 1 or not len(times):
        raise InputError(f"times of knots have shape {times.shape}; expected (K,) with K at least 1")
    rises = times[1:] > times[:-1]
    if not rises.all():
        i = int(np.argmin(rises))
        raise InputError(f"times of knots must increase: {times[i + 1]} at {i + 1} follows {times[i]}")
    # What increases is finite if both ends are.
    if not (math.isfinite(times[0]) and math.isfinite(times[-1])):
        raise InputError("times of knots must be finite numbers")


def require_values(values: FloatArray, count: int, what: str, like: tuple[int, ...] | None = None) -> None:
    """Raise unless ``values`` has one row for each of ``count`` knots, and the shape ``like`` if given.

    Raises:
        InputError: with the shape found and the shape expected.
    """
    if values.ndim == 0 or len(values) != count or (like is not None and values.shape != like):
        expected = like if like is not None else f"({count}, ...)"
        raise InputError(f"{what} have shape {values.shape}; expected {expected}")
