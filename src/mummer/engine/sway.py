"""Secondary motion: what nothing moves lags behind and swings back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import bend_of, held, place_of, vector, write_bend
from mummer.engine.state import CARRIED, SPEED, TIP
from mummer.kernels.vectors import about, back, cross, dot, minus, plus, scaled, shortest, size, times, turned

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.state import Actors

# The longest step that a swing is worked out in, in radians of its own.
LONGEST = 0.7


def sway(actor: int, number: int, body: Body, actors: Actors, seconds: float) -> None:
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
    was = (state[actor, number, TIP], state[actor, number, TIP + 1], state[actor, number, TIP + 2])
    steps = 1 + int(sways.rate[number] * seconds / LONGEST)
    step = seconds / steps
    stiff, drag = sways.rate[number] ** 2, 2.0 * sways.damping[number] * sways.rate[number]
    for part in range(3):
        tip, speed = state[actor, number, TIP + part], state[actor, number, SPEED + part]
        before = state[actor, number, CARRIED + part]
        pace = (carried[part] - before) / seconds
        for count in range(steps):
            goal = before + pace * step * (count + 1)
            # As it will be at the end of the step, so that what is stiff does not ring (implicit Euler).
            speed = (speed + step * (stiff * (goal - tip) + drag * pace)) / (1.0 + step * (drag + step * stiff))
            tip += step * speed
        state[actor, number, TIP + part], state[actor, number, SPEED + part] = tip, speed
        state[actor, number, CARRIED + part] = carried[part]
    way = minus((state[actor, number, TIP], state[actor, number, TIP + 1], state[actor, number, TIP + 2]), place)
    axis = cross(lever, way)
    length = size(axis)
    angle = math.atan2(length, dot(lever, way))
    most = sways.most[number]
    if angle > 1e-9 and length > 1e-12:
        # Ever less the farther it has gone, and never more than it may.
        axis = scaled(axis, 1.0 / length)
        swing = about(axis, most * math.tanh(angle / most))
        if angle > most:
            # It stops there, and does not come round from the other side.
            tip = plus(place, turned(about(axis, most), lever))
            for part in range(3):
                went = (tip[part] - was[part]) / seconds
                state[actor, number, TIP + part], state[actor, number, SPEED + part] = tip[part], went
    else:
        swing = shortest(lever, way)
    above = body.frame.parents[joint]
    world_from_parent = bend_of(actor, max(above, 0), actors.turns)
    bend = held(joint, body.frame.limits, times(back(world_from_parent), times(swing, turn)))
    write_bend(actor, joint, bend, actors.bends)
    write_bend(actor, joint, times(world_from_parent, bend), actors.turns)
