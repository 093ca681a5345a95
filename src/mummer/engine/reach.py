"""Reaching: chains that bend all along, and a body that leans to where its hands do not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mummer.engine.contact import SOFT_REACH, reach_floor
from mummer.engine.ground import height_at
from mummer.engine.scalars import bend_of, between, held, mixed, place_of, ramp, rotation_by, vector, write_bend
from mummer.engine.state import ROOM
from mummer.kernels.linking import apart
from mummer.kernels.vectors import back, cross, dot, minus, part_of, plus, scaled, shortest, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Three

# How often each joint of a chain turns, and by which part of what would bring the tip there by itself.
SWEEPS, SHARE = 5, 0.45
# The part of its length beyond which the body leans for a limb, and the softness of where that begins.
COMFORTABLE, SOFT = 0.93, 0.06
# Radians that the spine leans at most for hands, all of it together; how much of a miss the root makes up for.
MOST_LEAN, FOLLOWS = 0.6, 0.3


@apart
def bring(
    actor: int, number: int, target: Three, weight: float, body: Body, actors: Actors, ground: Ground
) -> float:  # fmt: skip
    """Bend a chain so that its tip comes to a target, by ``weight`` of the way and above the ground; metres missed."""
    reaches = body.reaches
    first, count, tip = reaches.first[number], reaches.number[number], reaches.tip[number]
    recarry(actor, number, 0, body, actors)
    wish = between(tip_of(actor, tip, body, actors), target, weight)
    goal = reach_floor(actor, number, wish, body, actors, ground)
    for _ in range(SWEEPS):
        for back_place in range(count):
            place = count - 1 - back_place
            joint = reaches.chain[first + place]
            spot, end = place_of(actor, joint, actors), tip_of(actor, tip, body, actors)
            swing = part_of(shortest(minus(end, spot), minus(goal, spot)), SHARE * reaches.ease[first + place])
            above = bend_of(actor, body.frame.parents[joint], actors.turns)
            turn = times(swing, bend_of(actor, joint, actors.turns))
            write_bend(actor, joint, held(joint, body.frame.limits, times(back(above), turn)), actors.bends)
            recarry(actor, number, place, body, actors)
    return size(minus(wish, tip_of(actor, tip, body, actors)))


def tip_of(actor: int, tip: int, body: Body, actors: Actors) -> Three:
    """Where a joint is that its parent carries."""
    above = body.frame.parents[tip]
    bone = turned(bend_of(actor, above, actors.turns), vector(body.frame.bones, tip))
    return plus(place_of(actor, above, actors), bone)


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
    weight = goals.turns[actor, joint, 4]
    if weight > 0.0:
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        turn = mixed(bend_of(actor, joint, actors.turns), bend_of(actor, joint, goals.turns), weight)
        bend = held(joint, body.frame.limits, times(back(above), turn))
        write_bend(actor, joint, bend, actors.bends)
        write_bend(actor, joint, times(above, bend), actors.turns)


@apart
def lean(actor: int, body: Body, actors: Actors, goals: Goals, ground: Ground) -> bool:
    """Lean and stoop to where hands should touch something that they do not reach; whether that was needed."""
    limbs, spine = body.limbs, body.frame.spine
    count = spine.shape[0]
    lean_x, lean_y, lean_z = 0.0, 0.0, 0.0
    for limb in range(limbs.tip.shape[0]):
        weight = goals.exact[actor, limb] * goals.places[actor, limb, 3]
        if limbs.leg[limb] >= 0 or weight <= 0.0:
            continue
        carrier, base = limbs.carrier[limb], limbs.chain[limbs.first[limb]]
        bone = turned(bend_of(actor, carrier, actors.turns), vector(body.frame.bones, base))
        shoulder = plus(place_of(actor, carrier, actors), bone)
        target = goals_place(actor, limb, goals)
        level, soft = height_at(ground, target[0], target[2]), SOFT_REACH * body.frame.height
        way = minus((target[0], level + ramp(target[1] - level, soft), target[2]), shoulder)
        far = size(way)
        over = far - COMFORTABLE * limbs.length[limb]
        soft = SOFT * limbs.length[limb]
        lacking = ramp(over, soft)
        if lacking <= 0.0:
            continue
        miss = scaled(way, weight * lacking / max(far, 1e-9))
        low = min(FOLLOWS * max(-miss[1], 0.0), actors.gait[actor, ROOM])
        actors.places[actor, 0, 1] -= low
        actors.gait[actor, ROOM] -= low
        if count > 0:
            arm = minus(shoulder, place_of(actor, spine[0], actors))
            turn = scaled(cross(arm, (miss[0], miss[1] + low, miss[2])), 1.0 / max(dot(arm, arm), 1e-9))
            lean_x, lean_y, lean_z = lean_x + turn[0], lean_y + turn[1], lean_z + turn[2]
    large = size((lean_x, lean_y, lean_z))
    if large <= 0.0:
        return False
    if count > 0:
        share = min(1.0, MOST_LEAN / large) / count
        for number in range(count):
            joint = spine[number]
            above = bend_of(actor, body.frame.parents[joint], actors.turns)
            local = turned(back(above), (lean_x * share, lean_y * share, lean_z * share))
            bend = times(rotation_by(local[0], local[1], local[2]), bend_of(actor, joint, actors.bends))
            write_bend(actor, joint, held(joint, body.frame.limits, bend), actors.bends)
    return True


def goals_place(actor: int, limb: int, goals: Goals) -> Three:
    """Where the tip of a limb should be."""
    return goals.places[actor, limb, 0], goals.places[actor, limb, 1], goals.places[actor, limb, 2]
