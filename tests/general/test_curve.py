"""Curves meet their keys, keep within them, and flow on where they loop."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.general.curve import Ease, make_curve

numbers = st.floats(-10, 10, allow_nan=False, width=32)


@st.composite
def key_rows(draw: st.DrawFn, width: int = 3) -> list[list[float]]:
    count = draw(st.integers(1, 7))
    gaps = draw(st.lists(st.floats(0.05, 2), min_size=count, max_size=count))
    return [[time, *draw(st.lists(numbers, min_size=width, max_size=width))] for time in np.cumsum(gaps)]


@given(key_rows(), st.sampled_from(get_args(Ease)))
def test_keys_are_met_and_ends_are_still(rows: list[list[float]], ease: Ease) -> None:
    curve = make_curve(rows, 3, ease=ease)
    table = np.array(rows)
    np.testing.assert_allclose(curve(table[:, 0]), table[:, 1:], atol=1e-9)
    beyond = curve(np.array([table[0, 0] - 5, table[-1, 0] + 5]))
    np.testing.assert_allclose(beyond, table[[0, -1], 1:], atol=1e-9)


@given(key_rows(1))
def test_smooth_curves_stay_within_their_keys(rows: list[list[float]]) -> None:
    curve = make_curve(rows, 1)
    times = np.linspace(rows[0][0], rows[-1][0], 400)
    piece = np.clip(np.searchsorted(curve.times, times, side="right") - 1, 0, max(len(rows) - 2, 0))
    ends = np.stack([curve.values[piece], curve.values[np.minimum(piece + 1, len(rows) - 1)]])
    found = curve(times)
    assert np.all(found >= ends.min(axis=0) - 1e-9)
    assert np.all(found <= ends.max(axis=0) + 1e-9)


@given(key_rows(2), st.sampled_from(["smooth", "spline"]))
def test_loops_have_no_corner_where_they_meet(rows: list[list[float]], ease: Ease) -> None:
    if len(rows) < 3:
        rows = [*rows, [rows[-1][0] + 1, 1.0, 2.0], [rows[-1][0] + 2, 0.0, 0.0]]
    rows[-1][1:] = rows[0][1:]
    curve = make_curve(rows, 2, ease=ease, loops=True)
    assert curve.before is not None
    assert curve.after is not None
    np.testing.assert_allclose(curve.after[0], curve.before[-1], atol=1e-9)


def test_a_curve_that_does_not_loop_starts_and_ends_still() -> None:
    curve = make_curve([[0, 0.0], [1, 3.0], [2, 1.0]], 1)
    step = 1e-6
    assert abs(curve(np.array([step]))[0, 0]) < 1e-9
    assert abs(curve(np.array([2 - step]))[0, 0] - 1) < 1e-9


def test_slopes_can_be_given() -> None:
    fall = make_curve([[0, 0.0, 2.0], [1, 1.0, 0.0], [2, 0.0, -2.0]], 1)
    times = np.linspace(0, 2, 21)
    np.testing.assert_allclose(fall(times)[:, 0], 2 * times - times**2, atol=1e-12)
    corner = make_curve([[0, 0.0], [1, 1.0, 1.0, -1.0], [2, 0.0]], 1)
    before, after = corner(np.array([1 - 1e-6, 1 + 1e-6]))[:, 0]
    assert before == pytest.approx(1 - 1e-6, abs=1e-9)
    assert after == pytest.approx(1 - 1e-6, abs=1e-9)


def test_hold_waits_and_jumps() -> None:
    curve = make_curve([[0, 1.0], [1, 2.0], [2, 3.0]], 1, ease="hold")
    assert curve(np.array([0, 0.99, 1, 1.99, 2]))[:, 0].tolist() == [1, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "a curve has no keys"),
        ([[0, 1, 2]], "key 0 has 3 numbers; expected 4, or 7 with slopes"),
        ([[0, 1, 2, 3], [0, 1, 2, 3]], "key 1 is at 0 s, not after the key before it"),
        ([[0, 1, float("nan"), 3]], "key 0 holds a number that is not finite"),
    ],
)
def test_wrong_rows(rows: list[list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_curve(rows, 3)
