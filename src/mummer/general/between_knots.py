"""Poses between even knots: a smooth curve through all of them."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip import Frames
from mummer.general.knots import nearest_knots
from mummer.kernels.arguments import Floats1, Floats3, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU

FRAMES_A_PIECE = 64


def frames_between(knots: FloatArray, frames: Frames, times: FloatArray) -> Frames:
    """The poses at ``times`` (T,) on a curve through ``frames`` at even ``knots`` (K,)."""

    def at_times(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else values_between(knots, values, times)

    # Morphs are numbers each by itself, however many they are.
    morphs = None if frames.morphs is None else values_between(knots, frames.morphs[:, :, None], times)[..., 0]
    return Frames(
        values_between(knots, frames.rotations, times), values_between(knots, frames.root[:, None], times)[:, 0],
        at_times(frames.translations), at_times(frames.scales), morphs,
    )  # fmt: skip


def values_between(knots: FloatArray, values: FloatArray, times: FloatArray) -> FloatArray:
    """(T, N, W) at ``times`` (T,) on a curve without corners through ``values`` (K, N, W) at even ``knots`` (K,).

    Rows of four are rotations.
    """
    pieces, shares = nearest_knots(knots, times)
    made = np.empty((len(times), *values.shape[1:]))
    CPU.run(pass_knots, len(times), pieces, shares, np.ascontiguousarray(values), made, grain=FRAMES_A_PIECE)
    return made


@kernel(on_cuda=False)
def pass_knots(frame: int, pieces: Parents, shares: Floats1, values: Floats3, made: Output3) -> None:
    """One item is one frame: a cubic from knot to knot, as steep at each as the line between its neighbours.

    Args:
        frame: which.
        pieces: (T,) the knot before each.
        shares: (T,) how far it is to the next, 0 to 1.
        values: (K, N, W) at the knots; four in a row are rotations.
        made: (T, N, W) takes the result.
    """
    piece, u = pieces[frame], shares[frame]
    before, after = max(piece - 1, 0), min(piece + 2, values.shape[0] - 1)
    rise, up, down = u * u * (3.0 - 2.0 * u), 0.5 * u * (1.0 - u) * (1.0 - u), 0.5 * u * u * (1.0 - u)
    # How much each of the four knots around the moment counts.
    one, two, three, four = -up, 1.0 - rise + down, rise + up, -down
    width = values.shape[2]
    for row in range(values.shape[1]):
        first, third, fourth = one, three, four
        if width == 4:
            first *= like(values, row, piece, before)
            third *= like(values, row, piece, piece + 1)
            fourth *= like(values, row, piece, after)
        square = 0.0
        for part in range(width):
            value = first * values[before, row, part] + two * values[piece, row, part]
            value += third * values[piece + 1, row, part] + fourth * values[after, row, part]
            made[frame, row, part] = value
            square += value * value
        if width == 4:
            for part in range(width):
                made[frame, row, part] /= math.sqrt(square)


def like(values: Floats3, row: int, one: int, two: int) -> float:
    """The sign that makes the second of two rotations the nearer one."""
    likeness = 0.0
    for part in range(4):
        likeness += values[one, row, part] * values[two, row, part]
    return -1.0 if likeness < 0.0 else 1.0
