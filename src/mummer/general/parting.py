"""How parts of a body that overlap are parted: which pairs come near, which way out they take together, and how far."""

from __future__ import annotations

import math

from mummer.general.asking_limbs import ask
from mummer.general.capsule_scalars import near, nearest
from mummer.ik.analytic.segments import rotation_of
from mummer.ik.analytic.vectors import dot, minus, plus, scaled, size, turned
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Floats4, Output3, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three

SIDE = 1.25
"""Parts whose axes nearly cross are parted the way they are at rest: that counts as this part of their overlap."""
CROSSED = 0.5
"""Where the ways of all pairs cancel, within this part of both radii, the push fades."""
FARTHER = 2.0
"""The way out that was chosen is at most so many times as long as the shortest."""
FIRM = 1.5
"""How much farther than out of each other two parts would go if nothing else was asked of their limbs."""
SHORT = 0.04
"""Levers shorter than this part of the body bring little."""
BETTER = 0.03
"""A pair that becomes better by this part of its depth in a step has hope; one that does not loses it."""
DESPAIR, HOPE = 0.7, 1.3
"""What is left of the hope of a pair that does not become better at all, and how fast hope comes back."""
SPARED = 3e-4
"""Part of the body's size: for depths below that nobody is asked."""
WIDTH = 13
"""Numbers kept of each pair that comes near: the pair, how deep it was at most along the way out and along its own
shortest, how deep it is now, the places of both axes, both radii there, how much was asked last, and the hope left."""


@apart
def gather_pairs(
    frame: int, first: Parents, second: Parents, gives: Floats2, groups: Parents, margin: float, around: Floats3,
    balls: Floats3, touching: Output3,
) -> int:  # fmt: skip
    """Note all pairs that are within ``margin`` metres of touching, as far as there is room; how many they are."""
    count = 0
    for group in range(groups.shape[0] // 4):
        if not near(frame, groups[4 * group], groups[4 * group + 1], balls, -margin):
            continue
        for pair in range(groups[4 * group + 2], groups[4 * group + 3]):
            if count < touching.shape[1] and near(frame, first[pair], second[pair], around, gives[pair, 0] - margin):
                touching[frame, count, 0] = pair
                touching[frame, count, 1] = touching[frame, count, 2] = touching[frame, count, 11] = 0.0
                touching[frame, count, 12] = 1.0
                count += 1
    return count


@apart
def find_ways(
    frame: int, count: int, joints: Parents, first: Parents, second: Parents, trims: Floats3, radii: Floats2,
    gives: Floats2, rest_sides: Floats2, bundles: Parents, root: int, turn: Floats3, placed: Floats4, around: Floats3,
    room: Floats3, touching: Output3, votes: Output3,
) -> None:  # fmt: skip
    """How deep each pair that moved overlaps; and it tells the two limbs it is of which way it would leave.

    It tells so with the depth by which it is deeper than ever before: a way out once taken is not left.
    """
    stand = rotation_of(frame, root, turn)
    for row in range(count):
        pair = int(touching[frame, row, 0])
        one, two = first[pair], second[pair]
        if room[frame, joints[one], 3] <= 0.0 and room[frame, joints[two], 3] <= 0.0:
            continue
        touching[frame, row, 3] = 0.0
        if not near(frame, one, two, around, gives[pair, 0]):
            continue
        point, other, thick = nearest(frame, pair, one, two, gives[pair, 0], trims, radii, placed)
        away = minus(point, other)
        depth = thick - size(away) - gives[pair, 0]
        if depth <= 0.0:
            continue
        for part in range(3):
            touching[frame, row, 4 + part], touching[frame, row, 7 + part] = point[part], other[part]
        touching[frame, row, 3], touching[frame, row, 10] = depth, thick
        gain = depth - touching[frame, row, 2]
        if gain > 0.0:
            touching[frame, row, 2] = depth
            rest = turned(stand, (rest_sides[pair, 0], rest_sides[pair, 1], rest_sides[pair, 2]))
            vote = scaled(plus(away, scaled(rest, SIDE * depth)), gain / thick)
            for part in range(3):
                votes[frame, bundles[pair], part] += vote[part]
            votes[frame, bundles[pair], 3] += gain


def way_of(frame: int, bundle: int, votes: Floats3) -> tuple[Three, float]:
    """The way that the first of two limbs leaves the second, unit; and how sure it is, up to one."""
    way = (votes[frame, bundle, 0], votes[frame, bundle, 1], votes[frame, bundle, 2])
    far = size(way)
    share = min(far / (CROSSED * votes[frame, bundle, 3]), 1.0)
    return scaled(way, 1.0 / max(far, 1e-18)), share * share * (3.0 - 2.0 * share)


def beyond(depth: float, deepest: float, soft: float) -> float:
    """What of a depth is too much.

    At first touch nothing is; the deeper something would have been, the more of that, and at most ``soft`` is left.
    """
    return depth - soft * (1.0 - math.exp(-deepest / soft))


def hope_of(frame: int, row: int, column: int, depth: float, enough: float, notes: Output3) -> float:
    """How much it is worth to ask limbs once more, up to one: nothing where that was in vain.

    Args:
        frame: which.
        row: of ``notes``.
        column: where the depth of the last time is; the hope is in the next one.
        depth: metres, now.
        enough: part of the depth of last time by which it should have become less.
        notes: takes both.
    """
    before = notes[frame, row, column]
    if before > 0.0:
        better = min(max((before - depth) / (enough * before), 0.0), 1.0)
        hope = notes[frame, row, column + 1] * (DESPAIR + (HOPE - DESPAIR) * better)
        notes[frame, row, column + 1] = min(hope, 1.0)
    notes[frame, row, column] = depth
    return notes[frame, row, column + 1]


def leave_parts(
    frame: int, count: int, parents: Parents, limbs: Parents, necks: Parents, is_end: Parents, bases: Parents,
    middles: Parents, tips: Parents, willing: Floats1, hinges: Floats2, planted: Floats2, joints: Parents,
    first: Parents, second: Parents, gives: Floats2, bundles: Parents, ground: Floats2, measures: Floats1,
    where: Floats3, turn: Floats3, touching: Output3, votes: Floats3, room: Output3,
) -> float:  # fmt: skip
    """Ask limbs to leave other parts; the depth, in metres, of the deepest overlap."""
    worst, short = 0.0, SHORT * measures[0]
    for row in range(count):
        if touching[frame, row, 3] <= 0.0:
            continue
        pair = int(touching[frame, row, 0])
        a, b = joints[first[pair]], joints[second[pair]]
        way, sure = way_of(frame, bundles[pair], votes)
        point = (touching[frame, row, 4], touching[frame, row, 5], touching[frame, row, 6])
        other = (touching[frame, row, 7], touching[frame, row, 8], touching[frame, row, 9])
        depth = touching[frame, row, 10] - dot(minus(point, other), way) - gives[pair, 0]
        depth = min(depth, FARTHER * touching[frame, row, 3])
        touching[frame, row, 1] = max(touching[frame, row, 1], depth)
        depth = beyond(depth, touching[frame, row, 1], gives[pair, 1])
        depth = depth * sure * hope_of(frame, row, 11, depth, BETTER, touching) - SPARED * measures[0]
        if depth <= 0.0:
            continue
        # Heads make way for the rest of the trunk and for other heads; all else makes way for heads.
        whose = necks if limbs[a] < 0 and limbs[b] < 0 else limbs
        there = scaled(way, -1.0)
        total = ask(frame, a, point, way, 0.0, 0.0, 0, parents, whose, is_end, bases, middles, tips, willing, hinges,
                    planted, ground, where, turn, room)  # fmt: skip
        total += ask(frame, b, other, there, 0.0, 0.0, 0, parents, whose, is_end, bases, middles, tips, willing,
                     hinges, planted, ground, where, turn, room)  # fmt: skip
        if total <= 0.0:
            continue
        worst = max(worst, depth)
        scale = FIRM * depth / (total + short * short)
        ask(frame, a, point, way, scale, depth * depth, 0, parents, whose, is_end, bases, middles, tips, willing,
            hinges, planted, ground, where, turn, room)  # fmt: skip
        ask(frame, b, other, there, scale, depth * depth, 0, parents, whose, is_end, bases, middles, tips, willing,
            hinges, planted, ground, where, turn, room)  # fmt: skip
    return worst
