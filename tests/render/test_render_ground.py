"""The ground: shadows lie under what casts them, the grid is where the metres are, what sinks is dimmed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mummer.render.camera import fit_camera
from mummer.render.draw import draw
from mummer.render.ground import WIDE, Ground, blurred, shadow_on_ground, spacing_for
from mummer.render.look import Look
from mummer.render.view import find_view
from tests.render.helpers import BOX_FACES, CORNERS, surface_of

UP = np.array([0.0, 1.0, 0.0])
SLANTED = np.array([0.6, 0.8, 0.0])
GROUND = Ground(0.0, (0.0, 0.0), 4.0, 1.0)


def box(low: tuple[float, float, float], size: float = 0.4) -> np.ndarray:
    return CORNERS * size + np.array(low)


def darkness_at(shadow: object, x: float, z: float) -> float:
    column = int((x - shadow.corner[0]) * shadow.texels_per_metre)
    row = int((z - shadow.corner[1]) * shadow.texels_per_metre)
    inside = 0 <= row < len(shadow.darkness) and 0 <= column < len(shadow.darkness)
    return float(shadow.darkness[row, column]) if inside else 0.0


def test_a_shadow_lies_under_what_stands_there_and_not_beside_it() -> None:
    surface, shape = surface_of(box((-0.2, 0.0, -0.2)), BOX_FACES)
    shadow = shadow_on_ground(surface, shape, UP, 0.0)
    assert darkness_at(shadow, 0.0, 0.0) > 0.6
    assert darkness_at(shadow, 0.3, 0.0) < 0.1


def test_a_slanting_light_throws_the_shadow_away_from_it() -> None:
    surface, shape = surface_of(box((-0.2, 0.8, -0.2)), BOX_FACES)
    shadow = shadow_on_ground(surface, shape, SLANTED, 0.0)
    # From 1 m up, the light leans 0.75 m along +X for each metre: the shadow falls that far towards -X.
    assert darkness_at(shadow, -0.75, 0.0) > darkness_at(shadow, 0.0, 0.0) + 0.15


def test_touching_the_ground_is_darker_than_hanging_over_it() -> None:
    depths = []
    for height in (0.0, 0.05, 0.4):
        surface, shape = surface_of(box((-0.2, height, -0.2)), BOX_FACES)
        depths.append(darkness_at(shadow_on_ground(surface, shape, UP, 0.0), 0.0, 0.0))
    assert depths[0] > depths[1] + 0.05 > depths[2] + 0.1


def test_the_shadow_in_the_picture_is_at_the_foot() -> None:
    points = box((-0.2, 0.0, -0.2))
    surface, shape = surface_of(points, BOX_FACES, (0.9, 0.9, 0.9))
    camera = fit_camera(points, find_view((0, 30)), np.array([0.0, 0, 1]), (200, 200), margin=0.3)
    with_box = draw(surface, shape, camera, ground=GROUND, look=Look()).picture.astype(int).sum(axis=2)
    lifted = surface_of(points + np.array([0, 30.0, 0]), BOX_FACES)[1]
    without = draw(surface, lifted, camera, ground=GROUND, look=Look()).picture.astype(int).sum(axis=2)
    beside = camera.project(np.array([0.23, 0.0, 0.0]))
    far = camera.project(np.array([-0.7, 0.0, 0.3]))
    change = without - with_box
    assert change[int(beside[1]), int(beside[0])] > 60
    assert abs(change[int(far[1]), int(far[0])]) < 6


def test_grid_lines_lie_at_whole_metres() -> None:
    surface, shape = surface_of(box((0, 50.0, 0)), BOX_FACES)
    camera = fit_camera(np.array([(-1.4, 0, -1.4), (1.4, 0, 1.4)]), find_view("top"), np.array([0.0, 0, 1]), (300, 300))
    light = draw(surface, shape, camera, ground=GROUND, look=Look()).picture.astype(int).sum(axis=2)
    for x in (-1.0, 0.0, 1.0):
        column, row, _ = camera.project(np.array([x, 0.0, 0.37]))
        line = light[int(row), int(column) - 1 : int(column) + 2].min()
        assert line < light[int(row), int(column) + 9] - 20


def test_what_has_sunk_below_the_ground_is_dimmed() -> None:
    surface, shape = surface_of(box((-0.2, -0.3, -0.2)), BOX_FACES, (0.8, 0.02, 0.02))
    camera = fit_camera(shape.positions, find_view((0, 15)), np.array([0.0, 0, 1]), (120, 120))
    picture = draw(surface, shape, camera, ground=GROUND, look=Look()).picture.astype(int)
    above, below = (camera.project(np.array([0.0, y, 0.2])) for y in (0.05, -0.2))
    red = picture[..., 0] - picture[..., 1]
    assert red[int(above[1]), int(above[0])] > 1.5 * red[int(below[1]), int(below[0])] > 15


def test_from_below_the_ground_hides_nothing() -> None:
    surface, shape = surface_of(box((-0.2, 0.0, -0.2)), BOX_FACES)
    camera = fit_camera(shape.positions, find_view((0, -40)), np.array([0.0, 0, 1]), (80, 80))
    with_ground = draw(surface, shape, camera, ground=GROUND, look=Look()).picture
    without = draw(surface, shape, camera, ground=None, look=Look()).picture
    assert np.array_equal(with_ground, without)


@given(st.floats(0.1, 12), st.integers(0, 50))
def test_a_blur_keeps_the_amount_and_spreads_it(sigma: float, seed: int) -> None:
    image = np.zeros((96, 96), np.float32)
    row, column = np.random.default_rng(seed).integers(40, 56, 2)
    image[row, column] = 1.0
    soft = blurred(image, sigma)
    assert soft.sum() == pytest.approx(1.0, abs=1e-4)
    peak = np.unravel_index(np.argmax(soft), soft.shape)
    assert np.abs(np.subtract(peak, (row, column))).max() <= (0 if sigma <= WIDE else 2)
    spread = np.sum(soft * ((np.arange(96)[:, None] - row) ** 2))
    assert spread == pytest.approx(sigma**2, rel=0.12, abs=0.35)
    assert np.array_equal(image.nonzero(), ([row], [column]))


@pytest.mark.parametrize(
    ("size", "spacing"), [(1.8, 1.0), (0.7, 1.0), (5.0, 1.0), (0.2, 0.1), (30.0, 10.0), (900, 1000)]
)
def test_spacing_suits_the_size(size: float, spacing: float) -> None:
    assert spacing_for(size) == pytest.approx(spacing)
