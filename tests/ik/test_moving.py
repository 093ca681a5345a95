"""Targets that move: through their points, held at the ends, and clear about what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.errors import InputError
from mummer.ik.moving import Moving, at_times
from mummer.math import quaternion

TIMES = np.array([0.0, 1.0, 3.0])
POINTS = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 0.0, 5.0]])


@pytest.mark.parametrize("easing", ["linear", "smooth"])
def test_it_goes_through_its_points_and_holds_at_the_ends(easing) -> None:
    moving = Moving(TIMES, POINTS, easing)
    assert np.allclose(moving(TIMES), POINTS)
    assert np.allclose(moving([-5.0, 9.0]), POINTS[[0, -1]])


def test_linear_is_straight_and_smooth_has_no_corner_and_no_overshoot() -> None:
    at = np.linspace(0, 3, 3001)
    assert np.allclose(Moving(TIMES, POINTS, "linear")([0.5, 2.0]), [[0.5, 1.0, 0.0], [1.0, 1.0, 2.5]])
    smooth, linear = Moving(TIMES, POINTS)(at), Moving(TIMES, POINTS, "linear")(at)
    assert np.abs(np.diff(smooth, 2, axis=0)).max() < 0.1 * np.abs(np.diff(linear, 2, axis=0)).max()
    assert smooth.min() >= -1e-12
    assert smooth[:, 0].max() <= 1.0 + 1e-12


@given(st.floats(0.0, 1.0))
def test_rotations_turn_evenly_the_short_way(share) -> None:
    start = quaternion.from_axis_angle([0, 1.0, 0], 0.2)
    end = -quaternion.from_axis_angle([0, 1.0, 0], 1.2)
    found = Moving([0.0, 2.0], [start, end])([2.0 * share])[0]
    assert quaternion.angle_between(found, start) == pytest.approx(share, abs=1e-9)


def test_one_point_is_everywhere() -> None:
    assert np.allclose(Moving([1.0], [[1.0, 2.0, 3.0]])([0.0, 1.0, 2.0]), [[1.0, 2.0, 3.0]] * 3)


@pytest.mark.parametrize(
    ("times", "values", "easing", "message"),
    [
        ([], np.zeros((0, 3)), "smooth", "needs increasing times, one or more"),
        ([0.0, 0.0], np.zeros((2, 3)), "smooth", "needs increasing times, one or more"),
        ([1.0, 0.0], np.zeros((2, 3)), "smooth", "needs increasing times, one or more"),
        ([0.0, 1.0], np.zeros((2, 2)), "smooth", r"2 times but values of shape \(2, 2\)"),
        ([0.0, 1.0], np.zeros((3, 3)), "smooth", r"expected \(2, 3\) points or \(2, 4\) rotations"),
        ([0.0], np.zeros((1, 3)), "bouncy", "easing 'bouncy' is not known; expected 'linear' or 'smooth'"),
    ],
)
def test_what_cannot_move(times, values, easing, message) -> None:
    with pytest.raises(InputError, match=message):
        Moving(times, values, easing)


def test_values_are_locked() -> None:
    moving = Moving(TIMES, POINTS)
    with pytest.raises(ValueError, match="read-only"):
        moving.values[0] = 1.0


def test_targets_of_every_kind_for_each_pose() -> None:
    fixed = at_times((1, 2, 3), 3, 2, None, "it")
    assert fixed.shape == (2, 3)
    each = at_times([[1, 2, 3], [4, 5, 6]], 3, 2, None, "it")
    assert each.tolist() == [[1, 2, 3], [4, 5, 6]]
    times = np.array([0.0, 1.0])
    assert np.allclose(at_times(Moving(TIMES, POINTS), 3, 2, times, "it"), POINTS[:2])
    assert np.allclose(at_times(lambda t: np.stack([t, t, t], axis=1), 3, 2, times, "it"), [[0, 0, 0], [1, 1, 1]])


def test_targets_that_make_no_sense() -> None:
    with pytest.raises(InputError, match=r"the lamp has shape \(2,\); expected \(3,\) or \(5, 3\)"):
        at_times((1.0, 2.0), 3, 5, None, "the lamp")
    with pytest.raises(InputError, match="the lamp moves in time, but the poses have no times; give times="):
        at_times(Moving(TIMES, POINTS), 3, 5, None, "the lamp")
    with pytest.raises(InputError, match="the lamp holds values that are not finite numbers"):
        at_times((1.0, np.nan, 0.0), 3, 1, None, "the lamp")
