"""Operators that only change when things happen: the base they share, and the simplest of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class Retimed(Clip):
    """A clip at other times: poses stay what they are.

    A subclass says when a moment of this clip happens in its operand (`inner`) and the other way round (`outer`).
    """

    clip: Clip

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.clip.body

    @abstractmethod
    def inner(self, times: FloatArray) -> FloatArray:
        """The operand's times for this clip's ``times``."""

    @abstractmethod
    def outer(self, times: npt.ArrayLike) -> FloatArray:
        """This clip's times for the operand's ``times``."""

    @property
    def start(self) -> float:
        """Seconds at which the clip begins."""
        return self._interval[0]

    @property
    def end(self) -> float:
        """Seconds at which the clip ends."""
        return self._interval[1]

    @cached_property
    def _interval(self) -> tuple[float, float]:
        """Kept, for it is asked at every sampling and costly to find where a warp must be turned round."""
        ends = self.outer([self.clip.start, self.clip.end])
        return float(min(ends)), float(max(ends))

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        return self.clip.frames(np.clip(self.inner(times), self.clip.start, self.clip.end))

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The operand's marks, moved along and cut to the interval."""
        moved = [mark.moved(*self.outer([mark.time, mark.until]).tolist()) for mark in self.clip.marks]
        kept = [mark.within(self.start, self.end) for mark in moved]
        return tuple(sorted(mark for mark in kept if mark is not None))


@dataclass(frozen=True, eq=False, repr=False)
class Shift(Retimed):
    """The clip, later by ``seconds`` (earlier if negative)."""

    seconds: float

    def inner(self, times: FloatArray) -> FloatArray:
        """See `Retimed.inner`."""
        return times - self.seconds

    def outer(self, times: npt.ArrayLike) -> FloatArray:
        """See `Retimed.outer`."""
        return np.asarray(times, np.float64) + self.seconds


@dataclass(frozen=True, eq=False, repr=False)
class Trim(Retimed):
    """The part of the clip between two of its times, which keep their values.

    Attributes:
        begin, finish: seconds within the clip's interval.
    """

    begin: float
    finish: float

    def __post_init__(self) -> None:
        low, high = self.clip.start, self.clip.end
        if not low - 1e-9 <= self.begin <= self.finish <= high + 1e-9:
            raise InputError(
                f"cannot trim to {self.begin:g} to {self.finish:g} s: the clip runs from {low:g} to {high:g} s"
            )

    @property
    def start(self) -> float:
        """Where the part begins."""
        return self.begin

    @property
    def end(self) -> float:
        """Where the part ends."""
        return self.finish

    def inner(self, times: FloatArray) -> FloatArray:
        """See `Retimed.inner`."""
        return times

    def outer(self, times: npt.ArrayLike) -> FloatArray:
        """See `Retimed.outer`."""
        return np.asarray(times, np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class Reverse(Retimed):
    """The clip from its end to its start, over the same interval."""

    def inner(self, times: FloatArray) -> FloatArray:
        """See `Retimed.inner`."""
        return self.clip.start + self.clip.end - times

    def outer(self, times: npt.ArrayLike) -> FloatArray:
        """See `Retimed.outer`."""
        return self.clip.start + self.clip.end - np.asarray(times, np.float64)
