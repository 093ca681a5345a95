"""Secondary motion: what nothing moves lags behind and swings back, and does not go through the ground."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.ground import height_at
from mummer.engine.scalars import bend_of, held, place_of, vector, write_bend
from mummer.engine.state import CARRIED, SPEED, TIP
from mummer.kernels.vectors import about, back, cross, dot, minus, plus, scaled, shortest, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.ground import Ground
    from mummer.engine.state import Actors

# The longest step that a swing is worked out in, in radians of its own.
LONGEST = 0.7


def sway(actor: int, number: int, body: Body, actors: Actors, ground: Ground, seconds: float) -> None:
    """Swing one joint a moment on; its place and turn are those that its parent gives it."""
    sways, state = body.sways, actors.sways
    joint = sways.joint[number]
    place, turn = place_of(actor, joint, actors), bend_of(actor, joint, actors.turns)
    lever = turned(turn, vector(sways.lever, number))
    carried = plus(place, lever)
    if math.isnan(state[actor, number, TIP]) or seconds <= 0.0:
        for part in range(3):
            state[actor, number, TIP + part], state[actor, number, SPEED + part] = carried[part], 0.0
            state[actor, number, CARRIED + part] = carried[part]
        return
    steps = max(math.ceil(sways.rate[number] * seconds / LONGEST), 1)
    step = seconds / steps
    for part in range(3):
        tip, speed = state[actor, number, TIP + part], state[actor, number, SPEED + part]
        before = state[actor, number, CARRIED + part]
        pace = (carried[part] - before) / seconds
        for count in range(steps):
            goal = before + pace * step * (count + 1)
            pull = sways.rate[number] * sways.rate[number] * (goal - tip)
            speed += step * (pull + 2.0 * sways.damping[number] * sways.rate[number] * (pace - speed))
            tip += step * speed
        state[actor, number, TIP + part], state[actor, number, SPEED + part] = tip, speed
        state[actor, number, CARRIED + part] = carried[part]
    keep_above(actor, number, actors, ground)
    way = minus((state[actor, number, TIP], state[actor, number, TIP + 1], state[actor, number, TIP + 2]), place)
    angle = math.atan2(size(cross(lever, way)), dot(lever, way))
    swing = shortest(lever, way)
    most = sways.most[number]
    if angle > 1e-9:
        # Ever less the farther it has gone, and never more than it may.
        allowed = most * math.tanh(angle / most)
        axis = cross(lever, way)
        length = size(axis)
        if length > 1e-12:
            swing = about(scaled(axis, 1.0 / length), allowed)
    above = body.frame.parents[joint]
    world_from_parent = bend_of(actor, max(above, 0), actors.turns)
    bend = held(joint, body.frame.limits, times(back(world_from_parent), times(swing, turn)))
    write_bend(actor, joint, bend, actors.bends)
    write_bend(actor, joint, times(world_from_parent, bend), actors.turns)


def keep_above(actor: int, number: int, actors: Actors, ground: Ground) -> None:
    """A tip that has sunk into the ground comes to lie on it."""
    state = actors.sways
    low = height_at(ground, state[actor, number, TIP], state[actor, number, TIP + 2])
    if state[actor, number, TIP + 1] < low and state[actor, number, CARRIED + 1] >= low:
        state[actor, number, TIP + 1] = low
        state[actor, number, SPEED + 1] = max(state[actor, number, SPEED + 1], 0.0)
