"""Small laws of what animations and gaits are made of: curves, angles of looking, paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.general.curve import make_curve
from mummer.general.gait.curves import Curves, smoothed
from mummer.general.modes.look import AHEAD, LATEST, look_turns
from mummer.general.modes.look import soft_angle as let_go
from mummer.general.modes.stretch import Stretch
from mummer.ik.soft_aim import soft_angle
from mummer.math import quaternion

angles = st.floats(0.0, math.pi)


@given(angles, st.floats(0.3, 1.5), st.floats(0.0, 0.8))
def test_a_look_is_followed_fully_then_less_then_given_up(angle: float, comfortable: float, more: float) -> None:
    furthest = comfortable + more
    found = float(let_go(np.array(angle), comfortable, furthest))
    assert -1e-12 <= found <= furthest + 1e-9
    if angle <= comfortable:
        assert found == angle
    else:
        assert found <= angle + 1e-9
    assert float(let_go(np.array(math.pi), comfortable, furthest)) == pytest.approx(0.0, abs=1e-12)
    turning = min(comfortable + 2.0 * more, LATEST)
    rising, falling = np.linspace(comfortable, turning, 30), np.linspace(max(turning, comfortable + 1e-9), math.pi, 30)
    if more > 0.05:
        assert np.all(np.diff(let_go(rising, comfortable, furthest)) >= -1e-9)
        assert float(let_go(np.array(turning), comfortable, furthest)) == pytest.approx(furthest)
    assert np.all(np.diff(let_go(falling, comfortable, furthest)) <= 1e-9)
    around = np.array([comfortable - 1e-6, comfortable + 1e-6])
    assert np.ptp(let_go(around, comfortable, furthest)) < 1e-4


@given(angles, st.floats(0.3, 2.5), st.floats(0.0, 0.6))
def test_an_aim_is_let_go_of_smoothly_behind(angle: float, comfortable: float, more: float) -> None:
    furthest = comfortable + more
    found = float(soft_angle(np.array(angle), comfortable, furthest))
    assert -1e-12 <= found <= furthest + 1e-12
    if angle <= comfortable:
        assert found == angle
    near = soft_angle(np.array([math.pi - 1e-6, math.pi]), comfortable, furthest)
    np.testing.assert_allclose(near, 0.0, atol=1e-9)
    # It goes on as it went, and comes back once.
    after = soft_angle(np.array([comfortable, comfortable + 1e-5]), comfortable, furthest)
    if more > 0.1:
        assert (after[1] - after[0]) / 1e-5 == pytest.approx(1.0, abs=0.01)
    way = np.sign(np.round(np.diff(soft_angle(np.linspace(comfortable, math.pi, 200), comfortable, furthest)), 12))
    assert np.all(np.diff(way[way != 0]) <= 0)
    assert float(soft_angle(np.array(angle), math.pi, math.pi)) == angle


@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_parts_turn_to_what_they_look_at(x: float, y: float) -> None:
    way = np.array([[x, y, 1.0], [0.0, 0.0, 2.0]])
    turns = look_turns(np.array([0.0, 0.0, 0.0, 1.0]), way, 1.2, 1.4)
    np.testing.assert_allclose(quaternion.rotate(turns[0], AHEAD), way[0] / np.linalg.norm(way[0]), atol=1e-9)
    np.testing.assert_allclose(np.abs(turns[1]), [0.0, 0.0, 0.0, 1.0], atol=1e-12)


def test_curves_go_through_their_values_and_keep_their_slopes() -> None:
    values = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0], [5.0, 2.0], [5.0, 8.0]])
    curves = Curves(2.0, 0.5, values)
    np.testing.assert_allclose(curves(curves.times), values)
    np.testing.assert_allclose(curves.times, [2.0, 2.5, 3.0, 3.5, 4.0])
    np.testing.assert_allclose(curves(np.array([0.0, 99.0])), values[[0, -1]])
    small = 1e-6
    before, after = (curves(np.array([2.5, 3.0, 3.5]) + way) for way in (-small, small))
    np.testing.assert_allclose((after - before) / (2.0 * small), curves.slopes()[1:-1], atol=1e-3)
    here = curves(np.array([2.5]))
    np.testing.assert_allclose((here - before[:1]) / small, (after[:1] - here) / small, atol=1e-3)
    np.testing.assert_allclose(Curves(0.0, 1.0, values[:1])(np.array([3.0])), values[:1])
    np.testing.assert_allclose(Curves(0.0, 1.0, values[:1]).slopes(), 0.0)
    line = Curves(0.0, 1.0, np.arange(6.0)[:, None])
    np.testing.assert_allclose(line(np.array([1.3, 2.75]))[:, 0], [1.3, 2.75])


def test_smoothing_keeps_what_is_straight_and_the_whole() -> None:
    line = np.linspace(0.0, 1.0, 101)[:, None]
    np.testing.assert_allclose(smoothed(line, 9.0)[15:-15], line[15:-15], atol=1e-12)
    peak = np.zeros((101, 1))
    peak[50] = 1.0
    bell = smoothed(peak, 9.0)[:, 0]
    assert bell.sum() == pytest.approx(1.0)
    assert bell.argmax() == 50
    np.testing.assert_allclose(bell, bell[::-1], atol=1e-12)
    assert np.count_nonzero(bell > 1e-12) == 7
    np.testing.assert_array_equal(smoothed(peak, 2.0), peak)


def test_smooth_curves_stand_still_at_turns_and_loops_flow_on() -> None:
    rows = [(0.0, 0.0), (1.0, 2.0), (3.0, 0.0)]
    still = make_curve(rows, 1)
    assert still.before is not None
    np.testing.assert_allclose(still.before[:, 0], 0.0)
    swinging = make_curve([(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)], 1, ease="spline")
    assert swinging.before is not None
    np.testing.assert_allclose(swinging.before[:, 0], [0.0, 2.0, 0.0])
    around = make_curve([(0.0, 0.0), (1.0, 1.0), (2.0, -1.0), (3.0, 0.0)], 1, ease="spline", loops=True)
    assert around.before is not None
    assert around.before[0, 0] == around.before[-1, 0] == pytest.approx(1.0)
    other = make_curve([(0.0, 0.0), (1.0, 1.0), (2.0, -1.0), (3.0, 0.5)], 1, ease="spline", loops=True)
    assert other.before is not None
    assert other.before[0, 0] == other.before[-1, 0] == 0.0
    straight = make_curve([(0.0, 0.0), (1.0, 2.0), (3.0, 0.0)], 1, ease="linear")
    assert straight.before is not None
    assert straight.after is not None
    np.testing.assert_allclose(straight.before[:, 0], [2.0, 2.0, -1.0])
    np.testing.assert_allclose(straight.after[:, 0], [2.0, -1.0, -1.0])


@given(st.floats(0.05, 0.5), st.floats(0.1, 1.0), st.floats(0.1, 1.0))
def test_lengths_go_smoothly_from_near_over_rest_to_far(near: float, below: float, above: float) -> None:
    stretch = Stretch(near, near + below, near + below + above)
    ends = stretch.length(np.array([-1.0, 0.0, 1.0]))
    np.testing.assert_allclose(ends, [near, near + below, near + below + above], atol=1e-9)
    small, middle = 1e-6, 2.0 * below * above / (below + above)
    around = stretch.length(np.array([-small, 0.0, small]))
    np.testing.assert_allclose(np.diff(around) / small, middle, rtol=1e-3)
    inside = stretch.length(np.array([-1.0, -1.0 + small, 1.0 - small, 1.0]))
    np.testing.assert_allclose(np.diff(inside)[[0, 2]] / small, [below, above], rtol=1e-3)
    assert np.all(np.diff(stretch.length(np.linspace(-1.0, 1.0, 50))) > 0.0)
