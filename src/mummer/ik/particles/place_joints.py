"""Where the joints of one body are, from how they are turned against their parents."""

from __future__ import annotations

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
from mummer.ik.particles.turning import after, turned
from mummer.kernels.arguments import Floats2


def place_joints(
    frame: int,
    parents: Ints1,
    offsets: Floats2,
    rest_positions: Floats2,
    rest_rotations: Floats2,
    lengths: Scratch3,
    local: Scratch3,
    positions: Scratch3,
    rotations: Scratch3,
) -> None:
    """Fill positions and rotations of all joints in the body's space; roots stand as at rest."""
    for joint in range(parents.shape[0]):
        parent = parents[joint]
        if parent < 0:
            put_vector(positions, frame, joint, vector(rest_positions, joint))
            put_quaternion(rotations, frame, joint, quaternion(rest_rotations, joint))
            continue
        above, start = quaternion_of(rotations, frame, parent), vector_of(positions, frame, parent)
        x, y, z = turned(above, vector(offsets, joint))
        k = lengths[frame, joint, 0]
        put_vector(positions, frame, joint, (start[0] + k * x, start[1] + k * y, start[2] + k * z))
        put_quaternion(rotations, frame, joint, after(above, quaternion_of(local, frame, joint)))
