"""Feet that have let go of the ground: they stay where they lie, are lifted to get on, or hang, and legs are limp."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.contact import base_of, height_above
from mummer.engine.ground import height_at
from mummer.engine.limb import begin_as_shown, place_limb, sweep
from mummer.engine.play import to_world
from mummer.engine.scalars import bend_of, between, eased, follow, place_of, ramp, vector
from mummer.engine.self_contact import swivel
from mummer.engine.state import HOP, HOPPING, LET_GO, MISS, OFF, OFF_RATE, OVER, WAS
from mummer.kernels.vectors import back, minus, plus, size, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.state import Actors, Goals
    from mummer.kernels.scalars import Three

# One over the part of having left the ground from which on a foot is pushed out of ground and body altogether; and leg
# lengths that one which has let go misses at least that is not held to where it lies.
FULLY, ASTRAY = 4.0, 0.04
# Leg lengths that one which has let go is from where it should be up to which it stays, and from which on it is lifted
# until it is there, by so many leg lengths; how high it must be to go there, and to go there without delay; how soon it
# is lifted, and how soon it then goes there, one over units of time; and how softly it comes to the ground.
CLOSE, AWAY_FROM, HIGH, OFF_GROUND, CLEAR, HOPS, COMES, RAISED = 0.02, 0.06, 0.08, 0.025, 0.05, 4.0, 8.0, 0.01
# How many times as long as folded a leg is that has let go, on its way and at least; how much rather than on its way
# from the hip its foot gets out of where it cannot fold to on the way that it is carried, and to its side.
SPREAD, LEAST_SPREAD, AS_CARRIED, ASIDE = 1.25, 1.1, 2.0, 0.15
# The part of its length that what is limp is long at most, and if it lies on the side to which it folds; and how steep
# it is at most, the sine, below who lies: a leg that has let go is no strut.
LIMP, STRETCHED, STEEP = 0.92, 0.99, 0.8
# How soon a leg that takes hold again is bent as legs that stand, and one that has let go gets out of body and ground,
# one over units of time.
HOLDS, SWIVELS = 4.0, 8.0


def bend_leg(
    actor: int, leg: int, target: Three, soft: float, body: Body, actors: Actors, ground: Ground, seconds: float
) -> float:  # fmt: skip
    """Bend a leg so that its foot comes to a target; metres by which it misses it.

    One that has let go goes on as it is bent, out of body and ground: what is limp lies in many ways, and goes not from
    one to another. It is bent as legs that stand the sooner the more it takes hold of the ground again, or if it does
    not get there as it is.
    """
    limb, gone = body.legs.limb[leg], actors.feet[actor, leg, LET_GO]
    missed = place_limb(actor, limb, target, target, soft, body, actors)
    if gone <= 0.0:
        return missed
    stuck = eased((actors.feet[actor, leg, MISS] - missed / body.legs.length) / ASTRAY)
    soon = seconds / body.legs.quick if seconds > 0.0 else 1e9
    begin_as_shown(actor, limb, math.exp(-HOLDS * ((1.0 - gone) / gone + stuck) * soon), body, actors)
    above, base = bend_of(actor, body.limbs.carrier[limb], actors.turns), base_of(actor, limb, body, actors)
    for _ in range(2):
        missed = size(sweep(actor, limb, 0, turned(back(above), minus(target, base)), body, actors))
    swivel(actor, limb, gone * (1.0 - math.exp(-SWIVELS * soon)), body, actors, ground)
    return missed


def hopped(
    actor: int, leg: int, target: Three, body: Body, actors: Actors, goals: Goals, ground: Ground, seconds: float
) -> tuple[Three, float]:  # fmt: skip
    """Where a foot that has let go is on its way to where it should be, and how much it stays on the ground, 0 to 1.

    Skin on the ground does not slide: the farther it has to go the more a foot is lifted, and only one that is clear of
    the ground goes on.
    """
    legs, limb, feet = body.legs, body.legs.limb[leg], actors.feet
    if feet[actor, leg, LET_GO] <= 0.0 or seconds <= 0.0:
        feet[actor, leg, OVER], feet[actor, leg, OVER + 1] = target[0], target[2]
        feet[actor, leg, HOP], feet[actor, leg, HOP + 1], feet[actor, leg, HOPPING] = 0.0, 0.0, 0.0
        return target, 0.0
    tip, wish = body.limbs.tip[limb], target
    target = unfolded(actor, leg, target, SPREAD, body, actors)
    high = height_above(actor, tip, vector(body.limbs.point, limb), target, body, actors, ground)
    # What its joint does not bend up itself, it is raised.
    high, up = max(high, 0.0), ramp(-high, RAISED * legs.length)
    x, z = target[0] - feet[actor, leg, OVER], target[2] - feet[actor, leg, OVER + 1]
    away = math.sqrt(x * x + z * z) / legs.length
    if away < CLOSE or away > AWAY_FROM:
        feet[actor, leg, HOPPING] = 1.0 if away > AWAY_FROM else 0.0
    # One that lets go is about to be turned, or to get out of the way of its hip.
    leaves = 4.0 * feet[actor, leg, LET_GO] * (1.0 - feet[actor, leg, LET_GO])
    wanted = HIGH * legs.length * max(feet[actor, leg, HOPPING], leaves)
    hop, rate = follow(
        feet[actor, leg, HOP], feet[actor, leg, HOP + 1], max(wanted - high, 0.0), HOPS / legs.quick, seconds
    )
    feet[actor, leg, HOP], feet[actor, leg, HOP + 1] = hop, rate
    # Only what is seen to be off the ground goes on: not every leg can lift its foot.
    spot = plus(place_of(actor, tip, actors), turned(bend_of(actor, tip, actors.turns), vector(body.limbs.point, limb)))
    shown = height_above(actor, tip, vector(body.limbs.point, limb), spot, body, actors, ground)
    clear = eased((shown / legs.length - OFF_GROUND) / (CLEAR - OFF_GROUND))
    settled_there(actor, leg, 1.0 - clear, actors)
    soon = COMES / legs.quick * seconds
    come = 1.0 - math.exp(-soon * clear)
    # A foot of who lies that its leg cannot have elsewhere is wanted nowhere else: it would be drawn along.
    drawn = 1.0 - math.exp(-soon * (1.0 - clear) * eased(feet[actor, leg, MISS] / ASTRAY) * goals.lies[actor])
    feet[actor, leg, OVER] += come * x + drawn * (spot[0] - feet[actor, leg, OVER])
    feet[actor, leg, OVER + 1] += come * z + drawn * (spot[2] - feet[actor, leg, OVER + 1])
    share = eased(FULLY * feet[actor, leg, LET_GO])
    lifted = wish[1] + share * (target[1] + up - wish[1]) + hop
    place = (feet[actor, leg, OVER], lifted, feet[actor, leg, OVER + 1])
    return between(place, unfolded(actor, leg, place, LEAST_SPREAD, body, actors), share), 1.0 - clear


def settled_there(actor: int, leg: int, share: float, actors: Actors) -> None:
    """Let a foot that has let go and is on the ground be wanted, to a share, where it is shown."""
    state, row = actors.anchors, 1 + leg
    for number, part in enumerate((0, 2)):
        away = share * state[actor, row, OFF + part]
        actors.feet[actor, leg, OVER + number] += away
        state[actor, row, WAS + part] += away
        state[actor, row, OFF + part] -= away
        state[actor, row, OFF_RATE + part] *= 1.0 - share


def unfolded(actor: int, leg: int, target: Three, spread: float, body: Body, actors: Actors) -> Three:
    """A target moved over the ground to where a leg folds to, ``spread`` times as far as it can: away from its hip."""
    limb = body.legs.limb[leg]
    base = base_of(actor, limb, body, actors)
    x, up, z = minus(target, base)
    folded = spread * body.limbs.folds[limb, body.limbs.folds.shape[1] - 1, 0]
    lacking = folded * folded - up * up - x * x - z * z
    if lacking <= 0.0:
        return target
    carried = minus(carried_tip(actor, limb, body, actors), base)
    side = turned(bend_of(actor, body.limbs.carrier[limb], actors.turns), (body.legs.side[leg], 0.0, 0.0))
    out_x = x + AS_CARRIED * carried[0] + ASIDE * folded * side[0]
    out_z = z + AS_CARRIED * carried[2] + ASIDE * folded * side[2]
    far = max(math.sqrt(out_x * out_x + out_z * out_z), 1e-9)
    along = (x * out_x + z * out_z) / far
    step = (math.sqrt(along * along + lacking) - along) / far
    return target[0] + step * out_x, target[1], target[2] + step * out_z


def limp_tip(actor: int, limb: int, sags: float, body: Body, actors: Actors, ground: Ground) -> Three:
    """Where the tip of a limb is that is carried as it is at rest, and sinks to the ground the more it ``sags``."""
    tip, base = carried_tip(actor, limb, body, actors), base_of(actor, limb, body, actors)
    knee = turned(bend_of(actor, body.limbs.carrier[limb], actors.turns), vector(body.limbs.knee, limb))
    long = (LIMP + (STRETCHED - LIMP) * max(-knee[1], 0.0)) * body.limbs.folds[limb, 0, 0]
    level = height_at(ground, tip[0], tip[2])
    steep = (1.0 - sags * (1.0 - STEEP)) * long
    down = min(max(tip[1] - sags * max(tip[1] - level, 0.0) - base[1], -steep), long)
    x, z = tip[0] - base[0], tip[2] - base[2]
    share = min(1.0, math.sqrt(long * long - down * down) / max(math.sqrt(x * x + z * z), 1e-9))
    return base[0] + share * x, base[1] + down, base[2] + share * z


def carried_tip(actor: int, limb: int, body: Body, actors: Actors) -> Three:
    """Where the tip of a limb is that is carried as it is at rest."""
    tip = plus(vector(body.frame.places, body.limbs.tip[limb]), vector(body.limbs.point, limb))
    return to_world(actor, body.limbs.carrier[limb], tip, body, actors)
