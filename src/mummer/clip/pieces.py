"""Frames of different origin put together by time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character
from mummer.clip.frames import Frames

Piece = tuple[BoolArray, Callable[[FloatArray], Frames]]
"""The moments (T,) that a maker of frames is responsible for."""


def put_together(times: FloatArray, pieces: Sequence[Piece], body: Character) -> Frames:
    """The frames at ``times`` (T,), each from the piece whose mask holds it; every time is in exactly one.

    A piece that no time falls into is not asked, and one that all fall into costs nothing extra.
    """
    asked = [(mask, maker) for mask, maker in pieces if mask.any()]
    if len(asked) <= 1:
        return (asked[0] if asked else pieces[0])[1](times)
    parts = [(np.flatnonzero(mask), maker(times[mask])) for mask, maker in asked]
    first = parts[0][1]
    whole = first.select(np.zeros(len(times), np.int64))
    for rows, part in parts:
        whole.put(rows, part, body)
    return whole
