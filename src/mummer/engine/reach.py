"""Reaching: chains that bend all along, and a body that leans to where its hands do not reach."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.contact import (
    SHORTEST,
    SOFT_REACH,
    base_of,
    head_of,
    held_out,
    lowest,
    reach_floor,
    reached,
)
from mummer.engine.ground import height_at
from mummer.engine.scalars import (
    bend_of,
    between,
    eased,
    held,
    mixed,
    place_of,
    ramp,
    rotation_by,
    rotation_vector,
    three_of,
    vector,
    write_bend,
)
from mummer.engine.self_contact import goals_place, wrist_goal
from mummer.engine.state import GOAL, ROOM
from mummer.kernels.linking import apart
from mummer.kernels.vectors import about, back, cross, dot, minus, part_of, plus, scaled, shortest, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Four, Three

# How often each joint of a chain turns at most, by which part of what would bring the tip there by itself; and heights
# from its goal that are near enough.
SWEEPS, SHARE, NEAR = 16, 0.6, 1e-3
ANY = -1
# How often the angle is mended at which a head goes to the ground, radians that it is at most, and from which on it is
# kept altogether.
NODDING, STEEPEST, NODS = 5, 1.4, 0.3
# The part of its length beyond which the body leans for a limb, and the softness of where that begins.
COMFORTABLE, SOFT = 0.93, 0.06
# Radians that the spine leans at most for hands, all of it together; each time the root makes up for that
# part of a miss.
MOST_LEAN, FOLLOWS = 0.6, 0.3
# Radians each time that a body bends at its hips for what its spine cannot do; how far ahead of the root or behind it,
# in lengths of legs, hips are that keep it from doing so: those of who stands on four legs; and radians that thighs
# come up at most from how they stand for it, and over which they come to that: those of who squats have less room.
MOST_PITCH, APART, THIGHS_UP, SOFT_UP = 0.35, 0.5, 1.4, 0.1
# Heights by which the root comes along at most for mouths that necks do not bring there.
COMES = 0.2


@apart
def bring(
    actor: int, number: int, target: Three, weight: float, body: Body, actors: Actors, ground: Ground
) -> Three:  # fmt: skip
    """Bend a chain so that its tip comes to a target, by ``weight`` of the way and above the ground; what it misses."""
    reaches = body.reaches
    count = reaches.number[number]
    recarry(actor, number, 0, body, actors)
    wish = between(reached(actor, number, body, actors), target, weight)
    goal = reach_floor(actor, number, wish, body, actors, ground)
    turn, angle = nod(actor, number, wish, body, actors, ground)
    share, head = eased(angle / NODS), head_of(number, body)
    out = turned(bend_of(actor, head, actors.turns), held_out(actor, number, body, actors))
    if share > 0.0:
        # As far of the way there as it nods, so that a little more of it is never much more.
        spot = minus(goal, turned(turn, held_out(actor, number, body, actors)))
        spot = between(place_of(actor, head, actors), spot, share)
        for _ in range(SWEEPS):
            if size(minus(spot, place_of(actor, head, actors))) < NEAR * body.frame.height:
                break
            for place in range(count - 1):
                end = place_of(actor, head, actors)
                swing_to(actor, number, count - 2 - place, end, spot, 1.0, body, actors)
        above = bend_of(actor, body.frame.parents[head], actors.turns)
        bend = times(back(above), mixed(bend_of(actor, head, actors.turns), turn, share))
        write_bend(actor, head, held(head, body.frame.limits, bend), actors.bends)
        recarry(actor, number, count - 1, body, actors)
    # A head that nods stays as it is turned, and all others bring it.
    sweep_to(actor, number, goal, 1.0 - share, ANY, body, actors)
    high = (wish[1] - height_at(ground, wish[0], wish[2])) / max(size(out), 1e-9)
    if high < 1.0 and turn_from_under(actor, head, out, 1.0 - eased(high), number, body, actors):
        sweep_to(actor, number, goal, 0.0, ANY, body, actors)
    return minus(goal, reached(actor, number, body, actors))


def turn_from_under(
    actor: int, head: int, out: Three, share: float, number: int, body: Body, actors: Actors
) -> bool:  # fmt: skip
    """Turn a head back to straight down, by a share, whose mouth was brought there under itself; whether it was.

    ``out`` is the way to its mouth as it was before that: ahead, or down.
    """
    turn, flat = bend_of(actor, head, actors.turns), max(math.sqrt(out[0] * out[0] + out[2] * out[2]), 1e-9)
    ahead, now = (out[0] / flat, 0.0, out[2] / flat), turned(turn, held_out(actor, number, body, actors))
    under = math.atan2(-dot(ahead, now), -now[1])
    if under <= 0.0 or now[1] > 0.0:
        return False
    turn = times(about(cross(ahead, (0.0, -1.0, 0.0)), -share * under), turn)
    above = bend_of(actor, body.frame.parents[head], actors.turns)
    write_bend(actor, head, held(head, body.frame.limits, times(back(above), turn)), actors.bends)
    recarry(actor, number, body.reaches.number[number] - 1, body, actors)
    return True


def come(actor: int, miss: Three, body: Body, actors: Actors) -> None:
    """Move the root by what mouths miss when necks are bent as far as they go; lower as legs have room for it.

    Who stands on legs does not rise: these would hold it down, and it would miss by that much more.
    """
    far, most = size(miss), COMES * body.frame.height
    miss = scaled(miss, most * math.tanh(far / most) / max(far, 1e-9))
    low = min(max(-miss[1], 0.0), actors.gait[actor, ROOM])
    actors.gait[actor, ROOM] -= low
    up = max(miss[1], 0.0) if body.legs.limb.shape[0] == 0 else 0.0
    for part in range(3):
        actors.places[actor, 0, part] += (miss[0], up - low, miss[2])[part]


def sweep_to(actor: int, number: int, goal: Three, nods: float, which: int, body: Body, actors: Actors) -> None:
    """Turn the joints of a chain one by one, from its end upwards, until its tip is at a goal.

    Args:
        actor: which.
        number: the chain.
        goal: metres, in the world.
        nods: how much its last joint takes part, 0 to 1.
        which: of the chain's joints those that turn, see `Frame.early`; or `ANY`.
        body: of the actor.
        actors: whose bends are written; what carries the chain must be placed and turned.
    """
    reaches = body.reaches
    first, count = reaches.first[number], reaches.number[number]
    recarry(actor, number, 0, body, actors)
    for _ in range(SWEEPS):
        if size(minus(goal, reached(actor, number, body, actors))) < NEAR * body.frame.height:
            break
        for place in range(count - 1, -1, -1):
            if which in (ANY, body.frame.early[reaches.chain[first + place]]):
                end = reached(actor, number, body, actors)
                swing_to(actor, number, place, end, goal, nods if place == count - 1 else 1.0, body, actors)


def swing_to(
    actor: int, number: int, place: int, end: Three, goal: Three, share: float, body: Body, actors: Actors
) -> None:  # fmt: skip
    """Turn a joint of a chain by a part of what would bring ``end``, which it carries, to a goal."""
    at = body.reaches.first[number] + place
    joint = body.reaches.chain[at]
    spot, above = place_of(actor, joint, actors), bend_of(actor, body.frame.parents[joint], actors.turns)
    swing = part_of(shortest(minus(end, spot), minus(goal, spot)), share * SHARE * body.reaches.ease[at])
    bend = times(back(above), times(swing, bend_of(actor, joint, actors.turns)))
    write_bend(actor, joint, held(joint, body.frame.limits, bend), actors.bends)
    recarry(actor, number, place, body, actors)


@apart
def nod(
    actor: int, number: int, wish: Three, body: Body, actors: Actors, ground: Ground
) -> tuple[Four, float]:  # fmt: skip
    """How a head is turned whose mouth goes somewhere: as steeply as it takes for its skin to stay above the ground.

    Returns:
        The turn in the world, and radians by which it is steeper than carried.
    """
    joint = head_of(number, body)
    turn, arm = bend_of(actor, joint, actors.turns), held_out(actor, number, body, actors)
    out = turned(turn, arm)
    flat, level = math.sqrt(out[0] * out[0] + out[2] * out[2]), height_at(ground, wish[0], wish[2])
    ahead = (out[0] / max(flat, 1e-9), 0.0, out[2] / max(flat, 1e-9))
    angle, steep = 0.0, turn
    for _ in range(NODDING):
        steep = times(about(cross(ahead, (0.0, -1.0, 0.0)), angle), turn)
        low, out = lowest_of_head(actor, number, steep, body, actors), turned(steep, arm)
        deep = level - wish[1] + out[1] - low[1] - body.solids.sunk[body.solids.owner[joint]]
        angle = angle + deep / max(dot(ahead, minus(out, low)), SHORTEST * size(arm))
        angle = min(max(angle, 0.0), STEEPEST)
    return steep, angle


def lowest_of_head(actor: int, number: int, turn: Four, body: Body, actors: Actors) -> Three:
    """From the last joint of what reaches, turned so, to the lowest of the skin that it and what is brought carry."""
    tip, joint, solids, found = body.reaches.tip[number], head_of(number, body), body.solids, (0.0, 1e9, 0.0)
    jaw = times(turn, bend_of(actor, tip, actors.bends))
    if solids.owner[joint] == joint:
        _, which = lowest(joint, turn, 0.0, 0.0, body)
        if which >= 0:
            found = turned(turn, vector(solids.points, which))
    if tip != joint and solids.owner[tip] == tip:
        _, which = lowest(tip, jaw, 0.0, 0.0, body)
        if which >= 0:
            below = plus(turned(turn, vector(body.frame.bones, tip)), turned(jaw, vector(solids.points, which)))
            found = below if below[1] < found[1] else found
    return found


def recarry(actor: int, number: int, place: int, body: Body, actors: Actors) -> None:
    """Place and turn the joints of a chain again, from one on."""
    reaches = body.reaches
    for each in range(place, reaches.number[number]):
        carry_joint(actor, reaches.chain[reaches.first[number] + each], body, actors)


def carry_joint(actor: int, joint: int, body: Body, actors: Actors) -> None:
    """Place and turn a joint as its parent carries it and it is bent."""
    above = body.frame.parents[joint]
    turn = bend_of(actor, above, actors.turns)
    place = plus(place_of(actor, above, actors), turned(turn, vector(body.frame.bones, joint)))
    for part in range(3):
        actors.places[actor, joint, part] = place[part]
    write_bend(actor, joint, times(turn, bend_of(actor, joint, actors.bends)), actors.turns)


def turn_joint(actor: int, joint: int, body: Body, actors: Actors, goals: Goals) -> None:
    """Turn a joint that is carried already as animations ask, as far as its limits let it."""
    weight = goals.turns[actor, joint, 4] if goals.asked[actor] > 0.0 else 0.0
    if weight > 0.0:
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        turn = mixed(bend_of(actor, joint, actors.turns), bend_of(actor, joint, goals.turns), weight)
        bend = held(joint, body.frame.limits, times(back(above), turn))
        write_bend(actor, joint, bend, actors.bends)
        write_bend(actor, joint, times(above, bend), actors.turns)


@apart
def lean(actor: int, body: Body, actors: Actors, goals: Goals, ground: Ground) -> bool:
    """Lean and stoop to where hands and mouths should touch something that they do not reach; whether that was needed.

    The root comes along, lower as legs have room for it, and the spine turns.
    """
    limbs, reaches, spine = body.limbs, body.reaches, body.frame.spine
    count, arms = spine.shape[0], limbs.tip.shape[0]
    turn, lost, far, outside = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0
    for number in range(arms + reaches.tip.shape[0]):
        weight = goals.exact[actor, number] * goals.places[actor, number, 3]
        if weight <= 0.0 or (number < arms and limbs.leg[number] >= 0):
            continue
        if number < arms:
            start, length = base_of(actor, number, body, actors), limbs.length[number]
        else:
            start, length = place_of(actor, reaches.neck[number - arms], actors), reaches.length[number - arms]
        target = wrist_goal(actor, number, body, actors, goals) if number < arms else goals_place(actor, number, goals)
        miss = scaled(lacking(start, target, length, body, ground), weight)
        low = min(max(-FOLLOWS * miss[1], 0.0), actors.gait[actor, ROOM])
        actors.gait[actor, ROOM] -= low
        # What it carries itself would run away from a root that comes for it.
        foreign = max(1.0 - goals.touched[actor, number, 1], 0.0)
        share, outside = FOLLOWS * foreign, max(outside, foreign)
        comes = (share * miss[0], -low, share * miss[2])
        for part in range(3):
            actors.places[actor, 0, part] += comes[part]
        if count > 0:
            arm = minus(start, place_of(actor, spine[0], actors))
            across = cross(arm, minus(miss, comes))
            turn = plus(turn, scaled(across, 1.0 / max(dot(arm, arm), 1e-9)))
        far = max(far, size(miss))
    large = size(turn)
    if far <= 0.0:
        return False
    share = min(1.0, MOST_LEAN / max(large, 1e-9)) / max(count, 1)
    for number in range(count):
        joint = spine[number]
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        local = scaled(turned(back(above), turn), share)
        bend = times(rotation_by(local[0], local[1], local[2]), bend_of(actor, joint, actors.bends))
        kept = held(joint, body.frame.limits, bend)
        lost = plus(lost, turned(above, rotation_vector(times(bend, back(kept)))))
        write_bend(actor, joint, kept, actors.bends)
    bend_at_hips(actor, scaled(lost, outside), body, actors)
    return True


def bend_at_hips(actor: int, lost: Three, body: Body, actors: Actors) -> None:
    """Turn the root forward over its legs by what the spine should have turned and was held from, world."""
    legs, frame, wide, squat = body.legs, body.frame, 0.0, 0.0
    if legs.limb.shape[0] == 0:
        return
    for leg in range(legs.limb.shape[0]):
        wide = max(wide, abs(legs.hip[leg, 2] - frame.places[frame.root, 2]))
        limb = legs.limb[leg]
        now = minus(base_of(actor, limb, body, actors), three_of(actor, leg, GOAL, actors.feet))
        rest = minus(vector(legs.hip, leg), vector(frame.places, body.limbs.tip[limb]))
        squat = max(squat, fold_of(size(now) / legs.reach[leg]) - fold_of(size(rest) / legs.reach[leg]))
    turn = bend_of(actor, 0, actors.turns)
    left = turned(turn, (1.0, 0.0, 0.0))
    angle = MOST_PITCH * math.tanh(max(dot(lost, left), 0.0) / MOST_PITCH)
    angle *= eased(1.0 - wide / (APART * legs.length))
    down = -turned(turn, (0.0, 0.0, 1.0))[1]
    room = THIGHS_UP - squat - math.asin(min(max(down, -1.0), 1.0))
    angle = max(angle - ramp(angle - room, SOFT_UP), 0.0)
    by, arm = about(left, angle), turned(turn, minus(vector(frame.places, frame.root), vector(frame.places, 0)))
    place = plus(place_of(actor, 0, actors), minus(arm, turned(by, arm)))
    for part in range(3):
        actors.places[actor, 0, part] = place[part]
    write_bend(actor, 0, times(by, turn), actors.turns)


def fold_of(stretched: float) -> float:
    """Radians by which a thigh is about swung off the way to its foot as a leg is stretched to a part of its reach."""
    return math.acos(min(stretched, 1.0))


def lacking(start: Three, target: Three, length: float, body: Body, ground: Ground) -> Three:
    """How far a target is beyond what a limb that begins at ``start`` reaches with ease; one below ground is on it."""
    level, soft = height_at(ground, target[0], target[2]), SOFT_REACH * body.frame.height
    way = minus((target[0], level + ramp(target[1] - level, soft), target[2]), start)
    far = size(way)
    return scaled(way, ramp(far - COMFORTABLE * length, SOFT * length) / max(far, 1e-9))
