"""Contact with the own body: limbs stay out of other parts, and hands that are to touch one come onto its skin.

Targets are pushed out of capsules before limbs are placed, by amounts that grow smoothly with how deep they would be;
limbs that are placed turn about the line from base to tip, and hands bend at their joint.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.clearance import ROUNDS, SOFT, apart_from, placed
from mummer.engine.contact import RISING, SHORTEST, YIELDS, above_ground, base_of, lowest, skin_point, slope_at
from mummer.engine.limb import tip_below
from mummer.engine.scalars import (
    bend_of,
    eased,
    follow,
    held,
    mixed,
    place_of,
    rotation_by,
    rotation_vector,
    vector,
    write_bend,
)
from mummer.engine.settle import settle_place
from mummer.engine.state import PULL, PULL_RATE
from mummer.ik.volume.capsule import Capsule, at_share, nearest_share, thickness
from mummer.kernels.linking import apart
from mummer.kernels.vectors import about, back, cross, dot, minus, plus, scaled, size, times, turned, unit_rotation

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Four, Three

# From how near on hands that are to touch the skin of a part are brought onto it, in lengths of the limb.
CLOSE = 0.3
# How often a limb is turned about the line from its base to its tip, radians that it is at most, and the least lever
# by which it is, in its lengths.
SWIVELS, MOST_SWIVEL, LEAST_LEVER = 2, 1.0, 0.05
# The part of its length from which on a limb is so turned altogether.
FOLDED = 0.3
# How often it is halved by how much a limb is turned that limits hold, and radians that count as held.
HALVES, HELD_BY = 6, 1e-3
# The part of the most suddenly that an arm swings by which a hand may be pushed out of the body.
PUSHED = 0.25
# How often hands bend away from what their fingers are in.
BENDS = 5


def tip_turn(actor: int, limb: int, body: Body, actors: Actors, goals: Goals) -> Four:
    """How the tip of a limb is taken to be turned that is not placed yet: as what it hangs on carried it last."""
    above = bend_of(actor, body.frame.parents[body.limbs.tip[limb]], actors.turns)
    return turn_below(actor, limb, above, body, actors, goals)


def turn_below(actor: int, limb: int, above: Four, body: Body, actors: Actors, goals: Goals) -> Four:
    """How the tip of a limb is turned that is carried so: as it is bent, or asked to turn, and as its joint lets it."""
    tip = body.limbs.tip[limb]
    turn, weight = times(above, bend_of(actor, tip, actors.bends)), min(goals.turns[actor, tip, 4], 1.0)
    if weight <= 0.0:
        return turn
    turn = mixed(turn, bend_of(actor, tip, goals.turns), weight)
    return times(above, held(tip, body.frame.limits, times(back(above), turn)))


def goals_place(actor: int, limb: int, goals: Goals) -> Three:
    """Where the tip of a limb should be."""
    return goals.places[actor, limb, 0], goals.places[actor, limb, 1], goals.places[actor, limb, 2]


def grip_of(actor: int, limb: int, body: Body, goals: Goals) -> Three:
    """From the tip of a limb to what of it should be at its place, as it sees it: of who takes a thing the palm."""
    palm = scaled(vector(body.solids.middle, body.limbs.tip[limb]), goals.grips[actor, limb])
    return plus(vector(body.limbs.point, limb), palm)


def wrist_goal(actor: int, limb: int, body: Body, actors: Actors, goals: Goals) -> Three:
    """Where the tip of a limb goes for its palm to be where it should be, turned as it is taken to be."""
    turn = tip_turn(actor, limb, body, actors, goals)
    away = turned(turn, vector(body.solids.middle, body.limbs.tip[limb]))
    return minus(goals_place(actor, limb, goals), scaled(away, goals.grips[actor, limb]))


def free_of_contact(
    actor: int, limb: int, wish: Three, body: Body, actors: Actors, goals: Goals, ground: Ground, seconds: float
) -> Three:  # fmt: skip
    """Where the tip of a limb goes that is wished somewhere: out of ground and body, and hands without a jump."""
    length, turn = body.limbs.length[limb], tip_turn(actor, limb, body, actors, goals)
    push = minus(out_of_body(actor, limb, wish, turn, SOFT * length, body, actors), wish)
    if body.limbs.leg[limb] < 0:
        row = 3 + 2 * body.legs.limb.shape[0] + body.limbs.tip.shape[0] + limb
        most = PUSHED * length * body.frame.sudden[body.limbs.chain[body.limbs.first[limb]]]
        push = settle_place(actor, row, 0, push, most, actors.anchors, seconds)
    return out_of_ground(actor, limb, plus(wish, push), body, actors, goals, ground)


def out_of_ground(
    actor: int, limb: int, target: Three, body: Body, actors: Actors, goals: Goals, ground: Ground
) -> Three:
    """A target of the tip of a limb, raised so that it is on the ground at least, bent up as far as it yields."""
    soft, turn = SOFT * body.limbs.length[limb], tip_turn(actor, limb, body, actors, goals)
    tip, point = body.limbs.tip[limb], vector(body.limbs.point, limb)
    return above_ground(
        actor, tip, point, target, turn, soft, YIELDS, goals.closed[actor, tip], body, ground, actors
    )  # fmt: skip


@apart
def onto_skin(
    actor: int, limb: int, wish: Three, body: Body, actors: Actors, goals: Goals, seconds: float
) -> Three:  # fmt: skip
    """Where the tip of a limb is wished that is to touch a part of the body: so near that their skins meet.

    How it was turned last tells where its skin is: how far it is brought has a state, so that neither chases the other.
    """
    solids, tip, joint = body.solids, body.limbs.tip[limb], int(goals.touched[actor, limb, 0])
    turn, closed = tip_turn(actor, limb, body, actors, goals), goals.closed[actor, tip]
    place = minus(wish, turned(turn, vector(body.limbs.point, limb)))
    middle = plus(place, turned(turn, vector(solids.middle, tip)))
    nearest, way = 1e9, (0.0, 0.0, 0.0)
    for capsule in range(solids.joint.shape[0]):
        if solids.joint[capsule] == joint:
            theirs = carried_capsule(actor, capsule, body, actors)
            for number in range(solids.number[tip]):
                spot = plus(place, turned(turn, skin_point(solids.first[tip] + number, closed, body)))
                share = nearest_share(spot, theirs)
                far = size(minus(spot, at_share(theirs, share))) - thickness(theirs, share)
                if far < nearest:
                    nearest, way = far, minus(at_share(theirs, nearest_share(middle, theirs)), middle)
    # What is far from it is not meant to be on it.
    near = goals.touched[actor, limb, 1] * (1.0 - eased(nearest / (CLOSE * body.limbs.length[limb]) - 1.0))
    state, pull, length = actors.raised, near * max(nearest, 0.0), size(way)
    if seconds > 0.0:
        pull, state[actor, tip, PULL_RATE] = follow(
            state[actor, tip, PULL], state[actor, tip, PULL_RATE], pull, RISING, seconds
        )
    state[actor, tip, PULL] = pull
    return plus(wish, scaled(way, pull / length)) if length > 1e-9 else wish


def ball_of(actor: int, capsule: int, body: Body, actors: Actors) -> Three:
    """The middle of a capsule in the world."""
    joint = body.solids.joint[capsule]
    return plus(place_of(actor, joint, actors), turned(bend_of(actor, joint, actors.turns),
                                                       vector(body.solids.ball, capsule)))  # fmt: skip


def carried_capsule(actor: int, capsule: int, body: Body, actors: Actors) -> Capsule:
    """A capsule where its joint is."""
    joint = body.solids.joint[capsule]
    return placed(capsule, place_of(actor, joint, actors), bend_of(actor, joint, actors.turns), 0.0, 1.0, body.solids)


@apart
def out_of_body(
    actor: int, limb: int, target: Three, turn: Four, soft: float, body: Body, actors: Actors
) -> Three:  # fmt: skip
    """A target of the tip of a limb, moved so that its capsules are out of those of other parts."""
    solids = body.solids
    place = minus(target, turned(turn, vector(body.limbs.point, limb)))
    shoulder, start = base_of(actor, limb, body, actors), place
    for _ in range(ROUNDS):
        before = place
        for pair in range(solids.first_pair[limb], solids.first_pair[limb] + solids.pair_number[limb]):
            own, other, give = solids.own[pair], solids.other[pair], solids.gives[pair]
            gap = minus(plus(place, turned(turn, vector(solids.ball, own))), ball_of(actor, other, body, actors))
            around = solids.ball[own, 3] + solids.ball[other, 3] - give
            if dot(gap, gap) < around * around:
                mine = placed(own, place, turn, 0.0, 1.0, solids)
                push, _ = apart_from(mine, carried_capsule(actor, other, body, actors), shoulder, give, soft)
                place = plus(place, push)
        if place == before:
            break
    return plus(target, minus(place, start))


@apart
def swivel(actor: int, limb: int, most: float, body: Body, actors: Actors, ground: Ground) -> None:
    """Turn a limb that is placed about the line from base to tip, for what is between to be out of body and ground.

    ``most`` is how much of that it does, 0 to 1.
    """
    limbs = body.limbs
    shoulder, base = base_of(actor, limb, body, actors), limbs.chain[limbs.first[limb]]
    above = bend_of(actor, limbs.carrier[limb], actors.turns)
    start, angle = times(above, bend_of(actor, base, actors.bends)), 0.0
    axis = turned(start, tip_below(actor, limb, 0, body, actors))
    far = size(axis)
    # One whose tip is at its base has no line between them.
    axis, weight = scaled(axis, 1.0 / max(far, 1e-12)), most * eased(far / (FOLDED * limbs.length[limb]))
    for _ in range(SWIVELS):
        further = swiveled(actor, limb, axis, times(about(axis, angle), start), shoulder, body, actors, ground)
        if further == 0.0:
            break
        angle += further
    angle = weight * MOST_SWIVEL * math.tanh(angle / MOST_SWIVEL)
    if angle != 0.0:
        write_bend(actor, base, turned_within(base, axis, angle, start, above, body), actors.bends)


def turned_within(joint: int, axis: Three, angle: float, start: Four, above: Four, body: Body) -> Four:
    """The bend of a joint that is turned on about an axis, as far as its limits let it turn about that axis alone."""
    low, high, share = 0.0, 1.0, 1.0
    bend = times(back(above), start)
    for _ in range(HALVES):
        wanted = times(back(above), times(about(axis, share * angle), start))
        kept = held(joint, body.frame.limits, wanted)
        if size(rotation_vector(times(kept, back(wanted)))) < HELD_BY:
            low, bend = share, kept
            if low == 1.0:
                break
        else:
            high = share
        share = 0.5 * (low + high)
    return bend


def swiveled(
    actor: int, limb: int, axis: Three, turn: Four, place: Three, body: Body, actors: Actors, ground: Ground
) -> float:  # fmt: skip
    """Radians about an axis through its base by which a limb is turned on, to be out of body and ground, nearly.

    Args:
        actor: which.
        limb: which; all but its base is bent as it shall be.
        axis: unit, from base to tip.
        turn: of the base.
        place: of the base.
        body: of the actor.
        actors: how they are.
        ground: below.
    """
    solids, limbs = body.solids, body.limbs
    first, row, last = limbs.first[limb], solids.first_side[limb], solids.first_side[limb] + solids.side_number[limb]
    base, most, other_way = place, 0.0, 0.0
    soft, least = SOFT * limbs.length[limb], LEAST_LEVER * limbs.length[limb]
    for number in range(limbs.number[limb]):
        joint = limbs.chain[first + number]
        if number > 0:
            place = plus(place, turned(turn, vector(body.frame.bones, joint)))
            turn = times(turn, bend_of(actor, joint, actors.bends))
        level, slope_x, slope_z = slope_at(ground, place[0], place[2])
        high = place[1] - level + solids.sunk[joint]
        if high < solids.bound[joint]:
            low, point = lowest(joint, turn, slope_x, slope_z, body)
            if high + low < 0.0:
                spot = plus(place, turned(turn, vector(solids.points, point)))
                angle = about_axis(axis, minus(spot, base), (0.0, -high - low, 0.0), least)
                most, other_way = max(most, angle), min(other_way, angle)
        while row < last and solids.joint[solids.side_own[row]] == joint:
            own, other, give = solids.side_own[row], solids.side_other[row], solids.side_gives[row]
            gap = minus(plus(place, turned(turn, vector(solids.ball, own))), ball_of(actor, other, body, actors))
            around = solids.ball[own, 3] + solids.ball[other, 3] - give
            if dot(gap, gap) < around * around:
                mine = placed(own, place, turn, solids.side_trims[row, 0], solids.side_trims[row, 1], solids)
                push, spot = apart_from(mine, carried_capsule(actor, other, body, actors), base, give, soft)
                angle = about_axis(axis, minus(spot, base), push, least)
                most, other_way = max(most, angle), min(other_way, angle)
            row += 1
    return most + other_way


def about_axis(axis: Three, spot: Three, push: Three, least: float) -> float:
    """Radians about an axis that move a spot by a push, as nearly as they can, with a lever of ``least`` at least."""
    lever = cross(axis, spot)
    return dot(push, lever) / (dot(lever, lever) + least * least)


@apart
def bend_away(actor: int, limb: int, body: Body, actors: Actors, goals: Goals) -> None:
    """Bend the tip of a limb that is placed, and what is asked of its turn, for its fingers to be out of the body."""
    limbs, tip = body.limbs, body.limbs.tip[limb]
    place, turn = base_of(actor, limb, body, actors), bend_of(actor, limbs.carrier[limb], actors.turns)
    for number in range(limbs.number[limb]):
        joint = limbs.chain[limbs.first[limb] + number]
        if number > 0:
            place = plus(place, turned(turn, vector(body.frame.bones, joint)))
        turn = times(turn, bend_of(actor, joint, actors.bends))
    place = plus(place, turned(turn, vector(body.frame.bones, tip)))
    above, turn = turn, turn_below(actor, limb, turn, body, actors, goals)
    bent = bent_turn(actor, limb, place, above, turn, goals.closed[actor, tip], body, actors)
    if bent == turn:
        return
    write_bend(actor, tip, times(back(above), bent), actors.bends)
    if goals.turns[actor, tip, 4] > 0.0:
        write_bend(actor, tip, bent, goals.turns)
        goals.turns[actor, tip, 4] = 1.0


@apart
def bent_turn(
    actor: int, limb: int, place: Three, above: Four, turn: Four, closed: float, body: Body, actors: Actors
) -> Four:  # fmt: skip
    """How the tip of a limb is turned that bends for its fingers to be out of the body, as far as its joint goes.

    Args:
        actor: which.
        limb: which.
        place: of the tip joint, metres.
        above: how the parent of the tip is turned.
        turn: of the tip, if nothing is in its way.
        closed: how much its fingers are closed, 0 to 1.
        body: of the actor.
        actors: how they are.
    """
    start, tip = turn, body.limbs.tip[limb]
    for _ in range(BENDS):
        away = bent_away(actor, limb, place, turn, closed, body, actors)
        if away[0] == 0.0 and away[1] == 0.0 and away[2] == 0.0:
            break
        turn = times(rotation_by(away[0], away[1], away[2]), turn)
    if turn == start:
        return start
    away = rotation_vector(times(turn, back(start)))
    far = size(away)
    away = scaled(away, YIELDS * math.tanh(far / YIELDS) / max(far, 1e-12))
    bent = times(unit_rotation(rotation_by(away[0], away[1], away[2])), start)
    return times(above, held(tip, body.frame.limits, times(back(above), bent)))


def bent_away(
    actor: int, limb: int, place: Three, turn: Four, closed: float, body: Body, actors: Actors
) -> Three:  # fmt: skip
    """The rotation vector by which a tip turns for the outermost points of its skin to leave other parts, about.

    Each point counts as much as it is deep, so that none comes in with a jump.
    """
    solids, tip, last = body.solids, body.limbs.tip[limb], -1
    found, weights = (0.0, 0.0, 0.0), 0.0
    for pair in range(solids.first_pair[limb], solids.first_pair[limb] + solids.pair_number[limb]):
        other = solids.other[pair]
        gap = minus(place, ball_of(actor, other, body, actors))
        around = solids.bound[tip] + solids.ball[other, 3]
        if other == last or dot(gap, gap) >= around * around:
            continue
        last, theirs = other, carried_capsule(actor, other, body, actors)
        for number in range(solids.number[tip]):
            lever = turned(turn, skin_point(solids.first[tip] + number, closed, body))
            spot = plus(place, lever)
            share = nearest_share(spot, theirs)
            out = minus(spot, at_share(theirs, share))
            far = size(out)
            deep = thickness(theirs, share) - solids.gives[pair] - far
            if deep > 0.0 and far > 1e-9:
                by = deep * deep / (far * (dot(lever, lever) + (SHORTEST * solids.bound[tip]) ** 2))
                found, weights = plus(found, scaled(cross(lever, out), by)), weights + deep
    return scaled(found, 1.0 / weights) if weights > 0.0 else found
