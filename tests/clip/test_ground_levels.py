"""The level of the ground: quantiles of many windows at once are those of each window by itself."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.clip.analysis import ground


def one_by_one(times, heights, still, window, share):
    """The level near each time, window by window."""
    centers = np.arange(times[0], times[-1] + ground.GRID, ground.GRID)
    found = []
    for center in centers:
        inside = (times >= center - window) & (times <= center + window)
        resting = heights[inside][still[inside]]
        found.append(np.quantile(resting, share) if len(resting) else np.nan)
    return np.interp(times, centers, found)


@settings(deadline=None, max_examples=40)
@given(
    count=st.integers(1, 700),
    feet=st.integers(1, 3),
    density=st.sampled_from([0.0, 0.03, 0.5, 1.0]),
    window=st.sampled_from([0.1, 0.3, 1.5]),
    share=st.sampled_from([0.2, 0.3, 1.0]),
    seed=st.integers(0, 1000),
)
def test_windows_at_once_are_windows_one_by_one(count, feet, density, window, share, seed) -> None:
    rng = np.random.default_rng(seed)
    times = np.arange(count) / 120.0
    heights = 0.01 * np.cumsum(rng.normal(size=(count, feet)), axis=0)
    still = rng.uniform(size=(count, feet)) < density
    found = ground._low(times, heights, still, window=window, share=share)
    np.testing.assert_allclose(found, one_by_one(times, heights, still, window, share), rtol=0, atol=1e-14)
