"""The mode of hands on hips and chins: around the surface of a part, and onto it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.modes.mode import Direction
from mummer.general.modes.site import Site
from mummer.general.modes.surface import Surface
from mummer.kernels import quaternions
from mummer.math import quaternion

LEAST = 1e-3
"""What rests on the surface already has this part of the body's longest side as its way onto it."""
SHORTEST_WAY = 1e-2
"""Radians that count as the way around where rest and anchor lie in the same direction."""


@dataclass(frozen=True, eq=False)
class BoundaryMap:
    """p = c + (r + h) u, h = rest height · (1 - z), u at the longitude x · angle and the latitude y from rest.

    c is the middle of the part and r how far its surface is from there along u, and the skin of the moving part from
    its joint. Within the part, where h is negative,
    r + h is replaced by r exp(h / r), which never passes the middle.

    Attributes:
        surface: the part, at T moments or one.
        starts: (T, 3) unit, from the middle of the part to where the joint rests.
        onward: (T, 3) unit, at right angles to it, the way to the anchor.
        across: (T, 3) unit, at right angles to both.
        angles: (T,) radians from rest to anchor.
        heights: (T,) metres that the joint rests above the surface.
        descents: (T,) metres that z = 1 comes closer: the height, but not zero.
        thinnest: metres that the surface is away from the middle at least.
        thickness: metres by which the moving part is thick itself: its skin is to touch, not its joint.
    """

    surface: Surface
    starts: FloatArray
    onward: FloatArray
    across: FloatArray
    angles: FloatArray
    heights: FloatArray
    descents: FloatArray
    thinnest: float
    thickness: float

    def specialize(self, general: FloatArray) -> FloatArray:
        """See `PositionMap.specialize`."""
        longitude, latitude = general[:, 0] * self.angles, general[:, 1]
        level = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude)
        out = level[0][:, None] * self.starts + level[1][:, None] * self.onward
        out = out + np.sin(latitude)[:, None] * self.across
        height = self.heights - self.descents * general[:, 2]
        return self.surface.centers + _from_middle(self._radii(out), height)[:, None] * out

    def generalize(self, places: FloatArray) -> FloatArray:
        """See `PositionMap.generalize`."""
        away = places - self.surface.centers
        far = np.linalg.norm(away, axis=1)
        out = away / far[:, None]
        ahead, onward, across = (np.vecdot(out, axis) for axis in (self.starts, self.onward, self.across))
        height = _from_surface(self._radii(out), far)
        longitude = np.arctan2(onward, ahead) / self.angles
        latitude = np.arctan2(across, np.hypot(ahead, onward))
        return np.stack([longitude, latitude, (self.heights - height) / self.descents], axis=1)

    def _radii(self, directions: FloatArray) -> FloatArray:
        return np.maximum(self.surface.heights(directions), self.thinnest) + self.thickness


def _from_middle(radius: FloatArray, height: FloatArray) -> FloatArray:
    """Metres from the middle of a place so high above a surface that is ``radius`` away."""
    return np.where(height >= 0, radius + height, radius * np.exp(np.minimum(height, 0) / radius))


def _from_surface(radius: FloatArray, far: FloatArray) -> FloatArray:
    """The inverse of `_from_middle`."""
    ratio = np.minimum(far / radius, 1.0)
    return np.where(far >= radius, far - radius, radius * np.log(np.maximum(ratio, 1e-300)))


def boundary_map(site: Site, anchor: Direction) -> BoundaryMap:
    """Around the surface of the target of a site, from where the joint rests to the anchor direction."""
    surface = site.target.surface
    assert surface is not None
    away = site.rest - surface.centers
    far = np.linalg.norm(away, axis=1)
    starts = np.where(far[:, None] > 0, away / np.where(far > 0, far, 1.0)[:, None], np.array([0.0, 1.0, 0.0]))
    anchors = quaternions.rotate(surface.turns, np.array(anchor) / np.linalg.norm(anchor))
    aside: FloatArray = anchors - np.vecdot(anchors, starts)[:, None] * starts
    sine = np.linalg.norm(aside, axis=1)
    is_clear = sine > 1e-9
    aside = aside / np.where(is_clear, sine, 1.0)[:, None]
    onward = np.where(is_clear[:, None], aside, quaternion.perpendicular(starts))
    angles = np.maximum(np.arctan2(sine, np.vecdot(anchors, starts)), SHORTEST_WAY)
    least = LEAST * site.height
    heights = _from_surface(np.maximum(surface.heights(starts), least) + site.thickness, far)
    descents = np.where(np.abs(heights) >= least, heights, np.where(heights >= 0, least, -least))
    return BoundaryMap(
        surface, starts, onward, np.cross(starts, onward), angles, heights, descents, least, site.thickness
    )
