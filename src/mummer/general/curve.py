"""Curves through keys: numbers that change in time, met exactly at their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError
from mummer.math import splines

Ease = Literal["smooth", "spline", "linear", "hold"]


@dataclass(frozen=True, eq=False)
class Curve:
    """D numbers through K keys, as one cubic for each piece; before the first and after the last key it is still.

    Attributes:
        times: (K,) seconds, increasing.
        values: (K, D) at the keys.
        before, after: (K, D) slopes a second on either side of each key; None for a curve that waits and jumps.
    """

    times: FloatArray
    values: FloatArray
    before: FloatArray | None
    after: FloatArray | None

    def __call__(self, at: FloatArray) -> FloatArray:
        """(T, D) the numbers at ``at`` (T,) seconds."""
        if self.before is None or self.after is None:
            return self.values[np.maximum(np.searchsorted(self.times, at, side="right") - 1, 0)]
        return splines.hermite(self.times, self.values, at, tangents=self.after, in_tangents=self.before)


def make_curve(rows: Sequence[Sequence[float]], width: int, *, ease: Ease = "smooth", loops: bool = False) -> Curve:
    """A curve from the rows that a person wrote.

    Args:
        rows: of each key the time in seconds and ``width`` numbers; after them, if wanted, as many slopes a second, or
            slopes before and slopes after the key.
        width: numbers of a value.
        ease: how to go from key to key where no slopes are given: ``smooth`` stands still at every turn and never goes
            beyond its keys, ``spline`` swings through them, ``linear`` goes straight, ``hold`` waits and jumps.
        loops: whether the end flows into the start, where both have the same values.

    Raises:
        InputError: if a row has the wrong number of numbers, or times do not increase.
    """
    _require_rows(rows, width)
    times = np.array([row[0] for row in rows], np.float64)
    values = np.array([row[1 : 1 + width] for row in rows], np.float64).reshape(len(rows), width)
    if ease == "hold" or len(rows) == 1:
        return Curve(locked(times), locked(values), None, None)
    if ease == "linear":
        rates = np.diff(values, axis=0) / np.diff(times)[:, None]
        before, after = np.concatenate([rates[:1], rates]), np.concatenate([rates, rates[-1:]])
        return Curve(locked(times), locked(values), locked(before), locked(after))
    before = _slopes(times, values, ease, loops=loops)
    after = before.copy()
    for key, row in enumerate(rows):
        given = np.array(row[1 + width :])
        if len(given):
            before[key], after[key] = given[:width], given[-width:]
    return Curve(locked(times), locked(values), locked(before), locked(after))


def _require_rows(rows: Sequence[Sequence[float]], width: int) -> None:
    if not rows:
        raise InputError("a curve has no keys; expected at least one")
    lengths = [1 + width, 1 + 2 * width, 1 + 3 * width]
    for number, row in enumerate(rows):
        if len(row) not in lengths:
            raise InputError(f"key {number} has {len(row)} numbers; expected {lengths[0]}, or {lengths[1]} with slopes")
        if not np.all(np.isfinite(row)):
            raise InputError(f"key {number} holds a number that is not finite")
        if number and not row[0] > rows[number - 1][0]:
            raise InputError(f"key {number} is at {row[0]:g} s, not after the key before it")


def _slopes(times: FloatArray, values: FloatArray, ease: Ease, *, loops: bool) -> FloatArray:
    """(K, D) slopes at the keys; still at both ends, unless the last key is the first one again."""
    around = loops and len(times) > 1 and np.array_equal(values[0], values[-1])
    if around:
        period = times[-1] - times[0]
        times = np.concatenate([[times[-2] - period], times, [times[1] + period]])
        values = np.concatenate([values[-2:-1], values, values[1:2]])
    slopes = np.zeros_like(values)
    if len(times) > 2:
        inner = splines.harmonic_slopes(times, values) if ease == "smooth" else np.gradient(values, times, axis=0)[1:-1]
        slopes[1:-1] = inner
    return slopes[1:-1] if around else slopes
