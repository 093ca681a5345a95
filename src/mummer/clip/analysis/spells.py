"""Spells: unbroken runs of true in a sequence of yes and no."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray


@dataclass(frozen=True)
class Spell:
    """A run of true.

    Attributes:
        first, last: indices of its first and last sample.
    """

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1


def spells(flags: BoolArray) -> tuple[Spell, ...]:
    """The runs of true in ``flags`` (T,), in order.

    Example:
        >>> spells(np.array([True, False, True, True]))
        (Spell(first=0, last=0), Spell(first=2, last=3))
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return tuple(Spell(int(begin), int(end) - 1) for begin, end in zip(edges[::2], edges[1::2], strict=True))


def without_short(flags: BoolArray, *, gap: int, shortest: int) -> BoolArray:
    """``flags`` (T,) with gaps of fewer than ``gap`` samples filled, then runs of fewer than ``shortest`` dropped.

    Runs that the start or the end cuts off may go on beyond it, and stay.
    """
    result = np.array(flags, bool)
    for spell in spells(~result):
        if len(spell) < gap and spell.first > 0 and spell.last < len(result) - 1:
            result[spell.first : spell.last + 1] = True
    for spell in spells(result):
        if len(spell) < shortest and spell.first > 0 and spell.last < len(result) - 1:
            result[spell.first : spell.last + 1] = False
    return result


def latched(arrive: BoolArray, stay: BoolArray) -> BoolArray:
    """(T,) true from where ``arrive`` first holds until ``stay`` no longer does.

    Example:
        >>> flags = [[0, 1, 0, 0, 0], [1, 1, 1, 0, 1]]
        >>> latched(*np.array(flags, bool)).astype(int).tolist()
        [0, 1, 1, 0, 0]
    """
    result = np.zeros(len(stay), bool)
    for spell in spells(stay):
        entered = first_true(arrive[spell.first : spell.last + 1])
        if entered is not None:
            result[spell.first + entered : spell.last + 1] = True
    return result


def first_true(flags: BoolArray) -> int | None:
    """The index of the first true in ``flags`` (T,), or None."""
    return int(np.argmax(flags)) if flags.any() else None
