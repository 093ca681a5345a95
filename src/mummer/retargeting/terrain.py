"""Uneven ground: feet lifted and lowered onto it, the body by the lower foot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.clip.analysis.spells import spells
from mummer.clip.analysis.tracks import smoothed
from mummer.math.steps import smooth_step

if TYPE_CHECKING:
    from mummer.retargeting.survey import FootSurvey, Survey

CLEARANCE = 0.01
"""How far above the ground feet in flight are kept, in leg lengths."""
FOOT = 0.1
"""How far to either side of a ball the slope of the ground is looked at, in leg lengths."""
SHARES = np.linspace(-1.0, 1.0, 6)
"""Where on the way from the one side to the other."""
STEEPEST = 0.6
"""How far soles tilt with the ground at most, radians."""
SETTLE = 0.12
"""Seconds over which the body follows the ground."""
AHEAD = 0.11
"""Seconds before an edge at which a foot in flight begins to rise over it."""


@dataclass(frozen=True, eq=False)
class Ground:
    """Ground whose height changes from place to place.

    Attributes:
        heights: of x and z, arrays of any one shape, in metres; gives heights in metres.
    """

    heights: Callable[[FloatArray, FloatArray], FloatArray]

    def rise(self, survey: Survey, foot: FootSurvey, shift: FloatArray, floor: float) -> FloatArray:
        """(N,) metres that one foot is lifted: as high as the ground where it stands, in flight from one to the next.

        Args:
            survey: what the source does.
            foot: the leg.
            shift: (N, 3) of its foot, for a level floor.
            floor: height of that floor, metres.
        """
        sole = survey.transfer.scale * foot.ball + shift
        below = np.asarray(self.heights(sole[:, 0], sole[:, 2]), np.float64) - floor
        rise = _from_stand_to_stand(below, foot.planted, survey.times)
        high = survey.transfer.scale * foot.pair.source.ball_height
        short = below + CLEARANCE * survey.transfer.target.size - (sole @ survey.up - floor - high) - rise
        short = np.where(foot.planted, 0.0, np.maximum(short, 0.0))
        return rise + _bump(short, foot.planted, survey.step)

    def tilt(self, survey: Survey, foot: FootSurvey, shift: FloatArray) -> FloatArray:
        """(N, 3) rotation vectors that lay one sole along the ground where it stands, in flight from one to the next.

        Args:
            survey: what the source does.
            foot: the leg.
            shift: (N, 3) of its foot.
        """
        sole, reach = survey.transfer.scale * foot.ball + shift, FOOT * foot.pair.target.length
        slopes = [self._slope(sole, reach * side) / reach for side in np.eye(3)[[0, 2]]]
        normal = np.stack([-slopes[0], np.ones(len(sole)), -slopes[1]], axis=1)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        axis = np.cross(survey.up, normal)
        sine = np.linalg.norm(axis, axis=1, keepdims=True)
        angle = STEEPEST * np.tanh(np.arcsin(np.minimum(sine, 1.0)) / STEEPEST)
        tilts = axis / np.maximum(sine, 1e-12) * angle
        return np.stack([_from_stand_to_stand(each, foot.planted, survey.times) for each in tilts.T], axis=1)

    def _slope(self, places: FloatArray, side: FloatArray) -> FloatArray:
        """(N,) how much the ground rises along ``side`` (3,): as it mostly does, for the edge of a step is no slope."""
        along = np.stack([self._heights(places + share * side) for share in SHARES])
        return np.asarray(np.median(np.diff(along, axis=0), axis=0) / (SHARES[1] - SHARES[0]))

    def _heights(self, places: FloatArray) -> FloatArray:
        return np.asarray(self.heights(places[:, 0], places[:, 2]), np.float64)

    def body_rise(self, survey: Survey, rises: list[FloatArray], floor: float) -> FloatArray:
        """(N,) metres that the body is lifted: by the lower of its feet, for legs rather bend than stretch."""
        if not rises:
            return np.asarray(self.heights(survey.places[:, 0], survey.places[:, 2]), np.float64) - floor
        return smoothed(np.min(rises, axis=0), SETTLE / survey.step)


def _from_stand_to_stand(below: FloatArray, planted: BoolArray, times: FloatArray) -> FloatArray:
    """(N,) the height of the ground held while the foot stands, going over to the next in flight."""
    stands = spells(planted)
    if not stands:
        return smoothed(below, 4.0)
    knots, values = [], []
    for spell in stands:
        level = float(np.median(below[spell.first : spell.last + 1]))
        knots += [times[spell.first], times[spell.last] + 1e-9]
        values += [level, level]
    place = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, max(len(knots) - 2, 0))
    start, end = np.array(knots)[place], np.array(knots)[place + 1]
    share = smooth_step((times - start) / np.maximum(end - start, 1e-9))
    levels = np.array(values)
    return np.asarray((1 - share) * levels[place] + share * levels[place + 1])


def _bump(short: FloatArray, planted: BoolArray, step: float) -> FloatArray:
    """(N,) a smooth rise over what feet in flight would bump into, gone where they stand."""
    from scipy.ndimage import distance_transform_edt, maximum_filter1d

    if not np.any(short > 0):
        return short
    width = max(1, round(AHEAD / step))
    wide = smoothed(maximum_filter1d(short, 2 * width + 1, mode="nearest"), 0.5 * width)
    away = distance_transform_edt(~planted) * step
    return np.asarray(np.maximum(wide, short) * smooth_step(away / AHEAD))


def heights_of_mesh(positions: FloatArray, triangles: IntArray) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """The height of a surface as a function of x and z, for `Onto` and `retarget`.

    Where surfaces lie above one another the highest counts; beside the surface, the height of its nearest corner.

    Args:
        positions: (V, 3) metres.
        triangles: (F, 3) indices of corners.
    """
    from scipy.spatial import cKDTree

    corners = np.asarray(positions, np.float64)[np.asarray(triangles, np.int64)]
    plain = np.asarray(positions, np.float64)
    nearest = cKDTree(plain[:, [0, 2]])

    def heights(x: FloatArray, z: FloatArray) -> FloatArray:
        shape = np.shape(x)
        points = np.stack([np.ravel(x), np.ravel(z)], axis=1)
        found = np.full(len(points), -np.inf)
        for corner in corners:
            _raise_over(corner, points, found)
        missing = ~np.isfinite(found)
        found[missing] = plain[nearest.query(points[missing])[1], 1]
        return found.reshape(shape)

    return heights


def _raise_over(corner: FloatArray, points: FloatArray, heights: FloatArray) -> None:
    """Raise ``heights`` (N,) in place to one triangle (3, 3) at the points (N, 2) that lie over it."""
    a, b, c = corner[:, [0, 2]]
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if abs(area) < 1e-15:
        return
    low, high = np.min([a, b, c], axis=0) - 1e-9, np.max([a, b, c], axis=0) + 1e-9
    rows = np.flatnonzero(np.all((points >= low) & (points <= high), axis=1))
    away = points[rows] - a
    second = (away[:, 0] * (c[1] - a[1]) - away[:, 1] * (c[0] - a[0])) / area
    third = ((b[0] - a[0]) * away[:, 1] - (b[1] - a[1]) * away[:, 0]) / area
    inside = (second >= -1e-9) & (third >= -1e-9) & (second + third <= 1 + 1e-9)
    level = corner[0, 1] + second * (corner[1, 1] - corner[0, 1]) + third * (corner[2, 1] - corner[0, 1])
    heights[rows[inside]] = np.maximum(heights[rows[inside]], level[inside])
