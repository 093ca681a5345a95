"""Curves of vectors: scipy's where it has them, exact at knots, smooth across them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BPoly, CubicHermiteSpline, CubicSpline, PchipInterpolator

from mummer.errors import InputError
from mummer.math import splines
from tests.math.helpers import generators, law

AUTOMATIC = [splines.catmull_rom, splines.monotone_cubic, splines.natural_cubic]
Curve = Callable[..., np.ndarray]


def random_knots(rng: np.random.Generator, count: int, shape: tuple[int, ...] = (3,)) -> tuple[np.ndarray, np.ndarray]:
    return np.cumsum(rng.uniform(0.05, 1, count)), rng.standard_normal((count, *shape))


def inside(times: np.ndarray) -> np.ndarray:
    return np.linspace(times[0], times[-1], 101)


@law
@given(generators, st.integers(2, 9))
def test_curves_are_those_of_scipy(rng: np.random.Generator, count: int) -> None:
    times, values = random_knots(rng, count)
    tangents = rng.standard_normal(values.shape)
    at = inside(times)
    found = splines.hermite(times, values, at, tangents=tangents)
    np.testing.assert_allclose(found, CubicHermiteSpline(times, values, tangents)(at), atol=1e-12)
    np.testing.assert_allclose(
        splines.monotone_cubic(times, values, at), PchipInterpolator(times, values)(at), atol=1e-12
    )
    expected = CubicSpline(times, values, bc_type="natural")(at)
    np.testing.assert_allclose(splines.natural_cubic(times, values, at), expected, atol=1e-12)
    if count > 2:
        slopes = np.gradient(values, times, axis=0, edge_order=2)
        expected = CubicHermiteSpline(times, values, slopes)(at)
        np.testing.assert_allclose(splines.catmull_rom(times, values, at), expected, atol=1e-12)


@law
@given(generators)
def test_bezier_is_that_of_scipy(rng: np.random.Generator) -> None:
    times, values = random_knots(rng, 6)
    leaving, arriving = rng.standard_normal((2, 5, 3))
    expected = BPoly(np.stack([values[:-1], leaving, arriving, values[1:]]), times)(inside(times))
    found = splines.bezier(times, values, inside(times), leaving=leaving, arriving=arriving)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("curve", AUTOMATIC)
@law
@given(rng=generators, count=st.integers(1, 8))
def test_knots_are_exact_and_ends_hold(curve: Curve, rng: np.random.Generator, count: int) -> None:
    times, values = random_knots(rng, count, (2, 3))
    np.testing.assert_array_equal(curve(times, values, times), values)
    np.testing.assert_array_equal(curve(times, values, [times[0] - 5, times[-1] + 5]), values[[0, -1]])
    assert curve(times, values, np.zeros((4, 0))).shape == (4, 0, 2, 3)
    assert curve(times, values[:, 0, 0], times[0]).shape == ()


@pytest.mark.parametrize("curve", AUTOMATIC)
@law
@given(rng=generators)
def test_slopes_do_not_jump_at_knots(curve: Curve, rng: np.random.Generator) -> None:
    times, values = random_knots(rng, 7)
    step = 1e-6
    before = (curve(times, values, times[1:-1]) - curve(times, values, times[1:-1] - step)) / step
    after = (curve(times, values, times[1:-1] + step) - curve(times, values, times[1:-1])) / step
    np.testing.assert_allclose(before, after, atol=2e-2 * np.abs(values).max())


def test_straight_lines_stay_straight() -> None:
    times = np.array([0, 0.3, 1.0, 1.1, 4.0])
    slope, offset = np.array([2.0, -1.0]), np.array([1.0, 5.0])
    line = np.outer(times, slope) + offset
    at = inside(times)
    for curve in AUTOMATIC:
        np.testing.assert_allclose(curve(times, line, at), np.outer(at, slope) + offset, atol=1e-13)
        np.testing.assert_allclose(curve(times[:2], line[:2], [0.1]), [[1.2, 4.9]], atol=1e-13)


def test_catmull_rom_follows_parabolas() -> None:
    times = np.array([0, 0.3, 1.0, 1.1, 4.0])
    np.testing.assert_allclose(splines.catmull_rom(times, times**2, inside(times)), inside(times) ** 2, atol=1e-13)


@law
@given(generators)
def test_monotone_never_overshoots(rng: np.random.Generator) -> None:
    times, values = random_knots(rng, 10)
    values[3:6] = values[3]
    at = np.linspace(times[0], times[-1], 1001)
    found = splines.monotone_cubic(times, values, at)
    segment = np.clip(np.searchsorted(times, at, side="right") - 1, 0, 8)
    low = np.minimum(values[segment], values[segment + 1])
    high = np.maximum(values[segment], values[segment + 1])
    assert np.all((found >= low - 1e-12) & (found <= high + 1e-12))
    # The others do overshoot, so this test can fail.
    assert np.any(splines.catmull_rom(times, values, at) > high + 1e-6)


def test_monotone_with_vanishing_slopes() -> None:
    found = splines.monotone_cubic([0, 1, 2, 3], [0, 1e-310, 2e-310, 1], np.linspace(0, 3, 7))
    assert np.all(np.isfinite(found))
    assert np.all(np.diff(found) >= 0)


@law
@given(generators)
def test_natural_accelerations_are_continuous_and_zero_at_the_ends(rng: np.random.Generator) -> None:
    times, values = random_knots(rng, 6)
    times = times * 10
    h = 1e-3

    def acceleration(at: np.ndarray) -> np.ndarray:
        a, b, c = (splines.natural_cubic(times, values, at + shift) for shift in (-h, 0, h))
        return (a - 2 * b + c) / h**2

    np.testing.assert_allclose(acceleration(times[1:-1] - 2 * h), acceleration(times[1:-1] + 2 * h), atol=0.1)
    np.testing.assert_allclose(acceleration(times[[0, -1]] + [2 * h, -2 * h]), 0, atol=0.1)


def test_corners_where_tangents_differ() -> None:
    times, values = [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]
    found = splines.hermite(times, values, [0.5, 1.5], tangents=[1, 1, 1], in_tangents=[1, -1, 1])
    np.testing.assert_allclose(found, [0.125 + 0.125, 0.125 - 0.125])


def test_bezier_with_thirds_is_straight() -> None:
    found = splines.bezier([0, 3], [0, 3], [0.5, 2], leaving=[1], arriving=[2])
    np.testing.assert_allclose(found, [0.5, 2])
    np.testing.assert_array_equal(
        splines.bezier([1], [[7, 8]], [0, 1, 2], leaving=np.zeros((0, 2)), arriving=np.zeros((0, 2))), [[7, 8]] * 3
    )


def test_locate() -> None:
    found = splines.locate([0, 1, 3], [-1, 0, 0.5, 1, 2, 3, 9])
    np.testing.assert_array_equal(found.before, [0, 0, 0, 1, 1, 1, 1])
    np.testing.assert_array_equal(found.after, found.before + 1)
    np.testing.assert_array_equal(found.part, [0, 0, 0.5, 0, 0.5, 1, 1])
    np.testing.assert_array_equal(found.span, [1, 1, 1, 2, 2, 2, 2])


def test_float32_stays_float32() -> None:
    times, values = np.arange(4, dtype=np.float32), np.zeros((4, 2), np.float32)
    for curve in AUTOMATIC:
        assert curve(times, values, times).dtype == np.float32


def test_wrong_inputs() -> None:
    with pytest.raises(InputError, match=r"must increase: 1\.0 at 2 follows 1\.0"):
        splines.catmull_rom([0, 1, 1], [0, 1, 2], 0)
    with pytest.raises(InputError, match="must increase: nan at 1"):
        splines.natural_cubic([0, np.nan, 1], [0, 1, 2], 0)
    with pytest.raises(InputError, match="finite"):
        splines.natural_cubic([0, np.inf], [0, 1], 0)
    with pytest.raises(InputError, match=r"times of knots have shape \(0,\)"):
        splines.monotone_cubic([], [], 0)
    with pytest.raises(InputError, match=r"values have shape \(2,\); expected \(3, \.\.\.\)"):
        splines.monotone_cubic([0, 1, 2], [0, 1], 0)
    with pytest.raises(InputError, match=r"tangents have shape \(2, 1\); expected \(2,\)"):
        splines.hermite([0, 1], [0, 1], 0, tangents=[[0], [1]])
    with pytest.raises(InputError, match=r"arriving control points have shape \(2,\); expected \(1,\)"):
        splines.bezier([0, 1], [0, 1], 0, leaving=[0], arriving=[0, 1])
