"""The camera: where it stands, what it sees, and how to stand so that everything given is seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError
from mummer.render.shown import finite
from mummer.render.view import View, turned

TINY = 1e-12
"""Metres below which nothing has a size."""
FIELD_OF_VIEW = math.radians(28.0)
"""Of the shorter side of the picture. A long lens: limbs near the camera do not swell."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera.

    Attributes:
        eye: (3,) its place in the world, metres.
        axes: (3, 3) rows: unit vectors of the world to its right, up and ahead.
        focal: pixels that one metre takes at a distance of one metre.
        size: columns and rows of the picture.
    """

    eye: FloatArray
    axes: FloatArray
    focal: float
    size: tuple[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "eye", locked(self.eye))
        object.__setattr__(self, "axes", locked(self.axes))

    def homogeneous_from_world(self, samples: int = 1) -> FloatArray:
        """(3, 4) from the world to (column times depth, row times depth, depth), at ``samples`` a pixel side."""
        columns, rows = self.size
        right, up, ahead = self.axes
        linear = np.stack(
            [
                samples * (self.focal * right + 0.5 * columns * ahead),
                samples * (-self.focal * up + 0.5 * rows * ahead),
                ahead,
            ]
        )
        return np.concatenate([linear, -(linear @ self.eye)[:, None]], axis=1)

    def world_from_ray(self) -> FloatArray:
        """(3, 3) from (column, row, 1) to the direction looked at there, one metre deep."""
        columns, rows = self.size
        right, up, ahead = self.axes
        across, down = right / self.focal, -up / self.focal
        return np.stack([across, down, ahead - 0.5 * columns * across - 0.5 * rows * down], axis=1)

    def project(self, points: FloatArray) -> FloatArray:
        """(..., 3) column, row and depth of places (..., 3) in the world; NaN columns and rows behind the camera."""
        found = apply(self.homogeneous_from_world(), np.asarray(points, np.float64))
        depth = np.where(found[..., 2:] > TINY, found[..., 2:], np.nan)
        return np.concatenate([found[..., :2] / depth, found[..., 2:]], axis=-1)

    def moved(self, offset: FloatArray) -> Camera:
        """The same camera, carried along by ``offset`` (3,) metres."""
        return replace(self, eye=self.eye + offset)

    def spun(self, middle: FloatArray, angle: float) -> Camera:
        """The same camera, carried round the upright line through ``middle`` (3,) by ``angle`` radians."""
        if angle == 0.0:
            return self
        cosine, sine = math.cos(angle), math.sin(angle)
        turn = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
        return replace(self, eye=middle + turn @ (self.eye - middle), axes=self.axes @ turn.T)


def apply(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """(..., 3) an affine (3, 4) matrix applied to (..., 3) points.

    Written out, not as a matrix product: the sums then have one order, however many threads a library would use.
    """
    x, y, z = points[..., 0:1], points[..., 1:2], points[..., 2:3]
    return x * matrix[:, 0] + y * matrix[:, 1] + z * matrix[:, 2] + matrix[:, 3]


def camera_axes(view: View, front: FloatArray) -> FloatArray:
    """(3, 3) rows right, up and ahead of a camera that looks at a body facing ``front`` (3,) as ``view`` says."""
    outward = turned(front, view.yaw)
    right = np.array([outward[2], 0.0, -outward[0]])
    ahead = -(math.cos(view.pitch) * outward + math.sin(view.pitch) * np.array([0.0, 1.0, 0.0]))
    up = np.cross(right, ahead)
    return np.stack([right, up, ahead])


def fit_camera(
    points: FloatArray,
    view: View,
    front: FloatArray,
    size: tuple[int, int],
    *,
    margin: float = 0.12,
    below: float = 0.0,
) -> Camera:
    """The nearest camera in the direction of ``view`` that sees all of ``points``.

    Args:
        points: (N, 3) places in the world that must be seen.
        view: the direction.
        front: (3,) where the body faces.
        size: columns and rows.
        margin: part of the shorter side of the picture that stays free around the points.
        below: part of the rows that stays free at the bottom besides, for a caption.

    Raises:
        InputError: if there is no finite point.
    """
    places = finite(np.asarray(points, np.float64).reshape(-1, 3))
    if not len(places):
        raise InputError("nothing to look at: no point with finite coordinates")
    columns, rows = size
    focal = 0.5 * min(size) / math.tan(0.5 * FIELD_OF_VIEW)
    axes = camera_axes(view, front)
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    seen = apply(np.concatenate([axes, np.zeros((3, 1))], axis=1), places - middle)
    free = margin * min(size)
    across = max(1.0, 0.5 * columns - free) / focal
    down = max(1.0, 0.5 * rows * (1 - below) - free) / focal
    center_x, back_x = _fit(seen[:, 0], seen[:, 2], across)
    center_y, back_y = _fit(seen[:, 1], seen[:, 2], down)
    # A single point gives no distance: stand one metre off.
    spread = float(np.abs(seen).max())
    back = min(back_x, back_y, float(seen[:, 2].min()) - max(0.05 * spread, TINY))
    if spread < TINY:
        back = -1.0
    lowered = 0.5 * below * rows / focal * -back
    eye = middle + axes[0] * center_x + axes[1] * (center_y - lowered) + axes[2] * back
    return Camera(eye, axes, focal, size)


def _fit(offset: FloatArray, depth: FloatArray, slope: float) -> tuple[float, float]:
    """Where on one axis, and how deep, a camera must stand whose sight widens by ``slope`` each metre."""
    high, low = float(np.max(offset - slope * depth)), float(np.max(-offset - slope * depth))
    return 0.5 * (high - low), -(high + low) / (2 * slope)
