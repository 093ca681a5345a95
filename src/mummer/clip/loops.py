"""The inner loops of clips, over frames and joints, as kernels."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.kernels.arguments import Argument, Floats1, Floats3, Output2, Output3, Parents
from mummer.kernels.kernel import compiled, kernel
from mummer.kernels.place import CPU

Number = Annotated[float, Argument("float", 0)]
JOINTS_A_PIECE = 16_384
# Below this squared angle a series to the fourth power is exact to 1e-13, and needs no trigonometry.
SMALL = 0.01


def slerp_weights(cosine: float, part: float) -> tuple[float, float]:
    """The factors of both ends of a great arc at ``part`` of the way, for ends at this cosine (not negative)."""
    rest = 1.0 - part
    gap = 1.0 - cosine
    if gap < SMALL * 0.5:
        # The squared angle from its cosine, then sin(p a) / (p sin a) as a series in it.
        square = 2.0 * gap * (1.0 + gap * (1.0 / 6.0 + gap * (2.0 / 45.0 + gap * (1.0 / 70.0 + gap * 8.0 / 1575.0))))
        return rest * sine_ratio(rest, square), part * sine_ratio(part, square)
    angle = math.acos(min(cosine, 1.0))
    scale = 1.0 / math.sin(angle)
    return math.sin(rest * angle) * scale, math.sin(part * angle) * scale


def sine_ratio(part: float, square: float) -> float:
    """sin(p a) / (p sin a) for a small squared angle."""
    p = part * part
    first = (1.0 - p) / 6.0
    second = (1.0 - p) * (7.0 - 3.0 * p) / 360.0
    third = (1.0 - p) * (31.0 + p * (3.0 * p - 18.0)) / 15120.0
    return 1.0 + square * (first + square * (second + square * third))


def blend_joint(
    frame: int, joint: int, part: float,
    ax: float, ay: float, az: float, aw: float, bx: float, by: float, bz: float, bw: float, out: Output3,
) -> None:  # fmt: skip
    """Write the rotation at ``part`` of the short way from a to b."""
    cosine = ax * bx + ay * by + az * bz + aw * bw
    sign = 1.0
    if cosine < 0.0:
        sign = -1.0
    first, second = slerp_weights(cosine * sign, part)
    second *= sign
    out[frame, joint, 0] = first * ax + second * bx
    out[frame, joint, 1] = first * ay + second * by
    out[frame, joint, 2] = first * az + second * bz
    out[frame, joint, 3] = first * aw + second * bw


@kernel
def sample_rotation_keys(
    frame: int, before: Parents, part: Floats1, keys: Floats3, targets: Parents, out: Output3
) -> None:
    """One frame of rotations between the keys ``before`` and the next, written to the ``targets``."""
    row, share = before[frame], part[frame]
    for place in range(targets.shape[0]):
        joint = targets[place]
        if share <= 0.0:
            for axis in range(4):
                out[frame, joint, axis] = keys[row, place, axis]
        else:
            blend_joint(
                frame, joint, share,
                keys[row, place, 0], keys[row, place, 1], keys[row, place, 2], keys[row, place, 3],
                keys[row + 1, place, 0], keys[row + 1, place, 1], keys[row + 1, place, 2], keys[row + 1, place, 3],
                out,
            )  # fmt: skip


@kernel
def sample_vector_keys(
    frame: int, before: Parents, part: Floats1, keys: Floats3, targets: Parents, out: Output3
) -> None:
    """One frame of vectors on the lines between the keys ``before`` and the next, written to the ``targets``."""
    row, share = before[frame], part[frame]
    after = min(row + 1, keys.shape[0] - 1)
    for place in range(targets.shape[0]):
        joint = targets[place]
        for axis in range(3):
            start = keys[row, place, axis]
            out[frame, joint, axis] = start + (keys[after, place, axis] - start) * share


def key_before(times: Floats1, time: float) -> int:
    """The last key that is not after ``time``, never the last of several; found by halving."""
    low, high = 0, times.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= time:
            low = middle
        else:
            high = middle
    return low


def part_of_way(times: Floats1, row: int, time: float) -> float:
    """How far from key ``row`` to the next ``time`` is, 0 to 1."""
    if times.shape[0] == 1:
        return 0.0
    return min(max((time - times[row]) / (times[row + 1] - times[row]), 0.0), 1.0)


@compiled
def rotations_at(time: Number, times: Floats1, keys: Floats3, targets: Parents, out: Output2) -> None:
    """The rotations at one time, as `sample_rotation_keys` gives them, written to the ``targets`` of out (J, 4)."""
    row = key_before(times, time)
    share = part_of_way(times, row, time)
    frames = out.reshape((1, out.shape[0], 4))
    for place in range(targets.shape[0]):
        joint = targets[place]
        if share <= 0.0:
            for axis in range(4):
                frames[0, joint, axis] = keys[row, place, axis]
        else:
            blend_joint(
                0, joint, share,
                keys[row, place, 0], keys[row, place, 1], keys[row, place, 2], keys[row, place, 3],
                keys[row + 1, place, 0], keys[row + 1, place, 1], keys[row + 1, place, 2], keys[row + 1, place, 3],
                frames,
            )  # fmt: skip


@compiled
def vectors_at(time: Number, times: Floats1, keys: Floats3, targets: Parents, out: Output2) -> None:
    """The vectors at one time, as `sample_vector_keys` gives them, written to the ``targets`` of out (J, 3)."""
    row = key_before(times, time)
    share = part_of_way(times, row, time)
    after = min(row + 1, keys.shape[0] - 1)
    for place in range(targets.shape[0]):
        joint = targets[place]
        for axis in range(3):
            start = keys[row, place, axis]
            out[joint, axis] = start + (keys[after, place, axis] - start) * share


def fill_from_rotation_keys(
    before: IntArray, part: FloatArray, keys: FloatArray, targets: IntArray, out: FloatArray
) -> None:
    """Slerp between keys (K, n, 4) into the joints ``targets`` of ``out`` (T, J, 4)."""
    _run(sample_rotation_keys, out, before, part, keys, targets, out)


def fill_from_vector_keys(
    before: IntArray, part: FloatArray, keys: FloatArray, targets: IntArray, out: FloatArray
) -> None:
    """Go in lines between keys (K, n, 3) into the joints ``targets`` of ``out`` (T, J, 3)."""
    _run(sample_vector_keys, out, before, part, keys, targets, out)


def _run(body: object, out: FloatArray, *arguments: FloatArray | IntArray) -> None:
    grain = max(1, JOINTS_A_PIECE // max(1, out.shape[1]))
    contiguous = [np.ascontiguousarray(each) for each in arguments[:-1]]
    CPU.run(body, len(out), *contiguous, arguments[-1], grain=grain)  # type: ignore[arg-type]
