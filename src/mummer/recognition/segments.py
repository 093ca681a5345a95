"""Where a limb bends: which joints of a chain are shoulder, upper, lower, end (hand or foot), by shape and by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.recognition.learned import chances, scores
from mummer.recognition.limbs import Branch
from mummer.recognition.reading import Reading
from mummer.recognition.shape import Shape
from mummer.recognition.symmetry import Symmetry
from mummer.recognition.tidy import NEAR, is_end

MOST_PLACES = 12
"""Joints of a chain that are looked at: no limb bends for the first time beyond them."""

FEW_PLACES = 3
"""A limb of no more joints than this may lack an elbow, a hand or both."""

LIKELIEST = 8
"""Choices for each of two limbs that are looked at together."""

BENT = 0.1
"""A limb that bends by this part of its length bends as clearly as can be."""

MIDDLE = 0.1
"""A joint nearer to the mirror plane than this part of its limb's mean distance is in the middle of the body."""

_NO_PLACE = frozenset({"prop", "finger", "thumb", "index", "middle", "ring", "little", "metacarpal"})


@dataclass(frozen=True)
class Segments:
    """The joints of one limb by their places.

    Attributes:
        shoulder: the joint before ``upper``, -1 if there is none.
        upper, lower, end: where the limb starts, where it bends, where the hand or the foot starts; -1 where missing.
        toes: the joint after ``end`` that the foot rolls over, -1 if there is none.
        chance: 0 to 1, how likely upper, lower and end are all right.
    """

    shoulder: int = -1
    upper: int = -1
    lower: int = -1
    end: int = -1
    toes: int = -1
    chance: float = 0.5


def segment(
    shape: Shape, branch: Branch, symmetry: Symmetry, readings: Sequence[Reading], kind: str, ahead: FloatArray
) -> Segments:
    """The places along the first side of ``branch``; both sides have a say where they are alike.

    Args:
        shape: the body.
        branch: a limb from the trunk to its tip.
        symmetry: the mirror plane of the body.
        readings: what the names of all joints say.
        kind: ``arm``, ``wing``, ``leg``, ``front`` or ``hind`` (legs of four), or ``many`` (one of more than four).
        ahead: (3,) where the body seems to look: a unit vector, or shorter where that is unsure.
    """
    choice = _choice(shape, branch, symmetry, readings, kind, ahead)
    if choice is None:
        return Segments(upper=branch.chain[0])
    likely = chances("places", choice.joints, choice.features, kinds=(kind,), plain=choice.plain)
    best = int(np.argmax(likely))
    return _segments(shape, choice, best, float(likely[best]))


def segment_legs(
    shape: Shape, legs: Sequence[Branch], symmetry: Symmetry, readings: Sequence[Reading], ahead: FloatArray
) -> list[Segments]:
    """As `segment`, for all legs of one body, from front to back; those of four together, since they are alike."""
    kinds = {1: ("leg",), 2: ("front", "hind")}.get(len(legs), ("many",) * len(legs))
    choices = [_choice(shape, leg, symmetry, readings, kind, ahead) for leg, kind in zip(legs, kinds, strict=True)]
    front, hind = choices if len(legs) == 2 else (None, None)
    if front is None or hind is None:
        return [segment(shape, leg, symmetry, readings, kind, ahead) for leg, kind in zip(legs, kinds, strict=True)]
    pairs, features = _pairs(shape, front, hind)
    rows, columns = pairs.T
    joints = [(front.joints[row], hind.joints[column]) for row, column in pairs.tolist()]
    likely = chances("places", joints, {}, plain=features)
    row, column = pairs[np.argmax(likely)].tolist()
    return [
        _segments(shape, front, row, float(likely[rows == row].sum())),
        _segments(shape, hind, column, float(likely[columns == column].sum())),
    ]


def _segments(shape: Shape, choice: _Choice, best: int, chance: float) -> Segments:
    chain = choice.chain
    upper, lower, end = choice.spots[best].tolist()
    along = _along(shape.positions[list(chain)])
    return Segments(
        chain[_first(along, upper - 1)] if upper > 0 else -1,
        chain[upper],
        chain[lower] if lower >= 0 else -1,
        chain[end] if end >= 0 else -1,
        _toes(shape, chain, along, end) if end >= 0 else -1,
        chance,
    )


@dataclass(frozen=True, eq=False)
class _Choice:
    """What there is to choose from along one limb.

    Attributes:
        kind: of limb.
        chain: its joints.
        spots: (C, 3) places of upper, lower and end along the chain, -1 for one that is missing.
        features: feature to (C,) values, which count differently on other kinds of limbs.
        plain: feature to (C,) values, which count for the same on all.
    """

    kind: str
    chain: tuple[int, ...]
    spots: IntArray
    features: dict[str, FloatArray]
    plain: dict[str, FloatArray]

    @cached_property
    def joints(self) -> list[tuple[int, ...]]:
        """The joints at the places."""
        return [tuple(self.chain[place] if place >= 0 else -1 for place in row) for row in self.spots.tolist()]


def _choice(
    shape: Shape, branch: Branch, symmetry: Symmetry, readings: Sequence[Reading], kind: str, ahead: FloatArray
) -> _Choice | None:
    """What there is to choose from along a limb; None if that is too short to choose."""
    chain = branch.chain
    places = [place for place, joint in enumerate(chain) if not is_end(shape, joint)]
    if len(places) < FEW_PLACES:
        # A hand or a foot that carries nothing is still where the limb ends.
        places = [place for place, joint in enumerate(chain) if not shape.ends[joint]][:FEW_PLACES]
    places = places[:MOST_PLACES] or [0]
    if branch.length < 1e-9 or len(places) < 2:
        return None
    spots = _spots(shape, chain, places)
    if kind == "many":
        # One of many legs starts where it leaves the body, and lacks nothing that it has joints for.
        whole = [spot for spot in spots if min(spot) >= 0]
        spots = [spot for spot in whole or spots if spot[0] == spots[0][0]]
    sides = [chain] + [branch.other] * (len(branch.other) == len(chain))
    digits = "fingers" if kind in ("arm", "wing") else "toes"
    seen = [_Limb.of(shape, side, symmetry, readings, ahead, digits) for side in sides]
    spot = np.array(spots)
    features = _mean([_lengths(limb, spot) | _ways(limb, spot) for limb in seen])
    plain = _mean([_ends(limb, spot) for limb in seen])
    if any(readings[joint].meanings for joint in chain):
        plain |= _mean([_names(limb, spot) for limb in seen])
    return _Choice(kind, chain, spot, features, plain)


def _pairs(shape: Shape, front: _Choice, hind: _Choice) -> tuple[IntArray, dict[str, FloatArray]]:
    """Choices for two limbs at once: (P, 2) rows among what each likely is alone, and feature to (P,) values."""
    alone = [scores("places", each.features, kinds=(each.kind,), plain=each.plain) for each in (front, hind)]
    likeliest = [np.argsort(-each, kind="stable")[:LIKELIEST] for each in alone]
    pairs = np.array([(row, column) for row in likeliest[0] for column in likeliest[1]])
    found: dict[str, FloatArray] = {}
    for each, chosen in zip((front, hind), pairs.T, strict=True):
        found |= {f"{each.kind}: {name}": values[chosen] for name, values in each.features.items()}
        for name, values in (each.features | each.plain).items():
            found[name] = found.get(name, 0.0) + values[chosen]
    return pairs, found | _unlike(shape, front, hind, pairs)


def _unlike(shape: Shape, front: _Choice, hind: _Choice, pairs: IntArray) -> dict[str, FloatArray]:
    """How the places of front and hind legs differ: in height, and in how many joints follow the foot."""
    one, other = np.array(front.joints)[pairs[:, 0]], np.array(hind.joints)[pairs[:, 1]]
    whole = (one >= 0) & (other >= 0)
    tall = max(float(shape.heights[[*front.chain, *hind.chain]].max()) - shape.ground, 1e-12)
    apart = np.where(whole, np.abs(shape.heights[one] - shape.heights[other]) / tall, 0.0)
    after = [each.spots.max() - each.spots[chosen, 2] for each, chosen in zip((front, hind), pairs.T, strict=True)]
    return {
        "uppers at other heights": apart[:, 0],
        "lowers at other heights": apart[:, 1],
        "ends at other heights": apart[:, 2],
        "more joints after one end": np.where(whole[:, 2], np.clip(np.abs(after[0] - after[1]), 0, 2), 0),
        "one end at the tip": whole[:, 2] & ((after[0] == 0) != (after[1] == 0)),
    }


def _along(positions: FloatArray) -> FloatArray:
    """(N,) metres along a chain."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(positions, axis=0), axis=1))])


def _spots(shape: Shape, chain: Sequence[int], places: Sequence[int]) -> list[tuple[int, int, int]]:
    """Every choice of places for upper, lower and end, no two at the same spot; -1 for one that a short limb lacks."""
    along = _along(shape.positions[list(chain)])
    least = 0.5 * NEAR * along[-1]
    found = [
        spot for spot in combinations(places, 3)
        if along[spot[1]] - along[spot[0]] >= least and along[spot[2]] - along[spot[1]] >= least
    ]  # fmt: skip
    if len(places) <= FEW_PLACES:
        pairs = [pair for pair in combinations(places, 2) if along[pair[1]] - along[pair[0]] >= least]
        found += [(upper, second, -1) for upper, second in pairs] + [(upper, -1, second) for upper, second in pairs]
        found += [(place, -1, -1) for place in places]
    return found or [(places[0], -1, -1)]


@dataclass(frozen=True, eq=False)
class _Limb:
    """One side of a limb, place by place.

    Attributes:
        shape: the body.
        chain: its joints.
        readings: what their names say.
        steps: (N, 3) from each place to the next, in parts of the limb's length; the last is zero.
        along: (N,) how far along the limb each place is, 0 to 1.
        aside: (N,) distance from the mirror plane, in parts of its mean.
        across: (N,) how far each step leads sideways, in parts of the step.
        rise: (N,) how far each step leads up, in parts of the step.
        turns: (N,) how much the limb turns: 0 straight on and at both ends, 1 at a right angle or more.
        high: (N,) height above the ground in parts of the limb's highest.
        ahead: (3,) where the body seems to look.
        digits: ``fingers`` or ``toes``, what it may fan out into.
    """

    shape: Shape
    chain: Sequence[int]
    readings: Sequence[Reading]
    steps: FloatArray
    along: FloatArray
    aside: FloatArray
    across: FloatArray
    rise: FloatArray
    turns: FloatArray
    high: FloatArray
    ahead: FloatArray
    digits: str

    @staticmethod
    def of(
        shape: Shape,
        chain: Sequence[int],
        symmetry: Symmetry,
        readings: Sequence[Reading],
        ahead: FloatArray,
        digits: str,
    ) -> _Limb:
        positions = shape.positions[list(chain)]
        along = _along(positions)
        # What the last joint carries goes on beyond it.
        length = max(float(along[-1]) + min(shape.extents[chain[-1]], 0.5 * float(along[-1])), 1e-12)
        steps = np.vstack([np.diff(positions, axis=0), np.zeros((1, 3))]) / length
        sizes = np.maximum(np.linalg.norm(steps, axis=1), 1e-12)
        aside = np.abs(positions @ symmetry.normal - symmetry.middle)
        ways = steps / sizes[:, None]
        turns = np.zeros(len(chain))
        onward = ways.copy()
        for place in range(1, len(chain)):
            # Of joints at one spot the last turns: the others go on as what leads to them does.
            onward[place] = ways[place] if sizes[place] > 1e-3 else onward[place - 1]
        turns[1:-1] = np.clip(1 - (onward[:-2] * onward[1:-1]).sum(axis=1), 0, 1)
        heights = shape.heights[list(chain)] - shape.ground
        return _Limb(
            shape, chain, [readings[joint] for joint in chain], steps, along / length,
            aside / max(float(aside.mean()), 1e-12), np.abs(ways @ symmetry.normal), ways @ shape.up, turns,
            heights / max(float(heights.max()), 1e-12), ahead, digits,
        )  # fmt: skip


def _mean(sides: Sequence[dict[str, FloatArray]]) -> dict[str, FloatArray]:
    """The features of a limb: the mean of those of its sides."""
    return {name: np.mean([np.asarray(side[name], float) for side in sides], axis=0) for name in sides[0]}


def _at(values: FloatArray, places: IntArray) -> FloatArray:
    """The values at some places, 0 where a place is missing."""
    return np.asarray(np.where(places >= 0, values[places], 0.0), float)


def _lengths(limb: _Limb, spot: IntArray) -> dict[str, FloatArray]:
    """How the lengths of what is before, between and after the places compare."""
    upper, lower, end = spot.T
    along = limb.along
    whole = (lower >= 0) & (end >= 0)
    halves = [np.maximum(along[lower] - along[upper], 1e-3), np.maximum(along[end] - along[lower], 1e-3)]
    ratio = np.where(whole, np.log(halves[0] / halves[1]), 0.0)
    last = np.max(spot, axis=1)
    rest = np.where(end >= 0, 1 - along[end], 0.0)
    outer = (limb.aside > MIDDLE) & (np.linalg.norm(limb.steps, axis=1) > 0.5 * NEAR)
    before = np.concatenate([[0], np.cumsum(outer)])[upper]
    return {
        "longer upper half": np.maximum(ratio, 0.0),
        "longer lower half": np.maximum(-ratio, 0.0),
        "length before": along[upper],
        "nothing before": before == 0,
        "joints before": np.maximum(before - 1, 0),
        "length after": rest,
        "much after": np.maximum(rest - 0.3, 0.0),
        "little after": np.maximum(0.15 - rest, 0.0),
        "nothing after": (end >= 0) & (rest < 1e-6),
        "joints passed over": np.clip(last - upper - (lower >= 0) - (end >= 0), 0, 2),
        "no end": end < 0,
        "no lower": lower < 0,
        "length left without an end": np.where(end < 0, 1 - along[last], 0.0),
    }


def _ways(limb: _Limb, spot: IntArray) -> dict[str, FloatArray]:
    """Where the limb leads and turns at the places and between them."""
    upper, lower, end = spot.T
    turned = np.concatenate([[0.0], np.cumsum(limb.turns)])
    inner = turned[np.max(spot, axis=1)] - turned[upper + 1]
    rise_before = np.concatenate([[0.0], limb.rise[:-1]])
    tip = np.full(len(spot), len(limb.chain) - 1)
    return {
        "lower bends ahead": _bend(limb, upper, lower, end),
        "end bends ahead": _bend(limb, lower, end, tip),
        "turn at upper": limb.turns[upper],
        "turn at lower": _at(limb.turns, lower),
        "turn at end": _at(limb.turns, end),
        "turns passed over": np.maximum(inner - _at(limb.turns, lower), 0.0),
        "upper in the middle": limb.aside[upper] < MIDDLE,
        "sideways from upper": limb.across[upper],
        "sideways until upper": np.where(upper > 0, np.maximum(limb.across[upper - 1] - limb.across[upper], 0.0), 0.0),
        "down before upper": np.where(upper > 0, np.maximum(-limb.rise[upper - 1], 0.0), 0.0),
        "up from upper": np.maximum(limb.rise[upper], 0.0),
        "height of upper": limb.high[upper],
        "height of end": _at(limb.high, end),
        "height of lower": _at(limb.high, lower),
        "height of end squared": _at(limb.high, end) ** 2,
        "height of lower squared": _at(limb.high, lower) ** 2,
        "level after end": _at(1 - np.abs(limb.rise), end) * (end < len(limb.chain) - 1),
        "level before end": _at(1 - np.abs(rise_before), end),
    }


def _bend(limb: _Limb, start: IntArray, bend: IntArray, stop: IntArray) -> FloatArray:
    """How far a place lies ahead of the line between two others: 1 or -1 for a tenth of the limb, 0 where one lacks."""
    places = np.concatenate([np.zeros((1, 3)), np.cumsum(limb.steps[:-1], axis=0)])
    line, step = places[stop] - places[start], places[bend] - places[start]
    part = (step * line).sum(axis=1) / np.maximum((line * line).sum(axis=1), 1e-9)
    off = (step - part[:, None] * line) @ limb.ahead
    whole = (start >= 0) & (bend > start) & (stop > bend)
    return np.where(whole, np.clip(off / BENT, -1.0, 1.0), 0.0)


def _ends(limb: _Limb, spot: IntArray) -> dict[str, FloatArray]:
    """What hangs from the places, and what surface they carry."""
    shape, chain = limb.shape, limb.chain
    _, lower, end = spot.T
    fan = fan_of(shape, chain)
    mere = np.array([is_end(shape, joint) for joint in chain])
    tip = np.array([bool(mere[place + 1 :].all()) for place in range(len(chain))], float)
    clothed = np.array([bool(shape.surface.share[joint] > 0) for joint in chain])
    bare = (~clothed if clothed.sum() >= 3 else np.zeros(len(chain))).astype(float)
    near = np.linalg.norm(limb.steps, axis=1) < 0.5 * NEAR
    twin = np.array(
        [bool(near[place]) and place + 1 < len(chain) and not mere[place + 1] for place in range(len(chain))], float
    )
    again = np.concatenate([[0.0], twin[:-1]])
    forks = np.array([len(shape.children[joint]) > 1 for joint in chain], float)
    moved = np.array([joint in shape.reattached for joint in chain], float)
    fans = (end >= 0) & (fan >= 0)
    return {
        "mere ends": sum(_at(mere.astype(float), place) for place in spot.T),
        "end at tip": _at(tip, end),
        "lower at tip": _at(tip, lower),
        "bare joints": sum(_at(bare, place) for place in spot.T),
        "another lower joint at the same spot": _at(twin, lower),
        "another end at the same spot": _at(twin, end) * (end + 1 != fan),
        "end after another at the same spot": _at(again, end),
        "straight on": _at(_straight(limb), lower) + _at(_straight(limb), end),
        f"end forks into {limb.digits}": _at(forks, end) * (fan < 0),
        f"end fans out into {limb.digits}": fans & (end == fan),
        f"end beyond where {limb.digits} part": fans & (end > fan),
        f"joints before {limb.digits} part": np.where(fans, np.clip(fan - end, 0, 2), 0),
        "end hangs elsewhere in the file": _at(moved, end) * (end <= 3),
    }


def _straight(limb: _Limb) -> FloatArray:
    """Places exactly on the line between their neighbours, where others are not: joints that only carry twist."""
    exact = np.zeros(len(limb.chain))
    exact[1:-1] = (limb.turns[1:-1] < 1e-6) & (np.linalg.norm(limb.steps[1:-1], axis=1) > 0.5 * NEAR)
    return exact if (exact[1:-1] == 0).any() else np.zeros(len(limb.chain))


def _names(limb: _Limb, spot: IntArray) -> dict[str, FloatArray]:
    """What the names say for and against joints at the places."""
    slots = {"upper": ("upper_arm", "upper_leg"), "lower": ("forearm", "lower_leg"), "end": ("hand", "foot")}
    found: dict[str, FloatArray] = {"named for": np.zeros(len(spot)), "named against": np.zeros(len(spot))}
    for (slot, parts), places in zip(slots.items(), spot.T, strict=True):
        votes = np.array([reading.vote(*parts) for reading in limb.readings])
        found["named for"] = found["named for"] + _at(np.maximum(votes, 0), places)
        found["named against"] = found["named against"] + _at(np.maximum(-votes, 0), places)
        missing = (places < 0) * (votes > 0.5).any()
        found[f"{slot} is named but missing"] = np.asarray(missing, float)
    # Where nothing is called a hand, what is called a finger may be one, as on the wings of birds.
    handless = not any(reading.vote("hand", "foot") > 0.5 for reading in limb.readings)
    banned = {"twist", "prop"} if handless else {"twist", *_NO_PLACE}
    odd = np.array([bool(reading.meanings & banned) for reading in limb.readings], float)
    shoulders = np.array([reading.vote("shoulder") for reading in limb.readings])
    passed = np.concatenate([[0.0], np.cumsum(shoulders)])[spot[:, 0]]
    found["named twist, finger or prop"] = sum((_at(odd, places) for places in spot.T), np.zeros(len(spot)))
    found["shoulders named before"] = np.maximum(passed, 0)
    found["others named before"] = np.maximum(-passed, 0)
    return found


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


def _first(along: FloatArray, place: int) -> int:
    """The collar bone among the joints before the upper one: the last that leads a good part of the way."""
    far = [candidate for candidate in range(place, -1, -1) if along[place + 1] - along[candidate] > 0.05 * along[-1]]
    return far[0] if far else place


def _toes(shape: Shape, chain: Sequence[int], along: FloatArray, end: int) -> int:
    """The joint after a foot, where there is one that is more than an end."""
    for place in range(end + 1, len(chain)):
        if is_end(shape, chain[place]):
            break
        if along[place] - along[end] > 0.5 * NEAR * along[-1]:
            return chain[place]
    return -1
