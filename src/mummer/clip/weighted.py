"""Weighted: any number of clips at once, whatever their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.character import Character
from mummer.character.marks import Mark
from mummer.clip.averaging import average_into
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.clip.weights import require_same_body
from mummer.errors import InputError
from mummer.math import splines

WeightCurve = float | tuple[tuple[float, float], ...]
"""A number, or pairs (time, weight) joined by a curve that does not overshoot them."""


@dataclass(frozen=True, eq=False, repr=False)
class Weighted(Clip):
    """The mean of several clips by weight, over the interval that they share; their order does not matter.

    Rotations are those of `mummer.math.blend`: nearest to all. Weights need not sum to one. A joint follows only the
    clips that define it, and all of these alike where none of them has weight.

    Attributes:
        clips: one or more, of one body, whose intervals have something in common.
        weights: for each clip a number, or pairs (time, weight); not negative.
    """

    clips: tuple[Clip, ...]
    weights: tuple[WeightCurve, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "clips", tuple(self.clips))
        object.__setattr__(self, "weights", tuple(plain_curve(weight) for weight in self.weights))
        if not self.clips or len(self.weights) != len(self.clips):
            raise InputError(f"{len(self.clips)} clips cannot be weighted by {len(self.weights)} weights")
        for clip in self.clips[1:]:
            require_same_body(self.clips[0].body, clip.body, "a weighted mean")
        if self.end < self.start:
            raise InputError(f"the clips share no time: the last starts at {self.start:g} s, after {self.end:g} s")
        if not any(np.any(_values(weight) > 0) for weight in self.weights):
            raise InputError("no clip of a weighted mean has a weight; expected one above 0")

    @property
    def body(self) -> Character:
        """The body that this clip is for."""
        return self.clips[0].body

    @property
    def start(self) -> float:
        """When the last of the clips has started."""
        return max(clip.start for clip in self.clips)

    @property
    def end(self) -> float:
        """When the first of the clips ends."""
        return min(clip.end for clip in self.clips)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of all clips that have a weight, within the shared interval."""
        kept = [
            mark.within(self.start, self.end)
            for clip, weight in zip(self.clips, self.weights, strict=True)
            if np.any(_values(weight) > 0)
            for mark in clip.marks
        ]
        return tuple(sorted(mark for mark in kept if mark is not None))

    @cached_property
    def _definers(self) -> BoolArray:
        """(n, J) which clip defines which joint; all of them where none does, for all are at rest there."""
        table = np.stack([clip.defined for clip in self.clips])
        return locked(np.where(table.any(axis=0), table, True), bool)

    def frames(self, times: FloatArray) -> Frames:
        """See `Clip.frames`."""
        weights = self.weights_at(times)
        needed = np.any(weights > 0, axis=1) | self._decides_alone
        chosen = np.flatnonzero(needed)
        made = [self.clips[place].frames(times) for place in chosen]
        if len(made) == 1:
            return made[0]
        return average_into(made, weights[chosen], self._definers[chosen], self.body)

    @cached_property
    def _decides_alone(self) -> BoolArray:
        """(n,) clips that must be asked even without weight, because not all clips define all joints."""
        return locked(np.full(len(self.clips), not bool(self._definers.all())), bool)

    def weights_at(self, times: FloatArray) -> FloatArray:
        """(n, T) the weights of all clips at ``times`` (T,).

        Raises:
            InputError: if all are zero at one of the times.
        """
        rows = np.stack([curve_at(weight, times) for weight in self.weights])
        empty = np.flatnonzero(~(rows.sum(axis=0) > 0))
        if empty.size:
            raise InputError(f"no clip of a weighted mean has a weight at {times[empty[0]]:g} s")
        return rows


def plain_curve(weight: WeightCurve | Sequence[Sequence[float]]) -> WeightCurve:
    """A weight as plain numbers that nobody else can change.

    Raises:
        InputError: if it is none, is negative, or its times do not increase.
    """
    values = np.asarray(weight, np.float64)
    if not np.all(np.isfinite(values)) or values.ndim not in (0, 2) or (values.ndim == 2 and values.shape[1] != 2):
        raise InputError("a weight must be a finite number, or pairs (time, weight) of such")
    if np.any(values < 0 if values.ndim == 0 else values[:, 1] < 0):
        raise InputError("a weight of a weighted mean is negative")
    if values.ndim == 0:
        return float(values)
    if np.any(np.diff(values[:, 0]) <= 0):
        raise InputError("the times of a weight must increase")
    return tuple((float(time), float(value)) for time, value in values)


def _values(weight: WeightCurve) -> FloatArray:
    return np.asarray(weight) if isinstance(weight, float) else np.asarray(weight)[:, 1]


def curve_at(weight: WeightCurve, times: FloatArray) -> FloatArray:
    """(T,) the weight at ``times`` (T,)."""
    if isinstance(weight, float):
        return np.full(len(times), weight)
    pairs = np.asarray(weight)
    return splines.monotone_cubic(pairs[:, 0], pairs[:, 1], times)
