"""What legs of a retarget are made of, function by function, in plain Python: lengths, directions, bounds."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mummer.kernels.vectors import about, minus, plus, size, turned
from mummer.math import quaternion
from mummer.retargeting import columns as col
from mummer.retargeting.leg_loops import GIVE, bend_leg, bend_toes, let_go, soft_reach, standing_share, turn_of
from mummer.retargeting.loops import pitched
from mummer.retargeting.terrain import STEEPEST, Ground, _bump, _from_stand_to_stand, heights_of_mesh

HINGE = (1.0, 0.0, 0.0)
parts = st.floats(-0.4, 0.4)


def test_feet_are_let_go_from_held_to_free() -> None:
    assert let_go(col.HELD) == 1.0
    assert let_go(col.FREE) == 0.0
    assert let_go(0.5 * (col.HELD + col.FREE)) == pytest.approx(0.5)
    heights = [let_go(height) for height in np.linspace(col.HELD - 0.1, col.FREE + 0.1, 40)]
    assert np.all(np.diff(heights) <= 0.0)


def test_what_stands_is_what_is_lower() -> None:
    assert standing_share(0.2, 0.1) == 1.0
    assert standing_share(-0.2, 0.1) == 0.0
    assert standing_share(0.0, 0.1) == pytest.approx(0.5)
    assert standing_share(0.05, 0.1) > standing_share(0.02, 0.1) > 0.5
    assert standing_share(-0.2, 0.0) == 1.0


@given(st.floats(0.0, 2.0), st.floats(0.5, 1.0))
def test_a_leg_straightens_by_a_part_of_what_it_could(length: float, natural: float) -> None:
    shortest, longest = 0.2, 1.0
    found, room = soft_reach(length, natural, shortest, longest), GIVE * (longest - natural)
    assert min(natural, shortest) <= found <= natural + room + 1e-12
    assert found <= max(length, shortest) + 1e-12
    if shortest <= length <= natural + 0.5 * room:
        assert found == pytest.approx(length)
    assert soft_reach(length + 1e-3, natural, shortest, longest) >= found - 1e-12


def leg(bend: float) -> tuple:
    """Hip, knee and ankle of a leg that hangs down and bends backwards about x."""
    hip, knee = (0.0, 1.0, 0.0), (0.0, 0.55, 0.02)
    return hip, knee, plus(knee, (0.0, -0.45 * math.cos(bend), -0.45 * math.sin(bend)))


@given(st.floats(0.3, 1.2), parts, parts, parts)
def test_the_ankle_comes_to_its_target_and_segments_stay_as_long(bend: float, x: float, y: float, z: float) -> None:
    hip, knee, ankle = leg(bend)
    target = plus(ankle, (0.5 * x, abs(0.3 * y), 0.5 * z))
    away = minus(target, hip)
    natural = size(minus(ankle, hip))
    assume(size(away) > 0.25)
    swing, shin = bend_leg(hip, knee, ankle, target, HINGE)
    thigh, lower = turned(swing, minus(knee, hip)), turned(shin, minus(ankle, knee))
    reached = plus(thigh, lower)
    length = soft_reach(size(away), natural, 1e-3, 0.45 + size(minus(knee, hip)))
    assert size(reached) == pytest.approx(length, abs=2e-3)
    np.testing.assert_allclose(np.array(reached) / size(reached), np.array(away) / size(away), atol=1e-6)
    assert size(thigh) == pytest.approx(size(minus(knee, hip)))
    assert size(lower) == pytest.approx(0.45)


@given(st.floats(0.05, 1.5))
def test_a_leg_that_is_where_it_should_be_does_not_move(bend: float) -> None:
    hip, knee, ankle = leg(bend)
    for turn in bend_leg(hip, knee, ankle, ankle, HINGE):
        assert size((turn[0], turn[1], turn[2])) < 1e-6


def test_knees_bend_the_way_they_do() -> None:
    hip, knee, ankle = leg(0.4)
    _, shin = bend_leg(hip, knee, ankle, plus(ankle, (0.0, 0.25, 0.0)), HINGE)
    lower = turned(shin, minus(ankle, knee))
    assert lower[2] < minus(ankle, knee)[2]
    assert abs(lower[0]) < 1e-9


def toes(depth: float, tilt: tuple = (0.0, 0.0, 0.0, 1.0)) -> tuple:
    """Toes that point ahead, and down by ``depth``; where their tip is afterwards above the ground."""
    numbers = np.zeros((1, col.TIPS_REST + 40))
    numbers[0, col.TIPS : col.TIPS + 6] = [0.0, -depth, 0.1, 0.0, -depth, 0.09]
    numbers[0, col.TIPS_REST : col.TIPS_REST + 2] = -0.0
    numbers[0, col.SIDE : col.SIDE + 3] = [-1.0, 0.0, 0.0]
    numbers[0, col.SOFT] = 1e-4
    turn = bend_toes(0, numbers, (0.0, 1.0, 0.0), 0.0, tilt, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    return turn, turned(turn, (0.0, -depth, 0.1))


def test_toes_bend_up_out_of_the_ground_and_are_left_alone_above_it() -> None:
    turn, tip = toes(0.03)
    assert -0.001 < tip[1] < 0.001
    assert tip[0] == pytest.approx(0.0)
    assert turn[0] < 0.0
    turn, tip = toes(-0.01)
    assert turn == (0.0, 0.0, 0.0, 1.0)


def test_soles_are_tilted_by_their_rotation_vector() -> None:
    shifts = np.zeros(col.FIRST_LEG + 2 * col.A_LEG)
    shifts[col.FIRST_LEG + col.A_LEG + col.TILT] = 0.4
    np.testing.assert_allclose(turn_of(1, col.TILT, shifts), [math.sin(0.2), 0.0, 0.0, math.cos(0.2)])
    np.testing.assert_allclose(turn_of(0, col.TILT, shifts), [0.0, 0.0, 0.0, 1.0])


@given(st.integers(0, 10_000))
def test_the_height_of_a_mesh_is_that_of_its_triangles(seed: int) -> None:
    random = np.random.default_rng(seed)
    corners = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.2], [0.3, 0.0, 1.5], [2.2, 0.0, 1.9]])
    slope = random.normal(size=2)
    corners[:, 1] = 0.5 + corners[:, [0, 2]] @ slope
    heights = heights_of_mesh(corners, np.array([[0, 1, 2], [1, 3, 2]]))
    weights = random.dirichlet([1.0, 1.0, 1.0], size=8)
    for triangle in ([0, 1, 2], [1, 3, 2]):
        points = weights @ corners[triangle]
        np.testing.assert_allclose(heights(points[:, 0], points[:, 2]), points[:, 1], atol=1e-9)
    beside = heights(np.array([-1.0, 5.0]), np.array([-1.0, 5.0]))
    np.testing.assert_allclose(beside, corners[[0, 3], 1])


def test_of_surfaces_above_one_another_the_highest_counts() -> None:
    flat = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    positions = np.concatenate([flat, flat + np.array([0.0, 1.0, 0.0]), flat * 1e-9 + np.array([0.5, 9.0, 0.5])])
    for order in ([[0, 1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]], [[3, 4, 5], [6, 7, 8], [0, 1, 2]]):
        assert heights_of_mesh(positions, np.array(order))(np.array([0.4]), np.array([0.4]))[0] == 1.0


def test_ground_is_held_where_a_foot_stands_and_gone_over_to_in_flight() -> None:
    times = np.arange(60) / 60.0
    planted = (times < 0.25) | (times > 0.7)
    below = np.where(times < 0.45, 0.1, 0.4) + 0.01 * np.sin(200.0 * times)
    found = _from_stand_to_stand(below, planted, times)
    first, last = found[times < 0.25], found[times > 0.71]
    np.testing.assert_allclose(first, np.median(below[times < 0.25]), atol=1e-9)
    np.testing.assert_allclose(last, np.median(below[times > 0.7]), atol=1e-9)
    between = found[(times > 0.25) & (times < 0.7)]
    assert np.all(np.diff(between) > 0)
    assert first[0] < between[0] < between[-1] < last[0] + 1e-9


def test_flight_rises_over_what_it_would_bump_into_and_is_back_where_it_stands() -> None:
    planted = np.zeros(120, bool)
    planted[:20] = planted[-20:] = True
    short = np.zeros(120)
    short[58:62] = 0.05
    found = _bump(short, planted, 1.0 / 60.0)
    assert np.all(found >= short - 1e-12)
    np.testing.assert_allclose(found[planted], 0.0, atol=1e-12)
    assert found[50] > 0.0
    assert found.max() <= 0.05 + 1e-12
    np.testing.assert_array_equal(_bump(np.zeros(5), np.ones(5, bool), 0.1), 0.0)


def test_soles_lie_along_the_ground_as_far_as_it_is_not_too_steep() -> None:
    planted, times = np.ones(20, bool), 0.02 * np.arange(20)
    foot = SimpleNamespace(
        ball=np.random.default_rng(1).normal(size=(20, 3)), planted=planted,
        pair=SimpleNamespace(target=SimpleNamespace(length=0.9)),
    )  # fmt: skip
    survey = SimpleNamespace(up=np.array([0.0, 1.0, 0.0]), times=times, transfer=SimpleNamespace(scale=1.3))
    for ahead, aside in ((0.0, 0.0), (0.1, 0.0), (0.0, -0.1), (0.05, 0.08), (3.0, -2.0)):
        ground = Ground(lambda x, z, ahead=ahead, aside=aside: 0.3 + aside * np.asarray(x) + ahead * np.asarray(z))
        tilts = ground.tilt(survey, foot, np.zeros((20, 3)))
        np.testing.assert_allclose(tilts, tilts[:1] + np.zeros((20, 1)), atol=1e-9)
        angle, normal = np.linalg.norm(tilts[0]), np.array([-aside, 1.0, -ahead])
        assert angle <= STEEPEST
        assert angle <= np.arctan(np.hypot(ahead, aside)) + 1e-12
        tilted = quaternion.rotate(quaternion.exp(tilts[0]), survey.up)
        np.testing.assert_allclose(tilted[0] * normal[2], tilted[2] * normal[0], atol=1e-9)
        if np.hypot(ahead, aside) < 0.2:
            np.testing.assert_allclose(tilted, normal / np.linalg.norm(normal), atol=1e-3)
        else:
            assert angle > 0.8 * STEEPEST
            assert tilted[0] * normal[0] > 0.0


@pytest.mark.parametrize("slope", [-1.2, -0.3, 0.0, 0.4, 1.0])
@pytest.mark.parametrize("side", [(1.0, 0.0, 0.0), (0.6, 0.0, 0.8)])
def test_a_pitch_that_is_made_larger_is_made_smaller_again_on_the_way_back(slope: float, side: tuple) -> None:
    up, ahead = (0.0, 1.0, 0.0), tuple(np.cross(side, (0.0, 1.0, 0.0)))
    turn = about(side, slope)
    more = 0.5
    there = pitched(turn, ahead, up, more)
    level = np.hypot(*np.array(turned(there, ahead))[[0, 2]])
    now = np.array(turned(turn, ahead))
    assert turned(there, ahead)[1] / level == pytest.approx(1.5 * now[1] / np.hypot(now[0], now[2]))
    assert np.linalg.norm(there) == pytest.approx(1.0)
    np.testing.assert_allclose(pitched(there, ahead, up, 1.0 / 1.5 - 1.0), turn, atol=1e-9)
    np.testing.assert_allclose(pitched(turn, ahead, up, 0.0), turn, atol=1e-12)
    tip = about(side, 0.5 * np.pi)
    np.testing.assert_allclose(pitched(tip, ahead, up, more), tip, atol=1e-6)


def test_tilts_are_those_of_the_ground_where_soles_come_to_be_whatever_the_size() -> None:
    """A ridge along z that is rounded at its top, and all of it twice as large for a body twice as large."""
    times, across = 0.02 * np.arange(5), np.array([-3.0, -0.2, 0.0, 0.07, 3.0])

    def tilts(large: float, shift: float, scale: float) -> np.ndarray:
        found = []
        for x in across:
            foot = SimpleNamespace(
                ball=np.tile([(large * x - shift) / scale, 0.0, 0.3], (5, 1)), planted=np.ones(5, bool),
                pair=SimpleNamespace(target=SimpleNamespace(length=0.9 * large)),
            )  # fmt: skip
            survey = SimpleNamespace(up=np.array([0.0, 1.0, 0.0]), times=times, transfer=SimpleNamespace(scale=scale))
            ground = Ground(lambda x, z: -0.3 * np.hypot(np.asarray(x), 0.1 * large) + 0.0 * np.asarray(z))
            found.append(ground.tilt(survey, foot, np.tile([shift, 0.0, 0.0], (5, 1)))[0, 2])
        return np.array(found)

    usual = tilts(1.0, 0.0, 1.0)
    assert np.all(np.diff(usual) < 0.0)
    np.testing.assert_allclose(usual[[0, -1]], [np.arctan(0.3), -np.arctan(0.3)], atol=0.03)
    assert usual[2] == pytest.approx(0.0, abs=1e-9)
    for large, shift, scale in ((2.0, 0.0, 1.0), (1.0, 0.7, 1.0), (1.0, 0.0, 1.6), (0.5, -0.2, 0.7)):
        np.testing.assert_allclose(tilts(large, shift, scale), usual, atol=1e-9)
