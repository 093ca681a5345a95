"""The hot loop that finds where a track of values jumps, and smooths it there."""

from __future__ import annotations

import math

from mummer.kernels.arguments import Floats1, Floats3, Output2, Output3
from mummer.kernels.kernel import kernel

RADIUS = 3
"""Samples to either side that a jump is spread over."""
AROUND = 7
"""Samples to either side that tell how lively the motion is just there."""
LIVELY = 3.0
"""How many times the usual change around it a moment may show before the rest of it counts."""
LOW, HIGH = 0, 1
"""Settings: jumps up to the first are left alone, from the second on they are smoothed altogether; metres."""


@kernel(on_cuda=False)
def calm_tracks(
    track: int,
    values: Floats3,
    levers: Floats1,
    settings: Floats1,
    jumps: Output2,
    weights: Output2,
    aligned: Output3,
    calmed: Output3,
) -> None:
    """One item is one track over all samples.

    Args:
        track: which.
        values: (N, T, W) places or rotations.
        levers: (N,) metres that a change of one unit moves something by.
        settings: see `LOW`.
        jumps: (N, T) room: how suddenly the track changes, metres beyond what is usual there.
        weights: (N, T) takes how much of the smoothed track shows, 0 to 1.
        aligned: (N, T, W) room: the values, rotations with signs that agree.
        calmed: (N, T, W) takes the result.
    """
    count, width = values.shape[1], values.shape[2]
    align(track, values, aligned)
    loud = False
    for moment in range(count):
        jumps[track, moment] = levers[track] * change(track, moment, count, width, aligned)
        weights[track, moment] = 0.0
        loud = loud or jumps[track, moment] > settings[LOW]
        for part in range(width):
            calmed[track, moment, part] = values[track, moment, part]
    if not loud:
        return
    for moment in range(count):
        if jumps[track, moment] > settings[LOW]:
            beyond = jumps[track, moment] - LIVELY * usual(track, moment, count, jumps)
            share = min(max((beyond - settings[LOW]) / (settings[HIGH] - settings[LOW]), 0.0), 1.0)
            if share > 0.0:
                spread(track, moment, count, share * share * (3.0 - 2.0 * share), weights)
    for moment in range(count):
        if weights[track, moment] > 0.0:
            smooth(track, moment, count, width, weights[track, moment], aligned, calmed)


def align(track: int, values: Floats3, aligned: Output3) -> None:
    """Copy a track; rotations, which come in two signs, with the sign of the one before."""
    for moment in range(values.shape[1]):
        sign, likeness = 1.0, 0.0
        if moment > 0 and values.shape[2] == 4:
            for part in range(4):
                likeness += values[track, moment, part] * aligned[track, moment - 1, part]
            sign = -1.0 if likeness < 0.0 else 1.0
        for part in range(values.shape[2]):
            aligned[track, moment, part] = sign * values[track, moment, part]


def change(track: int, moment: int, count: int, width: int, aligned: Floats3) -> float:
    """How far a value is from where it was going, the second difference."""
    if moment == 0 or moment == count - 1:
        return 0.0
    square = 0.0
    for part in range(width):
        off = aligned[track, moment + 1, part] - 2.0 * aligned[track, moment, part] + aligned[track, moment - 1, part]
        square += off * off
    return math.sqrt(square)


def usual(track: int, moment: int, count: int, jumps: Output2) -> float:
    """The median of the changes around a moment; the ends are mirrored."""
    middle = 0.0
    for one in range(2 * AROUND + 1):
        value = jumps[track, mirrored(moment + one - AROUND, count)]
        less, same = 0, 0
        for two in range(2 * AROUND + 1):
            other = jumps[track, mirrored(moment + two - AROUND, count)]
            less += 1 if other < value else 0
            same += 1 if other == value else 0
        if less <= AROUND < less + same:
            middle = value
    return middle


def mirrored(moment: int, count: int) -> int:
    """A moment within the track; the first and the last have no change of their own."""
    if moment < 1:
        moment = 2 - moment
    if moment > count - 2:
        moment = 2 * (count - 2) - moment
    return min(max(moment, 0), count - 1)


def spread(track: int, moment: int, count: int, share: float, weights: Output2) -> None:
    """Note that a track is to be smoothed around a moment, and less and less farther from it."""
    for near in range(max(moment - 2 * RADIUS, 0), min(moment + 2 * RADIUS + 1, count)):
        far = min(max((abs(near - moment) - RADIUS) / RADIUS, 0.0), 1.0)
        weights[track, near] = max(weights[track, near], share * (1.0 - far * far * (3.0 - 2.0 * far)))


def smooth(
    track: int, moment: int, count: int, width: int, weight: float, aligned: Floats3, calmed: Output3
) -> None:  # fmt: skip
    """Mix a mean of the values around a moment, the nearer the more, into the value; the ends stay as they are."""
    radius = min(RADIUS, moment, count - 1 - moment)
    whole, square = float((radius + 1) * (radius + 1)), 0.0
    for part in range(width):
        mean = 0.0
        for off in range(-radius, radius + 1):
            mean += (radius + 1 - abs(off)) * aligned[track, moment + off, part]
        mixed = aligned[track, moment, part] + weight * (mean / whole - aligned[track, moment, part])
        calmed[track, moment, part] = mixed
        square += mixed * mixed
    if width == 4:
        for part in range(4):
            calmed[track, moment, part] /= math.sqrt(square)
