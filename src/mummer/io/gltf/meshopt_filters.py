"""The filters of meshopt compression: values that were brought into a form which compresses well, and back.

Each takes the (count, stride) bytes of the elements and gives as many. Values that the format does not define (a
scale of zero, exponents beyond 100) give some finite result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def octahedral(elements: Array) -> Array:
    """Unit vectors told by two coordinates on an octahedron and what stands for 1; the fourth number is kept."""
    values = elements.view(f"<i{elements.shape[1] // 4}")
    flat = values[:, :2] / np.maximum(values[:, 2:3], 1).astype(np.float32)
    height = 1 - np.abs(flat).sum(axis=1, keepdims=True)
    vectors = np.hstack([flat - np.copysign(np.minimum(height, 0), flat), height])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.hstack([_rounded(vectors, np.iinfo(values.dtype).max, values.dtype), values[:, 3:]])


def quaternion(elements: Array) -> Array:
    """Rotations told by three components; the last two bits of what stands for 1 say where the largest belongs."""
    values = elements.view("<i2")
    three = values[:, :3] / np.maximum(values[:, 3:] | 3, 3).astype(np.float32) / np.float32(np.sqrt(2))
    largest = np.sqrt(np.maximum(0, 1 - (three * three).sum(axis=1, keepdims=True)))
    places = (values[:, 3:] & 3) + np.array([1, 2, 3, 0]) & 3
    turned = np.empty_like(values)
    np.put_along_axis(turned, places, _rounded(np.hstack([three, largest]), 32767, values.dtype), axis=1)
    return turned


def exponential(elements: Array) -> Array:
    """Floats told by 24 bits of mantissa and 8 of exponent."""
    values = elements.view("<i4")
    return np.ldexp((values << 8 >> 8).astype(np.float32), np.clip(values >> 24, -100, 100)).astype("<f4")


def color(elements: Array) -> Array:
    """Colors told by brightness and two differences; the highest bit of alpha says how many bits there are."""
    size = elements.shape[1] // 4
    values = elements.view(f"<i{size}").astype(np.int64)
    opacity = np.maximum(elements.view(f"<u{size}")[:, 3:].astype(np.int64), 1)
    whole = (1 << np.frexp(opacity)[1].astype(np.int64)) - 1
    y, co, cg = (elements.view(f"<u{size}")[:, :1].astype(np.int64), values[:, 1:2], values[:, 2:3])
    alpha = opacity & (whole >> 1)
    colors = np.hstack([y + co - cg, y + cg, y - co - cg, (alpha << 1) | (alpha & 1)])
    most = np.iinfo(f"u{size}").max
    return _rounded(np.clip(colors / whole, 0, 1), most, np.dtype(f"<u{size}"))


def _rounded(values: Array, scale: int, dtype: Any) -> Array:
    """``values * scale``, halves rounded away from zero."""
    scaled = values * scale
    return np.clip(np.trunc(scaled + np.copysign(0.5, scaled)), -scale, scale).astype(dtype)


FILTERS: dict[str, tuple[Callable[[Array], Array], tuple[int, ...]]] = {
    "OCTAHEDRAL": (octahedral, (4, 8)),
    "QUATERNION": (quaternion, (8,)),
    "EXPONENTIAL": (exponential, tuple(range(4, 257, 4))),
    "COLOR": (color, (4, 8)),
}
"""How each filter is undone, and the strides that it is defined for."""
