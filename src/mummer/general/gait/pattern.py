"""When each leg steps: its place in the cycle, from where it stands among the legs of its group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.general.gait.groups import LegGroup, apart, partners
from mummer.general.gait.legs import Leg
from mummer.general.gait.style import Style

TOGETHER = 0.2
"""Feet of one side that stand nearer to each other than this many leg lengths step as one."""


@dataclass(frozen=True, eq=False)
class Order:
    """Where legs stand in the order of stepping.

    Attributes:
        sides: (L,) 1 left, -1 right, 0 in the middle.
        ranks: (L,) 0 for the hindmost of its side, 1 for the next ...
        groups: (L,) the group that each belongs to.
        rates: (L,) cycles of each for a cycle of the main group.
        units: (L,) which legs step as one: those with one number.
        feet: for each group how many legs step on their own.
    """

    sides: IntArray
    ranks: IntArray
    groups: IntArray
    rates: FloatArray
    units: IntArray
    feet: tuple[int, ...]


def order_of(legs: Sequence[Leg], groups: Sequence[LegGroup]) -> Order:
    """The order of legs.

    Feet that hang on one hip step as one, and so do those that stand in one place, and odd ones with those beside them.
    """
    count = len(legs)
    sides, ranks = np.zeros(count, np.int64), np.zeros(count, np.int64)
    which, rates, feet, one = np.zeros(count, np.int64), np.ones(count), [], np.zeros(count, np.int64)
    for number, group in enumerate(groups):
        units = _units(legs, group.legs)
        feet.append(len(units))
        for unit, (side, rank) in zip(units, _ranks(legs, units), strict=True):
            sides[unit], ranks[unit], one[unit] = side, rank, unit[0]
        which[list(group.legs)], rates[list(group.legs)] = number, float(group.rate)
    whole = [locked(values, np.int64) for values in (sides, ranks, which, one)]
    return Order(whole[0], whole[1], whole[2], locked(rates), whole[3], tuple(feet))


def _units(legs: Sequence[Leg], members: Sequence[int]) -> list[list[int]]:
    """Legs that step as one, by number."""
    units: list[list[int]] = []
    odd = partners(legs)
    for index in members:
        unit = next((unit for unit in units if any(_as_one(legs, odd, index, other) for other in unit)), None)
        if unit is None:
            units.append([index])
        else:
            unit.append(index)
    return units


def _as_one(legs: Sequence[Leg], odd: set[tuple[int, int]], index: int, beside: int) -> bool:
    leg, other = legs[index], legs[beside]
    alike = leg.side == other.side and apart(leg, other) < TOGETHER
    return leg.hip == other.hip or alike or (min(index, beside), max(index, beside)) in odd


def triggers(order: Order, style: Style, speeds: FloatArray) -> FloatArray:
    """(N, L) how much later than the cycle's start each leg lands, in parts of its cycle, at relative speeds (N,)."""
    found = np.zeros((len(speeds), len(order.sides)))
    for number, feet in enumerate(order.feet):
        members = np.flatnonzero(order.groups == number)
        ranks = order.ranks[members]
        side, lag, middle = style.triggers(feet, int(ranks.max(initial=0)) + 1, speeds).T[:, :, None]
        sides = order.sides[members]
        found[:, members] = lag * ranks + side * (sides < 0) + middle * (sides == 0)
    return found


def _ranks(legs: Sequence[Leg], units: list[list[int]]) -> list[tuple[int, int]]:
    """Side and rank of each unit, in their order: hindmost first."""
    sides = [int(np.sign(sum(legs[leg].side for leg in unit))) for unit in units]
    if sides.count(0) == len(units) > 1:
        # A row of legs in the middle alternates as sides do.
        return [(1 if number % 2 == 0 else -1, 0) for number in range(len(units))]
    seen: dict[int, int] = {}
    found = []
    for side in sides:
        rank = seen.get(side, 0)
        found.append((side, rank))
        seen[side] = rank + 1
    return found
