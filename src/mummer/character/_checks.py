"""Checks that the types of a body share."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from mummer.errors import InputError


def require_exact_shape(array: npt.NDArray[Any], shape: tuple[int | None, ...], what: str) -> None:
    """Raise unless ``array`` has exactly ``shape``, where None stands for any length.

    Raises:
        InputError: with the shape found and the shape expected.
    """
    if array.ndim != len(shape) or any(want not in (None, got) for got, want in zip(array.shape, shape, strict=True)):
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        raise InputError(f"{what} has shape {array.shape}; expected ({wanted}{',' if len(shape) == 1 else ''})")
