"""The mode of limbs that draw in and stretch out, whatever their length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.modes.site import Site

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

    u is the rest direction turned by the angle |(x, y)|, towards ``side`` for x and towards ``lift`` for y. f is the
    one fraction (a z + b) / (c z + 1) that is ``near`` at -1, ``rest`` at 0 and ``far`` at 1; beyond 1 it goes on in a
    straight line, beyond -1 as an exponential that never reaches zero, both without a kink.

    Attributes:
        base: (3,) metres.
        side, lift, out: (3,) unit, at right angles: axes of x and y, and the rest direction.
        near, rest, far: metres from the base, rising.
    """

    base: FloatArray
    side: FloatArray
    lift: FloatArray
    out: FloatArray
    near: float
    rest: float
    far: float

    def specialize(self, general: FloatArray) -> FloatArray:
        """See `PositionMap.specialize`."""
        angle = np.hypot(general[:, 0], general[:, 1])[:, None]
        aside = general[:, :1] * self.side + general[:, 1:2] * self.lift
        direction = np.cos(angle) * self.out + np.sinc(angle / np.pi) * aside
        return self.base + self._length(general[:, 2])[:, None] * direction

    def generalize(self, places: FloatArray) -> FloatArray:
        """See `PositionMap.generalize`."""
        away = places - self.base
        x, y, ahead = away @ self.side, away @ self.lift, away @ self.out
        across = np.hypot(x, y)
        angle = np.arctan2(across, ahead)
        # Close to the axis the ratio is that of the small angle; straight behind, any direction is as good.
        ratio = np.where(across > 0, angle / np.where(across > 0, across, 1.0), 0.0)
        return np.stack([ratio * x, ratio * y, self._stretch(np.linalg.norm(away, axis=1))], axis=1)

    @property
    def _numbers(self) -> tuple[float, float]:
        """The a and c of the fraction; b is the rest length."""
        c = (2 * self.rest - self.near - self.far) / (self.far - self.near)
        return self.far * (1 + c) - self.rest, c

    def _slope(self, z: float) -> float:
        a, c = self._numbers
        return (a - self.rest * c) / (c * z + 1) ** 2

    def _length(self, z: FloatArray) -> FloatArray:
        a, c = self._numbers
        inside = np.clip(z, -1.0, 1.0)
        beyond = self.far + self._slope(1.0) * (z - 1)
        short = self.near * np.exp(self._slope(-1.0) / self.near * (np.minimum(z, -1.0) + 1))
        return np.where(z > 1, beyond, np.where(z < -1, short, (a * inside + self.rest) / (c * inside + 1)))

    def _stretch(self, length: FloatArray) -> FloatArray:
        a, c = self._numbers
        inside = np.clip(length, self.near, self.far)
        beyond = 1 + (length - self.far) / self._slope(1.0)
        short = -1 + np.log(np.clip(length, 1e-300, self.near) / self.near) * self.near / self._slope(-1.0)
        within = (inside - self.rest) / (a - c * inside)
        return np.where(length > self.far, beyond, np.where(length < self.near, short, within))


def reach_map(site: Site) -> ReachMap:
    """How the limb of a site reaches. A joint of the spine itself reaches up from below."""
    way = site.rest - site.base
    rest = float(np.linalg.norm(way))
    base = site.base
    if rest < 1e-3 * site.limb_length:
        rest = 0.5 * site.limb_length
        base, way = site.rest - rest * UP, rest * UP
    out = way / np.linalg.norm(way)
    hint = UP if abs(out[1]) < UPRIGHT else -np.sign(out[1]) * AHEAD
    lift = hint - (hint @ out) * out
    lift /= np.linalg.norm(lift)
    near = min(NEAR * site.limb_length, 0.5 * rest)
    far = max(site.limb_length, rest + SPARE * site.limb_length)
    return ReachMap(base, np.cross(lift, out), lift, out, near, rest, far)
