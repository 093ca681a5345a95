"""Where the joints of one body are, from how they are turned against their parents."""

from __future__ import annotations

from mummer.ik.particles.storage import (
    Ints1,
    Scratch3,
    put_quaternion,
    put_vector,
    quaternion_of,
    vector,
    vector_of,
)
from mummer.ik.particles.turning import after, turned
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Three


def place_joints(
    frame: int,
    first: int,
    last: int,
    members: Ints1,
    parents: Ints1,
    offsets: Floats2,
    lengths: Scratch3,
    local: Scratch3,
    root: Three,
    positions: Scratch3,
    rotations: Scratch3,
) -> None:
    """Fill positions and rotations in the body's space of a group; the root, if in it, stands at ``root``."""
    for at in range(first, last):
        joint = members[at]
        parent = parents[joint]
        if parent < 0:
            put_vector(positions, frame, joint, root)
            put_quaternion(rotations, frame, joint, quaternion_of(local, frame, joint))
            continue
        above, start = quaternion_of(rotations, frame, parent), vector_of(positions, frame, parent)
        x, y, z = turned(above, vector(offsets, joint))
        k = lengths[frame, joint, 0]
        put_vector(positions, frame, joint, (start[0] + k * x, start[1] + k * y, start[2] + k * z))
        put_quaternion(rotations, frame, joint, after(above, quaternion_of(local, frame, joint)))
