"""Legs that are about equally long step at one rate; other groups at rates that are small ratios of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mummer.general.gait.legs import Leg

ALIKE = 1.45
"""Legs belong together while the next longer one is not longer than this many times the group's mean."""
RATE_POWER = 0.7
"""How much more often shorter legs step: the rate goes with length to minus this power, as strides of animals do."""
CLOSE = 0.6
"""Feet of one side that stand nearer to each other than this many lengths of the shorter leg would meet if they did not
step at one rate."""
LARGEST_PART = 3
"""Ratios of rates are of whole numbers that are at most this."""


@dataclass(frozen=True)
class LegGroup:
    """Legs that step at one rate.

    Attributes:
        legs: indices of legs, in the order of `legs_of`.
        length: mean of their lengths, metres.
        rate: cycles of these for each cycle of the body's main group.
    """

    legs: tuple[int, ...]
    length: float
    rate: Fraction


def leg_groups(legs: Sequence[Leg]) -> tuple[LegGroup, ...]:
    """The legs clustered by length; the main group, that with most legs and then the longest, first, with rate 1."""
    clusters = _joined(legs, _clusters(legs))
    clusters.sort(key=lambda members: (-len(members), -_mean(legs, members)))
    main = _mean(legs, clusters[0]) if clusters else 1.0
    rates: dict[Fraction, list[int]] = {}
    for members in clusters:
        rates.setdefault(harmonised((main / _mean(legs, members)) ** RATE_POWER), []).extend(members)
    return tuple(LegGroup(tuple(sorted(members)), _mean(legs, members), rate) for rate, members in rates.items())


def harmonised(ratio: float) -> Fraction:
    """The small ratio of whole numbers that is nearest to ``ratio`` in proportion, at least a third and at most 3."""
    parts = range(1, LARGEST_PART + 1)
    choices = {Fraction(above, below) for above in parts for below in parts}
    return min(sorted(choices), key=lambda choice: max(float(choice) / ratio, ratio / float(choice)))


def _clusters(legs: Sequence[Leg]) -> list[list[int]]:
    found: list[list[int]] = []
    for index in sorted(range(len(legs)), key=lambda index: legs[index].length):
        if found and legs[index].length <= ALIKE * _mean(legs, found[-1]):
            found[-1].append(index)
        else:
            found.append([index])
    return found


def _joined(legs: Sequence[Leg], clusters: list[list[int]]) -> list[list[int]]:
    """The same, those together that have feet which would meet."""
    found: list[list[int]] = []
    for members in clusters:
        met = [other for other in found if any(_close(legs[a], legs[b]) for a in members for b in other)]
        found = [other for other in found if other not in met]
        found.append([leg for other in met for leg in other] + members)
    return found


def _close(leg: Leg, other: Leg) -> bool:
    return leg.side == other.side != 0 and apart(leg, other) < CLOSE


def apart(leg: Leg, other: Leg) -> float:
    """How far from each other two feet stand at rest, in lengths of the shorter leg."""
    return float(np.linalg.norm(leg.contact - other.contact)) / min(leg.length, other.length)


def partners(legs: Sequence[Leg]) -> set[tuple[int, int]]:
    """Legs that one side has more than the other, each with the one beside it, both by number, if feet would meet.

    They step as one, so that both sides have equally many steps to take.
    """
    found: set[tuple[int, int]] = set()
    sides = {side: [index for index, leg in enumerate(legs) if leg.side == side] for side in (1, -1)}
    for side, members in sides.items():
        pairs = [(a, b) for a in members for b in members if a < b and _close(legs[a], legs[b])]
        taken: set[int] = set()
        for pair in sorted(pairs, key=lambda pair: apart(legs[pair[0]], legs[pair[1]])):
            if len(members) - len(taken) // 2 > len(sides[-side]) and not taken & set(pair):
                found.add(pair)
                taken |= set(pair)
    return found


def _mean(legs: Sequence[Leg], members: Sequence[int]) -> float:
    return sum(legs[index].length for index in members) / len(members)
