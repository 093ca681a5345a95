"""Settling: what is followed exactly while it moves as things do, and caught up with smoothly when it jumps.

The field calls it inertialization: a jump becomes an offset that fades, so that nothing is ever shown that accelerates
without bounds, whatever is asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import bend_of, follow, rotation_by, rotation_vector, write_bend
from mummer.engine.state import AWAY, AWAY_RATE, OFFSET, PACE, SEEN, SHOWN, SHOWN_RATE, TARGET
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


def settle_target(actor: int, slot: int, height: float, plays: FloatArray, seconds: float) -> None:
    """Take note of where a target is now. What it jumped is added to an offset that fades (inertialization).

    Where it is taken to be is `settled_target`: its velocity is continuous whatever the target does.
    """
    if seconds <= 0.0:
        return
    x = plays[actor, slot, TARGET] - plays[actor, slot, SEEN] - seconds * plays[actor, slot, PACE]
    y = plays[actor, slot, TARGET + 1] - plays[actor, slot, SEEN + 1] - seconds * plays[actor, slot, PACE + 1]
    z = plays[actor, slot, TARGET + 2] - plays[actor, slot, SEEN + 2] - seconds * plays[actor, slot, PACE + 2]
    jump, most = math.sqrt(x * x + y * y + z * z), SUDDEN * height * seconds * seconds
    excess = 1.0 - most / jump if jump > most else 0.0
    for part in range(3):
        away = (x, y, z)[part] * excess
        seen = plays[actor, slot, SEEN + part]
        plays[actor, slot, PACE + part] = (plays[actor, slot, TARGET + part] - away - seen) / seconds
        plays[actor, slot, SEEN + part] = plays[actor, slot, TARGET + part]
        offset, rate = follow(
            plays[actor, slot, OFFSET + part] - away, plays[actor, slot, OFFSET + 3 + part], 0.0, CATCHING_UP, seconds
        )
        plays[actor, slot, OFFSET + part], plays[actor, slot, OFFSET + 3 + part] = offset, rate


def settled_target(actor: int, slot: int, plays: FloatArray) -> Three:
    """Where a target is taken to be."""
    return (
        plays[actor, slot, TARGET] + plays[actor, slot, OFFSET],
        plays[actor, slot, TARGET + 1] + plays[actor, slot, OFFSET + 1],
        plays[actor, slot, TARGET + 2] + plays[actor, slot, OFFSET + 2],
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
    write_bend(actor, joint, caught_up(actor, joint, bend, shown, most, actors, seconds), actors.bends)


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
    gone = rotation_vector(times(new, back(shown)))
    for part in range(3):
        state[actor, joint, SHOWN_RATE + part] = gone[part] / seconds
    new = unit_rotation(new)
    for part in range(4):
        state[actor, joint, SHOWN + part] = new[part]
    return new
