"""Steps from 0 to 1 without a kink."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray


def smooth_step(u: npt.ArrayLike) -> FloatArray:
    """From 0 at 0 to 1 at 1 with no speed at either end, held before and after; symmetric about the middle."""
    u = np.clip(u, 0.0, 1.0)
    return np.asarray(u * u * (3.0 - 2.0 * u))


def smoother_step(u: npt.ArrayLike) -> FloatArray:
    """The same with no acceleration at either end either."""
    u = np.clip(u, 0.0, 1.0)
    return np.asarray(u**3 * (10.0 - 15.0 * u + 6.0 * u**2))
