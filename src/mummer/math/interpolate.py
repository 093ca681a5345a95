"""Three ways from one rotation to another. None has every virtue.

============  =============  ===============  ==================================
way           shortest path  constant speed   order of three does not matter
============  =============  ===============  ==================================
`nlerp`       yes            nearly           yes, if normalized once at the end
`slerp`       yes            yes              no
`explerp`     no             nearly           yes
============  =============  ===============  ==================================

All take ``t`` of any size: outside 0 to 1 they go on beyond the ends.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, require_shape
from mummer.math import quaternion
from mummer.math._floats import as_floats, length


def nlerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike) -> FloatArray:
    """The straight line between the quaternions, brought back to unit length: the cheapest way.

    It runs along the same shortest path as `slerp`, slower near the ends and faster in the middle. The
    farthest it is from where slerp would be is 0.03 degrees for rotations 30 degrees apart, 0.92 for 90, and
    8.1 for 180.

    Args:
        a: (..., 4) unit quaternions xyzw, reached at ``t`` = 0.
        b: (..., 4) unit quaternions xyzw, reached at ``t`` = 1.
        t: (...) any number. All leading axes broadcast.

    Returns:
        (..., 4) unit quaternions.
    """
    a, b, t = _prepare(a, b, t)
    b = quaternion.same_hemisphere(b, a)
    return quaternion.normalize(a + (b - a) * t)


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike, *, shortest: bool = True) -> FloatArray:
    """The great circle between the quaternions at constant speed: right for two, not for mixing many.

    Args:
        a: (..., 4) unit quaternions xyzw, reached at ``t`` = 0.
        b: (..., 4) unit quaternions xyzw, reached at ``t`` = 1.
        t: (...) any number. All leading axes broadcast.
        shortest: take the shorter way round; otherwise the way that the signs of ``a`` and ``b`` say, which
            may turn by up to a full circle (``b`` = ``-a``, whose way is open, stays at ``a``).

    Returns:
        (..., 4) unit quaternions.
    """
    a, b, t = _prepare(a, b, t)
    if shortest:
        b = quaternion.same_hemisphere(b, a)
    near, far = length(a - b)[..., None], length(a + b)[..., None]
    if not shortest:
        b = np.where(far < 8 * np.finfo(a.dtype).eps, a, b)
    arc = 2 * np.arctan2(near, far)
    sine = np.sin(arc)
    is_small = sine < 8 * np.finfo(a.dtype).eps
    safe = np.where(is_small, 1, sine)
    from_a = np.where(is_small, 1 - t, np.sin((1 - t) * arc) / safe)
    from_b = np.where(is_small, t, np.sin(t * arc) / safe)
    return quaternion.normalize(from_a * a + from_b * b)


def explerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike) -> FloatArray:
    """The straight line between the rotation vectors (the logarithms) of both, seen from the identity.

    A weighted sum of rotation vectors does not care about order, so this is how many rotations are mixed
    cheaply. The price: the path bows away from the shortest one, more so the farther both are from the
    identity, and what comes out depends on where the identity is. Speed is constant only when both turn about
    one axis.

    Args:
        a: (..., 4) unit quaternions xyzw, reached at ``t`` = 0.
        b: (..., 4) unit quaternions xyzw, reached at ``t`` = 1.
        t: (...) any number. All leading axes broadcast.

    Returns:
        (..., 4) unit quaternions.
    """
    a, b, t = _prepare(a, b, t)
    start = quaternion.log(a)
    # Of the vectors that mean b, the one nearest to a's: otherwise a turn of 179 and one of 181 degrees are far apart.
    end = quaternion.log_near(b, start)
    return quaternion.exp(start + (end - start) * t)


def _prepare(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Both ends in one floating type, and ``t`` with an axis for the components."""
    a, b, t = as_floats(a, b, t)
    require_shape(a, (4,), "the first quaternion")
    require_shape(b, (4,), "the second quaternion")
    return a, b, t[..., None]
