"""Places of hands that are clear of this body: what is wished inside its skin is wished on it, once an animation.

A text does not know how thick a trunk, a head or a hand is: one that claps, or holds a hand before its face, wishes
hands inside large heads, round bellies and each other. Here places are moved out of what carries the arms and of other
hands, by the way that contact takes while it plays; so hands come there in time and by the shortest way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.engine.body import Body
from mummer.engine.scalars import bend_of, ramp, three_of, vector
from mummer.engine.solids import Solids
from mummer.ik.volume.capsule import Capsule, at_share, nearest_shares, thickness
from mummer.kernels.arguments import Count, Floats1, Floats3, Number, Output2
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU
from mummer.kernels.vectors import dot, minus, plus, scaled, size, turned
from mummer.math import quaternion

if TYPE_CHECKING:
    from mummer.kernels.scalars import Four, Three

SOFT = 0.01
"""How softly targets come to the ground and to skin, in lengths of the limb."""
PARTING = 0.5
"""How far from the axis of a capsule, on the side away from a limb, targets part to either side of it; parts of its
radius."""
ROUNDS = 3
"""How often a hand is moved out of all that it is in."""
SHARED = 0.5
"""Of two hands that are in each other each makes way by this part."""


class Wished(NamedTuple):
    """Where the tip of a limb is wished at T moments, in character space, all else at rest.

    Attributes:
        places: (T, 3) metres, of what of it is placed.
        turns: (T, 4) how it is taken to be turned from rest.
    """

    places: FloatArray
    turns: FloatArray


class Posed(NamedTuple):
    """Joints at T moments, in character space.

    Attributes:
        places: (T, J, 3) metres.
        turns: (T, J, 4) from rest.
        counts: (J,) how much a limb makes way for what each carries, 0 to 1.
    """

    places: Floats3
    turns: Floats3
    counts: Floats1


def clear_of_body(body: Body, limb: int, wished: Mapping[int, Wished]) -> FloatArray:
    """(T, 3) by how much the places wished of one of some limbs are moved to be clear of body and other limbs."""
    frame, limbs = body.frame, body.limbs
    count = len(wished[limb].places)
    places = np.repeat(frame.places[None], count, axis=0)
    turns = np.zeros((count, len(frame.places), 4))
    turns[..., 3] = 1.0
    counts = _still(body)
    for number, each in wished.items():
        tip = int(limbs.tip[number])
        places[:, tip] = each.places - quaternion.rotate(each.turns, limbs.point[number])
        turns[:, tip], counts[tip] = each.turns, SHARED
    posed, moves = Posed(locked(places), locked(turns), locked(counts)), np.zeros((count, 3))
    shoulder, soft = frame.places[limbs.chain[limbs.first[limb]]], SOFT * float(limbs.length[limb])
    CPU.run(clear, count, body.solids, int(limbs.tip[limb]), limb, locked(shoulder), soft, posed, moves)
    return moves


def _still(body: Body) -> FloatArray:
    """(J,) 1 for joints of the trunk, of necks and heads, and of what hangs on these and neither swings nor sways."""
    moving = {*body.limbs.chain.tolist(), *body.limbs.tip.tolist(), *body.wings.joint.tolist()}
    moving |= {*body.sways.joint.tolist(), *body.waves.joint.tolist()} - {*body.frame.core.tolist()}
    counts = np.ones(len(body.frame.parents))
    for joint, parent in enumerate(body.frame.parents.tolist()):
        if joint in moving or (parent >= 0 and counts[parent] == 0.0):
            counts[joint] = 0.0
    return counts


@kernel(on_cuda=False, borrows=True)
def clear(
    row: int, solids: Solids, tip: Count, limb: Count, shoulder: Floats1, soft: Number, posed: Posed, moves: Output2
) -> None:
    """One item is one moment: by how much the tip of a limb is moved out of all that counts."""
    start, turn = three_of(row, tip, 0, posed.places), bend_of(row, tip, posed.turns)
    place, base = start, (shoulder[0], shoulder[1], shoulder[2])
    for _ in range(ROUNDS):
        for pair in range(solids.first_pair[limb], solids.first_pair[limb] + solids.pair_number[limb]):
            own, other = solids.own[pair], solids.other[pair]
            joint = solids.joint[other]
            if posed.counts[joint] > 0.0:
                there, turn_there = three_of(row, joint, 0, posed.places), bend_of(row, joint, posed.turns)
                theirs = placed(other, there, turn_there, 0.0, 1.0, solids)
                mine = placed(own, place, turn, 0.0, 1.0, solids)
                push, _ = apart_from(mine, theirs, base, solids.gives[pair], soft)
                place = plus(place, scaled(push, posed.counts[joint]))
    move = minus(place, start)
    for part in range(3):
        moves[row, part] = move[part]


def placed(capsule: int, place: Three, turn: Four, low: float, high: float, solids: Solids) -> Capsule:
    """A capsule whose joint is somewhere, from where to where it counts."""
    start = plus(place, turned(turn, vector(solids.ends[capsule], 0)))
    way = minus(plus(place, turned(turn, vector(solids.ends[capsule], 1))), start)
    radius = solids.radii[capsule, 0]
    return Capsule(start, way, radius, solids.radii[capsule, 1] - radius, low, high)


def apart_from(mine: Capsule, theirs: Capsule, shoulder: Three, give: float, soft: float) -> tuple[Three, Three]:
    """How far a capsule is moved out of another one, and where it meets it."""
    s, t = nearest_shares(mine, theirs)
    spot, on_axis, radius = at_share(mine, s), at_share(theirs, t), thickness(mine, s) + thickness(theirs, t) - give
    aside = minus(shoulder, on_axis)
    aside = minus(aside, scaled(theirs.way, dot(aside, theirs.way) / max(dot(theirs.way, theirs.way), 1e-12)))
    aside = scaled(aside, 1.0 / max(size(aside), radius, 1e-9))
    return way_out(minus(spot, on_axis), aside, radius, soft), spot


def way_out(away: Three, aside: Three, radius: float, soft: float) -> Three:
    """How far a point is moved that should be ``radius`` from an axis, nearly; smooth but where sides part.

    Args:
        away: from the axis to the point.
        aside: the side to which it is moved rather, unit or zero.
        radius: metres that it should be away.
        soft: metres over which it begins, and that are left.
    """
    far = size(away)
    if far >= radius:
        return 0.0, 0.0, 0.0
    along = plus(away, scaled(aside, PARTING * radius))
    length = size(along)
    if length < 1e-9:
        return 0.0, 0.0, 0.0
    out = scaled(along, 1.0 / length)
    level = dot(away, out)
    step = math.sqrt(max(level * level + radius * radius - far * far, 0.0)) - level
    return scaled(out, ramp(step - soft, soft))
