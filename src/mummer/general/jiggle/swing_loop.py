"""The hot loop of jiggles: loose parts drag behind what carries them and swing back."""

from __future__ import annotations

import math

from mummer.ik.particles.limit_numbers import clamp_joint
from mummer.ik.particles.turning import after, undone
from mummer.kernels.arguments import Count, Floats1, Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three, rotate

LAG, SPEED, TIP, TIP_SPEED, PLACE, TURN = 0, 3, 6, 9, 12, 15
"""Columns of what is remembered of a joint: lag of its tip and how fast that changes, where the tip was carried to and
how fast, where the joint is and how it is turned."""
WIDTH = 19
STEP, UP, GROUND, WEIGHT, IS_FIRST = 0, 1, 4, 5, 6
"""Settings: seconds a step, up in the world, height of the ground, metres a second squared of gravity, and whether the
motion begins here."""
A, B, C, D, STIFFNESS, MOST = 0, 1, 2, 3, 4, 5
"""What a step does to lag and its speed (a b; c d), radians a second squared, and most bend in radians."""


def read3(rows: Floats2, row: int, column: int) -> Three:
    """Three numbers of a row."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2]


def read4(rows: Floats2, row: int, column: int) -> Four:
    """Four numbers of a row."""
    return rows[row, column], rows[row, column + 1], rows[row, column + 2], rows[row, column + 3]


def turned(q: Four, v: Three) -> Three:
    """The vector ``v`` turned by ``q``."""
    return rotate(q[0], q[1], q[2], q[3], v[0], v[1], v[2])


@kernel
def swing_parts(
    part: int,
    starts: Parents,
    parents: Parents,
    steps: Count,
    carrier_places: Floats3,
    carrier_turns: Floats3,
    local: Floats3,
    offsets: Floats2,
    levers: Floats2,
    ups: Floats2,
    numbers: Floats2,
    rests: Floats2,
    limit_kinds: Parents,
    limits: Floats2,
    settings: Floats1,
    state: Output2,
    swung: Output3,
) -> None:
    """One item is one loose part through all steps: writes how each joint is turned, parent_from_joint."""
    for step in range(steps):
        for row in range(starts[part], starts[part + 1]):
            above = parents[row]
            if above < 0:
                carried = (
                    carrier_turns[step, part, 0], carrier_turns[step, part, 1], carrier_turns[step, part, 2],
                    carrier_turns[step, part, 3],
                )  # fmt: skip
                base = (carrier_places[step, part, 0], carrier_places[step, part, 1], carrier_places[step, part, 2])
            else:
                carried, base = read4(state, above, TURN), read3(state, above, PLACE)
            source = step if local.shape[0] > 1 else 0
            own = (local[source, row, 0], local[source, row, 1], local[source, row, 2], local[source, row, 3])
            away = turned(carried, read3(offsets, row, 0))
            state[row, PLACE], state[row, PLACE + 1] = base[0] + away[0], base[1] + away[1]
            state[row, PLACE + 2] = base[2] + away[2]
            frame = after(carried, own)
            tip = turned(frame, read3(levers, row, 0))
            advance(step, row, frame, tip, ups, numbers, settings, state)
            local_turn = after(own, bent(row, frame, tip, numbers, settings, state))
            if limit_kinds[row] != 0:
                rest = read4(rests, row, 0)
                held, _ = clamp_joint(limit_kinds[row], after(undone(rest), local_turn), limits, row)
                local_turn = after(rest, held)
            swung[step, row, 0], swung[step, row, 1] = local_turn[0], local_turn[1]
            swung[step, row, 2], swung[step, row, 3] = local_turn[2], local_turn[3]
            whole = after(carried, local_turn)
            state[row, TURN], state[row, TURN + 1] = whole[0], whole[1]
            state[row, TURN + 2], state[row, TURN + 3] = whole[2], whole[3]


def advance(
    step: int, row: int, frame: Four, tip: Three, ups: Floats2, numbers: Floats2, settings: Floats1, state: Output2
) -> None:
    """Bring the lag of one tip one step ahead: exactly, for a tip carried evenly from step to step.

    A jerk of what carries the tip leaves the tip where it is; the lag then dies away as a damped swing does.
    """
    was_up = turned(frame, read3(ups, row, 0))
    for axis in range(3):
        # Where it hangs: gravity pulls another way than at rest.
        hang = settings[WEIGHT] * (was_up[axis] - settings[UP + axis]) / numbers[row, STIFFNESS]
        at = state[row, PLACE + axis] + tip[axis]
        if step == 0:
            if settings[IS_FIRST] > 0:
                state[row, LAG + axis], state[row, SPEED + axis] = hang, hang - hang
        else:
            speed = (at - state[row, TIP + axis]) / settings[STEP]
            if step == 1 and settings[IS_FIRST] > 0:
                state[row, TIP_SPEED + axis] = speed
            lag = state[row, LAG + axis] - hang
            rate = state[row, SPEED + axis] - (speed - state[row, TIP_SPEED + axis])
            state[row, LAG + axis] = numbers[row, A] * lag + numbers[row, B] * rate + hang
            state[row, SPEED + axis] = numbers[row, C] * lag + numbers[row, D] * rate
            state[row, TIP_SPEED + axis] = speed
        state[row, TIP + axis] = at


def bent(row: int, frame: Four, tip: Three, numbers: Floats2, settings: Floats1, state: Output2) -> Four:
    """The turn, in the joint's own frame, that points it at where its tip lags, no farther than it bends."""
    up = (settings[UP], settings[UP + 1], settings[UP + 2])
    lag = read3(state, row, LAG)
    at = read3(state, row, TIP)
    height = at[0] * up[0] + at[1] * up[1] + at[2] * up[2] - settings[GROUND]
    sunk = -(lag[0] * up[0] + lag[1] * up[1] + lag[2] * up[2]) - max(height, height - height)
    if sunk > 0:
        lag = (lag[0] + sunk * up[0], lag[1] + sunk * up[1], lag[2] + sunk * up[2])
    x, y, z = tip[0] + lag[0], tip[1] + lag[1], tip[2] + lag[2]
    cx, cy, cz = tip[1] * z - tip[2] * y, tip[2] * x - tip[0] * z, tip[0] * y - tip[1] * x
    sine, cosine = math.sqrt(cx * cx + cy * cy + cz * cz), tip[0] * x + tip[1] * y + tip[2] * z
    angle = math.atan2(sine, cosine)
    half = numbers[row, MOST] * math.tanh(angle / numbers[row, MOST]) / 2
    scale = sine - sine
    if sine > 0:
        scale = math.sin(half) / sine
    ax, ay, az = turned(undone(frame), (cx * scale, cy * scale, cz * scale))
    return ax, ay, az, math.cos(half)
