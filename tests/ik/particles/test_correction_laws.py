"""What a correction of particles is made of, function by function, in plain Python, beside numpy."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.ik.particles.correct import (
    ANSWER,
    DAMPED_AT,
    ERROR,
    POTENTIAL_AT,
    WEIGHT_AT,
    WHOLE,
    add_travel,
    eased,
    error_of,
    measure,
    plan_turns,
    solve_rows,
    through_mask,
    travel,
    weigh,
    weighed,
)
from mummer.ik.particles.records import ORIENT, PLACE, Settings, settings_for

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 4))
def test_rows_are_solved_as_numpy_does(seed: int, goals: int) -> None:
    random, count = np.random.default_rng(seed), 3 * goals
    jacobian = random.normal(size=(count, 7))
    whole, rows = jacobian @ jacobian.T, np.zeros((count, 3))
    rows[:, ERROR] = random.normal(size=count)
    damping, weights = random.uniform(0.5, 2.0, size=goals), random.uniform(0.5, 2.0, size=goals)
    rows[DAMPED_AT::3, WHOLE], rows[WEIGHT_AT::3, WHOLE] = damping, weights
    expected = np.linalg.solve(whole + np.diag(np.repeat(damping, 3)), rows[:, ERROR])
    fall = solve_rows(count, 1e-9, np.tril(whole), rows)
    np.testing.assert_allclose(rows[:, ANSWER], expected, rtol=1e-8, atol=1e-10)
    slope = 2.0 * np.sum(rows[:, ERROR] * (np.repeat(weights, 3) * rows[:, ERROR] - expected))
    assert fall == pytest.approx(max(slope, 0.0))


@given(seeds)
def test_weights_are_the_less_the_more_a_goal_is_damped(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = random.uniform(0.1, 2.0, size=(9, 3))
    damped, potentials = rows[DAMPED_AT::3, WHOLE].copy(), rows[POTENTIAL_AT::3, WHOLE].copy()
    weigh(3, rows)
    np.testing.assert_allclose(rows[WEIGHT_AT::3, WHOLE], 1.0 / damped)
    assert weighed(3, rows) == pytest.approx(float(np.sum(potentials / damped)))
    assert weighed(2, rows) == pytest.approx(float(np.sum((potentials / damped)[:2])))


@given(seeds)
def test_a_mask_is_a_symmetric_product(seed: int) -> None:
    random = np.random.default_rng(seed)
    masks, v = random.normal(size=(2, 6)), random.normal(size=3)
    xx, xy, xz, yy, yz, zz = masks[1]
    expected = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ v
    np.testing.assert_allclose(through_mask(masks, 1, tuple(v)), expected)


@given(seeds)
def test_a_root_that_travels_moves_places_and_nothing_else(seed: int) -> None:
    random = np.random.default_rng(seed)
    kinds, weights, root_move = np.array([PLACE, PLACE + 1, PLACE]), random.uniform(0.5, 2.0, size=3), 0.3
    body = SimpleNamespace(tasks=SimpleNamespace(kinds=kinds, weights=weights))
    matrix, rows = np.zeros((9, 9)), random.normal(size=(9, 3))
    add_travel(body, root_move, matrix)
    lever = np.concatenate(
        [np.eye(3) * root_move * weight * (kind == PLACE) for kind, weight in zip(kinds, weights, strict=True)]
    )
    whole = lever @ lever.T
    for entry in range(3):
        for other in range(entry + 1):
            block = slice(3 * entry, 3 * entry + 3), slice(3 * other, 3 * other + 3)
            np.testing.assert_allclose(matrix[block], whole[block], atol=1e-12)
    np.testing.assert_allclose(travel(body, root_move, rows), root_move * lever.T @ rows[:, ANSWER], atol=1e-12)


SETTINGS = settings_for(height=1.0, tolerance=1e-4)

vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3)


@given(vectors, st.floats(0.2, 0.999))
def test_only_what_would_stretch_a_nearly_straight_limb_is_eased(error: tuple, length: float) -> None:
    arm, reach = (0.0, -length, 0.0), 1.0
    found = np.array(eased(error, arm, reach, SETTINGS))
    away = np.array(error) - found
    # What is taken away lies along the limb, outwards.
    np.testing.assert_allclose(away[[0, 2]], 0.0, atol=1e-15)
    assert away[1] <= 1e-15
    if error[1] >= 0.0 or length <= 1.0 - 2.0 * SETTINGS.ease:
        np.testing.assert_array_equal(found, error)


def test_small_misses_keep_all_and_large_ones_of_a_straight_limb_lose_what_stretches() -> None:
    straight = (0.0, -(1.0 - SETTINGS.ease), 0.0)
    tiny = np.array(eased((0.0, -1e-4, 0.0), straight, 1.0, SETTINGS))
    assert tiny[1] == pytest.approx(-1e-4, rel=1e-4)
    large = np.array(eased((0.0, -1.0, 0.0), straight, 1.0, SETTINGS))
    assert -0.05 < large[1] <= 0.0
    half = (0.0, -(1.0 - 1.5 * SETTINGS.ease), 0.0)
    eased_half = np.array(eased((0.0, -1.0, 0.0), half, 1.0, SETTINGS))
    # Half as straight, a quarter of it is taken away, for it grows with the square.
    assert -1.0 - eased_half[1] == pytest.approx(0.25 * (-1.0 - large[1]) * straight[1] / half[1], rel=0.02)
    # Straighter than it may come out, it is drawn back.
    back = np.array(eased((0.0, -1.0, 0.0), (0.0, -0.9999, 0.0), 1.0, SETTINGS))
    assert back[1] > large[1]


def lane_with(place: tuple, turn: tuple, target: tuple) -> SimpleNamespace:
    work = SimpleNamespace(places=np.array([place, place]), rows=np.zeros((3, 3)), tips=np.zeros((1, 3)))
    return SimpleNamespace(work=work, targets=np.array([target]), masks=np.zeros((1, 6)), turn=turn)


def body_with(kind: int, *, weight: float = 1.0, axis: tuple = (0.0, 0.0, 1.0)) -> SimpleNamespace:
    tasks = SimpleNamespace(
        joints=[1], kinds=np.array([kind]), weights=np.array([weight]), points=np.array([[0.0, 0.5, 0.0]]),
        bases=[-1], reaches=np.array([1.0]), axes=np.array([axis]), masked=[0],
    )  # fmt: skip
    return SimpleNamespace(tasks=tasks)


def test_errors_lead_to_the_goal() -> None:
    turns = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    lane = lane_with((1.0, 0.0, 0.0), (), (1.0, 1.0, 2.0, 0.0))
    found = error_of(body_with(PLACE, weight=2.0), SETTINGS, lane, 0, turns)
    np.testing.assert_allclose(found, [0.0, 1.0, 4.0])
    half = 0.05
    lane = lane_with((1.0, 0.0, 0.0), (), (np.sin(half), 0.0, 0.0, np.cos(half)))
    found = error_of(body_with(ORIENT, weight=3.0), SETTINGS, lane, 0, turns)
    np.testing.assert_allclose(found, [6.0 * SETTINGS.turn_scale * np.sin(half), 0.0, 0.0])
    lane.targets *= -1.0
    np.testing.assert_allclose(error_of(body_with(ORIENT, weight=3.0), SETTINGS, lane, 0, turns), found)


@given(st.floats(0.001, 3.0), st.floats(0.05, 0.5))
def test_no_error_counts_for_more_than_the_most(far: float, most: float) -> None:
    turns = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    lane, body = lane_with((0.0, 0.0, 0.0), (), (far, 0.5, 0.0, 0.0)), body_with(PLACE)
    total = measure(body, SETTINGS, lane, most, 2.0, turns)
    counted = lane.work.rows[:, ERROR]
    assert counted[0] == pytest.approx(far / np.hypot(1.0, far / most))
    np.testing.assert_allclose(counted[1:], 0.0, atol=1e-15)
    np.testing.assert_allclose(lane.work.tips[0], [0.0, 0.5, 0.0])
    # The potential has that as half its slope.
    further = lane_with((0.0, 0.0, 0.0), (), (far + 1e-6, 0.5, 0.0, 0.0))
    slope = (measure(body, SETTINGS, further, most, 2.0, turns) - total) / 1e-6
    assert 0.5 * slope == pytest.approx(counted[0], rel=1e-3, abs=1e-6)
    damping = SETTINGS.damping * min(far, SETTINGS.most_error) ** 2 + SETTINGS.bias
    assert lane.work.rows[DAMPED_AT, WHOLE] == pytest.approx(2.0 * damping)
    assert lane.work.rows[POTENTIAL_AT, WHOLE] == pytest.approx(total)


def test_settings_are_parts_of_the_height() -> None:
    usual, tall = Settings(), settings_for(height=2.0, tolerance=1e-3, root_turn=True, factors={"pull": 0.5})
    assert tall.size == 2.0 * usual.size
    assert tall.tolerance == 2e-3
    assert tall.bias == 4.0 * usual.bias
    assert (tall.root_turn, tall.root_move, tall.soft) == (usual.root_turn, 0.0, usual.soft)
    assert tall.pull == 0.5 * usual.pull
    assert settings_for(height=2.0, tolerance=1e-3, root_move=True).root_move == 2.0 * usual.root_move


def taken(error: tuple, length: float, reach: float = 1.0) -> float:
    """The share of what would stretch a limb that hangs down that is taken away."""
    found = eased(error, (0.0, -length, 0.0), reach, SETTINGS)
    return 1.0 - found[1] / error[1]


@pytest.mark.parametrize("size", [0.1, 0.14])
def test_goals_surely_out_of_reach_keep_the_square_of_what_is_kept_of_others(size: float) -> None:
    straight = 1.0 - SETTINGS.ease
    aside = np.array([size, -1e-3 * size, 0.0]) / np.hypot(1.0, 1e-3)
    kept = 1.0 - taken(tuple(aside), straight)
    assert 0.0 < kept < 1.0
    assert 1.0 - taken((0.0, -size, 0.0), straight) == pytest.approx(kept**2)
    # Less of a larger error is kept, and all of a tiny one.
    assert taken((0.0, -0.5 * size, 0.0), straight) < taken((0.0, -size, 0.0), straight) < 1.0
    assert taken((0.0, -1e-5, 0.0), straight) < 1e-4


@pytest.mark.parametrize("size", [1e-3, 0.02, 0.1, 1.0])
@pytest.mark.parametrize("past", [0.2, 0.9])
def test_a_limb_that_came_out_too_straight_comes_back_no_farther_than_it_should_be(size: float, past: float) -> None:
    length, most = 1.0 - (1.0 - past) * SETTINGS.ease, past * SETTINGS.ease
    found = eased((0.0, -size, 0.0), (0.0, -length, 0.0), 1.0, SETTINGS)[1]
    assert -size <= found <= most
    # The surer it is that the goal is too far, the nearer it comes to that.
    assert found == pytest.approx(most, abs=0.05 * most + 0.01) if size == 1.0 else found < 0.5 * most


@pytest.mark.parametrize("length", [0.5, 0.98, 0.99, 0.9999])
def test_what_is_eased_is_a_share_whatever_lengths_are_measured_in(length: float) -> None:
    for error in ((0.0, -0.3, 0.0), (0.1, -0.02, 0.0), (0.3, 0.1, 0.2)):
        found = np.array(eased(error, (0.0, -length, 0.0), 1.0, SETTINGS))
        twice = eased(
            tuple(2.0 * np.array(error)), (0.0, -2.0 * length, 0.0), 2.0, settings_for(height=2.0, tolerance=1)
        )
        np.testing.assert_allclose(twice, 2.0 * found, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_joints_turn_about_their_free_axes_as_goals_pull(seed: int) -> None:
    random = np.random.default_rng(seed)
    weights, free = np.array([0.5, 2.0]), np.array([1.0, 0.5, 0.0])
    frame = np.linalg.qr(random.normal(size=(3, 3)))[0]
    axes = np.zeros((6, 4))
    axes[3:, :3], axes[3:, 3] = frame, free
    blocked = np.zeros((2, 3))
    work = SimpleNamespace(
        rows=random.normal(size=(6, 3)), places=random.normal(size=(2, 3)), tips=random.normal(size=(2, 3)), axes=axes,
        blocked=blocked, steps=np.zeros((2, 6)),
    )  # fmt: skip
    tasks = SimpleNamespace(weights=weights, kinds=[PLACE, ORIENT], below_starts=[0, 0, 2], below=[0, 1])
    body = SimpleNamespace(tasks=tasks, joints=SimpleNamespace(parents=np.array([-1, 0])))
    lane = SimpleNamespace(work=work)
    forces = work.rows[:, ANSWER].reshape(2, 3) * weights[:, None]
    pull = np.cross(work.tips[0] - work.places[1], forces[0]) + SETTINGS.turn_scale * forces[1]
    # What limits stopped stays stopped while it is pulled the same way, and is free to come back.
    blocked[1] = 0.7 * np.sign(frame @ pull) * (1.0, -1.0, 1.0)
    before = blocked[1].copy()
    largest = plan_turns(body, SETTINGS, lane)
    expected = free**2 * (frame @ pull)
    np.testing.assert_allclose(work.steps[1, 3:], expected)
    np.testing.assert_allclose(work.steps[1, :3], expected @ frame)
    assert largest == pytest.approx(np.linalg.norm(expected))
    np.testing.assert_array_equal(blocked[1], before * (1.0, 0.0, 1.0))
