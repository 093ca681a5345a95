"""Inner loops that turn the joints of every frame: displaced, scaled, mirrored, put at rest."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.clip.arcs import arc_weights
from mummer.clip.loops import JOINTS_A_PIECE
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Floats4, Output3, Parents
from mummer.kernels.kernel import Kernel, kernel
from mummer.kernels.place import CPU
from mummer.kernels.scalars import Four, multiply_quaternions

# Below this squared half angle the series to its twelfth power are exact to rounding.
SERIES = 0.25
# The series of sin(h) / 2h and cos(h) in h².
S0, S1, S2, S3, S4, S5, S6 = (0.5 * (-1) ** n / math.factorial(2 * n + 1) for n in range(7))
C0, C1, C2, C3, C4, C5, C6 = ((-1) ** n / math.factorial(2 * n) for n in range(7))


def exponential(x: float, y: float, z: float) -> Four:
    """The unit quaternion that turns about the vector by its length."""
    square = 0.25 * (x * x + y * y + z * z)
    if square < SERIES:
        s = square
        sine = S0 + s * (S1 + s * (S2 + s * (S3 + s * (S4 + s * (S5 + s * S6)))))
        cosine = C0 + s * (C1 + s * (C2 + s * (C3 + s * (C4 + s * (C5 + s * C6)))))
    else:
        half = math.sqrt(square)
        sine, cosine = 0.5 * math.sin(half) / half, math.cos(half)
    return x * sine, y * sine, z * sine, cosine


def displacement(frame: int, segment: int, place: int, shares: Floats2, vectors: Floats4) -> Four:
    """The turn by the four vectors of one joint in one segment, each by its share."""
    x = y = z = 0.0
    for part in range(4):
        share = shares[frame, part]
        x += share * vectors[segment, part, place, 0]
        y += share * vectors[segment, part, place, 1]
        z += share * vectors[segment, part, place, 2]
    return exponential(x, y, z)


@kernel
def displace_outside(
    frame: int, segments: Parents, shares: Floats2, vectors: Floats4, targets: Parents, out: Output3
) -> None:
    """One frame of ``out`` with displacements put before the rotations of ``targets``: out = d · out."""
    for place in range(targets.shape[0]):
        joint = targets[place]
        dx, dy, dz, dw = displacement(frame, segments[frame], place, shares, vectors)
        out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3] = multiply_quaternions(
            dx, dy, dz, dw,
            out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3],
        )  # fmt: skip


@kernel
def displace_inside(
    frame: int, segments: Parents, shares: Floats2, vectors: Floats4, targets: Parents, out: Output3
) -> None:
    """One frame of ``out`` with displacements put after the rotations of ``targets``: out = out · d."""
    for place in range(targets.shape[0]):
        joint = targets[place]
        dx, dy, dz, dw = displacement(frame, segments[frame], place, shares, vectors)
        out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3] = multiply_quaternions(
            out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3],
            dx, dy, dz, dw,
        )  # fmt: skip


@kernel
def scale_rotations(frame: int, factors: Floats1, reference: Floats2, out: Output3) -> None:
    """One frame of ``out`` with how far each joint is turned from its reference multiplied by its factor."""
    for joint in range(out.shape[1]):
        factor = factors[joint]
        if factor == 1.0:
            continue
        cosine = 0.0
        for axis in range(4):
            cosine += out[frame, joint, axis] * reference[joint, axis]
        sign = 1.0
        if cosine < 0.0:
            sign = -1.0
        mine, theirs = arc_weights(cosine * sign, 1.0 - factor)
        for axis in range(4):
            out[frame, joint, axis] = mine * out[frame, joint, axis] + sign * theirs * reference[joint, axis]


@kernel
def exchange_rotations(frame: int, partners: Parents, maps: Floats3, out: Output3) -> None:
    """One frame of ``out`` in which each joint takes its partner's rotation through a linear map (J, 4, 4)."""
    for joint in range(out.shape[1]):
        partner = partners[joint]
        if partner < joint:
            continue
        ax, ay, az, aw = out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3]
        bx, by, bz, bw = (
            out[frame, partner, 0], out[frame, partner, 1], out[frame, partner, 2], out[frame, partner, 3],
        )  # fmt: skip
        for row in range(4):
            out[frame, joint, row] = (
                maps[joint, row, 0] * bx + maps[joint, row, 1] * by
                + maps[joint, row, 2] * bz + maps[joint, row, 3] * bw
            )  # fmt: skip
        if partner != joint:
            for row in range(4):
                out[frame, partner, row] = (
                    maps[partner, row, 0] * ax + maps[partner, row, 1] * ay
                    + maps[partner, row, 2] * az + maps[partner, row, 3] * aw
                )  # fmt: skip


@kernel
def set_rotations(frame: int, targets: Parents, values: Floats2, out: Output3) -> None:
    """One frame of ``out`` with the rotations of ``targets`` replaced by those of ``values`` (J, 4)."""
    for place in range(targets.shape[0]):
        joint = targets[place]
        for axis in range(4):
            out[frame, joint, axis] = values[joint, axis]


def displace(
    out: FloatArray, segments: IntArray, shares: FloatArray, vectors: FloatArray, targets: IntArray, *, inside: bool
) -> None:
    """Displace rotations in place by sums of rotation vectors.

    Args:
        out: (T, J, 4) parent_from_joint rotations.
        segments: (T,) which segment each frame is in.
        shares: (T, 4) how much each of the four vectors of its segment counts.
        vectors: (S, 4, n, 3) rotation vectors in radians.
        targets: (n,) the joints displaced.
        inside: whether the displacement is in the joint's own frame rather than in its parent's.
    """
    run(displace_inside if inside else displace_outside, out, segments, shares, vectors, targets)


def run(body: Kernel, out: FloatArray, *given: FloatArray | IntArray) -> None:
    """Run a kernel over the frames of ``out`` (T, J, 4), which is its last argument."""
    grain = max(1, JOINTS_A_PIECE // max(1, out.shape[1]))
    CPU.run(body, len(out), *[np.ascontiguousarray(each) for each in given], out, grain=grain)
