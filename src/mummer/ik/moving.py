"""Values that change in time: a target that moves along a path, an orientation that turns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, as_floats, locked
from mummer.errors import InputError
from mummer.math import interpolate, quaternion, splines

Easing = Literal["linear", "smooth"]


@dataclass(frozen=True, eq=False)
class Moving:
    """A value through points at given times, held before the first and after the last.

    Attributes:
        times: (N,) seconds, increasing.
        values: (N, 3) points or (N, 4) rotations.
        easing: ``smooth`` for a curve without corners or overshoot, ``linear`` for straight pieces. Rotations turn
            evenly from one to the next either way.
    """

    times: FloatArray
    values: FloatArray
    easing: Easing = "smooth"

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", locked(self.times))
        object.__setattr__(self, "values", locked(self.values))
        if self.times.ndim != 1 or not len(self.times) or np.any(np.diff(self.times) <= 0):
            raise InputError("a moving value needs increasing times, one or more")
        if self.values.shape not in ((len(self.times), 3), (len(self.times), 4)):
            raise InputError(
                f"a moving value has {len(self.times)} times but values of shape {self.values.shape}; "
                f"expected ({len(self.times)}, 3) points or ({len(self.times)}, 4) rotations"
            )
        if self.easing not in ("linear", "smooth"):
            raise InputError(f"easing {self.easing!r} is not known; expected 'linear' or 'smooth'")

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """(T, 3) or (T, 4) the value at ``times`` (T,)."""
        at = np.clip(np.asarray(times, np.float64), self.times[0], self.times[-1])
        if len(self.times) == 1:
            return np.repeat(self.values, len(at), axis=0)
        if self.values.shape[1] == 4:
            turns = quaternion.continuous(self.values)
            piece = np.clip(np.searchsorted(self.times, at, side="right") - 1, 0, len(self.times) - 2)
            share = (at - self.times[piece]) / (self.times[piece + 1] - self.times[piece])
            return interpolate.slerp(turns[piece], turns[piece + 1], share)
        if self.easing == "linear":
            return np.stack([np.interp(at, self.times, column) for column in self.values.T], axis=1)
        return np.asarray(splines.monotone_cubic(self.times, self.values, at))


Target: TypeAlias = npt.ArrayLike | Moving | Callable[[FloatArray], FloatArray]
"""A fixed value, one for each pose of a batch, a `Moving` one, or any function of times (T,)."""


def at_times(target: Target, width: int, count: int, times: FloatArray | None, what: str) -> FloatArray:
    """(count, width) ``target`` for each pose of a batch.

    Args:
        target: see `Target`.
        width: numbers of one value, 3 for a point and 4 for a rotation.
        count: poses in the batch.
        times: (count,) seconds of the poses, or None if they have none.
        what: names the target in messages.

    Raises:
        InputError: if it moves but the poses have no times, or its shape or numbers are wrong.
    """
    values = values_at(target, width, count, times, what)
    return values if values.ndim == 2 else np.broadcast_to(values, (count, width))


def values_at(target: Target, width: int, count: int, times: FloatArray | None, what: str) -> FloatArray:
    """The same, but (width,) where one value serves all poses."""
    if callable(target):
        if times is None:
            raise InputError(f"{what} moves in time, but the poses have no times; give times=")
        values = as_floats(target(times), what)
    else:
        values = as_floats(target, what)
    if values.shape not in ((width,), (count, width)):
        raise InputError(f"{what} has shape {values.shape}; expected ({width},) or ({count}, {width})")
    # Any infinity or NaN shows in the sum, which is found faster than by looking at each number.
    if not math.isfinite(values.sum()) and not np.all(np.isfinite(values)):
        raise InputError(f"{what} holds values that are not finite numbers")
    return values
