"""Where a limb bends: which joints of a chain are shoulder, upper, lower, end (hand or foot), by shape and by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.symmetry import Symmetry
from mummer.recognition.tidy import NEAR, is_end

MOST_PLACES = 14
"""Joints of a chain that are looked at: no limb bends for the first time beyond them."""

LONGER_ARM = 0.14
"""Up to this logarithm, an upper arm that is longer than its forearm is only half as strange as a shorter one."""

SLOTS: dict[str, tuple[str, ...]] = {
    "shoulder": ("shoulder",),
    "upper": ("upper_arm", "upper_leg"),
    "lower": ("forearm", "lower_leg"),
    "end": ("hand", "foot"),
    "toes": ("toes",),
}
"""The places along a limb, and the parts by which names speak for them."""


@dataclass(frozen=True)
class Segments:
    """The joints of one limb by their places.

    Attributes:
        shoulder: the joint before ``upper``, -1 if there is none.
        upper, lower, end: where the limb starts, where it bends, where the hand or the foot starts; -1 where missing.
        toes: the joint after ``end`` that the foot rolls over, -1 if there is none.
        cost: how ill the places fit; near 0 is good, above 1 is doubtful.
        margin: how much worse the next best choice would be.
    """

    shoulder: int = -1
    upper: int = -1
    lower: int = -1
    end: int = -1
    toes: int = -1
    cost: float = 2.0
    margin: float = 0.0


@dataclass(frozen=True, eq=False)
class _Limb:
    """What the search needs to know about a chain."""

    shape: Shape
    chain: Sequence[int]
    along: list[float]
    leg: bool
    front: bool
    sprawled: bool
    normal: FloatArray
    readings: Sequence[Reading]
    fan: int
    aside: list[float]
    turns: list[float]
    straight: list[bool]
    ends: list[bool]
    trust: float


def segment(
    shape: Shape,
    chain: Sequence[int],
    symmetry: Symmetry,
    readings: Sequence[Reading],
    *,
    leg: bool,
    front: bool = False,
    sprawled: bool = False,
) -> Segments:
    """The places along ``chain``, a limb from the trunk to its tip.

    Args:
        shape: the body.
        chain: joints, each hanging from the one before.
        symmetry: the mirror plane of the body.
        readings: what the names of all joints say.
        leg: whether it stands on the ground.
        front: whether it is a front leg of a body that has others behind: those start with a shoulder blade.
        sprawled: whether it is one of many legs, which lead up and out before they come down.
    """
    places = [joint for joint in chain if not is_end(shape, joint)] or [chain[0]]
    positions = shape.positions[list(chain)]
    along = [0.0, *np.cumsum(np.linalg.norm(np.diff(positions, axis=0), axis=1)).tolist()]
    aside = np.abs(positions @ symmetry.normal - symmetry.middle)
    aside /= max(float(aside.mean()), 1e-9)
    fan = fan_of(shape, chain)
    limb = _Limb(
        shape, chain, along, leg, front, sprawled, symmetry.normal, readings, fan, aside.tolist(), _turns(positions),
        _straight(positions),        [is_end(shape, joint) for joint in chain], _trust(chain, readings),
    )  # fmt: skip
    if along[-1] < 1e-9 or len(places) < 2:
        return Segments(upper=chain[0], cost=1.0)
    choices = _costs(limb, min(len(places), MOST_PLACES))
    if not choices:
        return _short(limb, len(places))
    cost, upper, lower, end = choices[0]
    margin = next((other[0] - cost for other in choices[1:] if _differs(limb, other[1:], choices[0][1:])), 1.0)
    return Segments(
        chain[_first(limb, upper - 1)] if upper > 0 else -1,
        chain[upper],
        chain[lower],
        chain[end],
        _toes(limb, end),
        cost,
        margin,
    )


def _spots(limb: _Limb, last: int) -> list[tuple[int, int, int]]:
    """Every choice of places for upper, lower and end among the first ``last``, no two at the same spot."""
    least = 0.5 * NEAR * limb.along[-1]
    return [
        (upper, lower, end)
        for upper in range(last)
        for lower in range(upper + 1, last)
        if limb.along[lower] - limb.along[upper] >= least
        for end in range(lower + 1, last)
        if limb.along[end] - limb.along[lower] >= least
    ]


def segment_wing(shape: Shape, chain: Sequence[int], readings: Sequence[Reading]) -> Segments:
    """The places along a wing: a shoulder if the chain starts with a short or a turning joint, then three in a row."""
    spots = [chain[0]]
    for joint in chain[1:]:
        if not is_end(shape, joint) and shape.distance(joint, spots[-1]) > 0.5 * NEAR * shape.reaches[chain[0]]:
            spots.append(joint)
    if len(spots) < 3:
        return Segments(upper=spots[0], lower=spots[1] if len(spots) > 1 else -1, cost=0.8)
    first, second = (
        shape.positions[spots[1]] - shape.positions[spots[0]],
        shape.positions[spots[2]] - shape.positions[spots[1]],
    )
    one, other = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    turn = float(first @ second) / max(one * other, 1e-12)
    signs = (0.7 if one < 0.5 * other else -0.3) + (0.4 if turn < 0.75 else 0.0) + (0.0 if len(spots) > 3 else -1.0)
    signs += readings[spots[0]].vote("shoulder") * (readings[spots[0]].vote("shoulder") > 0)
    signs -= 0.6 * ("wing" in readings[spots[0]].meanings)
    start = 1 if signs > 0 else 0
    rest = [*spots[start:], -1, -1][:3]
    return Segments(spots[0] if start else -1, rest[0], rest[1], rest[2], cost=0.3, margin=abs(signs))


def _differs(limb: _Limb, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    near = NEAR * limb.shape.size
    return any(abs(limb.along[a] - limb.along[b]) > near for a, b in zip(one, other, strict=True))


def _costs(limb: _Limb, last: int) -> list[tuple[float, int, int, int]]:
    """What every choice of places costs, the cheapest first; all but the proportions is a sum over single places."""
    starts = [_before(limb, place) + _named(limb, place, "upper") for place in range(last)]
    bends = [_named(limb, place, "lower") for place in range(last)]
    stops = [_after(limb, place) + _named(limb, place, "end") for place in range(last)]
    return sorted(
        (_proportions(limb, upper, lower, end) + starts[upper] + bends[lower] + stops[end], upper, lower, end)
        for upper, lower, end in _spots(limb, last)
    )


def _proportions(limb: _Limb, upper: int, lower: int, end: int) -> float:
    """The two halves of a limb are about as long; it bends where they meet, and where hand or foot begins."""
    along, chain = limb.along, limb.chain
    ratio = math.log((along[lower] - along[upper]) / (along[end] - along[lower]))
    # Upper arms are often somewhat longer than forearms; thighs and shins are alike.
    cost = 0.9 * (abs(ratio) if limb.leg else max(-ratio, 0.5 * ratio, ratio - LONGER_ARM))
    if not limb.leg and limb.fan < 0 and _is_past_wrist(limb, lower, end):
        cost += 0.15
    if limb.fan >= 0 and limb.leg:
        cost += 0.5 if end > limb.fan else 0.0
    elif limb.fan < 0 and not limb.leg:
        cost -= 0.2 if len(limb.shape.children[chain[end]]) > 1 else 0.0
    elif limb.fan >= 0:
        cost += 0.35 * min(abs(end - limb.fan), 2) if end != limb.fan else -0.1
    # Of several joints at one place the last is the one that bends the limb; the others carry twist.
    for place in (lower, end):
        following = place + 1 < len(chain) and along[place + 1] - along[place] < 0.5 * NEAR * along[-1]
        if following and not limb.ends[place + 1] and limb.shape.children[chain[place + 1]]:
            cost += 0.08
    cost += 0.2 * sum(limb.straight[place] for place in (lower, end)) + _bare(limb, (upper, lower, end))
    for place in range(upper + 1, end):
        if place != lower:
            cost += 0.5 * limb.turns[place]
    if limb.leg and not limb.front and not limb.sprawled:
        cost -= 0.3 * limb.turns[end]
    # A foot that the file hangs elsewhere is where the leg ends, unless the leg has one bend more, as hind legs do.
    if chain[end] in limb.shape.reattached and end <= 3:
        cost -= 0.6
    return cost


def _is_past_wrist(limb: _Limb, lower: int, end: int) -> bool:
    """Whether joints were passed over before ``end`` from which the bones go on getting shorter, as fingers do."""
    if end - lower < 2:
        return False
    before = limb.along[end] - limb.along[end - 1]
    after = limb.along[end + 1] - limb.along[end] if end + 1 < len(limb.chain) else 0.0
    return before > after


def _turns(positions: FloatArray) -> list[float]:
    """How much a chain turns at each of its places: 0 straight on (and at both ends), 1 at a right angle or more."""
    steps = np.diff(positions, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    products = lengths[:-1] * lengths[1:]
    cosines = np.divide(
        (steps[:-1] * steps[1:]).sum(axis=1), products, out=np.ones(len(products)), where=products > 1e-12
    )
    return [0.0, *np.clip(1 - cosines, 0, 1).tolist(), 0.0]


def _straight(positions: FloatArray) -> list[bool]:
    """Places exactly on the line between their neighbours, where others are not: joints that only carry twist."""
    inner = positions[1:-1]
    line = positions[2:] - positions[:-2]
    squares = np.maximum((line * line).sum(axis=1), 1e-18)
    steps = inner - positions[:-2]
    feet = ((steps * line).sum(axis=1) / squares)[:, None] * line
    exact = np.linalg.norm(steps - feet, axis=1) < 1e-3 * np.sqrt(squares)
    exact &= bool((~exact).any())
    return [False, *exact.tolist(), False][: len(positions)]


def _bare(limb: _Limb, places: Sequence[int]) -> float:
    """What speaks against joints that carry nothing of a surface which others on their limb carry."""
    shares = limb.shape.surface.share
    clothed = [bool(shares[joint] > 0) for joint in limb.chain]
    return 0.3 * sum(not clothed[place] for place in places) if sum(clothed) >= 3 else 0.0


def _before(limb: _Limb, upper: int) -> float:
    """What stands before the upper joint should be short, or in the middle of the body, or lead sideways."""
    along, chain, shape = limb.along, limb.chain, limb.shape
    outer = [place for place in range(upper) if limb.aside[place] > 0.1]
    distinct = sum(along[place + 1] - along[place] > 0.5 * NEAR * along[-1] for place in outer)
    like_arm = limb.front or not limb.leg
    cost = ((0.2, 0.0, 0.15, 0.45, 0.9) if like_arm else (0.0, 0.1, 0.25, 0.5, 0.9))[min(distinct, 4)]
    if limb.aside[upper] < 0.1 and upper + 1 < len(chain):
        cost += 0.5
    for place in range(upper):
        step = shape.positions[chain[place + 1]] - shape.positions[chain[place]]
        length = float(np.linalg.norm(step))
        if like_arm or length <= 0:
            cost += 0.8 * length / along[-1]
        elif place in outer:
            cost += 3.0 * max(0.0, -float(step @ shape.up)) / along[-1]
    return cost + (_first_step(limb, upper) if limb.leg and not limb.sprawled else 0.0)


def _first_step(limb: _Limb, upper: int) -> float:
    """A leg does not start with a short step to the side, or up, or with one that turns at once."""
    along, chain, shape = limb.along, limb.chain, limb.shape
    if upper + 1 >= len(chain):
        return 0.0
    step = shape.positions[chain[upper + 1]] - shape.positions[chain[upper]]
    length = float(np.linalg.norm(step))
    rest = along[-1] - along[upper + 1]
    if length <= 0 or rest <= 0:
        return 0.0
    cost = max(0.0, float(step @ shape.up)) / along[-1]
    if length < 0.6 * rest:
        cost += 1.1 * abs(float(step @ limb.normal)) / length * (1 - length / rest)
    if length < 0.15 * rest:
        cost += 0.4 * limb.turns[upper + 1]
    return cost


def _after(limb: _Limb, end: int) -> float:
    """A hand or a foot is shorter than a half limb, and is not the very tip; a foot is low."""
    along, shape = limb.along, limb.shape
    rest = (along[-1] - along[end]) / along[-1]
    cost = 0.8 * max(0.0, rest - 0.3) + 0.6 * max(0.0, rest - 0.45) + 0.6 * max(0.0, 0.15 - rest)
    if limb.leg and not limb.sprawled:
        cost += 0.12 if all(limb.ends[end + 1 :]) else 0.0
        top = max(shape.heights[joint] for joint in limb.chain)
        high = float(shape.heights[limb.chain[end]] - shape.ground) / max(float(top) - shape.ground, 1e-9)
        cost += 2.0 * max(0.0, high - 0.35)
    return cost


def _named(limb: _Limb, place: int, slot: str) -> float:
    """What the names say against a joint at one place (above 0) or for it (below)."""
    reading = limb.readings[limb.chain[place]]
    vote = reading.vote(*SLOTS[slot])
    cost = -0.55 * vote if vote > 0 else -0.385 * vote
    if "twist" in reading.meanings:
        cost += 0.8
    if reading.meanings & {"prop", "finger", "thumb", "index", "middle", "ring", "little", "metacarpal"}:
        cost += 0.5
    if slot == "upper":
        votes = [limb.readings[joint].vote("shoulder") for joint in limb.chain[:place]]
        cost -= sum(0.25 * vote if vote > 0 else 0.4 * vote for vote in votes)
    return limb.trust * cost


def _trust(chain: Sequence[int], readings: Sequence[Reading]) -> float:
    """How far the names of a limb can be trusted: little if they give it more halves than it has and no foot."""
    parts = [readings[joint].parts for joint in chain]
    halves = [part for part in parts if part.keys() & {"upper_leg", "lower_leg"}]
    has_end = any("foot" in part or "hand" in part for part in parts)
    first = halves[0] if halves else {}
    return 0.15 if len(halves) > 2 and not has_end and 0 < first.get("upper_leg", 0) < 1 else 1.0


def fan_of(shape: Shape, chain: Sequence[int]) -> int:
    """The place along the chain where it fans out into digits, -1 if it does not."""
    for place in range(1, len(chain)):
        longest = shape.reaches[chain[0]]
        digits = [
            child
            for child in shape.children[chain[place]]
            if 0.02 * longest < shape.reaches[child] + shape.bones[child] < 0.6 * longest and not is_end(shape, child)
        ]
        if len(digits) >= 3 or (len(digits) == 2 and min(shape.subtree_counts[child] for child in digits) >= 2):
            return place
    return -1


def _first(limb: _Limb, place: int) -> int:
    """The collar bone among the joints before the upper one: the last that leads a good part of the way."""
    for candidate in range(place, -1, -1):
        if limb.along[place + 1] - limb.along[candidate] > 0.05 * limb.along[-1]:
            return candidate
    return place


def _toes(limb: _Limb, end: int) -> int:
    """The joint after a foot, where there is one that is more than an end."""
    chain, shape = limb.chain, limb.shape
    for place in range(end + 1, len(chain)):
        if is_end(shape, chain[place]):
            break
        if limb.along[place] - limb.along[end] > 0.5 * NEAR * limb.along[-1]:
            return chain[place]
    return -1


def _short(limb: _Limb, count: int) -> Segments:
    """A limb of one or two places: the second is the end if it is near the tip, else the bend."""
    chain, along, shape = limb.chain, limb.along, limb.shape
    upper = chain[0]
    second = chain[min(1, count - 1)]
    if second == upper:
        return Segments(upper=upper, cost=1.0)
    vote = limb.readings[second].vote(*SLOTS["end"]) - limb.readings[second].vote(*SLOTS["lower"])
    if limb.leg:
        top = max(float(shape.heights[upper]) - shape.ground, 1e-9)
        vote += 1.0 if (float(shape.heights[second]) - shape.ground) / top < 0.28 else -0.6
    else:
        vote += 0.3 if along[min(1, count - 1)] > 0.8 * along[-1] else -0.3
    if vote > 0:
        return Segments(upper=upper, end=second, cost=0.8)
    return Segments(upper=upper, lower=second, cost=0.8)
