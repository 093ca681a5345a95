"""Where the ground is, as the feet themselves tell: how high each part of a foot is while it rests."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray

GRID = 0.05
"""Seconds between the moments at which the level is worked out."""
AT_ONCE = 32
"""Moments whose windows are looked at together: they share most of what is in them."""


def resting_levels(
    times: FloatArray, heights: FloatArray, still: BoolArray, *, window: float, nearby: float, drift: float
) -> FloatArray:
    """(T, n) how high a part of each of some feet is when it rests on the ground, near each time.

    Recordings drift and floors slope, so what a foot itself does at the time counts most. A foot that is held still in
    the air must not count as standing: what all feet that stand alike do in a longer while bounds the level from above.

    Args:
        times: (T,) seconds, increasing evenly.
        heights: (T, n) of this part on each foot, metres.
        still: (T, n) whether the part hardly moves.
        window: seconds to either side within which all feet are looked at.
        nearby: seconds to either side within which a foot speaks for itself.
        drift: metres that the level at a moment may lie above the level of the longer while.
    """
    common = _low(times, heights, still, window=window, share=0.2)
    if not np.isfinite(common).any():
        return np.broadcast_to(np.quantile(heights, 0.05), heights.shape)
    known = np.isfinite(common)
    common = np.interp(times, times[known], common[known])
    levels = np.empty_like(heights)
    for foot in range(heights.shape[1]):
        own = _low(times, heights[:, foot : foot + 1], still[:, foot : foot + 1], window=nearby, share=0.3)
        levels[:, foot] = np.fmin(own, common + drift)
        levels[:, foot] = np.where(np.isfinite(own), levels[:, foot], common)
    return levels


def _low(times: FloatArray, heights: FloatArray, still: BoolArray, *, window: float, share: float) -> FloatArray:
    """(T,) the height below which a ``share`` of the still moments near each time lies; nan where there are none."""
    centers = np.arange(times[0], times[-1] + GRID, GRID)
    first = np.searchsorted(times, centers - window)
    last = np.searchsorted(times, centers + window, side="right")
    pieces = range(0, len(centers), AT_ONCE)
    levels = [_quantiles(heights, still, first[k : k + AT_ONCE], last[k : k + AT_ONCE], share) for k in pieces]
    return np.interp(times, centers, np.concatenate(levels))


def _quantiles(heights: FloatArray, still: BoolArray, first: IntArray, last: IntArray, share: float) -> FloatArray:
    """(n,) the quantile of still heights in the rows from each ``first`` up to ``last``, (n,); nan if there are none.

    Sorted once for all: what lies in a window is in order then, whichever the window.
    """
    begin, end = int(first.min()), int(last.max())
    rows, columns = np.nonzero(still[begin:end])
    values = heights[begin:end][rows, columns]
    order = np.argsort(values)
    values, rows = values[order], rows[order] + begin
    inside = (rows >= first[:, None]) & (rows < last[:, None])
    counts = inside.sum(axis=1)
    some = counts > 0
    starts, place = (np.cumsum(counts) - counts)[some], share * (counts[some] - 1)
    lower = np.floor(place).astype(np.int64)
    values = values[np.nonzero(inside)[1]]
    below, above = values[starts + lower], values[starts + np.minimum(lower + 1, counts[some] - 1)]
    found = np.full(len(first), np.nan)
    found[some] = below + (above - below) * (place - lower)
    return found
