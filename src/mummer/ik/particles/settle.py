"""From how joints should be turned in the body's space to how they can be: parents first, within limits."""

from __future__ import annotations

from mummer.character.limits import FREE
from mummer.ik.particles.limit_numbers import clamp_joint
from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_of,
    vector,
    vector_of,
)
from mummer.ik.particles.turning import after, turned, undone, unit_quaternion
from mummer.kernels.arguments import Floats1, Floats2
from mummer.kernels.scalars import Four


def settle(
    frame: int,
    joint: int,
    wanted: Four,
    parents: Ints1,
    offsets: Floats2,
    rest_rotations: Floats2,
    rest_local: Floats2,
    limit_kinds: Ints1,
    limits: Floats2,
    limit_rest: Floats2,
    freedom: Floats1,
    one: float,
    lengths: Scratch3,
    local: Scratch3,
    positions: Scratch3,
    rotations: Scratch3,
) -> None:
    """Turn one joint as near as it can to ``wanted`` from rest, and place it."""
    parent = parents[joint]
    above = quaternion_of(rotations, frame, parent)
    held = quaternion(rest_local, joint)
    if freedom[joint] > 0:
        asked = after(undone(above), after(wanted, quaternion(rest_rotations, joint)))
        rest = quaternion(limit_rest, joint)
        if limit_kinds[joint] != FREE:
            turn, _ = clamp_joint(limit_kinds[joint], after(undone(rest), asked), limits, joint)
            asked = after(rest, turn)
        held = unit_quaternion(asked[0], asked[1], asked[2], asked[3], one)
    put_quaternion(local, frame, joint, held)
    put_quaternion(rotations, frame, joint, after(above, held))
    start, (x, y, z) = vector_of(positions, frame, parent), turned(above, vector(offsets, joint))
    k = lengths[frame, joint, 0]
    put_vector(positions, frame, joint, (start[0] + k * x, start[1] + k * y, start[2] + k * z))
