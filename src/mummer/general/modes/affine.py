"""Modes that stretch and turn the axes: relative to rest, to the ground, to the middle plane, to a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.modes.mode import PositionMode
from mummer.general.modes.site import Site

LEAST = 1e-3
"""No axis is scaled to less than this part of the body's longest side: what lies on the ground stays near it."""
NEAREST = 1e-4
"""A target nearer than this part of the body's longest side counts as this far off."""
BEHIND = 1e-30
"""What is no farther from straight behind than this, squared, has no side to turn to."""


@dataclass(frozen=True, eq=False)
class AffineMap:
    """p = origin + rotation · (scales ∘ g).

    Attributes:
        origins: (T, 3) or (1, 3), metres, character space.
        scales: (T, 3) or (1, 3), metres, none of them zero.
        rotations: (T, 3, 3) or (1, 3, 3) matrices, or None for axes that are not turned.
    """

    origins: FloatArray
    scales: FloatArray
    rotations: FloatArray | None = None

    def specialize(self, general: FloatArray) -> FloatArray:
        """See `PositionMap.specialize`."""
        offsets = self.scales * general
        if self.rotations is None:
            return self.origins + offsets
        return self.origins + np.einsum("tij,tj->ti", self.rotations, offsets)

    def generalize(self, places: FloatArray) -> FloatArray:
        """See `PositionMap.generalize`."""
        offsets: FloatArray = places - self.origins
        if self.rotations is not None:
            offsets = np.einsum("tij,ti->tj", self.rotations, offsets)
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
    return AffineMap(site.rest[None], scales, least_turns(way, far))


def least_turns(ways: FloatArray, lengths: FloatArray) -> FloatArray:
    """(T, 3, 3) the least rotations that turn ahead into the directions of ``ways`` (T, 3), ``lengths`` (T,) long.

    About up for what is straight behind; none for what is nowhere.
    """
    # Squares of anything smaller have no digits left.
    is_somewhere = (lengths > 1e-100)[:, None]
    ahead = np.tile([0.0, 0.0, 1.0], (len(ways), 1))
    x, y, z = np.divide(ways, lengths[:, None], out=ahead, where=is_somewhere).T
    aside = x * x + y * y
    # 1 + z keeps its digits behind, where z is near -1, only in its other form.
    beyond = np.where(z < 0, aside / (1 - np.minimum(z, 0.0)), 1 + z)
    is_behind = beyond < BEHIND
    share = 1 / np.maximum(beyond, BEHIND)
    turns = np.empty((len(ways), 3, 3))
    turns[:, 0, 0] = np.where(is_behind, -1.0, 1 - share * x * x)
    turns[:, 1, 1] = np.where(is_behind, 1.0, 1 - share * y * y)
    turns[:, 0, 1] = turns[:, 1, 0] = np.where(is_behind, 0.0, -share * x * y)
    turns[:, 0, 2], turns[:, 1, 2], turns[:, 2, 2] = x, y, z
    turns[:, 2, 0], turns[:, 2, 1] = -x, -y
    return turns


def at_least(value: float, least: float) -> float:
    """``value``, or the least one of its sign; zero counts as positive."""
    return value if abs(value) >= least else (least if value >= 0 else -least)
