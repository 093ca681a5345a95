"""Arms: hands go where animations want them; else they hang and swing. Hands that share an arm are served together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mummer.engine.clearance import SOFT as CONTACT_SOFT
from mummer.engine.contact import base_of
from mummer.engine.legs import COLUMN
from mummer.engine.limb import SOFT, place_limb, sweep, tip_below
from mummer.engine.limp import carried_tip
from mummer.engine.scalars import bend_of, between, held, rotation_vector, vector, write_bend
from mummer.engine.self_contact import (
    bend_away,
    free_of_contact,
    goals_place,
    onto_skin,
    out_of_body,
    out_of_ground,
    swivel,
    tip_turn,
    turned_within,
    wrist_goal,
)
from mummer.engine.settle import settle_place
from mummer.engine.state import WALKING, WAS
from mummer.engine.walk import style_at
from mummer.kernels.linking import apart
from mummer.kernels.vectors import about, back, cross, dot, minus, plus, scaled, shortest, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.limbs import Limbs
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Three

ARMS, FOLD, DRAG = COLUMN["arms"], COLUMN["fold"], COLUMN["drag"]
# A hand that is nearer to its shoulder, in lengths of the arm, has no line between them for an elbow to go around.
NO_LINE = 0.1
# How much less arms swing back than ahead.
BEHIND = 0.75
# How far ahead of the shoulder the hand of a bent arm hangs, in parts of half the bend: upper arms stay a little back.
AHEAD = 0.6
# Where the elbow of an arm that swings is of the line from shoulder to hand: back, and so much out of the way.
OUTWARD = 0.35


class Swing(NamedTuple):
    """How legs swing, which arms swing against.

    Attributes:
        left, right: how far ahead the legs of each side are, 1 as they land to -1 as they leave.
        relative: speed in roots of (gravity times the length of legs).
        playing: whether the body plays anything.
        seconds: since the last moment.
    """

    left: float
    right: float
    relative: float
    playing: bool
    seconds: float


def place_arms(
    actor: int, swing: Swing, body: Body, actors: Actors, goals: Goals, ground: Ground
) -> None:  # fmt: skip
    """Put hands where they are wanted, or let them hang: those that lead first, then those that share their arms."""
    limbs = body.limbs
    for limb in range(limbs.tip.shape[0]):
        if limbs.leg[limb] < 0 and leader(actor, limb, limbs, goals) == limb:
            place_arm(actor, limb, swing, body, actors, goals, ground)
    for limb in range(limbs.tip.shape[0]):
        lead = leader(actor, limb, limbs, goals)
        if limbs.leg[limb] < 0 and lead != limb:
            go_along(actor, limb, lead, swing, body, actors, goals, ground)


def leader(actor: int, limb: int, limbs: Limbs, goals: Goals) -> int:
    """Of the limbs that share joints with a limb the one that is wanted somewhere most: these serve it."""
    lead = limbs.mate[limb]
    if limbs.shared[limb] > 0:
        for other in range(lead + 1, limbs.tip.shape[0]):
            if limbs.mate[other] == lead and goals.places[actor, other, 3] > goals.places[actor, lead, 3]:
                lead = other
    return lead


def place_arm(
    actor: int, limb: int, swing: Swing, body: Body, actors: Actors, goals: Goals, ground: Ground
) -> None:  # fmt: skip
    """Put a hand where an animation wants it; else let it hang and swing against the leg of its side.

    One that hangs beside a body that plays nothing is clear of everything.
    """
    weight, hangs = goals.places[actor, limb, 3], body.limbs.hangs[limb] > 0.0
    if hangs:
        target = hanging(actor, limb, swing, body, actors)
    elif weight > 0.0 or swing.playing:
        target = carried_tip(actor, limb, body, actors)
    else:
        return
    if weight > 0.0:
        if body.limbs.flat[limb] > 0.0:
            # The end of a feeler is where it should be; so its last bone cannot turn as it likes.
            goals.turns[actor, body.limbs.tip[limb], 4] *= 1.0 - min(weight, 1.0)
        if goals.touched[actor, limb, 1] > 0.0:
            wish = onto_skin(actor, limb, goals_place(actor, limb, goals), body, actors, goals, swing.seconds)
            # Skin that other parts are before is touched from where they end.
            turn, soft = tip_turn(actor, limb, body, actors, goals), CONTACT_SOFT * body.limbs.length[limb]
            free = out_of_body(actor, limb, wish, turn, soft, body, actors)
            wish = between(wish, free, min(goals.touched[actor, limb, 1], 1.0))
            put_place(actor, limb, wish, goals)
        elif goals.grips[actor, limb] <= 0.0:
            # Nobody reaches into the ground: what is wished there is wished on it.
            wish = out_of_ground(actor, limb, goals_place(actor, limb, goals), body, actors, goals, ground)
            put_place(actor, limb, wish, goals)
        target = swung(actor, limb, target, wrist_goal(actor, limb, body, actors, goals), weight, body, actors)
    free = target
    if swing.playing:
        free = free_of_contact(actor, limb, target, body, actors, goals, ground, swing.seconds)
        if weight <= 0.0 and not hangs and free == target:
            return
    place_limb(actor, limb, free, target, SOFT, body, actors)
    if hangs and weight < 1.0:
        elbow_back(actor, limb, (1.0 - max(weight, 0.0)) * actors.gait[actor, WALKING], body, actors)
    if swing.playing:
        swivel(actor, limb, 1.0, body, actors, ground)
        settle_swivel(actor, limb, body, actors, swing.seconds)
        bend_away(actor, limb, body, actors, goals)
    else:
        actors.anchors[actor, 3 + 2 * body.legs.limb.shape[0] + limb, WAS] = math.nan


@apart
def settle_swivel(actor: int, limb: int, body: Body, actors: Actors, seconds: float) -> None:
    """Let an elbow not jump that goes around the line from shoulder to hand, so that the hand stays where it is.

    How its first joint turned since the last moment, less how it swung to where the hand is now, is how the elbow goes
    around.
    """
    limbs, anchors, row = body.limbs, actors.anchors, 3 + 2 * body.legs.limb.shape[0] + limb
    base, last = limbs.chain[limbs.first[limb]], row + 2 * limbs.tip.shape[0]
    bend, tip = bend_of(actor, base, actors.bends), tip_below(actor, limb, 0, body, actors)
    far, around = size(tip), 0.0
    if far < NO_LINE * limbs.length[limb]:
        anchors[actor, row, WAS] = math.nan
        return
    axis = scaled(turned(bend, tip), 1.0 / far)
    if not math.isnan(anchors[actor, row, WAS]):
        before = (anchors[actor, last, 0], anchors[actor, last, 1], anchors[actor, last, 2], anchors[actor, last, 3])
        swung = times(shortest(turned(before, tip), turned(bend, tip)), before)
        around = anchors[actor, row, WAS] + dot(rotation_vector(times(bend, back(swung))), axis)
    for part in range(4):
        anchors[actor, last, part] = bend[part]
    most = body.frame.sudden[base]
    off = settle_place(actor, row, 0, (around, 0.0, 0.0), most, anchors, seconds)[0] - around
    if off != 0.0:
        above = bend_of(actor, body.limbs.carrier[limb], actors.turns)
        start = times(above, bend)
        write_bend(actor, base, turned_within(base, turned(above, axis), off, start, above, body), actors.bends)


def put_place(actor: int, limb: int, place: Three, goals: Goals) -> None:
    """The tip of a limb should be there."""
    for part in range(3):
        goals.places[actor, limb, part] = place[part]


def elbow_back(actor: int, limb: int, share: float, body: Body, actors: Actors) -> None:
    """Turn an arm that swings about the line to its hand until its elbow is behind that, however it hung at rest."""
    limbs, first = body.limbs, body.limbs.first[limb]
    tip = turned(bend_of(actor, limbs.chain[first], actors.bends), tip_below(actor, limb, 0, body, actors))
    axis = scaled(tip, 1.0 / max(size(tip), 1e-9))
    spot, turn, out, most = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.0
    for place in range(limbs.number[limb] - 1):
        turn = times(turn, bend_of(actor, limbs.chain[first + place], actors.bends))
        spot = plus(spot, turned(turn, vector(body.frame.bones, limbs.chain[first + place + 1])))
        away = minus(spot, scaled(axis, dot(spot, axis)))
        if size(away) > most:
            out, most = away, size(away)
    side = limbs.side[limb] if limbs.side[limb] != 0.0 else 1.0
    back_way = (side * OUTWARD, 0.0, -1.0)
    back_way = minus(back_way, scaled(axis, dot(back_way, axis)))
    if share <= 0.0 or most <= 1e-6:
        return
    angle = math.atan2(dot(cross(out, back_way), axis), dot(out, back_way))
    base = limbs.chain[first]
    bend = times(about(axis, share * angle), bend_of(actor, base, actors.bends))
    write_bend(actor, base, held(base, body.frame.limits, bend), actors.bends)


def swung(
    actor: int, limb: int, start: Three, end: Three, share: float, body: Body, actors: Actors
) -> Three:  # fmt: skip
    """A share of the way of a hand from one place to another, around its shoulder: by the outside, and ahead."""
    base, turn = base_of(actor, limb, body, actors), bend_of(actor, body.limbs.carrier[limb], actors.turns)
    first, last = minus(start, base), minus(end, base)
    near, far = max(size(first), 1e-9), max(size(last), 1e-9)
    first, last = scaled(first, 1.0 / near), scaled(last, 1.0 / far)
    out = turned(turn, (body.limbs.side[limb], 0.0, 1.0))
    # The more the ways point apart, the farther around.
    around = 2.0 * share * (1.0 - share) * (1.0 - dot(first, last))
    way = plus(plus(scaled(first, 1.0 - share), scaled(last, share)), scaled(out, around))
    return plus(base, scaled(way, (near + share * (far - near)) / max(size(way), 1e-9)))


def go_along(
    actor: int, limb: int, lead: int, swing: Swing, body: Body, actors: Actors, goals: Goals, ground: Ground
) -> None:  # fmt: skip
    """Bend what a limb does not share with the one that leads as that one is; then to where its own hand is wanted."""
    limbs, weight, shared = body.limbs, goals.places[actor, limb, 3], body.limbs.shared[limb]
    for place in range(shared, min(limbs.number[limb], limbs.number[lead])):
        joint, other = limbs.chain[limbs.first[limb] + place], limbs.chain[limbs.first[lead] + place]
        write_bend(actor, joint, held(joint, body.frame.limits, bend_of(actor, other, actors.bends)), actors.bends)
    if not swing.playing:
        return
    above, base = bend_of(actor, limbs.carrier[limb], actors.turns), base_of(actor, limb, body, actors)
    first = times(above, bend_of(actor, limbs.chain[limbs.first[limb]], actors.bends))
    wish = plus(base, turned(first, tip_below(actor, limb, 0, body, actors)))
    if weight > 0.0:
        if goals.grips[actor, limb] <= 0.0 and goals.touched[actor, limb, 1] <= 0.0:
            own = out_of_ground(actor, limb, goals_place(actor, limb, goals), body, actors, goals, ground)
            put_place(actor, limb, own, goals)
        wish = between(wish, wrist_goal(actor, limb, body, actors, goals), weight)
    free = free_of_contact(actor, limb, wish, body, actors, goals, ground, swing.seconds)
    if weight > 0.0 or free != wish:
        sweep(actor, limb, shared, turned(back(above), minus(free, base)), body, actors)
    bend_away(actor, limb, body, actors, goals)


def hanging(actor: int, limb: int, swing: Swing, body: Body, actors: Actors) -> Three:
    """Where the hand of an arm is that hangs and swings."""
    limbs, walking = body.limbs, actors.gait[actor, WALKING]
    side = limbs.side[limb] if limbs.side[limb] != 0.0 else 1.0
    ahead = -(swing.left if side > 0.0 else swing.right)
    swung = ahead * style_at(body.legs, swing.relative, ARMS)
    if swung < 0.0:
        swung *= BEHIND
    fold = style_at(body.legs, swing.relative, FOLD) + ahead * style_at(body.legs, swing.relative, DRAG)
    fold = max(fold * walking, 0.03)
    length, swung = limbs.length[limb] * (1.0 - fold), swung + AHEAD * math.acos(1.0 - fold)
    hang = (side * limbs.hangs[limb] * length, -math.cos(swung) * length, math.sin(swung) * length)
    turn = bend_of(actor, limbs.carrier[limb], actors.turns)
    return plus(base_of(actor, limb, body, actors), turned(turn, hang))
