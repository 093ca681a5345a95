"""The world's axes, as goals name them."""

from __future__ import annotations

from functools import cache

from mummer.arrays import FloatArray, locked
from mummer.errors import InputError

AXES = "xyz"


@cache
def axes_mask(axes: str) -> FloatArray:
    """(3,) one for each of the world's axes that ``axes`` names, else zero."""
    return locked([float(axis in axes) for axis in AXES])


def require_axes(axes: str) -> None:
    """Raise unless ``axes`` names some of the axes and nothing else."""
    if not axes or any(axis not in AXES for axis in axes):
        raise InputError(f"axes {axes!r} are not known; expected some of 'x', 'y' and 'z'")
