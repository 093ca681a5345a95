"""What is seen where: coverage, depth, edges, the near plane, holes, and the same answer on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mummer.kernels import threads
from mummer.render.camera import apply, fit_camera
from mummer.render.raster import see, see_solid
from mummer.render.view import find_view
from tests.render.helpers import BOX_FACES, CORNERS, surface_of

FORWARD = np.array([0.0, 0.0, 1.0])


def flat(points: list[tuple[float, float, float]]) -> np.ndarray:
    """Homogeneous coordinates of (column, row, depth)."""
    given = np.array(points, np.float64)
    return np.stack([given[:, 0] * given[:, 2], given[:, 1] * given[:, 2], given[:, 2]], axis=1)


def test_a_square_covers_exactly_its_samples() -> None:
    points = flat([(3, 2, 1), (11, 2, 1), (11, 7, 1), (3, 7, 1)])
    seen = see_solid(points, np.array([[0, 1, 2], [0, 2, 3]], np.int32), (20, 10)).faces
    expected = np.zeros((10, 20), bool)
    expected[2:7, 3:11] = True
    assert np.array_equal(seen >= 0, expected)


def test_a_box_covers_the_pixels_that_its_size_predicts() -> None:
    points = CORNERS * [2.0, 1.0, 1e-3]
    camera = fit_camera(points, find_view((0, 0)), FORWARD, (200, 200), margin=0.1)
    seen = see_solid(apply(camera.homogeneous_from_world(), points), BOX_FACES.astype(np.int32), (200, 200)).faces >= 0
    # Two by one metres, as wide as the picture less two margins of twenty pixels.
    assert seen.sum() == pytest.approx(160 * 80, rel=0.02)
    assert np.flatnonzero(seen.any(axis=0))[[0, -1]] == pytest.approx([20, 179], abs=1)


@pytest.mark.parametrize("nearest", [0, 1])
def test_the_nearer_triangle_is_seen(nearest: int) -> None:
    depths = (1.0, 2.0) if nearest == 0 else (2.0, 1.0)
    points = flat([(column, row, depth) for depth in depths for column, row in ((0, 0), (40, 0), (0, 40))])
    seen = see_solid(points, np.array([[0, 1, 2], [3, 4, 5]], np.int32), (16, 16))
    assert np.all(seen.faces == nearest)
    assert np.allclose(seen.nearness, 1.0)


def test_of_two_alike_the_first_is_seen() -> None:
    points = flat([(0, 0, 1), (40, 0, 1), (0, 40, 1)])
    seen = see_solid(points, np.array([[1, 2, 0], [0, 1, 2], [2, 1, 0]], np.int32), (16, 16)).faces
    assert np.all(seen == 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_triangles_that_share_edges_leave_no_gap(seed: int) -> None:
    """A net of random triangles over the whole picture covers all of it, at any depths."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.linspace(-2, 34, 8), np.linspace(-2, 34, 8), indexing="ij"), -1)
    grid[1:-1, 1:-1] += rng.uniform(-2, 2, (6, 6, 2))
    depths = rng.uniform(0.5, 3.0, (64, 1))
    points = flat(np.concatenate([grid.reshape(-1, 2), depths], axis=1).tolist())
    index = np.arange(64).reshape(8, 8)
    a, b, c, d = index[:-1, :-1].ravel(), index[1:, :-1].ravel(), index[1:, 1:].ravel(), index[:-1, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([c, d, a], 1)]).astype(np.int32)
    assert np.all(see_solid(points, faces, (32, 32)).faces >= 0)


def test_a_floor_that_passes_under_the_camera_is_seen_to_the_horizon() -> None:
    camera = fit_camera(np.array([[0.0, 0, 0]]), find_view((0, 20)), FORWARD, (64, 64))
    floor = np.array([(-900.0, -0.5, 900), (900, -0.5, 900), (0, -0.5, -2000)])
    seen = see_solid(apply(camera.homogeneous_from_world(), floor), np.array([[0, 1, 2]], np.int32), (64, 64)).faces
    assert np.all(seen[-1] == 0)
    assert seen[32, 32] == 0


def test_what_lies_behind_the_camera_is_not_seen() -> None:
    points = np.array([(0.0, 0, -1), (40, 0, -1), (0, 40, -1)])
    assert np.all(see_solid(points, np.array([[0, 1, 2]], np.int32), (16, 16)).faces == -1)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_triangles_with_numbers_that_are_none_are_left_out(bad: float) -> None:
    points = flat([(0, 0, 1), (40, 0, 1), (0, 40, 1), (0, 0, 0.5)])
    points[3, 1] = bad
    seen = see_solid(points, np.array([[0, 1, 3], [0, 1, 2]], np.int32), (16, 16)).faces
    assert np.all(seen == 1)


def test_no_triangles_at_all() -> None:
    surface, shape = surface_of(np.zeros((0, 3)), np.zeros((0, 3), int))
    assert np.all(see(shape.positions, surface, (9, 5)).faces == -1)


def test_one_thread_and_many_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    points = flat(np.concatenate([rng.uniform(-20, 320, (600, 2)), rng.uniform(0.5, 3, (600, 1))], axis=1).tolist())
    faces = rng.integers(0, 600, (400, 3)).astype(np.int32)
    results = []
    for count in (1, 2, 5):
        monkeypatch.setattr(threads, "thread_count", lambda count=count: count)
        results.append(see_solid(points, faces, (300, 300)))
    assert (results[0].faces >= 0).mean() > 0.5
    for result in results[1:]:
        assert np.array_equal(result.faces, results[0].faces)
        assert np.array_equal(result.nearness, results[0].nearness)
