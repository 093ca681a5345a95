"""What a step of the core is made of, function by function, in plain Python, beside numpy."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character.limits import BALL
from mummer.ik.limits import SECOND_RANGE, WIDTH, nearest_in_ellipse
from mummer.ik.numeric import records as col
from mummer.ik.numeric.step import (
    hold_again,
    hold_swing,
    hold_swing_again,
    hold_what_leaves,
    how_far_out,
    lacking_after,
    leave_out,
    let_go,
    set_range,
    solve_once,
    spread_slopes,
    swing_back,
    turn_pair,
)
from mummer.kernels.cholesky import factor, solve_factored

seeds = st.integers(0, 10_000)
PARTS = max(value for name, value in vars(col).items() if name.isupper() and isinstance(value, int)) + 8


def rows_of(count: int, on: np.ndarray) -> np.ndarray:
    rows = np.zeros((PARTS, count))
    rows[col.IS_ON] = on
    return rows


@given(seeds, st.integers(1, 5))
def test_what_is_on_is_solved_as_numpy_does_and_what_is_off_has_no_force(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    tall = random.normal(size=(count, count + 2))
    matrix, on = tall @ tall.T + 0.1 * np.eye(count), random.random(count) < 0.7
    rows, sides = rows_of(count, on), random.normal(size=count)
    rows[col.GOAL_SIDE] = sides
    factored = np.tril(matrix)
    leave_out(factored, rows)
    factor(count, factored, 1e-14, 1e-300)
    solve_factored(count, factored, rows[col.GOAL_SIDE], rows[col.FORCE])
    expected = np.zeros(count)
    if on.any():
        expected[on] = np.linalg.solve(matrix[np.ix_(on, on)], sides[on])
    np.testing.assert_allclose(rows[col.FORCE], expected, rtol=1e-8, atol=1e-10)


def test_a_diagonal_that_rounding_made_too_small_is_lifted() -> None:
    for share, least in ((1e-14, 0.0), (0.0, 1e-14)):
        matrix = np.array([[1.0, 0.0], [2.0, 4.0]])
        factor(2, matrix, share, least)
        assert matrix[1, 1] == pytest.approx(np.sqrt(4.0 * share + least))


def work_of(random: np.random.Generator, dofs: int, rows: int) -> SimpleNamespace:
    work = SimpleNamespace(
        slopes=random.normal(size=(dofs, rows)), spread=np.zeros((dofs, rows)), normal=np.zeros((rows, rows)),
        dofs=np.zeros((PARTS, dofs)), rows=rows_of(rows, np.ones(rows)),
        spans=np.tile(np.array([0, rows]), (dofs, 1)), stance=np.zeros((1, PARTS)), normals=np.array([[1.0, 0.0]]),
    )  # fmt: skip
    work.dofs[col.STIFF] = random.uniform(0.5, 2.0, size=dofs)
    work.dofs[col.WISH] = random.normal(size=dofs)
    work.dofs[col.LEAST], work.dofs[col.MOST] = -1e8, 1e8
    work.rows[col.SOUGHT] = random.normal(size=rows)
    work.rows[col.GIVE] = random.uniform(0.1, 1.0, size=rows)
    return work


@given(seeds)
def test_a_step_meets_its_rows_but_for_what_they_give(seed: int) -> None:
    random = np.random.default_rng(seed)
    work = work_of(random, 5, 3)
    work.dofs[col.HELD, 1], work.dofs[col.EDGE, 1] = 1.0, 0.3
    spread_slopes(work)
    np.testing.assert_allclose(work.spread[0], work.slopes[0] / work.dofs[col.STIFF, 0])
    np.testing.assert_allclose(work.spread[1], 0.0)
    before = work.dofs[col.STEP].copy()
    assert before[1] == 0.3
    assert before[0] == work.dofs[col.WISH, 0]
    solve_once(work)
    step, force = work.dofs[col.STEP], work.rows[col.FORCE]
    np.testing.assert_allclose(
        work.slopes.T @ step + work.rows[col.GIVE] * force, work.rows[col.SOUGHT], rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(step - before, work.spread @ force, atol=1e-12)
    assert step[1] == 0.3
    work.rows[col.MISS] = work.rows[col.SOUGHT]
    assert lacking_after(work, 2) == pytest.approx(float(work.rows[col.MISS, 2] - work.slopes[:, 2] @ step))


def test_what_is_held_stays_held_at_its_edge_alone() -> None:
    dofs = np.zeros((PARTS, 1))
    for held, least, most, kept in (
        (-1.0, 0.0, 1.0, -1.0), (-1.0, -0.1, 1.0, 0.0), (1.0, -1.0, 0.0, 1.0), (1.0, -1.0, 0.2, 0.0),
        (0.0, 0.0, 0.0, 0.0),
    ):  # fmt: skip
        dofs[col.HELD, 0], dofs[col.LEAST, 0], dofs[col.MOST, 0], dofs[col.EDGE, 0] = held, least, most, 9.0
        hold_again(dofs, 0)
        assert dofs[col.HELD, 0] == kept
        if kept:
            assert dofs[col.EDGE, 0] == (least if kept < 0 else most)


def test_steps_lead_no_farther_than_the_range() -> None:
    dofs = np.zeros((PARTS, 1))
    dofs[col.LEAST, 0], dofs[col.MOST, 0] = -1.0, 1.0
    set_range(dofs, 0, 0.5, -0.2, 0.9)
    assert (dofs[col.LEAST, 0], dofs[col.MOST, 0]) == pytest.approx((-0.7, 0.4))
    set_range(dofs, 0, 0.5, -9.0, 9.0)
    assert (dofs[col.LEAST, 0], dofs[col.MOST, 0]) == pytest.approx((-0.7, 0.4))


def ball(wide: float, tall: float) -> SimpleNamespace:
    joints, limits = np.full((1, PARTS), -1), np.zeros((1, WIDTH))
    joints[0, col.FIRST], joints[0, col.KIND] = 0, BALL
    limits[0, SECOND_RANGE : SECOND_RANGE + 2] = wide, tall
    return SimpleNamespace(joints=joints, limits=limits, used=np.array([0]))


@given(seeds, st.floats(0.0, 6.3))
def test_a_swing_is_held_across_the_rim_and_free_along_it(seed: int, angle: float) -> None:
    random, body = np.random.default_rng(seed), ball(1.2, 0.5)
    u, v = 1.2 * np.cos(angle), 0.5 * np.sin(angle)
    assert how_far_out(body, 0, u, v) == pytest.approx(1.0)
    assert how_far_out(body, 0, 0.5 * u, 0.5 * v) == pytest.approx(0.25)
    work = work_of(random, 3, 2)
    slopes = work.slopes.copy()
    work.stance[0, col.ANGLE : col.ANGLE + 2] = 0.9 * u, 0.9 * v
    hold_swing(body, work, 0, u, v)
    nx, ny = work.normals[0]
    assert np.hypot(nx, ny) == pytest.approx(1.0)
    # Out of the ellipse, at right angles to its rim.
    assert nx * -1.2 * np.sin(angle) + ny * 0.5 * np.cos(angle) == pytest.approx(0.0, abs=1e-9)
    assert nx * u + ny * v > 0.0
    assert work.dofs[col.HELD, 0] == 1.0
    assert work.dofs[col.EDGE, 0] == pytest.approx(0.1 * (nx * u + ny * v))
    np.testing.assert_allclose(work.slopes[0], nx * slopes[0] + ny * slopes[1], atol=1e-12)
    np.testing.assert_allclose(work.slopes[1], nx * slopes[1] - ny * slopes[0], atol=1e-12)
    # And back again.
    work.dofs[col.STEP, :2] = 0.4, -0.3
    swing_back(body, work)
    np.testing.assert_allclose(work.dofs[col.STEP, :2], [0.4 * nx + 0.3 * ny, 0.4 * ny - 0.3 * nx], atol=1e-12)


def test_pairs_are_turned_without_growing() -> None:
    table = np.array([[3.0], [4.0]])
    turn_pair(table, 0, 0, 0.6, 0.8)
    np.testing.assert_allclose(table[:, 0], [5.0, 0.0], atol=1e-12)


def test_what_would_leave_its_limits_is_put_on_its_edge() -> None:
    work, body = work_of(np.random.default_rng(1), 3, 1), ball(1.0, 1.0)
    body.used = np.array([], np.int64)
    work.dofs[col.LEAST], work.dofs[col.MOST] = -0.5, 0.5
    work.dofs[col.STEP] = -0.7, 0.2, 0.8
    assert hold_what_leaves(body, work) == 2
    np.testing.assert_array_equal(work.dofs[col.HELD], [-1.0, 0.0, 1.0])
    np.testing.assert_array_equal(work.dofs[col.EDGE, [0, 2]], [-0.5, 0.5])
    assert hold_what_leaves(body, work) == 0
    body, work = ball(1.0, 1.0), work_of(np.random.default_rng(2), 3, 1)
    work.dofs[col.STEP] = 3.0, 0.0, 0.0
    assert hold_what_leaves(body, work) == 1
    np.testing.assert_allclose([work.dofs[col.EDGE, 0], *work.normals[0]], [1.0, 1.0, 0.0], atol=1e-9)
    inside = work_of(np.random.default_rng(2), 3, 1)
    inside.dofs[col.STEP] = 0.6, 0.6, 0.0
    assert hold_what_leaves(body, inside) == 0


@pytest.mark.parametrize(
    ("held", "wish", "kept"), [(1.0, 2.0, 1.0), (1.0, 0.1, 0.0), (-1.0, 0.1, -1.0), (-1.0, 2.0, 0.0)]
)
def test_what_is_drawn_inwards_is_let_go(held: float, wish: float, kept: float) -> None:
    work = work_of(np.random.default_rng(3), 1, 1)
    work.dofs[col.HELD, 0], work.dofs[col.EDGE, 0], work.dofs[col.STEP, 0], work.dofs[col.WISH, 0] = (
        held,
        0.5,
        0.5,
        wish,
    )
    work.rows[col.FORCE] = 0.0
    assert let_go(work) == (kept == 0.0)
    assert work.dofs[col.HELD, 0] == kept
    # Forces count beside the wish.
    work.dofs[col.HELD, 0], work.dofs[col.WISH, 0], work.slopes[0, 0] = 1.0, 0.5, 1.0
    work.rows[col.FORCE, 0] = -1.0
    assert let_go(work) == 1


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5, -1.9])
def test_a_swing_leaves_its_cone_wherever_it_is_measured_along(angle: float) -> None:
    """The same step, told along directions that are turned, ends on the same place of the rim."""
    nx, ny = np.cos(angle), np.sin(angle)
    body, step = ball(1.2, 0.5), np.array([0.9, -0.7])
    found = []
    for x, y in ((1.0, 0.0), (nx, ny)):
        work = work_of(np.random.default_rng(1), 3, 1)
        work.stance[0, col.ANGLE : col.ANGLE + 2] = 0.3, 0.1
        work.normals[0] = x, y
        work.dofs[col.STEP, :2] = x * step[0] + y * step[1], x * step[1] - y * step[0]
        assert hold_what_leaves(body, work) == 1
        found.append([*work.normals[0], work.dofs[col.EDGE, 0], *work.dofs[col.STEP, :2]])
    np.testing.assert_allclose(found[1], found[0], atol=1e-9)
    rim = np.array(nearest_in_ellipse(0.3 + step[0], 0.1 + step[1], 1.2, 0.5))
    assert found[0][2] == pytest.approx(float(np.array(found[0][:2]) @ (rim - (0.3, 0.1))))
    # The rim is ahead of it, and the normal out of the cone.
    assert found[0][2] > 0.0
    assert found[0][0] > 0.0 > found[0][1]


def test_only_swings_at_their_rim_stay_held() -> None:
    for far, was, stays in ((1.0, 1.0, True), (0.99, 1.0, False), (1.0, 0.0, False)):
        work, body = work_of(np.random.default_rng(4), 4, 2), ball(1.2, 0.5)
        work.stance[0, col.ANGLE : col.ANGLE + 2] = far * 1.2 * 0.6, far * 0.5 * 0.8
        work.dofs[col.HELD] = was, 1.0, 1.0, -1.0
        hold_swing_again(body, work, 0, 0)
        np.testing.assert_array_equal(work.dofs[col.HELD], [1.0 if stays else 0.0, 0.0, 1.0, -1.0])
        if stays:
            assert work.dofs[col.EDGE, 0] == pytest.approx(0.0, abs=1e-12)
            assert work.normals[0, 1] > work.normals[0, 0] > 0.0
        else:
            np.testing.assert_array_equal(work.normals[0], [1.0, 0.0])
