"""Inner loops over keyed curves: for each frame, find the segment of each track and go along it."""

from __future__ import annotations

import math

from mummer.clip.turning import exponential
from mummer.kernels.arguments import Floats1, Floats2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import multiply_quaternions

STEP, LINEAR, CUBIC, HANDLES = 0, 1, 2, 3
"""Kinds of segments; those with handles of their own length in time need a root to be found."""


def segment_at(time: float, begin: int, stop: int, times: Floats1) -> int:
    """The last of the keys ``begin`` to ``stop`` that is not after ``time``, or the first."""
    low, high = begin, stop
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= time:
            low = middle
        else:
            high = middle
    return low


def along_handles(part: float, first: float, second: float) -> float:
    """The parameter at which a Bézier curve from 0 to 1 with these inner control times has come to ``part``."""
    low, high, u = 0.0, 1.0, part
    for _ in range(60):
        rest = 1.0 - u
        miss = 3.0 * rest * rest * u * first + 3.0 * rest * u * u * second + u * u * u - part
        if miss > 0.0:
            high = u
        else:
            low = u
        slope = 3.0 * (rest * rest * first + 2.0 * rest * u * (second - first) + u * u * (1.0 - second))
        step = u - miss / slope if slope > 1e-12 else -1.0
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - u) < 1e-15:
            break
        u = step
    return u


def progress(time: float, key: int, times: Floats1, kinds: Parents, reaches: Floats2) -> float:
    """How far along its segment, 0 to 1 and in the curve's own parameter, a time is."""
    part = (time - times[key]) / (times[key + 1] - times[key])
    if kinds[key] == HANDLES:
        part = along_handles(part, reaches[key, 1], 1.0 - reaches[key + 1, 0])
    return part


@kernel
def key_rotations(
    frame: int, at: Floats1, starts: Parents, times: Floats1, kinds: Parents, reaches: Floats2,
    values: Floats2, turns: Floats2, targets: Parents, out: Output3,
) -> None:  # fmt: skip
    """One frame of the tracks between ``starts``; ``turns`` (K, 9) are the three turns of each segment."""
    time = at[frame]
    for track in range(targets.shape[0]):
        joint, stop = targets[track], starts[track + 1]
        key = segment_at(time, starts[track], stop, times)
        x, y, z, w = values[key, 0], values[key, 1], values[key, 2], values[key, 3]
        if key + 1 < stop and time > times[key] and kinds[key] != STEP:
            u = progress(time, key, times, kinds, reaches)
            middle = u
            if kinds[key] != LINEAR:
                rest = 1.0 - u
                first, middle, last = 1.0 - rest * rest * rest, u * u * (3.0 - 2.0 * u), u * u * u
                dx, dy, dz, dw = exponential(first * turns[key, 0], first * turns[key, 1], first * turns[key, 2])
                x, y, z, w = multiply_quaternions(x, y, z, w, dx, dy, dz, dw)
                dx, dy, dz, dw = exponential(middle * turns[key, 3], middle * turns[key, 4], middle * turns[key, 5])
                x, y, z, w = multiply_quaternions(x, y, z, w, dx, dy, dz, dw)
                dx, dy, dz, dw = exponential(last * turns[key, 6], last * turns[key, 7], last * turns[key, 8])
            else:
                dx, dy, dz, dw = exponential(middle * turns[key, 3], middle * turns[key, 4], middle * turns[key, 5])
            x, y, z, w = multiply_quaternions(x, y, z, w, dx, dy, dz, dw)
            scale = 1.0 / math.sqrt(x * x + y * y + z * z + w * w)
            x, y, z, w = x * scale, y * scale, z * scale, w * scale
        out[frame, joint, 0], out[frame, joint, 1], out[frame, joint, 2], out[frame, joint, 3] = x, y, z, w


@kernel
def key_vectors(
    frame: int, at: Floats1, starts: Parents, times: Floats1, kinds: Parents, reaches: Floats2,
    values: Floats2, inner: Floats2, targets: Parents, out: Output3,
) -> None:  # fmt: skip
    """One frame of the tracks between ``starts``; ``inner`` (K, 2 D) are the control points of each segment."""
    time, width = at[frame], values.shape[1]
    for track in range(targets.shape[0]):
        row, stop = targets[track], starts[track + 1]
        key = segment_at(time, starts[track], stop, times)
        if key + 1 < stop and time > times[key] and kinds[key] != STEP:
            u = progress(time, key, times, kinds, reaches)
            rest = 1.0 - u
            for axis in range(width):
                begin, end = values[key, axis], values[key + 1, axis]
                if kinds[key] == LINEAR:
                    out[frame, row, axis] = rest * begin + u * end
                else:
                    bent = rest * inner[key, axis] + u * inner[key, width + axis]
                    out[frame, row, axis] = rest * rest * rest * begin + 3.0 * rest * u * bent + u * u * u * end
        else:
            for axis in range(width):
                out[frame, row, axis] = values[key, axis]
