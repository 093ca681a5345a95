"""What the laws are tried on: rotations of every kind in batches of every shape, and how they are compared."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from mummer.math import quaternion

law = settings(derandomize=True, deadline=None, max_examples=60)
SHAPES = [(), (1,), (0,), (5,), (2, 3), (2, 1, 4)]
# Where formulas divide by a sine or take the root of a difference.
ANGLES = [0.0, 1e-160, 1e-12, 1e-7, 1e-4, 1.0, np.pi - 1e-7, np.pi, np.pi + 1e-7, 2 * np.pi - 1e-7]

shapes = st.sampled_from(SHAPES)
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@st.composite
def rotations(draw: st.DrawFn, shape: tuple[int, ...] | None = None) -> np.ndarray[Any, Any]:
    """(*shape, 4) unit quaternions: anywhere, or by a critical angle about any axis, or about a coordinate axis."""
    rng = draw(generators)
    leading = draw(shapes) if shape is None else shape
    kind = draw(st.sampled_from(["anywhere", "critical", "coordinate axis"]))
    if kind == "anywhere":
        return quaternion.random(rng, leading)
    axes = rng.standard_normal((*leading, 3))
    if kind == "coordinate axis":
        axes = np.eye(3)[rng.integers(0, 3, leading)]
    return quaternion.from_axis_angle(axes, rng.choice(ANGLES, leading))


@st.composite
def rotation_pairs(draw: st.DrawFn) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Two batches of one shape, often close together or half a turn apart."""
    shape = draw(shapes)
    first, offset = draw(rotations(shape)), draw(rotations(shape))
    return first, quaternion.normalize(quaternion.multiply(first, offset))


def assert_same_rotations(actual: Any, expected: Any, tolerance: float = 1e-12) -> None:
    """Fails unless both turn the same way to within ``tolerance`` radians, up to sign, and are of unit length."""
    for q in (actual, expected):
        np.testing.assert_allclose(quaternion.dot(q, q), 1, atol=1e-12)
    np.testing.assert_array_less(quaternion.angle_between(actual, expected), tolerance)
