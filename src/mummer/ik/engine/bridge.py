"""Bridges: how an offset that a goal asks for comes in before the goal holds, and goes out after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Edge:
    """An offset at the moment where a goal begins or ends to hold.

    Attributes:
        value: (D,) the offset.
        slope: (D,) its first derivative in time.
        bend: (D,) its second.
        settling: seconds within which the speed of the offset dies away; its value may take longer.
    """

    value: FloatArray
    slope: FloatArray
    bend: FloatArray
    settling: float = 0.2


@dataclass(frozen=True, eq=False)
class Gap:
    """A stretch of time in which no goal holds.

    Attributes:
        begin, end: seconds.
        before, after: the offset where the gap begins and ends; None where nothing held before or holds after.
    """

    begin: float
    end: float
    before: Edge | None
    after: Edge | None


class Bridges:
    """Offsets in all gaps of one track: smooth to the second derivative, and equal to what goals ask for at the edges.

    The value of an offset goes over the whole gap into the next one, or dies away within the easing time where the gap
    is long; its speed always dies away soon, so that it carries the offset nowhere else.
    """

    def __init__(self, gaps: Sequence[Gap], ease: float, width: int) -> None:
        self.begins = np.array([gap.begin for gap in gaps])
        self.ends = np.array([gap.end for gap in gaps])
        lengths = self.ends - self.begins
        two_sided = np.array([gap.before is not None and gap.after is not None for gap in gaps], bool)
        # Between two goals a short gap is crossed at once; before the first and after the last a short one is held.
        short = np.where(two_sided, lengths <= 2 * ease, lengths < ease)
        self._value_times = np.where(short, np.where(two_sided, lengths, np.inf), max(ease, 1e-9))
        self._before = _Side([gap.before for gap in gaps], lengths, ease, width)
        self._after = _Side([gap.after for gap in gaps], lengths, ease, width)
        self.width = width

    def __call__(self, times: FloatArray) -> tuple[FloatArray, BoolArray]:
        """(T, D) the offsets, zero outside of gaps, and (T,) whether each time is in a gap, ends included."""
        offsets = np.zeros((len(times), self.width))
        inside = np.zeros(len(times), bool)
        if not len(self.begins):
            return offsets, inside
        gap = np.clip(np.searchsorted(self.begins, times, side="right") - 1, 0, None)
        inside = (times >= self.begins[gap]) & (times <= self.ends[gap])
        rows, which = np.flatnonzero(inside), gap[inside]
        at = times[rows]
        lasting = self._value_times[which]
        offsets[rows] = self._before(which, at - self.begins[which], lasting, 1.0)
        offsets[rows] += self._after(which, self.ends[which] - at, lasting, -1.0)
        return offsets, inside


class _Side:
    """The edges on one side of all gaps."""

    def __init__(self, edges: Sequence[Edge | None], lengths: FloatArray, ease: float, width: int) -> None:
        nothing = Edge(np.zeros(width), np.zeros(width), np.zeros(width))
        listed = [nothing if edge is None else edge for edge in edges]
        self.derivatives = np.array([[edge.value, edge.slope, edge.bend] for edge in listed]).reshape(-1, 3, width)
        settling = np.array([edge.settling for edge in listed])
        self.settling = np.maximum(np.minimum(np.minimum(lengths, ease), settling), 1e-9)

    def __call__(self, which: IntArray, away: FloatArray, lasting: FloatArray, direction: float) -> FloatArray:
        """(n, D) what the edges of gaps ``which`` give at times ``away`` from them; slopes change sign going back."""
        value, slope, bend = np.moveaxis(self.derivatives[which], 1, 0)
        tau = self.settling[which]
        u = np.clip(away / tau, 0.0, 1.0)
        remains = 1.0 - smooth_step(away / lasting)
        carried = direction * tau * u * (1 - u) ** 3 * (1 + 3 * u)
        bent = 0.5 * tau**2 * u**2 * (1 - u) ** 3
        return np.asarray(value * remains[:, None] + slope * carried[:, None] + bend * bent[:, None])


def smooth_step(u: FloatArray) -> FloatArray:
    """From 0 at 0 to 1 at 1 with no speed and no acceleration at either end; symmetric about the middle."""
    u = np.clip(u, 0.0, 1.0)
    return np.asarray(u**3 * (10 - 15 * u + 6 * u**2))
