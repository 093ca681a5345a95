"""Inner loops that bring two motions, or many, together; and the same for everything that is not a rotation."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character
from mummer.clip.arcs import approach, arc_weights
from mummer.clip.frames import Frames
from mummer.clip.turning import run
from mummer.clip.weights import morph_joint
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output3
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import multiply_quaternions

# The squared length of a turn's axis part below which two rotations are the same but for rounding.
SAME = 1e-30


@kernel
def mix_rotations(frame: int, shares: Floats1, weights: Floats1, second: Floats3, out: Output3) -> None:
    """One frame of ``out`` turned towards ``second`` by share of frame times weight of joint."""
    for joint in range(out.shape[1]):
        weight = shares[frame] * weights[joint]
        if weight == 1.0:
            for axis in range(4):
                out[frame, joint, axis] = second[frame, joint, axis]
        elif weight != 0.0:
            approach(frame, joint, weight, second, out)


@kernel
def add_rotations(
    frame: int, shares: Floats1, weights: Floats1, reference: Floats2, second: Floats3, out: Output3
) -> None:
    """One frame of ``out`` with the turn of ``second`` from its reference put before it, by share and weight."""
    for joint in range(out.shape[1]):
        weight = shares[frame] * weights[joint]
        if weight == 0.0:
            continue
        dx, dy, dz, dw = multiply_quaternions(
            second[frame, joint, 0], second[frame, joint, 1], second[frame, joint, 2], second[frame, joint, 3],
            -reference[joint, 0], -reference[joint, 1], -reference[joint, 2], reference[joint, 3],
        )  # fmt: skip
        if dx * dx + dy * dy + dz * dz < SAME:
            continue
        if weight != 1.0:
            sign = 1.0
            if dw < 0.0:
                sign = -1.0
            still, moved = arc_weights(min(dw * sign, 1.0), weight)
            moved *= sign
            dx, dy, dz, dw = moved * dx, moved * dy, moved * dz, still + moved * dw
        out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3] = multiply_quaternions(
            dx, dy, dz, dw,
            out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3],
        )  # fmt: skip


def mix_into(out: Frames, second: Frames, shares: FloatArray, weights: FloatArray, body: Character) -> None:
    """Bring ``out`` towards ``second`` in place: rotations by slerp, all else in a straight line.

    Args:
        out: T poses.
        second: T poses of the same body.
        shares: (T,) how much of ``second`` each frame takes.
        weights: (J,) how much of that each joint takes; the product is from 0 to 1.
        body: whose poses they are.
    """
    run(mix_rotations, out.rotations, shares, weights, second.rotations)
    out.widen(second, body)
    second.widen(out, body)
    part = shares[:, None, None] * weights[:, None]
    if out.translations is None:
        _approach(out.root, second.root, part[:, 0])
    for mine, theirs in ((out.translations, second.translations), (out.scales, second.scales)):
        if mine is not None and theirs is not None:
            _approach(mine, theirs, part)
    if out.morphs is not None and second.morphs is not None:
        _approach(out.morphs, second.morphs, part[:, morph_joint(body)])


def add_into(
    out: Frames, second: Frames, reference: Frames, shares: FloatArray, weights: FloatArray, body: Character
) -> None:
    """Add to ``out`` in place how ``second`` differs from the one pose in ``reference``; see `mix_into`."""
    run(add_rotations, out.rotations, shares, weights, reference.rotations[0], second.rotations)
    second.widen(reference, body)
    out.widen(second, body)
    second.widen(out, body)
    reference.widen(second, body)
    part = shares[:, None, None] * weights[:, None]
    if out.translations is None:
        out.root += part[:, 0] * (second.root - reference.root)
    for name in ("translations", "scales"):
        mine, theirs, base = (getattr(each, name) for each in (out, second, reference))
        if mine is not None:
            mine += part * (theirs - base)
    if out.morphs is not None and second.morphs is not None and reference.morphs is not None:
        out.morphs += part[:, morph_joint(body)] * (second.morphs - reference.morphs)


def ease(part: FloatArray, slopes: tuple[float, float] = (0.0, 0.0)) -> FloatArray:
    """The Hermite curve from 0 to 1 with the given slopes at its ends, held within 0 and 1.

    Args:
        part: (...) how far, 0 to 1.
        slopes: at both ends; zero leaves and arrives at rest, one at both is a straight line.
    """
    u = np.clip(part, 0.0, 1.0)
    rise = u * u * (3 - 2 * u) + u * (1 - u) * (slopes[0] * (1 - u) - slopes[1] * u)
    return np.clip(rise, 0.0, 1.0)


def _approach(mine: FloatArray, theirs: FloatArray, part: FloatArray) -> None:
    """In a straight line, exact at both ends."""
    changed = mine + part * (theirs - mine)
    mine[...] = np.where(part == 1.0, theirs, changed)
