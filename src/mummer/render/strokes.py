"""Lines and dots over a picture: joints and bones, trails, the way over the ground."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.render.camera import TINY, Camera
from mummer.render.draw import Picture
from mummer.render.look import Rgb
from mummer.render.loops.paint import paint_strokes

HALO = (255, 255, 255)


def paint(
    picture: Picture, strokes: FloatArray, nearness: FloatArray, *, hidden: float = 1.0, halo: float = 0.0
) -> Picture:
    """The picture with strokes over it.

    Args:
        picture: (rows, columns, 3) sRGB bytes.
        strokes: (N, 12) as `loops.paint.paint_strokes` has them.
        nearness: (rows, columns) 1 / depth of the bodies.
        hidden: opacity of what a body hides.
        halo: pixels of a light edge around all strokes.
    """
    if halo > 0:
        wider = strokes.copy()
        wider[:, [2, 6]] += halo
        wider[:, 8:11] = HALO
        wider[:, 11] *= 0.75
        picture = paint(picture, wider, nearness, hidden=hidden)
    layer = np.zeros((*picture.shape[:2], 4), np.float32)
    paint_strokes.at("float64")(np.ascontiguousarray(strokes, np.float64), nearness, np.array([[hidden]]), layer)
    opacity = layer[..., 3:]
    return np.round(picture * (1 - opacity) + layer[..., :3] * opacity).astype(np.uint8)


def segments(
    camera: Camera,
    starts: FloatArray,
    ends: FloatArray,
    radii: tuple[float, float],
    colors: FloatArray,
    opacity: float | FloatArray = 1.0,
) -> FloatArray:
    """(N, 12) strokes from ``starts`` to ``ends``, both (N, 3) in metres; those behind the camera are left out.

    Args:
        camera: who sees them.
        starts: one end.
        ends: the other.
        radii: pixels at the start and at the end.
        colors: (3,) or (N, 3) sRGB 0 to 255.
        opacity: 0 to 1, of all or of each.
    """
    count = len(starts)
    strokes = np.empty((count, 12))
    for offset, places, radius in ((0, starts, radii[0]), (4, ends, radii[1])):
        seen = camera.project(places)
        strokes[:, offset : offset + 2] = seen[:, :2]
        strokes[:, offset + 2] = radius
        strokes[:, offset + 3] = 1.0 / np.maximum(seen[:, 2], TINY)
    strokes[:, 8:11], strokes[:, 11] = colors, opacity
    return strokes[np.isfinite(strokes).all(axis=1)]


def skeleton_strokes(camera: Camera, joints: FloatArray, parents: IntArray, colors: FloatArray) -> FloatArray:
    """Bones as lines that taper towards the child, then joints as dots.

    Args:
        camera: who sees them.
        joints: (J, 3) metres.
        parents: (J,) -1 for roots.
        colors: (J, 3) sRGB 0 to 255.
    """
    unit = pen(camera)
    children = np.flatnonzero(parents >= 0)
    bones = segments(
        camera, joints[parents[children]], joints[children], (2.1 * unit, 0.7 * unit), colors[children], 0.8
    )
    dots = segments(camera, joints, joints, (2.3 * unit, 2.3 * unit), colors * 0.85, 0.95)
    return np.concatenate([bones, dots])


def trail_strokes(camera: Camera, way: FloatArray, color: Rgb, *, now: int) -> FloatArray:
    """A line along ``way`` (T, 3) up to frame ``now``, fading towards its beginning."""
    way = way[: now + 1]
    if len(way) < 2:
        return np.empty((0, 12))
    unit = pen(camera)
    opacity = np.linspace(0.15, 0.9, len(way) - 1)
    strokes = segments(camera, way[:-1], way[1:], (1.3 * unit, 1.3 * unit), np.array(color, np.float64), 1.0)
    if len(strokes) == len(opacity):
        strokes[:, 11] = opacity
    return strokes


def pen(camera: Camera) -> float:
    """Pixels of one unit of line width in a picture of this size."""
    return max(0.6, min(camera.size) / 480)
