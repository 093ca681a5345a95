"""Looking: heads turn to what is looked at, as far as that is comfortable, and their necks with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import bend_of, follow, held, place_of, rotation_by, rotation_vector, vector, write_bend
from mummer.kernels.scalars import PI
from mummer.kernels.vectors import back, minus, plus, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.state import Actors, Goals, Wishes
    from mummer.kernels.scalars import Three

# Radians up to which a head follows fully, and the most that it turns.
COMFORTABLE, FURTHEST = 1.0, 1.35
# How soon a head follows, radians a second a radian; the smaller the body the sooner.
READINESS = 5.0


def look_turn(way: Three, comfortable: float, furthest: float) -> Three:
    """The rotation vector from ahead to where something is; for what is behind less and less, so that none flips.

    Args:
        way: to what is looked at; ahead is +Z.
        comfortable: radians up to which it is followed fully.
        furthest: radians that are turned at most.
    """
    length = size(way)
    if length < 1e-9:
        return 0.0, 0.0, 0.0
    x, y, z = way[0] / length, way[1] / length, way[2] / length
    # About the axis across ahead and the way: left is +X, so that what is to the left is turned to about +Y.
    sine = math.sqrt(x * x + y * y)
    angle = math.atan2(sine, z)
    if sine < 1e-9:
        return 0.0, 0.0, 0.0
    most = 0.9 * PI
    turn = angle
    if angle > comfortable:
        share = min((angle - comfortable) / (most - comfortable), 1.0)
        turn = comfortable + (furthest - comfortable) * (1.0 - (1.0 - share) ** 2)
    if angle > most:
        turn = furthest * (PI - angle) / (PI - most)
    return -y / sine * turn, x / sine * turn, 0.0


def look(
    actor: int, nods: float, body: Body, actors: Actors, wishes: Wishes, goals: Goals, seconds: float
) -> None:  # fmt: skip
    """Turn every head a moment on to where it should look, ``nods`` radians lower, and as animations ask."""
    necks, frame = body.necks, body.frame
    omega = READINESS / math.sqrt(max(body.frame.height, 0.05) / 1.8) ** 0.5
    for head in range(necks.head.shape[0]):
        first, count = necks.first[head], necks.number[head]
        lowest, joint = necks.joints[first], necks.head[head]
        above = frame.parents[lowest]
        turn = bend_of(actor, above if above >= 0 else 0, actors.turns)
        wanted = (0.0, 0.0, 0.0)
        weight = wishes.looks[actor, 3]
        if weight > 0.0:
            start = place_of(actor, above if above >= 0 else 0, actors)
            eye = plus(start, turned(turn, minus(vector(frame.places, joint), vector(frame.places, max(above, 0)))))
            target = (wishes.looks[actor, 0], wishes.looks[actor, 1], wishes.looks[actor, 2])
            wanted = look_turn(turned(back(turn), minus(target, eye)), COMFORTABLE, FURTHEST)
        for part in range(3):
            value, speed = follow(
                actors.looks[actor, head, part], actors.looks[actor, head, 3 + part], weight * wanted[part], omega,
                seconds,
            )  # fmt: skip
            actors.looks[actor, head, part], actors.looks[actor, head, 3 + part] = value, speed
        asked, own = (0.0, 0.0, 0.0), goals.turns[actor, joint, 4]
        if own > 0.0:
            asked = rotation_vector(times(back(turn), bend_of(actor, joint, goals.turns)))
            goals.turns[actor, joint, 4] = 0.0
        for place in range(count):
            share, turned_joint = necks.shares[first + place], necks.joints[first + place]
            seen = share * (1.0 - own)
            bend = rotation_by(
                seen * (actors.looks[actor, head, 0] + nods) + share * own * asked[0],
                seen * actors.looks[actor, head, 1] + share * own * asked[1],
                seen * actors.looks[actor, head, 2] + share * own * asked[2],
            )  # fmt: skip
            bend = times(bend_of(actor, turned_joint, actors.bends), bend)
            write_bend(actor, turned_joint, held(turned_joint, frame.limits, bend), actors.bends)
