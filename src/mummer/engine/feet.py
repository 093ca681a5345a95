"""Feet: each stands, steps, is lent to an animation or hangs on the body, and its leg is bent to where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mummer.engine.contact import flatness, flatten, free_of_contact, swivel
from mummer.engine.legs import COLUMN, GRAVITY
from mummer.engine.limb import place_limb, turn_tip
from mummer.engine.play import to_world
from mummer.engine.reach import carry_joint, goals_place, turn_joint
from mummer.engine.scalars import bend_of, between, eased, held, place_of, vector, write_bend
from mummer.engine.settle import settle_bend, settle_place
from mummer.engine.state import AIR, AWAY, AWAY_RATE, CONTACT, GRIP, OFF, SLOPE, WALKING, YAW
from mummer.engine.walk import flight_at, style_at
from mummer.kernels.vectors import about, back, minus, part_of, plus, scaled, shortest, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.legs import Legs
    from mummer.engine.state import Actors, Goals, Poses
    from mummer.engine.walk import Pace
    from mummer.kernels.scalars import Four, Three

STRIKE, PUSH, TIPTOE, LIFT = COLUMN["strike"], COLUMN["push"], COLUMN["tiptoe"], COLUMN["lift"]
# Parts of a stand in which toes come down, and from which on heels rise.
TOES_DOWN, HEEL_RISES = 0.16, 0.55
# From which part of its length on a leg approaches straight ever more slowly. While its foot stands it is spared by
# lowering hips, so that it need hardly be soft itself.
STANDING, FLYING = 0.996, 0.95
# Leg lengths above the ground from which on a foot is where an animation wants it; below, it moves from where it stands
# as the animation does.
HIGH = 0.2
# Leg lengths that a foot is moved by animations from where it stands before it counts as lent.
LENT = 0.15
# A foot that hangs on a body stays while it would be moved by less than so many leg lengths, and hangs altogether from
# so many on; on its way it is lifted by a part of how far it goes.
HELD, HANGS, ARC = 0.12, 0.5, 0.25
# Seconds that a foot takes at the quickest to change its velocity by one length of its leg in a unit of time.
SUDDEN = 0.022
# How many times more suddenly the joints of a leg may turn whose foot stands, so that it stays.
EXACT = 10.0
# How often a foot that cannot turn as it should is put back to where it bears, and from which part of a leg on.
CORRECTIONS, UNTURNED = 2, 2e-4


def stand_of(actor: int, leg: int, duty: float, actors: Actors) -> float:
    """How far through its stand a foot is, 0 to 1; of one that flies -1."""
    if actors.feet[actor, leg, AIR] >= 0.0:
        return -1.0
    return min(max(actors.phases[actor, leg] / duty, 0.0), 1.0)


def aloft(share: float) -> float:
    """How much a foot has left the ground, 0 to 1, at a share of its flight; 0 of one that stands."""
    return min(eased(4.0 * share), eased(4.0 - 4.0 * share)) if share >= 0.0 else 0.0


def foot_goal(actor: int, leg: int, pace: Pace, legs: Legs, actors: Actors) -> tuple[Three, Four, Three, float]:
    """Where a foot joint should be, how it should be turned, where the foot bears, and by how much its heel is up."""
    stand, relative = stand_of(actor, leg, pace.duty, actors), pace.relative
    walking = actors.gait[actor, WALKING]
    strike, push = style_at(legs, relative, STRIKE) * walking, style_at(legs, relative, PUSH) * walking
    toes, heel, high = 0.0, style_at(legs, relative, TIPTOE) * walking, 0.0
    if stand >= 0.0:
        toes = strike * (1.0 - eased(stand / TOES_DOWN))
        heel += push * eased((stand - HEEL_RISES) / (1.0 - HEEL_RISES))
    else:
        share = actors.feet[actor, leg, AIR]
        toes, heel = strike * flight_at(legs, share, 3), heel + push * flight_at(legs, share, 2)
        high = max(style_at(legs, relative, LIFT), 0.02) * legs.length * flight_at(legs, share, 1)
    toes, heel = toes * legs.rolls[leg], heel * legs.rolls[leg]
    pitched = about((1.0, 0.0, 0.0), heel - toes)
    yaw = about((0.0, 1.0, 0.0), actors.feet[actor, leg, YAW])
    rear, front = vector(legs.heel, leg), vector(legs.toe, leg)
    about_heel, about_toe = turned(about((1.0, 0.0, 0.0), -toes), rear), turned(about((1.0, 0.0, 0.0), heel), front)
    ankle = turned(pitched, vector(legs.ankle, leg))
    raised = (ankle[0] + rear[0] - about_heel[0] + front[0] - about_toe[0],
              ankle[1] + rear[1] - about_heel[1] + front[1] - about_toe[1],
              ankle[2] + rear[2] - about_heel[2] + front[2] - about_toe[2])  # fmt: skip
    bearing = (actors.feet[actor, leg, CONTACT], actors.feet[actor, leg, CONTACT + 1] + high,
               actors.feet[actor, leg, CONTACT + 2])  # fmt: skip
    level = shortest((0.0, 1.0, 0.0), (-actors.feet[actor, leg, SLOPE], 1.0, -actors.feet[actor, leg, SLOPE + 1]))
    yaw = times(level, yaw)
    return plus(bearing, turned(yaw, raised)), times(yaw, pitched), bearing, heel


def place_leg(
    actor: int, leg: int, pace: Pace, body: Body, actors: Actors, goals: Goals, ground: Ground, poses: Poses,
    seconds: float,
) -> None:  # fmt: skip
    """Put a foot where it stands or steps, where an animation wants it, or let it hang."""
    legs, limb = body.legs, body.legs.limb[leg]
    goal, turn, bearing, heel = foot_goal(actor, leg, pace, legs, actors)
    is_loose = legs.loose[leg] > 0.0
    target = lent_place(actor, leg, bearing if is_loose else goal, body, actors, goals)
    wish, pushed, stands, share = target, 0.0, 1.0 - actors.lent[actor, leg], 0.0
    if is_loose and stands > 0.0:
        # Who walks rolls over its feet.
        still = stands * (1.0 - actors.gait[actor, WALKING])
        share = flatness(actor, limb, bearing, still, body, actors, ground)
    if share > 0.0 and body.limbs.flat[limb] == 0.0:
        flatten(actor, body.limbs.tip[limb], turn, share, body, actors)
    if stands < 1.0:
        target = between(free_of_contact(actor, limb, wish, body, actors, goals, ground), wish, stands)
        pushed = size(minus(target, wish))
    target = settle_place(actor, 1 + leg, 0, target, GRAVITY * legs.unit / SUDDEN, actors.anchors, seconds)
    soft = STANDING + (FLYING - STANDING) * aloft(actors.feet[actor, leg, AIR])
    missed = place_limb(actor, limb, target, target, soft, body, actors)
    if stands < 1.0:
        swivel(actor, limb, target, 1.0 - stands, body, actors, ground)
    if share > 0.0 and body.limbs.flat[limb] > 0.0:
        for number in range(legs.toe_number[leg]):
            flatten(actor, legs.toes[legs.first_toe[leg] + number], turn, share, body, actors)
    if not is_loose:
        shown = turn_tip(actor, limb, turn, stands, body, actors)
        ankle = minus(vector(legs.ankle, leg), vector(legs.toe, leg))
        for _ in range(CORRECTIONS):
            # A foot that its joint does not turn as it should turns about its ball.
            off = scaled(minus(turned(turn, ankle), turned(shown, ankle)), stands)
            if size(off) < UNTURNED * legs.length:
                break
            back_there = minus(target, off)
            missed = place_limb(actor, limb, back_there, back_there, soft, body, actors)
            shown = turn_tip(actor, limb, turn, stands, body, actors)
        # Toes stay flat while the heel rises, as far as they bend.
        flat = times(back(shown), times(turn, about((1.0, 0.0, 0.0), -heel)))
        for number in range(legs.toe_number[leg] if heel > 0.0 else 0):
            toe = legs.toes[legs.first_toe[leg] + number]
            bend = times(part_of(flat, stands), bend_of(actor, toe, actors.bends))
            write_bend(actor, toe, held(toe, body.frame.limits, bend), actors.bends)
    # Who walks turns a foot as animations ask as far as these have lifted it.
    goals.turns[actor, body.limbs.tip[limb], 4] *= max(actors.lent[actor, leg], 1.0 - actors.gait[actor, WALKING])
    holds = stands == 1.0 and actors.feet[actor, leg, AIR] < 0.0
    settle_leg(actor, limb, 1.0 + stands * (EXACT - 1.0), body, actors, goals, seconds)
    if holds and actors.feet[actor, leg, GRIP] == 0.0:
        take_hold(actor, leg, target, body, actors)
    actors.feet[actor, leg, GRIP] = 1.0 if holds else 0.0
    poses.misses[actor, limb] = missed + pushed


def take_hold(actor: int, leg: int, target: Three, body: Body, actors: Actors) -> None:
    """Let a foot stand where it is shown as it lands: from now on its leg has nothing to catch up with."""
    limb, limbs = body.legs.limb[leg], body.limbs
    tip = limbs.tip[limb]
    shown = place_of(actor, tip, actors)
    if body.legs.loose[leg] > 0.0:
        shown = plus(shown, turned(bend_of(actor, tip, actors.turns), vector(limbs.point, limb)))
    for part in range(3):
        actors.anchors[actor, 1 + leg, OFF + part] += shown[part] - target[part]
    for place in range(limbs.number[limb] + (1 if body.legs.loose[leg] > 0.0 else 0)):
        joint = limbs.chain[limbs.first[limb] + place] if place < limbs.number[limb] else tip
        for part in range(AWAY, AWAY_RATE + 3):
            actors.settled[actor, joint, part] = 0.0


def settle_leg(actor: int, limb: int, quick: float, body: Body, actors: Actors, goals: Goals, seconds: float) -> None:
    """Let no joint of a leg jump, and turn its foot as animations ask."""
    first, count = body.limbs.first[limb], body.limbs.number[limb]
    for place in range(count + 1):
        joint = body.limbs.chain[first + place] if place < count else body.limbs.tip[limb]
        carry_joint(actor, joint, body, actors)
        turn_joint(actor, joint, body, actors, goals)
        settle_bend(actor, joint, quick, body, actors, seconds)
        carry_joint(actor, joint, body, actors)


def lent_place(actor: int, leg: int, own: Three, body: Body, actors: Actors, goals: Goals) -> Three:
    """Where a foot is that would be at ``own``, as animations move it; how much they do is noted.

    Near the ground they move it from where it stands, so that one that is not lifted does not slide; in the air it goes
    where it is asked to.
    """
    legs, limb, target, lent = body.legs, body.legs.limb[leg], own, 0.0
    free, weight = goals.free[actor], goals.places[actor, limb, 3]
    if free > 0.0:
        carried = carried_tip(actor, limb, body, actors)
        way = minus(carried, own)
        lent = free * eased((size(way) / legs.length - HELD) / (HANGS - HELD))
        target = plus(own, scaled(way, lent))
        lift = ARC * size(way) * 4.0 * lent * (1.0 - lent)
        target = (target[0], target[1] + lift, target[2])
    if weight > 0.0:
        tip = plus(vector(body.frame.places, body.limbs.tip[limb]), vector(body.limbs.point, limb))
        home, asked = to_world(actor, -1, tip, body, actors), goals_place(actor, limb, goals)
        moved = minus(asked, home)
        high = max(eased(moved[1] / (HIGH * legs.length)), free)
        start = between(target, home, high)
        target = between(target, plus(start, moved), weight)
        lent = max(lent, weight * max(eased(size(moved) / (LENT * legs.length)), free))
    actors.lent[actor, leg] = lent
    return target


def carried_tip(actor: int, limb: int, body: Body, actors: Actors) -> Three:
    """Where the tip of a limb is that is carried as it is at rest."""
    tip = plus(vector(body.frame.places, body.limbs.tip[limb]), vector(body.limbs.point, limb))
    return to_world(actor, body.limbs.carrier[limb], tip, body, actors)
