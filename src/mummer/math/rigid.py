"""Rigid motions as pairs: a translation (..., 3) and a unit quaternion (..., 4), rotation first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.math import quaternion
from mummer.math._floats import as_floats

Rigid = tuple[FloatArray, FloatArray]


def multiply(
    translation_a: npt.ArrayLike, rotation_a: npt.ArrayLike, translation_b: npt.ArrayLike, rotation_b: npt.ArrayLike
) -> Rigid:
    """The motion that does ``b`` first and ``a`` after it: ``world_from_b = world_from_a * a_from_b``.

    Args:
        translation_a: (..., 3) where ``a`` moves its origin to, in metres.
        rotation_a: (..., 4) unit quaternions xyzw.
        translation_b: (..., 3) the same of ``b``; all leading axes broadcast.
        rotation_b: (..., 4) unit quaternions xyzw.

    Returns:
        translation (..., 3) and rotation (..., 4).
    """
    return apply(translation_a, rotation_a, translation_b), quaternion.multiply(rotation_a, rotation_b)


def inverse(translation: npt.ArrayLike, rotation: npt.ArrayLike) -> Rigid:
    """The motion that undoes the one given by ``translation`` (..., 3) and unit ``rotation`` (..., 4)."""
    back = quaternion.conjugate(rotation)
    return -quaternion.rotate(back, translation), back


def apply(translation: npt.ArrayLike, rotation: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """(..., 3) the points (..., 3) turned by ``rotation`` (..., 4), then moved by ``translation`` (..., 3)."""
    translation, turned = as_floats(translation, quaternion.rotate(rotation, points))
    return np.asarray(turned + translation)
