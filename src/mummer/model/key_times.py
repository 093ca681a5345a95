"""Key times: the named moments of an action, and canonical time, which counts in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError, UnknownNameError

DEFAULT = ("start", "achieve", "release", "settle", "end")
"""Begins; has its goal; lets go of it; has calmed down; is over."""


@dataclass(frozen=True)
class KeyTimes:
    """Named moments in order. Canonical time is 0 at the first, 1 at the second, and so on, whatever lies between.

    What is placed in canonical time stays where it belongs however the action is moved, stretched or paused.

    Attributes:
        names: of the moments.
        times: seconds, none before the one ahead of it, pauses left out of account.
        pauses: pairs (canonical time, seconds): there the action stands still, and all that follows is later.

    Example:
        >>> times = KeyTimes(("start", "release", "end"), (0.0, 0.8, 2.0))
        >>> float(times.canonical(1.4)), float(times.seconds(0.5))
        (1.5, 0.4)
        >>> times.paused(1.0, 3.0)["end"]
        5.0
    """

    names: tuple[str, ...]
    times: tuple[float, ...]
    pauses: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "times", tuple(float(time) for time in self.times))
        if len(self.names) != len(self.times) or len(self.names) < 2:
            raise InputError(f"{len(self.times)} times for {len(self.names)} key times; expected one each, two or more")
        if len(set(self.names)) < len(self.names):
            raise InputError(f"key times are called {', '.join(self.names)}; expected a name each")
        if not np.all(np.isfinite(self.times)) or np.any(np.diff(self.times) < 0):
            raise InputError(
                f"key times are at {', '.join(f'{time:g}' for time in self.times)} s; expected them in order"
            )
        for at, seconds in self.pauses:
            if not (0 <= at <= len(self.names) - 1 and 0 < seconds < np.inf):
                raise InputError(
                    f"a pause of {seconds:g} s at canonical time {at:g}; expected 0 to {len(self.names) - 1}"
                )

    def __getitem__(self, name: str) -> float:
        """Seconds of a key time."""
        if name not in self.names:
            raise UnknownNameError("this action", "key time", name, self.names)
        return float(self.seconds(float(self.names.index(name))))

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return iter([(name, self[name]) for name in self.names])

    @property
    def start(self) -> float:
        """Seconds of the first."""
        return self.times[0]

    @property
    def end(self) -> float:
        """Seconds of the last."""
        return float(self.seconds(len(self.names) - 1.0))

    @cached_property
    def _knots(self) -> tuple[FloatArray, FloatArray]:
        """Seconds and canonical times between which both run evenly; a pause is two knots at one canonical time."""
        at = [(float(place), 0.0) for place in range(len(self.names))] + list(self.pauses)
        seconds, canonical, later = [], [], 0.0
        for place, pause in sorted(at):
            seconds.append(float(np.interp(place, np.arange(len(self.times)), self.times)) + later)
            canonical.append(place)
            if pause:
                later += pause
                seconds.append(seconds[-1] + pause)
                canonical.append(place)
        return locked(seconds), locked(canonical)

    def canonical(self, seconds: npt.ArrayLike) -> FloatArray:
        """Canonical times of ``seconds``; what is outside is at the nearest end."""
        at, places = self._knots
        return np.asarray(np.interp(np.asarray(seconds, np.float64), at, places))

    def seconds(self, canonical: npt.ArrayLike) -> FloatArray:
        """Seconds of ``canonical`` times; of a moment that a pause holds, the first."""
        at, places = self._knots
        wanted = np.clip(np.asarray(canonical, np.float64), 0.0, len(self.names) - 1.0)
        after = np.maximum(np.searchsorted(places, wanted, side="left"), 1)
        before = after - 1
        span = places[after] - places[before]
        part = np.where(span > 0, (wanted - places[before]) / np.where(span > 0, span, 1.0), 0.0)
        exact = places[before] == wanted
        return np.asarray(np.where(exact, at[before], at[before] + part * (at[after] - at[before])))

    def shifted(self, seconds: float) -> KeyTimes:
        """All later by ``seconds``."""
        return replace(self, times=tuple(time + seconds for time in self.times))

    def paused(self, canonical: float, seconds: float) -> KeyTimes:
        """Standing still at a canonical time for ``seconds``."""
        return replace(self, pauses=(*self.pauses, (float(canonical), float(seconds))))

    def warp_from(self, other: KeyTimes) -> tuple[tuple[float, float], ...]:
        """Pairs (seconds of ``other``, seconds of this) for a `TimeWarp` that brings a motion to these times.

        Raises:
            InputError: if they do not have the same names.
        """
        if self.names != other.names:
            raise InputError(f"key times {', '.join(other.names)} cannot be brought to {', '.join(self.names)}")
        return increasing(other.times, self.times)


def increasing(first: Sequence[float], second: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Pairs of two rows of times, without those that do not come after the one ahead in both."""
    found: list[tuple[float, float]] = []
    for pair in zip(first, second, strict=True):
        if not found or (pair[0] > found[-1][0] + 1e-9 and pair[1] > found[-1][1] + 1e-9):
            found.append((float(pair[0]), float(pair[1])))
    return tuple(found)
