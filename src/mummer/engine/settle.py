"""Settling: what is followed exactly while it moves as things do, and caught up with smoothly when it jumps.

The field calls it inertialization: a jump becomes an offset that fades, so that nothing is ever shown that accelerates
without bounds, whatever is asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mummer.engine.scalars import (
    bend_of,
    follow,
    held,
    rotation_by,
    rotation_vector,
    three_of,
    write_bend,
    write_three,
)
from mummer.engine.state import (
    AIM,
    AWAY,
    AWAY_RATE,
    BEHIND,
    OFF,
    OFF_RATE,
    SEEN,
    SETTLED,
    SHOWN,
    SHOWN_RATE,
    TARGET,
    TARGETS,
    WAS,
    WENT,
)
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three
from mummer.kernels.vectors import back, scaled, size, times, unit_rotation

if TYPE_CHECKING:
    from mummer.arrays import FloatArray
    from mummer.engine.body import Body
    from mummer.engine.state import Actors
    from mummer.kernels.scalars import Four

# What accelerates more than this jumps: metres a second squared for a body of one metre.
SUDDEN = 60.0
# Seconds that a body as a whole takes at the quickest to go faster by one length of its legs in a unit of time.
HEAVIEST = 0.06
# The part of the most that something turns suddenly by which it may catch up with what it was away from at once.
SOON = 0.25
# How soon a jump is caught up with at least, and at most, one over seconds; and the part of the most that something
# turns suddenly that it may take.
CATCHING_UP, SOONEST, SPENT = 7.0, 28.0, 0.35
# How many times farther than it may something jumps from which on ever less of that is shown at once.
AT_ONCE = 2.0
# Radians that count as held by limits.
HELD = 1e-6


@apart
def settle_place(
    actor: int, row: int, column: int, wanted: Three, most: float, state: FloatArray, seconds: float
) -> Three:
    """Where something is shown that should be somewhere. What it jumped is added to an offset that fades.

    The velocity of what is shown is continuous whatever is wanted.

    Args:
        actor: which.
        row: where its state is.
        column: the first of its columns, see `WAS`.
        wanted: metres.
        most: metres a second squared beyond which it jumps.
        state: (N, rows, columns) not a number where nothing was shown yet.
        seconds: since then; 0 to begin anew.
    """
    if math.isnan(state[actor, row, column]) or seconds <= 0.0:
        for part in range(3):
            state[actor, row, column + WAS + part], state[actor, row, column + WENT + part] = wanted[part], 0.0
            state[actor, row, column + OFF + part], state[actor, row, column + OFF_RATE + part] = 0.0, 0.0
    else:
        x = wanted[0] - state[actor, row, column + WAS] - seconds * state[actor, row, column + WENT]
        y = wanted[1] - state[actor, row, column + WAS + 1] - seconds * state[actor, row, column + WENT + 1]
        z = wanted[2] - state[actor, row, column + WAS + 2] - seconds * state[actor, row, column + WENT + 2]
        jump = math.sqrt(x * x + y * y + z * z)
        excess = 1.0 - most * seconds * seconds / jump if jump > most * seconds * seconds else 0.0
        for part in range(3):
            away = (x, y, z)[part] * excess
            was = state[actor, row, column + WAS + part]
            state[actor, row, column + WENT + part] = (wanted[part] - away - was) / seconds
            state[actor, row, column + WAS + part] = wanted[part]
            off, rate = follow(
                state[actor, row, column + OFF + part] - away, state[actor, row, column + OFF_RATE + part], 0.0,
                CATCHING_UP, seconds,
            )  # fmt: skip
            state[actor, row, column + OFF + part], state[actor, row, column + OFF_RATE + part] = off, rate
    return (
        wanted[0] + state[actor, row, column + OFF],
        wanted[1] + state[actor, row, column + OFF + 1],
        wanted[2] + state[actor, row, column + OFF + 2],
    )


def anchored(actor: int, row: int, state: FloatArray) -> Three:
    """Where `settle_place` showed something last."""
    return (
        state[actor, row, WAS] + state[actor, row, OFF],
        state[actor, row, WAS + 1] + state[actor, row, OFF + 1],
        state[actor, row, WAS + 2] + state[actor, row, OFF + 2],
    )


def settle_root(actor: int, body: Body, actors: Actors, seconds: float) -> None:
    """Leave the first joint where it is and turned as it is, unless it jumps: then it catches up."""
    place = (actors.places[actor, 0, 0], actors.places[actor, 0, 1], actors.places[actor, 0, 2])
    shown = settle_place(actor, 0, 0, place, body.legs.length / (body.legs.quick * HEAVIEST), actors.anchors, seconds)
    write_bend(actor, 0, bend_of(actor, 0, actors.turns), actors.bends)
    settle_bend(actor, 0, 1.0, body, actors, seconds)
    write_bend(actor, 0, bend_of(actor, 0, actors.bends), actors.turns)
    for part in range(3):
        actors.places[actor, 0, part] = shown[part]


def settle_target(actor: int, slot: int, aim: int, height: float, plays: FloatArray, seconds: float) -> None:
    """Take note of where a target is now; where it is taken to be is `settled_target`."""
    at = TARGETS + aim * AIM
    target = (plays[actor, slot, at + TARGET], plays[actor, slot, at + TARGET + 1], plays[actor, slot, at + TARGET + 2])
    settle_place(actor, slot, at + SEEN, target, SUDDEN * height, plays, seconds)


def settled_target(actor: int, slot: int, aim: int, plays: FloatArray) -> Three:
    """Where a target is taken to be."""
    at = TARGETS + aim * AIM
    return (
        plays[actor, slot, at + TARGET] + plays[actor, slot, at + SEEN + OFF],
        plays[actor, slot, at + TARGET + 1] + plays[actor, slot, at + SEEN + OFF + 1],
        plays[actor, slot, at + TARGET + 2] + plays[actor, slot, at + SEEN + OFF + 2],
    )


def settle_joint(actor: int, joint: int, quick: float, body: Body, actors: Actors, seconds: float) -> None:
    """As `settle_bend`, of a joint that is carried: it is turned as it is shown."""
    if settle_bend(actor, joint, quick, body, actors, seconds):
        above = bend_of(actor, body.frame.parents[joint], actors.turns)
        write_bend(actor, joint, times(above, bend_of(actor, joint, actors.bends)), actors.turns)


def settle_bend(actor: int, joint: int, quick: float, body: Body, actors: Actors, seconds: float) -> bool:
    """Show a joint as it is bent, unless it jumps: then let it go on as it went, and catch up. Whether it is behind.

    Args:
        actor: which.
        joint: which.
        quick: how many times more suddenly it may turn than such joints do.
        body: of the actor.
        actors: whose bends are read and written.
        seconds: since the last moment.
    """
    state, bend = actors.settled, bend_of(actor, joint, actors.bends)
    if math.isnan(state[actor, joint, SHOWN]) or seconds <= 0.0:
        for part in range(4):
            state[actor, joint, SHOWN + part] = bend[part]
        for part in range(SHOWN_RATE, SETTLED):
            state[actor, joint, part] = 0.0
        return False
    shown = (state[actor, joint, SHOWN], state[actor, joint, SHOWN + 1], state[actor, joint, SHOWN + 2],
             state[actor, joint, SHOWN + 3])  # fmt: skip
    step = times(bend, back(shown))
    sign = 2.0 / seconds if step[3] >= 0.0 else -2.0 / seconds
    rate = (sign * step[0], sign * step[1], sign * step[2])
    x, y, z = (rate[0] - state[actor, joint, SHOWN_RATE], rate[1] - state[actor, joint, SHOWN_RATE + 1],
               rate[2] - state[actor, joint, SHOWN_RATE + 2])  # fmt: skip
    most = quick * body.frame.sudden[joint] * seconds
    if state[actor, joint, BEHIND] == 0.0 and x * x + y * y + z * z < most * most and abs(step[3]) > 0.9:
        for part in range(3):
            state[actor, joint, SHOWN_RATE + part] = rate[part]
        for part in range(4):
            state[actor, joint, SHOWN + part] = bend[part]
        return False
    free = caught_up(actor, joint, bend, shown, quick, most, actors, seconds)
    new = held(joint, body.frame.limits, free)
    if size(rotation_vector(times(new, back(free)))) > HELD:
        # What limits hold does not go on into them.
        write_three(actor, joint, AWAY, rotation_vector(times(new, back(bend))), state)
        write_three(actor, joint, AWAY_RATE, (0.0, 0.0, 0.0), state)
    write_three(actor, joint, SHOWN_RATE, scaled(rotation_vector(times(new, back(shown))), 1.0 / seconds), state)
    for part in range(4):
        state[actor, joint, SHOWN + part] = new[part]
    write_bend(actor, joint, new, actors.bends)
    return True


@apart
def caught_up(
    actor: int, joint: int, bend: Four, shown: Four, quick: float, most: float, actors: Actors, seconds: float
) -> Four:
    """The bend that is shown on the way to the one that is asked for."""
    state = actors.settled
    away, drift = three_of(actor, joint, AWAY, state), three_of(actor, joint, AWAY_RATE, state)
    omega = min(math.sqrt(SPENT * most / seconds / max(size(away), 1e-6)), SOONEST)
    omega = max(omega, CATCHING_UP * math.sqrt(quick))
    x, x_rate = follow(away[0], drift[0], 0.0, omega, seconds)
    y, y_rate = follow(away[1], drift[1], 0.0, omega, seconds)
    z, z_rate = follow(away[2], drift[2], 0.0, omega, seconds)
    away, drift = (x, y, z), (x_rate, y_rate, z_rate)
    new = times(unit_rotation(rotation_by(x, y, z)), bend)
    rate = three_of(actor, joint, SHOWN_RATE, state)
    expected = times(unit_rotation(rotation_by(seconds * rate[0], seconds * rate[1], seconds * rate[2])), shown)
    jump, limit = rotation_vector(times(new, back(expected))), most * seconds
    far, is_behind = size(jump), 1.0
    # What is asked for may have come to where this is.
    has_come = size(rotation_vector(times(bend, back(expected)))) < SOON * limit
    if far > limit and not has_come:
        # The farther it jumps the less of that is shown at once.
        part = min(limit / far, AT_ONCE * (limit / far) ** 2)
        new = times(unit_rotation(rotation_by(part * jump[0], part * jump[1], part * jump[2])), expected)
        away = rotation_vector(times(new, back(bend)))
    elif has_come or size(away) < 1e-4:
        away, drift, is_behind, new = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, bend
    write_three(actor, joint, AWAY, away, state)
    write_three(actor, joint, AWAY_RATE, drift, state)
    state[actor, joint, BEHIND] = is_behind
    return unit_rotation(new)
