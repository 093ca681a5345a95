"""Reading and writing small vectors in the scratch arrays of a lane."""

from __future__ import annotations

from typing import Annotated

from mummer.arrays import IntArray
from mummer.kernels.arguments import Argument, Floats2, Floats3, Output3
from mummer.kernels.scalars import Four, Three

Ints1 = Annotated[IntArray, Argument("int64", 1)]
Scratch3 = Output3


def vector(rows: Floats2, row: int) -> Three:
    """The first three numbers of a row."""
    return rows[row, 0], rows[row, 1], rows[row, 2]


def quaternion(rows: Floats2, row: int) -> Four:
    """The first four numbers of a row."""
    return rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]


def vector_of(block: Floats3, lane: int, row: int) -> Three:
    """The first three numbers of a row of a lane."""
    return block[lane, row, 0], block[lane, row, 1], block[lane, row, 2]


def quaternion_of(block: Floats3, lane: int, row: int) -> Four:
    """The first four numbers of a row of a lane."""
    return block[lane, row, 0], block[lane, row, 1], block[lane, row, 2], block[lane, row, 3]


def put_vector(block: Scratch3, lane: int, row: int, v: Three) -> None:
    """Write three numbers."""
    block[lane, row, 0], block[lane, row, 1], block[lane, row, 2] = v[0], v[1], v[2]


def put_quaternion(block: Scratch3, lane: int, row: int, q: Four) -> None:
    """Write four numbers."""
    block[lane, row, 0], block[lane, row, 1], block[lane, row, 2], block[lane, row, 3] = q[0], q[1], q[2], q[3]
