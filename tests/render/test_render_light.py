"""Colours and light: what is drawn has the colour of its material, is lit from the key light, and is shaded."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from mummer.character import Material
from mummer.render.camera import Camera, fit_camera
from mummer.render.draw import draw
from mummer.render.look import BYTE_OF_LINEAR, LINEAR_OF_BYTE, Look, linear, srgb
from mummer.render.surface import Part, Shape, join_parts
from mummer.render.textures import LEVELS, build_atlas, has_holes
from mummer.render.view import find_view
from tests.render.helpers import BOX_FACES, CORNERS, difference, surface_of

FORWARD = np.array([0.0, 0.0, 1.0])
QUAD = np.array([(-0.5, 0, 0), (0.5, 0, 0), (0.5, 1, 0), (-0.5, 1, 0)], np.float64)
QUAD_FACES = np.array([[0, 1, 2], [0, 2, 3]])
QUAD_UVS = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)
LOOK = Look()


def png(pixels: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG")
    return buffer.getvalue()


def camera_for(points: np.ndarray, view: object = "front", size: tuple[int, int] = (64, 64)) -> Camera:
    return fit_camera(points, find_view(view), FORWARD, size)


def quad_picture(material: Material, *, view: object = (0, 0), colors: object = None) -> np.ndarray:
    tint = np.ones((4, 3), np.float32) if colors is None else np.asarray(colors, np.float32)
    surface = join_parts([Part(QUAD_FACES, tint, QUAD_UVS, material)])
    shape = Shape(QUAD, np.zeros((4, 3), np.float32))
    return draw(surface, shape, camera_for(QUAD, view), ground=None, look=LOOK).picture


def test_bytes_and_light_are_inverse() -> None:
    steps = np.arange(256.0)
    assert np.allclose(srgb(linear(steps)), steps, atol=1e-9)
    assert np.array_equal(BYTE_OF_LINEAR[np.round(LINEAR_OF_BYTE * (len(BYTE_OF_LINEAR) - 1)).astype(int)], steps)


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_a_material_shows_its_colour(channel: int) -> None:
    color = np.full((4, 3), 0.05)
    color[:, channel] = 0.8
    middle = quad_picture(Material(), colors=color)[32, 32].astype(int)
    assert middle[channel] > 150
    assert np.all(np.delete(middle, channel) < 110)


def test_vertex_colours_are_blended_across_a_triangle() -> None:
    colors = np.array([(0.9, 0.1, 0.1), (0.1, 0.1, 0.9), (0.1, 0.1, 0.9), (0.9, 0.1, 0.1)])
    picture = quad_picture(Material(), colors=colors).astype(int)
    red = picture[32, 14:50, 0]
    assert red[0] > red[-1] + 60
    assert np.all(np.diff(red) <= 1)


def test_a_texture_is_laid_with_its_first_row_at_the_top() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0, 0], pixels[0, 1], pixels[1, 0], pixels[1, 1] = (250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 250)
    big = np.kron(pixels, np.ones((16, 16, 1), np.uint8))
    picture = quad_picture(Material(texture=png(big))).astype(int)
    for row, column, channel in ((20, 20, 0), (20, 44, 1), (44, 20, 2)):
        assert np.argmax(picture[row, column]) == channel
    assert np.ptp(picture[44, 44]) < 40


def test_fine_textures_are_averaged_and_do_not_glitter() -> None:
    board = np.kron(np.indices((256, 256)).sum(0) % 2, np.ones((2, 2))).astype(np.uint8) * 255
    picture = quad_picture(Material(texture=png(np.repeat(board[..., None], 3, axis=2))))
    assert picture[20:44, 20:44].std() < 8


@pytest.mark.parametrize("damaged", [b"", b"no image at all", png(np.zeros((4, 4, 3), np.uint8))[:40]])
def test_a_texture_that_cannot_be_decoded_is_white(damaged: bytes) -> None:
    atlas = build_atlas([damaged])
    assert np.all(atlas.texels == 255)
    assert difference(quad_picture(Material(texture=damaged)), quad_picture(Material())) == 0


def test_every_level_of_a_texture_is_half_the_one_before() -> None:
    atlas = build_atlas([png(np.full((48, 20, 3), 7, np.uint8)), png(np.full((1, 1, 3), 9, np.uint8))])
    levels = atlas.levels.reshape(2, LEVELS, 3)
    assert levels[0, :4, 1].tolist() == [20, 10, 5, 2]
    assert levels[0, :4, 2].tolist() == [48, 24, 12, 6]
    assert levels[0, -1, 1:].tolist() == [1, 1]
    ends = levels[..., 0] + 4 * levels[..., 1] * levels[..., 2]
    assert np.array_equal(levels.reshape(-1, 3)[1:, 0], ends.ravel()[:-1])
    assert ends[-1, -1] == len(atlas.texels)


def test_a_colour_is_kept_at_every_level() -> None:
    texels = build_atlas([png(np.tile(np.uint8([[[10, 120, 250]]]), (33, 17, 1)))]).texels.reshape(-1, 4)
    assert np.all(texels == [10, 120, 250, 255])


def test_holes_are_found_in_alpha() -> None:
    pixels = np.full((4, 4, 4), 255, np.uint8)
    assert not has_holes(png(pixels))
    pixels[2, 1, 3] = 0
    assert has_holes(png(pixels))


def cutout_picture(mode: str) -> np.ndarray:
    pixels = np.full((8, 8, 4), 255, np.uint8)
    pixels[:, :4, 3] = 0
    return quad_picture(Material(texture=png(pixels), alpha_mode=mode))


def test_masked_alpha_cuts_holes_and_opaque_alpha_does_not() -> None:
    background = quad_picture(Material())[2, 32]
    masked, opaque = cutout_picture("mask"), cutout_picture("opaque")
    assert difference(masked[32, 18], background) < 12
    assert np.array_equal(opaque, quad_picture(Material(texture=png(np.full((8, 8, 4), 255, np.uint8)))))
    assert np.array_equal(masked[32, 46], opaque[32, 46])


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_a_half_clear_surface_shows_what_lies_behind_it(alpha: float) -> None:
    color = np.full((4, 3), 0.02)
    clear, solid = (quad_picture(Material(base_color=(1, 1, 1, part)), colors=color) for part in (0.0, 1.0))
    made = quad_picture(Material(base_color=(1, 1, 1, alpha)), colors=color)
    inside = [linear(picture[24:40, 24:40]).mean() for picture in (clear, made, solid)]
    assert inside[1] == pytest.approx(inside[0] * (1 - alpha) + inside[2] * alpha, abs=0.02)


def test_both_sides_of_a_sheet_are_lit_alike() -> None:
    front = quad_picture(Material(), colors=np.full((4, 3), 0.5), view=(0, 0))
    back = quad_picture(Material(), colors=np.full((4, 3), 0.5), view=(180, 0))
    assert difference(front, back) < 1


def ball() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from mummer.render.bones import _ball

    vertices, faces = _ball(24, 32)
    return vertices * 0.5 + [0, 0.5, 0], vertices.astype(np.float32), faces


def test_a_ball_is_brightest_towards_the_key_light_and_round() -> None:
    points, normals, faces = ball()
    surface = join_parts([Part(faces, np.full((len(points), 3), 0.4, np.float32), None, Material())])
    picture = draw(surface, Shape(points, normals), camera_for(points), ground=None, look=LOOK).picture.astype(int)
    light = picture.sum(axis=2)
    assert light[22, 22] > light[42, 42] + 60
    inside = light[32, 16:48]
    assert np.abs(np.diff(inside)).max() < 40


def test_a_roof_shades_what_lies_below_it() -> None:
    floor = (CORNERS - [0.5, 0, 0.5]) * [2, 0.05, 2]
    roof = (CORNERS - [0.5, 0, 0.5]) * [1, 0.05, 1] + [0, 0.6, 0]
    faces = np.concatenate([BOX_FACES, BOX_FACES + 8])
    both, alone = np.concatenate([floor, roof]), np.concatenate([floor, roof + np.array([0, 1e3, 0])])
    camera = camera_for(floor, (0, 30))
    pictures = []
    for points in (both, alone):
        surface, shape = surface_of(points, faces, (0.6, 0.6, 0.6))
        pictures.append(draw(surface, shape, camera, ground=None, look=LOOK).picture.astype(int).sum(axis=2))
    right_below = camera.project(np.array([0.35, 0.05, -0.2]))
    column, row = int(right_below[0]), int(right_below[1])
    assert pictures[0][row, column] < pictures[1][row, column] - 60


def test_an_inner_corner_is_darker_than_the_open_wall() -> None:
    wall = np.array([(-1, 0, 0), (1, 0, 0), (1, 1, 0), (-1, 1, 0), (-1, 0, 1), (1, 0, 1)], np.float64)
    faces = np.array([[0, 1, 2], [0, 2, 3], [0, 4, 5], [0, 5, 1]])
    surface, shape = surface_of(wall, faces, (0.6, 0.6, 0.6))
    camera = camera_for(wall, (0, 35), (160, 160))
    light = draw(surface, shape, camera, ground=None, look=LOOK).picture.astype(int).sum(axis=2)
    near, far = camera.project(np.array([0.0, 0.03, 0.0])), camera.project(np.array([0.0, 0.6, 0.0]))
    assert light[int(near[1]), int(near[0])] < light[int(far[1]), int(far[0])] - 8
