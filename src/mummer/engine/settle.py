"""Settling: what is followed exactly while it moves as things do, and caught up with smoothly when it jumps.

The field calls it inertialization: a jump becomes an offset that fades, so that nothing is ever shown that accelerates
without bounds, whatever is asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import bend_of, follow, held, rotation_by, rotation_vector, write_bend
from mummer.engine.state import AIM, AWAY, AWAY_RATE, OFFSET, PACE, SEEN, SHOWN, SHOWN_RATE, TARGET, TARGETS
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import back, size, times, unit_rotation

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.body import Body
    from mummer.engine.state import Actors
    from mummer.kernels.scalars import Four

# What accelerates more than this jumps: metres a second squared for a body of one metre.
SUDDEN = 60.0
# How soon a jump is caught up with, one over seconds.
CATCHING_UP = 7.0


def settle_target(actor: int, slot: int, aim: int, height: float, plays: FloatArray, seconds: float) -> None:
    """Take note of where a target is now. What it jumped is added to an offset that fades (inertialization).

    Where it is taken to be is `settled_target`: its velocity is continuous whatever the target does.
    """
    if seconds <= 0.0:
        return
    at = TARGETS + aim * AIM
    target, seen, pace, offset = at + TARGET, at + SEEN, at + PACE, at + OFFSET
    x = plays[actor, slot, target] - plays[actor, slot, seen] - seconds * plays[actor, slot, pace]
    y = plays[actor, slot, target + 1] - plays[actor, slot, seen + 1] - seconds * plays[actor, slot, pace + 1]
    z = plays[actor, slot, target + 2] - plays[actor, slot, seen + 2] - seconds * plays[actor, slot, pace + 2]
    jump, most = math.sqrt(x * x + y * y + z * z), SUDDEN * height * seconds * seconds
    excess = 1.0 - most / jump if jump > most else 0.0
    for part in range(3):
        away, now = (x, y, z)[part] * excess, plays[actor, slot, target + part]
        plays[actor, slot, pace + part] = (now - away - plays[actor, slot, seen + part]) / seconds
        plays[actor, slot, seen + part] = now
        value, rate = follow(
            plays[actor, slot, offset + part] - away, plays[actor, slot, offset + 3 + part], 0.0, CATCHING_UP, seconds
        )
        plays[actor, slot, offset + part], plays[actor, slot, offset + 3 + part] = value, rate


def settled_target(actor: int, slot: int, aim: int, plays: FloatArray) -> Three:
    """Where a target is taken to be."""
    at = TARGETS + aim * AIM
    return (
        plays[actor, slot, at + TARGET] + plays[actor, slot, at + OFFSET],
        plays[actor, slot, at + TARGET + 1] + plays[actor, slot, at + OFFSET + 1],
        plays[actor, slot, at + TARGET + 2] + plays[actor, slot, at + OFFSET + 2],
    )


def settle_bend(actor: int, joint: int, body: Body, actors: Actors, seconds: float) -> None:
    """Show a joint as it is bent, unless it jumps: then let it go on as it went, and catch up."""
    state, bend = actors.settled, bend_of(actor, joint, actors.bends)
    if math.isnan(state[actor, joint, SHOWN]) or seconds <= 0.0:
        for part in range(4):
            state[actor, joint, SHOWN + part] = bend[part]
        for part in range(SHOWN_RATE, AWAY_RATE + 3):
            state[actor, joint, part] = 0.0
        return
    shown = (state[actor, joint, SHOWN], state[actor, joint, SHOWN + 1], state[actor, joint, SHOWN + 2],
             state[actor, joint, SHOWN + 3])  # fmt: skip
    step = times(bend, back(shown))
    sign = 2.0 / seconds if step[3] >= 0.0 else -2.0 / seconds
    rate = (sign * step[0], sign * step[1], sign * step[2])
    x, y, z = (rate[0] - state[actor, joint, SHOWN_RATE], rate[1] - state[actor, joint, SHOWN_RATE + 1],
               rate[2] - state[actor, joint, SHOWN_RATE + 2])  # fmt: skip
    most = body.frame.sudden[joint] * seconds
    is_calm = state[actor, joint, AWAY] == 0.0 and state[actor, joint, AWAY_RATE] == 0.0
    if is_calm and x * x + y * y + z * z < most * most and abs(step[3]) > 0.9:
        for part in range(3):
            state[actor, joint, SHOWN_RATE + part] = rate[part]
        for part in range(4):
            state[actor, joint, SHOWN + part] = bend[part]
        return
    new = held(joint, body.frame.limits, caught_up(actor, joint, bend, shown, most, actors, seconds))
    gone = rotation_vector(times(new, back(shown)))
    for part in range(3):
        state[actor, joint, SHOWN_RATE + part] = gone[part] / seconds
    for part in range(4):
        state[actor, joint, SHOWN + part] = new[part]
    write_bend(actor, joint, new, actors.bends)


@apart
def caught_up(actor: int, joint: int, bend: Four, shown: Four, most: float, actors: Actors, seconds: float) -> Four:
    """The bend that is shown on the way to the one that is asked for."""
    state = actors.settled
    for part in range(3):
        value, rate = follow(
            state[actor, joint, AWAY + part], state[actor, joint, AWAY_RATE + part], 0.0, CATCHING_UP, seconds
        )
        state[actor, joint, AWAY + part], state[actor, joint, AWAY_RATE + part] = value, rate
    away = (state[actor, joint, AWAY], state[actor, joint, AWAY + 1], state[actor, joint, AWAY + 2])
    wanted = times(unit_rotation(rotation_by(away[0], away[1], away[2])), bend)
    on = rotation_by(seconds * state[actor, joint, SHOWN_RATE], seconds * state[actor, joint, SHOWN_RATE + 1],
                     seconds * state[actor, joint, SHOWN_RATE + 2])  # fmt: skip
    expected = times(unit_rotation(on), shown)
    jump = rotation_vector(times(wanted, back(expected)))
    far = size(jump)
    new = wanted
    if far > most * seconds:
        share = most * seconds / far
        new = times(unit_rotation(rotation_by(share * jump[0], share * jump[1], share * jump[2])), expected)
        away = rotation_vector(times(new, back(bend)))
        for part in range(3):
            state[actor, joint, AWAY + part] = away[part]
    elif size(away) < 1e-4:
        for part in range(3):
            state[actor, joint, AWAY + part], state[actor, joint, AWAY_RATE + part] = 0.0, 0.0
        new = bend
    return unit_rotation(new)
