"""One number for how far a limb is stretched: from drawn in over rest to its full reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray


@dataclass(frozen=True)
class Stretch:
    """A smooth rising curve through ``near`` at -1, ``rest`` at 0 and ``far`` at 1, with an exact inverse.

    On either side of zero it is a fraction of two quadratics that has the mean slope of its side at the far end and the
    harmonic mean of both at zero: (near and far of rest are rarely as long as each other, and a limb that rests almost
    straight has to draw in as readily as a bent one.) Beyond 1 it goes on in a straight line, beyond -1 as an
    exponential that never reaches zero. It has no kink anywhere.

    Attributes:
        near, rest, far: metres, rising, positive.
    """

    near: float
    rest: float
    far: float

    @property
    def _slopes(self) -> tuple[float, float, float]:
        """Metres per unit at -1, 0 and 1."""
        below, above = self.rest - self.near, self.far - self.rest
        return below, 2 * below * above / (below + above), above

    def length(self, z: FloatArray) -> FloatArray:
        """(T,) metres at (T,) ``z``."""
        below, middle, above = self._slopes
        drawn = self.near + below * _fraction(np.clip(z + 1, 0.0, 1.0), 1.0, middle / below)
        out = self.rest + above * _fraction(np.clip(z, 0.0, 1.0), middle / above, 1.0)
        within = np.where(z < 0, drawn, out)
        beyond = self.far + above * (z - 1)
        short = self.near * np.exp(below / self.near * (np.minimum(z, -1.0) + 1))
        return np.where(z > 1, beyond, np.where(z < -1, short, within))

    def inverse(self, length: FloatArray) -> FloatArray:
        """(T,) the z at which the curve is at (T,) ``length`` metres."""
        below, middle, above = self._slopes
        drawn = _unfraction(np.clip((length - self.near) / below, 0.0, 1.0), 1.0, middle / below) - 1
        out = _unfraction(np.clip((length - self.rest) / above, 0.0, 1.0), middle / above, 1.0)
        within = np.where(length < self.rest, drawn, out)
        beyond = 1 + (length - self.far) / above
        short = -1 + np.log(np.clip(length / self.near, 1e-300, 1.0)) * self.near / below
        return np.where(length > self.far, beyond, np.where(length < self.near, short, within))


def _fraction(share: FloatArray, first: float, last: float) -> FloatArray:
    """From 0 to 1 as ``share`` does, rising, with the slopes ``first`` and ``last`` at the ends."""
    both = share * (1 - share)
    return (share**2 + first * both) / (1 + (first + last - 2) * both)


def _unfraction(value: FloatArray, first: float, last: float) -> FloatArray:
    """The inverse of `_fraction`."""
    bent = value * (first + last - 2)
    a, b = 1 - first + bent, first - bent
    return 2 * value / (b + np.sqrt(b**2 + 4 * a * value))
