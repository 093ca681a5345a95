"""Modes that stretch and turn the axes: relative to rest, to the ground, to the middle plane, to a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.modes.mode import PositionMode
from mummer.general.modes.site import Site
from mummer.math import quaternion

AHEAD = np.array([0.0, 0.0, 1.0])
LEAST = 1e-3
"""No axis is scaled to less than this part of the body's longest side: what lies on the ground stays near it."""
NEAREST = 1e-4
"""A target nearer than this part of the body's longest side counts as this far off."""


@dataclass(frozen=True, eq=False)
class AffineMap:
    """p = origin + rotation · (scales ∘ g).

    Attributes:
        origins: (T, 3) or (1, 3), metres, character space.
        scales: (T, 3) or (1, 3), metres, none of them zero.
        rotations: (T, 4) or (1, 4), or None for axes that are not turned.
    """

    origins: FloatArray
    scales: FloatArray
    rotations: FloatArray | None = None

    def specialize(self, general: FloatArray) -> FloatArray:
        """See `PositionMap.specialize`."""
        offsets = self.scales * general
        if self.rotations is None:
            return self.origins + offsets
        return self.origins + quaternion.rotate(self.rotations, offsets)

    def generalize(self, places: FloatArray) -> FloatArray:
        """See `PositionMap.generalize`."""
        offsets: FloatArray = places - self.origins
        if self.rotations is not None:
            offsets = quaternion.rotate(quaternion.conjugate(self.rotations), offsets)
        return offsets / self.scales


def rest_map(site: Site, mode: PositionMode) -> AffineMap:
    """Relative to rest or absolute, with ground and middle plane where the mode asks for them."""
    origins = np.array(site.rest if mode.relative == "rest" else np.zeros(3))
    scales = np.array(site.scales(mode.scale))
    if mode.ground:
        origins[1], scales[1] = site.rest[1], -at_least(float(site.rest[1]), LEAST * site.height)
    if mode.sagittal:
        origins[0], scales[0] = site.rest[0], -at_least(float(site.rest[0]), LEAST * site.height)
    return AffineMap(origins[None], scales[None])


def toward_map(site: Site, mode: PositionMode) -> AffineMap:
    """Along the way from rest to the target; absolute: around the target."""
    at = site.target.positions
    if mode.relative == "absolute":
        return AffineMap(at, np.array(site.scales(mode.scale))[None])
    way = at - site.rest
    far = np.linalg.norm(way, axis=1)
    scales = np.full((len(at), 3), site.uniform(mode.scale))
    if not mode.directional:
        scales[:, 2] = np.maximum(far, NEAREST * site.height)
    return AffineMap(site.rest[None], scales, quaternion.between_vectors(AHEAD, way))


def at_least(value: float, least: float) -> float:
    """``value``, or the least one of its sign; zero counts as positive."""
    return value if abs(value) >= least else (least if value >= 0 else -least)
