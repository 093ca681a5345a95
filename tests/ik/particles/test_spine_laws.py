"""What the spine of particles is made of, function by function, in plain Python: order, sign, ends and bounds."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.particles.records import settings_for
from mummer.ik.particles.spine import (
    BEND,
    GIVE,
    curve_of,
    fit_quintic,
    hold_lengths,
    keep_lengths,
    large_branches,
    lengths_of,
    on_curve,
    path_length,
    pull_by_limbs,
    quintic,
    quintic_weights,
    softly,
    spine_joints,
    tangent_of,
    tangents_of,
)

seeds = st.integers(0, 10_000)


@given(st.floats(0.0, 3.0), st.floats(0.05, 1.0))
def test_a_correction_begins_softly_and_ends_with_all_but_half_its_width(excess: float, width: float) -> None:
    found, step = softly(excess, width), 1e-4
    assert 0.0 <= found <= excess
    assert softly(excess + step, width) >= found
    if excess >= width:
        assert found == pytest.approx(excess - 0.5 * width)
    else:
        assert found == pytest.approx(0.5 * excess**2 / width)
    assert softly(width, width) == pytest.approx(softly(width - 1e-9, width), abs=1e-8)


def derivatives(column: int, at: float) -> list[float]:
    """Value, first and second derivative of one share of a quintic."""
    t = np.linspace(0.0, 1.0, 12)
    made = np.polynomial.Polynomial.fit(t, quintic_weights(t)[:, column], 5, domain=[0, 1], window=[0, 1])
    return [float(made(at)), float(made.deriv(1)(at)), float(made.deriv(2)(at))]


@pytest.mark.parametrize("column", range(6))
def test_shares_of_a_quintic_are_what_they_stand_for_at_its_ends(column: int) -> None:
    said = derivatives(column, 0.0) + derivatives(column, 1.0)
    np.testing.assert_allclose(said, np.eye(6)[column], atol=1e-9)


@given(seeds)
def test_a_posed_curve_is_the_quintic_where_nothing_turned(seed: int) -> None:
    random = np.random.default_rng(seed)
    points, turns = random.normal(size=(2, 8)), np.tile([0.0, 0.0, 0.0, 1.0], (2, 1))
    curves = np.stack([np.zeros(12), random.normal(size=12)])
    spine = SimpleNamespace(joints=[0, 1], parents=np.array([-1, 0]), curves=curves)
    lane = SimpleNamespace(work=SimpleNamespace(wanted=turns, spine=points))
    for t in (0.0, 0.2, 0.5, 0.9, 1.0):
        expected = quintic(points[0, :3], points[1, :3], curves[1].reshape(4, 3), np.array([t]))[0]
        np.testing.assert_allclose(on_curve(spine, 1, lane, t), expected, atol=1e-9)
    # Turned as a whole, it is turned as a whole.
    half = np.array([0.0, 1.0, 0.0, 0.0])
    turned = points.copy()
    turned[:, [0, 2]] *= -1.0
    lane = SimpleNamespace(work=SimpleNamespace(wanted=np.tile(half, (2, 1)), spine=turned))
    expected = quintic(points[0, :3], points[1, :3], curves[1].reshape(4, 3), np.array([0.3]))[0] * (-1.0, 1.0, -1.0)
    np.testing.assert_allclose(on_curve(spine, 1, lane, 0.3), expected, atol=1e-9)


@given(seeds)
def test_a_fitted_curve_goes_through_its_ends_and_misses_little(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = np.cumsum(random.uniform(0.2, 1.0, size=(7, 3)), axis=0)
    curve, at, offsets = curve_of(points)
    assert at.shape == (5,)
    assert offsets.shape == (5, 3)
    assert np.all(np.diff(at) > 0)
    assert 0 < at[0] < at[-1] < 1
    np.testing.assert_allclose(
        quintic(points[0], points[-1], curve.reshape(4, 3), at) + offsets, points[1:-1], atol=1e-9
    )
    assert np.linalg.norm(offsets, axis=1).max() < 0.2 * path_length(points)


def test_a_straight_row_is_a_straight_curve() -> None:
    at = np.linspace(0.0, 1.0, 5)
    points = at[:, None] * np.array([0.0, 2.0, 0.0])
    np.testing.assert_allclose(fit_quintic(at, points), [[0, 2, 0], [0, 0, 0], [0, 2, 0], [0, 0, 0]], atol=1e-6)
    _, times, offsets = curve_of(points)
    np.testing.assert_allclose(times, [0.25, 0.5, 0.75])
    np.testing.assert_allclose(offsets, 0.0, atol=1e-6)
    assert curve_of(points[:1])[1].shape == (0,)
    assert path_length(points) == pytest.approx(2.0)


def spine_of_three(along: float, chord: float, gives: float, apart: float, fold: float) -> SimpleNamespace:
    lengths = np.array([[0.0] * 5, [along, chord, gives, 0.0, 0.0], [along, chord, gives, apart, fold]])
    return SimpleNamespace(lengths=lengths, parents=np.array([-1, 0, 1]))


def three_in_a_row(*heights: float) -> np.ndarray:
    particles = np.zeros((len(heights), 10))
    particles[:, 1] = heights
    return particles


def test_what_is_too_long_comes_back_from_its_end_inwards() -> None:
    spine, particles = spine_of_three(1.0, 0.9, 0.3, 1.8, 0.8), three_in_a_row(0.0, 1.0, 2.5)
    keep_lengths(spine, 0.8, particles)
    # The tip comes back by its share of what is too long, the middle goes out by the rest, and then is brought back.
    assert particles[2, 1] == pytest.approx(2.5 - 0.8 * 0.5)
    assert particles[1, 1] == pytest.approx(1.0)
    assert particles[0, 1] == 0.0


def test_what_is_too_short_is_pushed_out_softly_and_what_folds_unfolds() -> None:
    spine, particles = spine_of_three(1.0, 1.0, 0.5, 2.0, 0.5), three_in_a_row(0.0, 1.0, 1.7)
    keep_lengths(spine, 1.0, particles)
    pushed = 1.7 + softly(0.3, 0.5)
    assert particles[2, 1] == pytest.approx(pushed + softly(2.0 - pushed, 0.5))
    still = three_in_a_row(0.0, 1.0, 2.0)
    keep_lengths(spine, 0.8, still)
    np.testing.assert_allclose(still, three_in_a_row(0.0, 1.0, 2.0))


@given(st.floats(0.05, 3.0))
def test_pieces_are_as_long_as_they_can_be(height: float) -> None:
    spine, particles = spine_of_three(1.0, 0.9, 0.3, 0.0, 0.0), three_in_a_row(0.0, height, height + 5.0)
    hold_lengths(spine, particles)
    assert particles[1, 1] == pytest.approx(min(max(height, 0.6), 1.0))
    assert particles[2, 1] - particles[1, 1] == pytest.approx(1.0)


@given(seeds)
def test_tangents_of_a_pose_are_those_of_rest_where_nothing_moved(seed: int) -> None:
    random = np.random.default_rng(seed)
    points, parents = random.normal(size=(6, 3)), np.array([-1, 0, 1, 1, 3, 4])
    nexts = [[k for k in range(6) if parents[k] == particle] for particle in range(6)]
    starts = np.cumsum([0, *(len(each) for each in nexts)])
    spine = SimpleNamespace(parents=parents, next_starts=starts, nexts=[k for each in nexts for k in each])
    particles, expected = np.zeros((6, 10)), tangents_of(points, parents, nexts)
    particles[:, :3] = points
    for k in range(6):
        found = tangent_of(spine, k, particles)
        particles[k, 7:10] = found
        np.testing.assert_allclose(found, expected[k], atol=1e-12)
    np.testing.assert_allclose(expected[0], points[1] - points[0])
    np.testing.assert_allclose(expected[1], (points[[2, 3]].mean(axis=0) - points[0]) / 2)
    np.testing.assert_allclose(expected[5], 1.5 * (points[5] - points[4]) - expected[4] / 2)


def test_branches_are_large_where_two_long_chains_leave() -> None:
    parents = np.array([-1, 0, 0, 1, 1, 2])
    places = np.array([[0, 0, 0], [0, 1, 0], [0, -1, 0], [0, 2, 0], [0.1, 1, 0], [0, -2, 0]], float)
    assert large_branches(parents, places, 1.5).tolist() == [True, False, False, False, False, False]
    assert large_branches(parents, places, 0.05).tolist() == [True, True, False, False, False, False]
    assert not large_branches(parents, places, 2.5).any()
    assert large_branches(parents, places, 2.0)[0]


def pulled(*away: tuple, height: float = 1.0) -> np.ndarray:
    """(3,) how a chest moves whose limbs, half a metre to a metre long and to 1.2 at most, have goals so far away."""
    rest = height * np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    attach = height * np.array([[0.2, 0.0, 0.0], [-0.2, 0.0, 0.0]])[: len(away)]
    count = len(away)
    spine = SimpleNamespace(
        joints=np.array([0, 1]), parents=[-1, 0], limb_particles=np.ones(count, int), limb_pins=np.arange(count),
        limb_attach=attach, limb_lengths=height * np.tile([0.5, 1.0, 1.2], (count, 1)),
    )  # fmt: skip
    particles = np.zeros((2, 10))
    particles[:, :3] = rest
    lane = SimpleNamespace(
        work=SimpleNamespace(spine=particles), pins=rest[1] + attach + height * np.array(away, np.float64)
    )
    settings = settings_for(height=height, tolerance=1e-3)
    pull_by_limbs(SimpleNamespace(spine=spine, joints=SimpleNamespace(places=rest)), settings, lane)
    np.testing.assert_array_equal(particles[0, :3], 0.0)
    return particles[1, :3] - rest[1]


def test_limbs_pull_the_spine_where_they_are_too_long_and_push_it_where_they_are_too_short() -> None:
    np.testing.assert_array_equal(pulled((0.0, 0.0, 0.7)), 0.0)
    np.testing.assert_array_equal(pulled((0.0, 0.0, 0.5)), 0.0)
    moved = [pulled((0.0, 0.0, far))[2] for far in (0.05, 0.2, 0.4, 0.8, 1.05, 1.3, 2.0)]
    assert moved[0] < moved[1] < moved[2] < 0.0 == moved[3] < moved[4] < moved[5] < moved[6]
    # Little for a little, and never more than what is missing; of much, nearly all that its pull says.
    assert 0.0 < moved[4] < 0.02
    assert moved[6] < 1.0
    whole = settings_for(height=1.0, tolerance=1e-3).pull
    assert pulled((0.0, 0.0, 9.0))[2] - pulled((0.0, 0.0, 8.0))[2] == pytest.approx(whole)
    np.testing.assert_allclose(pulled((0.0, 0.0, 2.0))[:2], 0.0, atol=1e-12)


def test_limbs_of_both_sides_count_alike() -> None:
    left, right = (0.3, -1.2, 0.4), (-0.3, -1.2, 0.4)
    np.testing.assert_allclose(pulled(left, right)[0], 0.0, atol=1e-12)
    one, other = (0.9, -1.2, 0.4), (0.1, 0.2, 1.9)
    flip = np.array([-1.0, 1.0, 1.0])
    np.testing.assert_allclose(pulled(one, other), flip * pulled(tuple(flip * other), tuple(flip * one)), atol=1e-12)
    np.testing.assert_allclose(pulled(one, one), pulled(one), atol=1e-12)
    np.testing.assert_allclose(pulled(one, other, height=2.0), 2.0 * pulled(one, other), atol=1e-12)


def test_lengths_are_those_of_rest_and_ends_have_none() -> None:
    rest = np.array([[0.0, 0.0, 0.0], [0.3, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    chosen, parents = [0, 2, 3], np.array([-1, 0, 1])
    assert lengths_of(rest, chosen, parents, 0, [0]) == (0.0, 0.0, 0.0, 0.0, 0.0)
    along = 2.0 * np.hypot(0.3, 0.5)
    # What is bent on the way gives; what is below the first has nothing to fold over.
    assert lengths_of(rest, chosen, parents, 1, [0, 1, 2]) == pytest.approx((along, 1.0, GIVE, 0.0, 0.0))
    assert lengths_of(rest, chosen, parents, 2, [2, 3]) == pytest.approx((1.0, 1.0, 0.0, 2.0, 2.0 * BEND))


@pytest.mark.parametrize("size", [0.1, 1.0, 30.0])
def test_without_an_anatomy_the_spine_leads_to_where_large_parts_branch_off(size: float) -> None:
    parents = np.array([-1, 0, 1, 2, 2, 3, 4, 1])
    places = np.array(
        [
            [0, 0, 0],
            [0, 0.3, 0],
            [0, 0.6, 0],
            [0.4, 0.6, 0],
            [-0.4, 0.6, 0],
            [0.9, 0.6, 0],
            [-0.9, 0.6, 0],
            [0, 0.3, 0.01],
        ]
    )
    body = SimpleNamespace(character=SimpleNamespace(anatomy=None), height=size)
    found = spine_joints(body, np.arange(8), parents, size * places)
    assert found.tolist() == [True, True, True, False, False, False, False, False]
    assert spine_joints(body, np.arange(2), parents[:2], size * places[:2]).tolist() == [True, False]
