"""One frame drawn: visibility, light and shadow, ground, and all of it laid together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked_record
from mummer.errors import InputError
from mummer.render.camera import Camera, apply
from mummer.render.ground import Ground, ShadowOnGround, shadow_on_ground
from mummer.render.lights import key_direction, light_table
from mummer.render.look import BYTE_OF_LINEAR, LINEAR_OF_BYTE, Look
from mummer.render.loops.arguments import Shadow, Skin, Texture
from mummer.render.loops.compose import compose_row
from mummer.render.loops.openness import look_around_row, smooth_row
from mummer.render.loops.shade import shade_row
from mummer.render.raster import Visible, run_loop, see
from mummer.render.shadows import shadow_map
from mummer.render.shown import finite_bounds
from mummer.render.surface import Shape, Surface

ROWS_A_PIECE = 16
REACH = 0.07
"""How far off a part can darken another, in parts of the subject's size."""
Picture = npt.NDArray[np.uint8]


def _look_table(count: int = 10) -> FloatArray:
    """(16, 2 * count) the looks around each of four by four pixels: a spiral that is turned from pixel to pixel."""
    shift = np.arange(16)[:, None] / 16
    far = np.sqrt((np.arange(count) + shift + 0.03) / count)
    angle = math.pi * (3 - math.sqrt(5)) * np.arange(count) + 2 * math.pi * shift
    return np.stack([far * np.cos(angle), far * np.sin(angle)], axis=-1).reshape(16, -1)


_LOOKS = _look_table()


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture of the bodies, before anything is written over it.

    Attributes:
        picture: (rows, columns, 3) sRGB bytes.
        nearness: (rows, columns) 1 / depth of the bodies, 0 where there are none.
    """

    picture: Picture
    nearness: FloatArray


def draw(
    surface: Surface, shape: Shape, camera: Camera, *, ground: Ground | None, look: Look, samples: int = 2
) -> Drawn:
    """Draw bodies as the camera sees them.

    Args:
        surface: what is drawn.
        shape: where it is.
        camera: from where.
        ground: what it stands on, or None.
        look: the colours.
        samples: samples along a side of each pixel.

    Raises:
        InputError: if surface and shape are not of the same vertices.
    """
    if len(shape.positions) != len(surface.colors):
        raise InputError(f"the shape has {len(shape.positions)} vertices; its surface has {len(surface.colors)}")
    columns, rows = camera.size
    points = apply(camera.homogeneous_from_world(samples), shape.positions)
    visible = see(points, surface, (columns * samples, rows * samples))
    shaded, coverage, nearness = _shade(surface, shape, camera, points, visible, samples)
    shadow = None
    if ground is not None:
        shadow = shadow_on_ground(surface, shape, key_direction(camera), ground.height)
    picture = _compose(shaded, coverage, nearness, camera, ground, shadow, look)
    return Drawn(picture, nearness)


def _shade(
    surface: Surface, shape: Shape, camera: Camera, points: FloatArray, visible: Visible, samples: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    columns, rows = camera.size
    shadow = Shadow(*shadow_map(surface, shape, key_direction(camera)))
    openness = _openness(visible, shape, camera, samples)
    shaded = np.empty((rows, columns, 3), np.float32)
    coverage, nearness = np.empty((rows, columns), np.float32), np.empty((rows, columns), np.float32)
    skin = Skin(
        points, shape.positions, shape.normals, surface.faces, surface.colors, surface.uvs, surface.face_material,
        surface.materials,
    )  # fmt: skip
    atlas = Texture(surface.atlas.texels, surface.atlas.levels, LINEAR_OF_BYTE)
    run_loop(
        shade_row, rows, samples, visible.faces, visible.nearness, openness, locked_record(skin), locked_record(atlas),
        light_table(camera), locked_record(shadow), shaded, coverage, nearness, grain=ROWS_A_PIECE,
    )  # fmt: skip
    return shaded, coverage, nearness


def _openness(visible: Visible, shape: Shape, camera: Camera, samples: int) -> FloatArray:
    """(rows, columns) how much of the sky each pixel sees."""
    columns, rows = camera.size
    low, high = finite_bounds(shape.positions)
    lens = np.array([camera.focal, 0.5 * columns, 0.5 * rows, REACH * float(np.max(high - low))])
    rough, smooth = np.empty((rows, columns), np.float32), np.empty((rows, columns), np.float32)
    run_loop(look_around_row, rows, samples, visible.nearness, lens, _LOOKS, rough, grain=ROWS_A_PIECE)
    run_loop(smooth_row, rows, samples, visible.nearness, rough, smooth, grain=ROWS_A_PIECE)
    return smooth


def _compose(
    shaded: FloatArray, coverage: FloatArray, nearness: FloatArray, camera: Camera, ground: Ground | None,
    shadow: ShadowOnGround | None, look: Look,
) -> Picture:  # fmt: skip
    picture = np.empty((*coverage.shape, 3), np.uint8)
    rays = np.concatenate([camera.world_from_ray(), camera.eye[None]])
    darkness = np.zeros((2, 2), np.float32) if shadow is None else shadow.darkness
    run_loop(
        compose_row, len(coverage), shaded, coverage, nearness, _numbers(ground, shadow), rays, darkness,
        look.palette(), BYTE_OF_LINEAR, picture, grain=ROWS_A_PIECE,
    )  # fmt: skip
    return picture


def _numbers(ground: Ground | None, shadow: ShadowOnGround | None) -> FloatArray:
    """The ground as the loop reads it, in the order of the constants in `loops.compose`."""
    if ground is None or shadow is None:
        return np.array([0.0, 1, 0, 1, 0, 0, 0, 0, 1, 0])
    return np.array(
        [ground.height, ground.spacing, 0.014, ground.fade, *ground.center, *shadow.corner, shadow.texels_per_metre, 1]
    )
