"""Placing a limb: folded to the distance of its target, then pointed at it, within the limits of its joints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import bend_of, eased, held, mixed, place_of, vector, write_bend
from mummer.engine.state import SHOWN
from mummer.kernels.linking import apart
from mummer.kernels.vectors import (
    about,
    back,
    cross,
    dot,
    minus,
    part_of,
    plus,
    scaled,
    shortest,
    size,
    soft_limit,
    times,
    turned,
)

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.limbs import Limbs
    from mummer.engine.state import Actors
    from mummer.kernels.scalars import Four, Three

# From which part of its length on a limb approaches straight ever more slowly, so that it does not snap.
SOFT, STRAIGHTEST = 0.98, 0.998
# A limb that misses by more than this part of its length, since limits hold it, turns its joints one by one.
MISSED = 2e-3
# The same of a leg from which on it begins as it was.
ASTRAY = 0.1
SWEEPS = 3


def softened(far: float, longest: float, soft: float) -> float:
    """A distance as a limb takes it up: as it is, and never quite to its full length."""
    return soft_limit(far, soft * longest, STRAIGHTEST * longest)


def fold(limb: int, limbs: Limbs, far: float) -> tuple[int, float]:
    """The row of the table at which a limb is so far from base to tip, and how far on to the next."""
    low, high = 0, limbs.folds.shape[1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if limbs.folds[limb, middle, 0] >= far:
            low = middle
        else:
            high = middle
    above, below = limbs.folds[limb, low, 0], limbs.folds[limb, low + 1, 0]
    return low, min(max((above - far) / (above - below), 0.0), 1.0)


def angle_at(limb: int, place: int, row: int, share: float, limbs: Limbs) -> float:
    """The angle of a joint of a limb between two rows."""
    start = limbs.folds[limb, row, 1 + place]
    return start + share * (limbs.folds[limb, row + 1, 1 + place] - start)


def chord(limb: int, row: int, share: float, end: Three, body: Body) -> Three:
    """From base to what is placed of a limb that is folded, its base as at rest; ``end`` is from the tip on."""
    limbs = body.limbs
    first, count = limbs.first[limb], limbs.number[limb]
    below = limbs.tip[limb]
    for back_place in range(count):
        place = count - 1 - back_place
        joint = limbs.chain[first + place]
        bone = minus(vector(body.frame.places, below), vector(body.frame.places, joint))
        end = plus(bone, end)
        angle = angle_at(limb, place, row, share, limbs)
        if angle != 0.0:
            end = turned(about(vector(limbs.axes, first + place), angle), end)
        below = joint
    return end


def place_limb(
    actor: int, limb: int, target: Three, wish: Three, soft: float, body: Body, actors: Actors
) -> float:  # fmt: skip
    """Bend a limb so that its tip comes to ``target``; metres by which it misses what was wished.

    Args:
        actor: which.
        limb: which.
        target: metres, in the world.
        wish: where it should be if nothing were in the way.
        soft: the part of its length from which on it approaches straight ever more slowly.
        body: of the actor.
        actors: whose bends are written; what carries the limb must be placed and turned.
    """
    limbs, bends = body.limbs, actors.bends
    first, count = limbs.first[limb], limbs.number[limb]
    carrier, base = limbs.carrier[limb], limbs.chain[first]
    above = bend_of(actor, carrier, actors.turns)
    shoulder = plus(place_of(actor, carrier, actors), turned(above, vector(body.frame.bones, base)))
    way = turned(back(above), minus(target, shoulder))
    far = softened(size(way), limbs.folds[limb, 0, 0], soft)
    row, share = fold(limb, limbs, far)
    point = vector(limbs.point, limb)
    if limbs.flat[limb] == 0.0 and limbs.leg[limb] >= 0:
        # The table knows of no foot that is bent: how far that makes its limb longer is found on the way.
        point = turned(bend_of(actor, limbs.tip[limb], bends), point)
        for _ in range(2):
            start = limbs.folds[limb, row, 0] + share * (limbs.folds[limb, row + 1, 0] - limbs.folds[limb, row, 0])
            row, share = fold(limb, limbs, far + start - size(chord(limb, row, share, point, body)))
    end = chord(limb, row, share, point, body)
    # The table is straight between its rows; one step along it leaves next to nothing.
    slope = limbs.folds[limb, row, 0] - limbs.folds[limb, row + 1, 0]
    share += (size(end) - far) / slope
    share = min(max(share, -0.5 if row > 0 else 0.0), 1.5 if row < limbs.folds.shape[1] - 2 else 1.0)
    end = chord(limb, row, share, point, body)
    for place in range(1, count):
        joint, angle = limbs.chain[first + place], angle_at(limb, place, row, share, limbs)
        write_bend(actor, joint, about(vector(limbs.axes, first + place), angle), bends)
    swing = shortest(end, way)
    bend = held(base, body.frame.limits, swing)
    write_bend(actor, base, bend, bends)
    lost = turned(back(above), minus(wish, target))
    length = limbs.length[limb]
    if size(minus(scaled(way, far / max(size(way), 1e-12)), turned(bend, end))) > MISSED * length:
        leg, share = limbs.leg[limb], 1.0
        if leg >= 0:
            # A leg that walks begins as it is folded where it all but reaches: one that comes to its limits, or from
            # them, goes on as it went; one that is far from where it should be does not go over to another way there.
            share = eased(size(minus(way, turned(bend, end))) / (ASTRAY * length))
        begin_as_shown(actor, limb, share, body, actors)
        return size(plus(lost, sweep(actor, limb, 0, way, body, actors)))
    return size(plus(lost, minus(way, turned(bend, end))))


def begin_as_shown(actor: int, limb: int, share: float, body: Body, actors: Actors) -> None:
    """Bend a limb to a share as it was at the last moment: one at its limits goes not from one way out to another."""
    limbs, settled = body.limbs, actors.settled
    for place in range(limbs.number[limb]):
        joint = limbs.chain[limbs.first[limb] + place]
        if not math.isnan(settled[actor, joint, SHOWN]):
            start = mixed(bend_of(actor, joint, actors.bends), bend_of(actor, joint, settled), share)
            write_bend(actor, joint, start, actors.bends)


@apart
def sweep(actor: int, limb: int, start: int, way: Three, body: Body, actors: Actors) -> Three:
    """Turn the joints of a limb one by one to where its tip comes nearer, from its end upwards; what it misses.

    Args:
        actor: which.
        limb: which.
        start: the place in its chain of the first joint that is turned.
        way: from its base to where its tip should be, as what carries it sees it.
        body: of the actor.
        actors: whose bends are read and written.
    """
    limbs, bends = body.limbs, actors.bends
    first, count = limbs.first[limb], limbs.number[limb]
    for _ in range(SWEEPS):
        for back_place in range(count - start):
            place = count - 1 - back_place
            # From the base down to this joint: where it is, and how it is turned against the carrier.
            spot, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
            for number in range(place):
                joint = limbs.chain[first + number]
                turn = times(turn, bend_of(actor, joint, bends))
                spot = plus(spot, turned(turn, vector(body.frame.bones, limbs.chain[first + number + 1])))
            joint = limbs.chain[first + place]
            bend = bend_of(actor, joint, bends)
            tip = turned(bend, tip_below(actor, limb, place, body, actors))
            wanted = turned(back(turn), minus(way, spot))
            if place == start:
                bend = times(shortest(tip, wanted), bend)
            else:
                axis = vector(limbs.axes, first + place)
                a, b = minus(tip, scaled(axis, dot(tip, axis))), minus(wanted, scaled(axis, dot(wanted, axis)))
                angle = math.atan2(dot(cross(a, b), axis), dot(a, b))
                bend = times(about(axis, 0.6 * angle), bend)
            bend = held(joint, body.frame.limits, bend)
            write_bend(actor, joint, bend, bends)
    tip = turned(bend_of(actor, limbs.chain[first], bends), tip_below(actor, limb, 0, body, actors))
    return minus(way, tip)


def tip_below(actor: int, limb: int, place: int, body: Body, actors: Actors) -> Three:
    """From a joint of a limb to its tip, as that joint sees it."""
    limbs = body.limbs
    first, count = limbs.first[limb], limbs.number[limb]
    end = vector(limbs.point, limb)
    if limbs.flat[limb] == 0.0:
        end = turned(bend_of(actor, limbs.tip[limb], actors.bends), end)
    for back_place in range(count - place):
        number = count - 1 - back_place
        below = limbs.tip[limb] if number == count - 1 else limbs.chain[first + number + 1]
        if below != limbs.chain[first + number]:
            end = plus(vector(body.frame.bones, below), end)
        if number > place:
            end = turned(bend_of(actor, limbs.chain[first + number], actors.bends), end)
    return end


def turn_tip(actor: int, limb: int, wanted: Four, weight: float, body: Body, actors: Actors) -> Four:
    """Turn the tip of a limb to ``wanted`` in the world, as far as its joint goes; how it is turned then.

    Its chain must be bent already.
    """
    limbs = body.limbs
    first, count = limbs.first[limb], limbs.number[limb]
    turn = bend_of(actor, limbs.carrier[limb], actors.turns)
    for place in range(count):
        turn = times(turn, bend_of(actor, limbs.chain[first + place], actors.bends))
    tip = limbs.tip[limb]
    bend = held(tip, body.frame.limits, times(back(turn), wanted))
    bend = part_of(bend, weight)
    write_bend(actor, tip, bend, actors.bends)
    return times(turn, bend)
