"""Averages under a bell keep what is even, and what covers a curve is nowhere below it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.bells import covered, smoothed

curves = st.lists(st.floats(0, 10), min_size=1, max_size=60)


@given(curves, st.integers(0, 24))
def test_a_cover_is_nowhere_below_and_no_higher_than_the_highest(values: list[float], reach: int) -> None:
    given_values = np.array(values)
    found = covered(given_values, reach)
    assert found.shape == given_values.shape
    assert np.all(found >= given_values - 1e-9)
    assert found.max() <= given_values.max() + 1e-9


def test_a_cover_rises_ahead_of_a_peak_and_no_earlier() -> None:
    peak = np.zeros(61)
    peak[30] = 1.0
    found = covered(peak, 10)
    assert found[30] == pytest.approx(1.0)
    assert np.flatnonzero(found > 1e-12)[[0, -1]].tolist() == [20, 40]
    assert np.all(np.diff(found[20:31]) >= 0)
    np.testing.assert_allclose(found, found[::-1])


@given(curves, st.integers(0, 12))
def test_an_average_lies_between_and_keeps_the_middle_of_a_line(values: list[float], reach: int) -> None:
    given_values = np.array(values)
    found = smoothed(given_values, reach)
    assert given_values.min() - 1e-9 <= found.min() <= found.max() <= given_values.max() + 1e-9
    line = np.linspace(0.0, 1.0, 40)
    middle = slice(reach, 40 - reach)
    np.testing.assert_allclose(smoothed(line, reach)[middle], line[middle], atol=1e-12)


def test_the_bell_fades_to_both_sides() -> None:
    spike = np.zeros((41, 2))
    spike[20] = 1.0, 2.0
    found = smoothed(spike, 5)
    np.testing.assert_allclose(found.sum(axis=0), [1.0, 2.0])
    assert np.all(np.diff(found[15:21, 0]) > 0)
    assert np.flatnonzero(found[:, 0]).tolist() == list(range(15, 26))
    np.testing.assert_allclose(found[21, 0] / found[20, 0], (1.0 - 1.0 / 36.0) ** 3)
