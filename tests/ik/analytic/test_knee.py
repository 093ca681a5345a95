"""The knee in closed form: lengths, bends and soft reach, in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.limits import joint_table
from mummer.ik.reach import (
    Limb,
    bend_axis,
    bend_for,
    bend_range,
    length_at,
    reach_terms,
    soft_band,
    soft_length,
)
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.vectors import across, cross, dot, shortest, size, times, turned
from mummer.math import quaternion
from tests.ik.analytic.legs import human_limits, leg

coordinates = st.floats(-1.0, 1.0)
vectors = st.tuples(coordinates, coordinates, coordinates).filter(lambda v: size(v) > 0.05)


@given(vectors, vectors, vectors, st.floats(-4.0, 4.0))
def test_length_follows_the_formula_for_any_axis(upper, lower, axis, angle) -> None:
    axis = tuple(np.array(axis) / size(axis))
    constant, turning, straight = reach_terms(upper, lower, axis)
    end = np.array(upper) + quaternion.rotate(quaternion.from_axis_angle(np.array(axis), angle), np.array(lower))
    assert length_at(constant, turning, angle - straight) == pytest.approx(float(np.linalg.norm(end)), abs=1e-7)


@given(st.floats(0.1, 2.0), st.floats(0.1, 2.0), st.floats(0.0, 1.0))
def test_bend_for_undoes_length_at(thigh, shin, share) -> None:
    constant, turning = thigh**2 + shin**2, thigh * shin
    length = abs(thigh - shin) + share * (thigh + shin - abs(thigh - shin))
    assert length_at(constant, turning, bend_for(constant, turning, length)) == pytest.approx(length, abs=1e-7)


def test_bend_for_holds_what_is_out_of_reach() -> None:
    assert bend_for(2.0, 1.0, 100.0) == 0.0
    assert bend_for(2.0, 1.0, -1.0) == pytest.approx(math.acos(-0.5))
    assert bend_for(1.0, 0.0, 0.3) == 0.0


@given(st.floats(0.0, 5.0), st.floats(0.01, 0.5))
def test_soft_length_is_exact_inside_and_never_straight(length, softness) -> None:
    found = soft_length(length, 0.2, 1.0, softness)
    assert 0.2 <= found <= 1.0
    if 0.2 <= length <= 1.0 - softness:
        assert found == length
    else:
        assert found <= max(length, 0.2) + 1e-15


def test_soft_length_has_no_corner_and_approaches_straight() -> None:
    at = np.linspace(0.5, 3.0, 5001)
    found = np.array([soft_length(x, 0.2, 1.0, 0.03) for x in at])
    slopes = np.diff(found) / np.diff(at)
    assert np.all(slopes >= 0)
    assert np.abs(np.diff(slopes)).max() < 0.02
    assert found[-1] == pytest.approx(1.0, abs=1e-9)
    hard = np.array([soft_length(x, 0.2, 1.0, 0.0) for x in at])
    assert np.abs(np.diff(np.diff(hard) / np.diff(at))).max() > 0.9


def test_a_hinge_bends_to_where_it_has_room() -> None:
    table = joint_table(rigid_body(leg(limits=human_limits())))
    bends = bend_range(2, table, 0.0)
    assert (bends.side, bends.least) == (1.0, 0.0)
    assert bends.most == pytest.approx(np.radians(145))
    # A straight angle just past the other end of the range leaves a least bend.
    assert bend_range(2, table, -0.2).least == pytest.approx(0.2 - np.radians(3))
    # Straight at the far end: it bends the other way.
    assert bend_range(2, table, 2.5).side == -1.0


def test_a_hinge_with_room_both_ways_bends_as_at_rest() -> None:
    limits = human_limits()
    limits["knee"] = type(limits["knee"])((1.0, 0.0, 0.0), 0.0, 3.4)
    table = joint_table(rigid_body(leg(limits=limits)))
    assert bend_range(2, table, 0.94).side == -1.0


def test_a_free_knee_keeps_its_plane_and_a_straight_one_takes_the_preferred() -> None:
    table = joint_table(rigid_body(leg()))
    preferred, none = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
    down = (0.0, -1.0, 0.0)
    limb = Limb(1, 2, 3, table, (0.0, 0.0, 0.0), none, down, none, down, none)
    assert bend_axis(limb, down, none, preferred) == pytest.approx(preferred)
    sideways = tuple(quaternion.from_axis_angle([0.0, 0, 1.0], 0.8))
    assert bend_axis(limb, down, sideways, preferred) == pytest.approx((0.0, 0.0, 1.0))
    # Bent the wrong way by ten degrees it still goes the right way, by twenty it is taken at its word.
    for degrees, sign in ((-10, 1.0), (-20, -1.0)):
        wrong = tuple(quaternion.from_axis_angle([1.0, 0, 0], np.radians(degrees)))
        assert bend_axis(limb, down, wrong, preferred)[0] == pytest.approx(sign)


def test_the_soft_band_spares_a_limb_that_is_straighter_already() -> None:
    assert soft_band(0.5, 1.0, 0.03) == pytest.approx(0.03)
    assert soft_band(0.99, 1.0, 0.03) == pytest.approx(0.01)
    assert soft_band(1.0, 1.0, 0.03) == pytest.approx(0.0009)
    for now in (0.5, 0.98, 0.995, 1.0):
        assert soft_length(now, 0.2, 1.0, soft_band(now, 1.0, 0.03)) == pytest.approx(now, abs=4e-4)


@given(vectors, vectors)
def test_shortest_turns_one_into_the_other(a, b) -> None:
    turn = shortest(a, b)
    found = turned(turn, a)
    assert size(cross(found, b)) <= 1e-6 * size(a) * size(b)
    assert dot(found, b) > 0
    assert np.linalg.norm(turn) == pytest.approx(1.0)


def test_shortest_of_opposites_and_nothing() -> None:
    assert turned(shortest((0.0, 0.0, 2.0), (0.0, 0.0, -1.0)), (0.0, 0.0, 1.0)) == pytest.approx((0, 0, -1))
    assert shortest((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (0.0, 0.0, 0.0, 1.0)
    for axis in ((1.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, -2.0), (1.0, 1.0, 1.0)):
        assert abs(dot(across(axis), axis)) < 1e-12
        assert size(across(axis)) == pytest.approx(1.0)
    quarter = tuple(quaternion.from_axis_angle([0.0, 0, 1.0], np.pi / 2))
    assert times(quarter, quarter) == pytest.approx((0.0, 0.0, 1.0, 0.0))


@pytest.mark.parametrize(
    ("low", "high", "straight", "side"),
    [(0.3, 2.5, 0.5, 1.0), (-0.1, 2.5, -0.3, 1.0), (-2.5, -0.3, -0.5, -1.0), (-1.5, 1.5, 0.4, -1.0),
     (-1.5, 1.5, -0.4, 1.0), (-1.0, 1.5, 0.1, 1.0), (-1.5, 1.0, -0.1, -1.0), (0.45, 2.5, 0.5, 1.0)],
)  # fmt: skip
def test_a_hinge_bends_to_where_it_has_more_room_or_where_it_is_at_rest(
    low: float, high: float, straight: float, side: float
) -> None:
    limits = human_limits()
    limits["knee"] = type(limits["knee"])((1.0, 0.0, 0.0), low, high)
    table = joint_table(rigid_body(leg(limits=limits)))
    for turns in (-1, 0, 1):
        found = bend_range(2, table, straight + 2.0 * math.pi * turns)
        assert found.side == side
        assert found.straight == pytest.approx(straight)
        # All it may do is within the range, to its end.
        ends = [straight + side * each for each in (found.least, found.most)]
        assert low - 1e-12 <= min(ends) <= max(ends) <= high + 1e-12
        assert ends[1] == pytest.approx(high if side > 0.0 else low)
    mirrored = type(limits["knee"])((1.0, 0.0, 0.0), -high, -low)
    other = joint_table(rigid_body(leg(limits={**limits, "knee": mirrored})))
    assert bend_range(2, other, -straight).side == -side or abs(low + high) < 1e-9
