"""TimeWarp: a clip with its timing bent through key times, never running backwards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, as_number, locked
from mummer.clip.retimed import Retimed
from mummer.errors import InputError
from mummer.math import splines


@dataclass(frozen=True, eq=False, repr=False)
class TimeWarp(Retimed):
    """The clip with chosen moments of it happening at chosen times.

    Between the keys time runs along a monotone cubic: smooth, through every key, never backwards. Before the first
    and after the last key it runs as it did in the clip. Two keys with the same ``original`` time are a pause. If the
    original times fall, the clip runs backwards throughout.

    Attributes:
        keys: pairs (original, warped) in seconds; the warped times increase, the original ones do not turn round.

    Example:
        A punch that takes twice as long to wind up: ``TimeWarp(punch, ((0, 0), (0.4, 0.8), (1.0, 1.4)))``
    """

    keys: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        pairs = np.asarray(self.keys, np.float64)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.all(np.isfinite(pairs)):
            raise InputError("a time warp needs keys that are pairs (original, warped) of finite seconds")
        object.__setattr__(self, "keys", tuple((float(a), float(b)) for a, b in pairs))
        if np.any(np.diff(pairs[:, 1]) <= 0):
            raise InputError("the warped times of a time warp must increase from key to key")
        steps = np.diff(pairs[:, 0])
        if np.any(steps < 0) and np.any(steps > 0):
            raise InputError("the original times of a time warp turn round; time would run backwards")

    @cached_property
    def _original(self) -> FloatArray:
        return locked([key[0] for key in self.keys])

    @cached_property
    def _warped(self) -> FloatArray:
        return locked([key[1] for key in self.keys])

    @property
    def _direction(self) -> float:
        return -1.0 if self._original[-1] < self._original[0] else 1.0

    def inner(self, times: FloatArray) -> FloatArray:
        """The operand's times for this clip's ``times``."""
        at = np.asarray(times, np.float64)
        first, last = self._warped[0], self._warped[-1]
        within = (
            splines.monotone_cubic(self._warped, self._original, np.clip(at, first, last))
            if len(self.keys) > 1
            else np.full(at.shape, self._original[0])
        )
        beyond = np.minimum(at - first, 0) + np.maximum(at - last, 0)
        return within + self._direction * beyond

    def outer(self, times: npt.ArrayLike) -> FloatArray:
        """This clip's times for the operand's ``times``; for a moment that a pause holds, the first."""
        target = np.asarray(times, np.float64) * self._direction
        ascending = self._original * self._direction
        clipped = np.clip(target, ascending[0], ascending[-1])
        # The key at or before which the moment is reached; the first key itself is an empty bracket.
        place = np.searchsorted(ascending, clipped, side="left")
        reached = self._bisect(self._warped[np.maximum(place - 1, 0)], self._warped[place], clipped)
        earlier = self._warped[0] + (target - ascending[0])
        later = self._warped[-1] + (target - ascending[-1])
        return np.where(target < ascending[0], earlier, np.where(target > ascending[-1], later, reached))

    def _bisect(self, low: FloatArray, high: FloatArray, target: FloatArray) -> FloatArray:
        """The time in each bracket at which the warp reaches ``target``: halving is exact and cannot miss."""
        for _ in range(60):
            middle = 0.5 * (low + high)
            reached = self.inner(middle) * self._direction >= target
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return high


def at_speed(start: float, end: float, factor: float) -> tuple[tuple[float, float], ...]:
    """The keys of a warp that plays an interval ``factor`` times as fast, from the same start."""
    if not as_number(factor, "the speed") > 0:
        raise InputError(f"a speed of {factor:g} makes no sense; expected a positive factor")
    after = start + (end - start) / factor
    return ((start, start), (end, after)) if after > start else ((start, start),)


def paused(start: float, end: float, time: float, seconds: float) -> tuple[tuple[float, float], ...]:
    """The keys of a warp that stands still at ``time`` for ``seconds``, and is otherwise as it was."""
    if not (start <= time <= end and seconds > 0):
        raise InputError(f"cannot pause at {time:g} s for {seconds:g} s: the clip runs from {start:g} to {end:g} s")
    keys = [(start, start), (time, time), (time, time + seconds), (end, end + seconds)]
    return tuple(key for key in keys if not (key == (start, start) and time == start)
                 and not (key == (end, end + seconds) and time == end))  # fmt: skip
