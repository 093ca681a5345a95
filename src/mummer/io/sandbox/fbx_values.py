"""Taking values out of ufbx safely."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

from .transfer import Block, block

_hold = ctypes.pythonapi.Py_IncRef
_hold.argtypes = [ctypes.py_object]
_hold.restype = None


def keep(value: Any) -> Any:
    """``value``, never to be freed.

    ufbx 0.0.5 hands out elements and lists that it has handed out before without counting the new reference, so the
    second look at the same node frees it. A child process lives for one file: each reference it gets is held for good.
    """
    _hold(value)
    return value


def each(values: Any) -> list[Any]:
    """The elements of one of ufbx's lists."""
    return [keep(value) for value in keep(values)]


def integers(values: Any) -> Block:
    """(N,) whole numbers of one of ufbx's index lists; the mark for "none" becomes -1."""
    return block("i4", (value if value < 0x7FFFFFFF else -1 for value in keep(values)))


def rows(matrix: Any) -> tuple[float, ...]:
    """The twelve numbers of an affine matrix, row by row, as (3, 4) has them."""
    columns = (matrix.c0, matrix.c1, matrix.c2, matrix.c3)
    return tuple(column[row] for row in range(3) for column in columns)


def matrices(values: Iterable[Any]) -> Block:
    """(N, 3, 4) affine matrices."""
    return block("f8", (number for matrix in values for number in rows(matrix)), 3, 4)


def transform(value: Any) -> tuple[float, ...]:
    """Translation, rotation (xyzw) and scale of a transform as ten numbers."""
    return (*value.translation, *value.rotation, *value.scale)
