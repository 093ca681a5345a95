"""Curves through keys: numbers that change in time, met exactly at their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output2
from mummer.kernels.kernel import compiled

Ease = Literal["smooth", "spline", "linear", "hold"]
FLOAT64 = np.dtype(np.float64)


@dataclass(frozen=True, eq=False)
class Curve:
    """D numbers through K keys, as one cubic for each piece; before the first and after the last key it is still.

    Attributes:
        times: (K,) seconds, increasing.
        values: (K, D) at the keys.
        cubics: (K - 1, 4, D) of each piece, coefficients of the powers of seconds since its key, lowest first.
    """

    times: FloatArray
    values: FloatArray
    cubics: FloatArray

    def __call__(self, at: FloatArray) -> FloatArray:
        """(T, D) the numbers at ``at`` (T,) seconds."""
        found = np.empty((len(at), self.values.shape[1]))
        curve_rows.at(FLOAT64)(self.times, self.values, self.cubics, np.ascontiguousarray(at, np.float64), found)
        return found


@compiled
def curve_rows(times: Floats1, values: Floats2, cubics: Floats3, at: Floats1, out: Output2) -> None:
    """(T, D) numbers of a curve at (T,) seconds; see `Curve`."""
    last, piece = times.shape[0] - 1, 0
    for row in range(at.shape[0]):
        moment = at[row]
        if moment >= times[last] or last == 0:
            # What holds until the last key jumps there.
            for place in range(out.shape[1]):
                out[row, place] = values[last, place]
            continue
        if moment < times[piece]:
            piece = 0
        while moment >= times[piece + 1]:
            piece += 1
        since = max(moment - times[piece], 0.0)
        for place in range(out.shape[1]):
            higher = cubics[piece, 1, place] + since * (cubics[piece, 2, place] + since * cubics[piece, 3, place])
            out[row, place] = cubics[piece, 0, place] + since * higher


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
    times = np.array([row[0] for row in rows])
    values = np.array([row[1 : 1 + width] for row in rows]).reshape(len(rows), width)
    if len(rows) > 1 and loops and np.array_equal(values[0], values[-1]):
        before, after = _looped_slopes(times, values, ease)
    else:
        before, after = _slopes(times, values, ease)
    for key, row in enumerate(rows):
        given = np.array(row[1 + width :])
        if len(given):
            before[key], after[key] = given[:width], given[-width:]
    return Curve(locked(times), locked(values), locked(_cubics(times, values, before, after, ease)))


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


def _slopes(times: FloatArray, values: FloatArray, ease: Ease) -> tuple[FloatArray, FloatArray]:
    """(K, D) slopes before and after each key."""
    slopes = np.zeros_like(values)
    if len(times) > 2 and ease in ("smooth", "spline"):
        spans = np.diff(times)[:, None]
        rates = np.diff(values, axis=0) / spans
        inner = _monotone if ease == "smooth" else _through
        slopes[1:-1] = inner(spans, rates)
    return slopes, slopes.copy()


def _looped_slopes(times: FloatArray, values: FloatArray, ease: Ease) -> tuple[FloatArray, FloatArray]:
    """The same where the last key is the first one again."""
    period = times[-1] - times[0]
    around = np.concatenate([[times[-2] - period], times, [times[1] + period]])
    before, after = _slopes(around, np.concatenate([values[-2:-1], values, values[1:2]]), ease)
    return before[1:-1], after[1:-1]


def _monotone(spans: FloatArray, rates: FloatArray) -> FloatArray:
    """Slopes that stand still at turns and never overshoot: the weighted harmonic mean of the rates on both sides."""
    left, right = rates[:-1], rates[1:]
    one, two = 2 * spans[1:] + spans[:-1], spans[1:] + 2 * spans[:-1]
    is_same = left * right > 0
    safe_left, safe_right = np.where(is_same, left, 1.0), np.where(is_same, right, 1.0)
    return np.where(is_same, (one + two) / (one / safe_left + two / safe_right), 0.0)


def _through(spans: FloatArray, rates: FloatArray) -> FloatArray:
    """Slopes of the parabola through three neighbours."""
    return np.asarray((rates[:-1] * spans[1:] + rates[1:] * spans[:-1]) / (spans[:-1] + spans[1:]))


def _cubics(times: FloatArray, values: FloatArray, before: FloatArray, after: FloatArray, ease: Ease) -> FloatArray:
    """(K - 1, 4, D) coefficients."""
    spans = np.diff(times)[:, None]
    start, change = values[:-1], np.diff(values, axis=0)
    nothing = np.zeros_like(change)
    if ease == "hold":
        return np.stack([start, nothing, nothing, nothing], axis=1)
    if ease == "linear":
        return np.stack([start, change / spans, nothing, nothing], axis=1)
    rate, leaving, arriving = change / spans, after[:-1], before[1:]
    second = (3 * rate - 2 * leaving - arriving) / spans
    third = (leaving + arriving - 2 * rate) / spans**2
    return np.stack([start, leaving, second, third], axis=1)
