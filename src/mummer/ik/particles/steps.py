"""One step: what the answer of the equations asks of each joint, and what its limits allow."""

from __future__ import annotations

import math

from mummer.character.limits import BALL, FREE
from mummer.ik.particles.limit_numbers import clamp_joint
from mummer.ik.particles.measure_goals import ANSWER, PLACE
from mummer.ik.particles.settings import (
    ONE,
    ROOT_MOVE,
    TURN_SCALE,
)
from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_of,
    vector_of,
)
from mummer.ik.particles.turning import after, cross, dot, length_of, turned, undone, unit_quaternion
from mummer.kernels.arguments import Floats1, Floats2
from mummer.kernels.scalars import Three


def torque_on(
    frame: int,
    member: int,
    joint: int,
    first_task: int,
    tasks: Ints1,
    below_starts: Ints1,
    below: Ints1,
    kinds: Ints1,
    weights: Floats1,
    settings: Floats1,
    positions: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
) -> Three:
    """Jᵀ times the answer for one joint, before its axes are looked at."""
    zero = settings[ONE] - settings[ONE]
    x, y, z = zero, zero, zero
    place = vector_of(positions, frame, joint)
    for at in range(below_starts[member], below_starts[member + 1]):
        entry = tasks[first_task + below[at]]
        row, w = 3 * below[at], weights[entry]
        force = (w * rows[frame, row, ANSWER], w * rows[frame, row + 1, ANSWER], w * rows[frame, row + 2, ANSWER])
        if kinds[entry] == PLACE:
            tip = vector_of(tips, frame, below[at])
            u, v, t = cross((tip[0] - place[0], tip[1] - place[1], tip[2] - place[2]), force)
            x, y, z = x + u, y + v, z + t
        else:
            k = settings[TURN_SCALE]
            x, y, z = x + k * force[0], y + k * force[1], z + k * force[2]
    return x, y, z


def plan_turns(
    frame: int,
    first_member: int,
    last_member: int,
    first_task: int,
    members: Ints1,
    tasks: Ints1,
    below_starts: Ints1,
    below: Ints1,
    kinds: Ints1,
    weights: Floats1,
    settings: Floats1,
    positions: Scratch3,
    tips: Scratch3,
    rows: Scratch3,
    axes: Scratch3,
    blocked: Scratch3,
    turns: Scratch3,
) -> float:
    """Fill how each joint is to turn, a rotation vector in the body's space; the largest is the answer."""
    largest = settings[ONE] - settings[ONE]
    for member in range(first_member, last_member):
        joint = members[member]
        pull = torque_on(
            frame,
            member,
            joint,
            first_task,
            tasks,
            below_starts,
            below,
            kinds,
            weights,
            settings,
            positions,
            tips,
            rows,
        )
        x, y, z = settings[ONE] - settings[ONE], settings[ONE] - settings[ONE], settings[ONE] - settings[ONE]
        for k in range(3):
            axis, free = vector_of(axes, frame, 3 * joint + k), axes[frame, 3 * joint + k, 3]
            along = dot(axis, pull)
            if not along * blocked[frame, joint, k] > 0:
                blocked[frame, joint, k] = settings[ONE] - settings[ONE]
            amount = free * free * along
            turns[frame, joint, 3 + k] = amount
            x, y, z = x + amount * axis[0], y + amount * axis[1], z + amount * axis[2]
        put_vector(turns, frame, joint, (x, y, z))
        largest = max(largest, length_of((x, y, z)))
    return largest


def travel(frame: int, kinds: Ints1, weights: Floats1, settings: Floats1, rows: Scratch3) -> Three:
    """How far the root is to travel in a whole step, metres."""
    zero = settings[ONE] - settings[ONE]
    x, y, z = zero, zero, zero
    for entry in range(kinds.shape[0]):
        if kinds[entry] == PLACE:
            k = settings[ROOT_MOVE] * settings[ROOT_MOVE] * weights[entry]
            x, y, z = (
                x + k * rows[frame, 3 * entry, ANSWER],
                y + k * rows[frame, 3 * entry + 1, ANSWER],
                z + k * rows[frame, 3 * entry + 2, ANSWER],
            )
    return x, y, z


def try_turns(
    frame: int,
    share: float,
    first_member: int,
    last_member: int,
    members: Ints1,
    parents: Ints1,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    settings: Floats1,
    rotations: Scratch3,
    turns: Scratch3,
    blocked: Scratch3,
    local: Scratch3,
    tried: Scratch3,
) -> None:
    """Fill ``tried`` with every joint turned by its share of the plan and held in its limits.

    What part of a turn about each axis limits held back is remembered as blocked, with the sign of the turn.
    """
    one = settings[ONE]
    half = share / (one + one)
    for member in range(first_member, last_member):
        joint = members[member]
        own, way = quaternion_of(local, frame, joint), vector_of(turns, frame, joint)
        put_quaternion(tried, frame, joint, own)
        if not length_of(way) > 0:
            continue
        if joint > 0:
            way = turned(undone(quaternion_of(rotations, frame, parents[joint])), way)
        asked = after(unit_quaternion(half * way[0], half * way[1], half * way[2], one, one), own)
        if joint == 0 or limit_kinds[joint] == FREE:
            put_quaternion(tried, frame, joint, asked)
            continue
        rest = quaternion(limit_rest, joint)
        turn, beyond = clamp_joint(limit_kinds[joint], after(undone(rest), asked), limits, joint)
        put_quaternion(tried, frame, joint, after(rest, turn))
        for k in range(3):
            planned = share * turns[frame, joint, 3 + k]
            if limit_kinds[joint] == BALL and k == 0:
                other = share * turns[frame, joint, 4]
                planned = math.sqrt(planned * planned + other * other)
            if beyond[k] * planned > 0:
                stopped = min(beyond[k] / planned, one)
                if stopped > abs(blocked[frame, joint, k]):
                    blocked[frame, joint, k] = math.copysign(stopped, planned)
