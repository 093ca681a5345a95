"""Whatever the numbers of a body are, a picture of it is taken, and its size does not matter."""

from __future__ import annotations

import numpy as np
import pytest

from mummer.character import Character, Pose, Skeleton
from mummer.errors import InputError
from mummer.kernels.scalars import index_at
from mummer.render import picture, raster
from mummer.render.draw import draw
from mummer.render.ground import shadow_on_ground
from mummer.render.shown import FARTHEST, shown
from mummer.render.surface import Shape
from tests.render.helpers import difference, figure, surface_of
from tests.strange import resized, strange_bodies, torn

UP = np.array([0.0, 1.0, 0.0])


@pytest.mark.parametrize("power", [-8, -4, 4, 8])
def test_a_body_of_any_size_looks_the_same(power: int) -> None:
    """But for the lines on the ground, which people have one metre apart."""
    usual, other = (picture(resized(figure(), size), size=(160, 120), ground=False) for size in (1.0, 10.0**power))
    assert difference(usual, other) < 0.5


def test_strange_bodies_are_drawn() -> None:
    for body in (torn(), *strange_bodies(12)):
        assert picture(body, size=(64, 48), skeleton=True).shape == (48, 64, 3)


def test_a_wall_seen_edge_on_casts_a_shadow_of_numbers() -> None:
    """Rounding puts it anywhere between the sky and far below the ground, where nothing of it is."""
    rng = np.random.default_rng(3)
    wall = rng.normal(size=(90, 3)) * [5.0, 12.0, 1e-12]
    surface, shape = surface_of(wall, np.arange(90).reshape(-1, 3))
    darkness = shadow_on_ground(surface, shape, np.array([0.6, 0.8, 0.0]), 0.0).darkness
    assert np.isfinite(darkness).all()
    assert 0 <= darkness.min() <= darkness.max() <= 1


@pytest.mark.parametrize(("value", "index"), [(np.nan, 0), (-np.inf, 0), (-1e300, 0), (0.99, 0), (3.5, 3), (1e300, 7)])
def test_an_index_made_of_any_number_is_one(value: float, index: int) -> None:
    assert index_at(value, 7) == index


def test_places_that_are_nowhere_are_not_shown() -> None:
    points = np.array([[0.0, 1, 2], [np.nan, 0, 0], [0, -np.inf, 0], [0, 0, 2 * FARTHEST], [FARTHEST, 0, 0]])
    assert np.isfinite(shown(points)).all(axis=1).tolist() == [True, False, False, False, True]
    assert shown(points[:1]) is not None
    gone = Character("gone", Skeleton(("root",), [-1], [[1e300, 0, 0]]))
    with pytest.raises(InputError, match="nothing of 'gone' can be shown"):
        picture(gone)


def test_triangles_are_drawn_in_portions_when_their_lists_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.uniform(0, 200, (150, 2)), rng.uniform(1, 2, (150, 1))], axis=1)
    points[:, :2] *= points[:, 2:]
    faces = np.arange(150, dtype=np.int32).reshape(-1, 3)
    whole = raster.see_solid(points, faces, (200, 200))
    monkeypatch.setattr(raster, "MOST_LISTED", 40)
    parts = raster.see_solid(points, faces, (200, 200))
    np.testing.assert_array_equal(whole.faces, parts.faces)
    np.testing.assert_array_equal(whole.nearness, parts.nearness)


def test_a_shape_of_another_surface_is_refused() -> None:
    surface, _ = surface_of(np.zeros((3, 3)), [[0, 1, 2]])
    with pytest.raises(InputError, match="a triangle of a surface points outside its 3 vertices"):
        surface_of(np.zeros((3, 3)), [[0, 1, 3]])
    from mummer.render.camera import fit_camera
    from mummer.render.look import Look
    from mummer.render.view import find_view

    camera = fit_camera(np.eye(3), find_view("front"), np.array([0.0, 0, 1]), (32, 32))
    with pytest.raises(InputError, match="the shape has 2 vertices; its surface has 3"):
        draw(surface, Shape(np.zeros((2, 3)), np.zeros((2, 3))), camera, ground=None, look=Look())


def test_a_pose_that_is_not_a_number_everywhere_is_drawn_where_it_is() -> None:
    body = figure()
    pose = Pose(
        body.skeleton.rest_rotations,
        body.skeleton.rest_translations[0],
        scales=np.array([[1.0] * 3] * 3 + [[1e200] * 3]),
    )
    assert difference(picture(body, pose, size=(64, 48)), picture(body, size=(64, 48))) < 40
