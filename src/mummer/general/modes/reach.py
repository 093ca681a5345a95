"""The mode of limbs that draw in and stretch out, whatever their length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.modes.site import Site
from mummer.general.modes.stretch import Stretch
from mummer.kernels import quaternions

UP, AHEAD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
NEAR = 0.25
"""A limb drawn in is this part of its length."""
SPARE = 0.05
"""A limb at rest can be stretched by this part of its length at least, on paper: a straight one has to have a scale."""
UPRIGHT = 0.9
"""Cosine from which a limb hangs (or stands) rather than sticks out: then ahead is what lifting it means."""


@dataclass(frozen=True, eq=False)
class ReachMap:
    """p = base + f(z) · u(x, y).

    u is the rest direction, or that of the target, turned by the angle |(x, y)|, towards ``side`` for x and towards
    ``lift`` for y; f is the `Stretch` of the limb.

    Attributes:
        base: (3,) metres.
        side, lift, out: (1, 3) or (T, 3) unit, at right angles: axes of x and y, and the direction turned from.
        stretch: metres from the base.
    """

    base: FloatArray
    side: FloatArray
    lift: FloatArray
    out: FloatArray
    stretch: Stretch

    def specialize(self, general: FloatArray) -> FloatArray:
        """See `PositionMap.specialize`."""
        angle = np.hypot(general[:, 0], general[:, 1])[:, None]
        aside = general[:, :1] * self.side + general[:, 1:2] * self.lift
        direction = np.cos(angle) * self.out + np.sinc(angle / np.pi) * aside
        return self.base + self.stretch.length(general[:, 2])[:, None] * direction

    def generalize(self, places: FloatArray) -> FloatArray:
        """See `PositionMap.generalize`."""
        away = places - self.base
        x, y, ahead = (np.vecdot(away, axis) for axis in (self.side, self.lift, self.out))
        across = np.hypot(x, y)
        angle = np.arctan2(across, ahead)
        # Close to the axis the ratio is that of the small angle; straight behind, any direction is as good.
        ratio = np.where(across > 0, angle / np.where(across > 0, across, 1.0), 0.0)
        return np.stack([ratio * x, ratio * y, self.stretch.inverse(np.linalg.norm(away, axis=1))], axis=1)


def reach_map(site: Site, *, aims: bool = False) -> ReachMap:
    """How the limb of a site reaches, from rest or, if it ``aims``, toward the target.

    A joint of the spine itself reaches up from below.
    """
    way = site.rest - site.base
    rest = float(np.linalg.norm(way))
    base = site.base
    if rest < 1e-3 * site.limb_length:
        rest = 0.5 * site.limb_length
        base, way = site.rest - rest * UP, rest * UP
    near = min(NEAR * site.limb_length, 0.5 * rest)
    far = max(site.limb_length, rest + SPARE * site.limb_length)
    out = _unit(site.target.positions - base if aims else way[None], way / rest)
    hint = np.where(np.abs(out[:, 1:2]) < UPRIGHT, UP, -np.sign(out[:, 1:2]) * AHEAD)
    if aims:
        # A direction that moves must not meet a place where what is up jumps.
        hint = quaternions.rotate(quaternions.between_vectors(AHEAD, out), UP)
    lift = _unit(hint - np.vecdot(hint, out)[:, None] * out, UP)
    return ReachMap(base, np.cross(lift, out), lift, out, Stretch(near, rest, far))


def _unit(ways: FloatArray, otherwise: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    return np.where(lengths > 1e-12, ways / np.maximum(lengths, 1e-12), otherwise)
