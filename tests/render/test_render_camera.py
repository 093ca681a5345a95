"""Cameras see what they must, as large as it can be, from where they were asked to look."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.character import Source
from mummer.errors import InputError, UnknownNameError
from mummer.render.camera import camera_axes, fit_camera
from mummer.render.view import VIEWS, find_view, front_of, turned, views_of
from tests.render.helpers import figure

FORWARD = np.array([0.0, 0.0, 1.0])
angles = st.tuples(st.floats(-720, 720), st.floats(-90, 90))
sizes = st.tuples(st.integers(32, 900), st.integers(32, 900))


@given(angles, sizes, st.integers(0, 1000), st.floats(1e-3, 1e3))
def test_everything_is_seen_and_something_touches_the_margin(
    angle: tuple[float, float], size: tuple[int, int], seed: int, scale: float
) -> None:
    points = np.random.default_rng(seed).normal(size=(30, 3)) * scale + 5 * scale
    camera = fit_camera(points, find_view(angle), FORWARD, size, margin=0.1)
    column, row, depth = camera.project(points).T
    free = 0.1 * min(size)
    assert np.all(depth > 0)
    left, right = column.min() - free, size[0] - free - column.max()
    top, bottom = row.min() - free, size[1] - free - row.max()
    assert min(left, right, top, bottom) > -1e-6 * max(size)
    assert min(left + right, top + bottom) < 1e-6 * max(size)


@given(angles, st.floats(-3, 3))
def test_axes_are_right_handed_and_upright(angle: tuple[float, float], turn: float) -> None:
    right, up, ahead = camera_axes(find_view(angle), turned(FORWARD, turn))
    assert np.allclose(np.stack([right, up, ahead]) @ np.stack([right, up, ahead]).T, np.eye(3), atol=1e-12)
    assert np.allclose(np.cross(right, up), -ahead, atol=1e-12)
    assert right[1] == 0
    assert up[1] >= -1e-12


@given(angles, sizes, st.integers(0, 100))
def test_rays_lead_back_to_places(angle: tuple[float, float], size: tuple[int, int], seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(8, 3))
    camera = fit_camera(points, find_view(angle), FORWARD, size)
    column, row, depth = camera.project(points).T
    rays = np.stack([column, row, np.ones(8)], axis=1) @ camera.world_from_ray().T
    assert np.allclose(camera.eye + depth[:, None] * rays, points, atol=1e-9)


@pytest.mark.parametrize(
    ("view", "eye"),
    [("front", (0, 1)), ("back", (0, -1)), ("left", (1, 0)), ("right", (-1, 0)), ("side", (-1, 0))],
)
def test_named_views_look_from_where_they_say(view: str, eye: tuple[int, int]) -> None:
    camera = fit_camera(np.eye(3) - 1 / 3, find_view(view), FORWARD, (64, 64))
    direction = camera.eye[[0, 2]] / np.linalg.norm(camera.eye[[0, 2]])
    assert np.allclose(direction, eye, atol=0.15)


def test_the_left_of_a_body_seen_from_its_front_is_on_the_right() -> None:
    camera = fit_camera(np.array([[-1.0, 0, 0], [1, 0, 0]]), find_view("front"), FORWARD, (64, 64))
    assert camera.project(np.array([1.0, 0, 0]))[0] > 40


def test_from_the_top_the_front_is_up() -> None:
    camera = fit_camera(np.array([[0.0, 0, -1], [0, 0, 1]]), find_view("top"), FORWARD, (64, 64))
    assert camera.project(np.array([0.0, 0, 1]))[1] < 24
    assert camera.axes[2] == pytest.approx([0, -1, 0])


def test_going_once_round_comes_back() -> None:
    camera = fit_camera(np.eye(3), find_view("front"), FORWARD, (64, 64))
    middle = np.array([0.3, 0, 0.2])
    once = camera.spun(middle, 2 * np.pi)
    assert np.allclose(once.eye, camera.eye)
    half = camera.spun(middle, np.pi)
    assert np.allclose(half.eye[[0, 2]] - middle[[0, 2]], middle[[0, 2]] - camera.eye[[0, 2]])
    assert np.allclose(half.project(middle), camera.project(middle))


def test_a_single_point_can_be_looked_at() -> None:
    camera = fit_camera(np.ones((1, 3)), find_view("front"), FORWARD, (64, 48))
    assert camera.project(np.ones(3)) == pytest.approx([32, 24, 1.0])


def test_nothing_to_look_at() -> None:
    with pytest.raises(InputError, match="nothing to look at: no point with finite coordinates"):
        fit_camera(np.full((3, 3), np.nan), find_view("front"), FORWARD, (64, 48))


def test_views_by_name_spelled_freely() -> None:
    assert find_view("Three-Quarter") == find_view("three_quarter")
    assert [view.name for view in views_of("front")] == ["front"]
    assert [view.name for view in views_of(["front", (30, 10)])] == ["front", "30°, 10°"]
    assert [view.name for view in views_of((30, 10))] == ["30°, 10°"]
    assert len(views_of(list(VIEWS))) == len(VIEWS)


def test_a_view_that_does_not_exist() -> None:
    with pytest.raises(UnknownNameError, match=r"mummer\.render has no view 'frnt'; closest: 'front'"):
        find_view("frnt")


@pytest.mark.parametrize("bad", [(0, 91), (np.nan, 0), (0, -90.5)])
def test_a_direction_that_is_none(bad: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="pitch between -90 and 90"):
        find_view(bad)


@pytest.mark.parametrize("bad", [(1, 2, 3), ("a", "b")])
def test_a_view_that_is_no_pair(bad: tuple[object, ...]) -> None:
    with pytest.raises(InputError, match="a name or a pair of degrees"):
        find_view(bad)  # type: ignore[arg-type]


def test_no_views() -> None:
    with pytest.raises(InputError, match="the list of views is empty"):
        views_of([])


@pytest.mark.parametrize(
    ("stated", "front"), [("", (0, 0, 1)), ("-Z", (0, 0, -1)), ("+X", (1, 0, 0)), ("+Y", (0, 0, 1)), ("?", (0, 0, 1))]
)
def test_the_front_is_what_the_file_states(stated: str, front: tuple[int, ...]) -> None:
    character = figure().replace(source=Source("glb", front=stated))
    assert front_of(character) == pytest.approx(front)
