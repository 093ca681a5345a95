"""Jumps: while no foot is on the ground a body falls freely, and its legs give way and push as it lands and leaves."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.general.gait.clock import GRAVITY
from mummer.general.gait.curves import spans

HARDEST = 1.5
"""Gravities with which legs push off at most, on the mean, besides bearing the body."""
SETTLES = 2.0
"""How long legs give way after a last flight, and push off for a first, in roots of (leg length / gravity)."""
LONGEST = 4.0
"""How long a free fall is taken at its word, in the same unit."""


def flight_heights(borne: BoolArray, step: float, deepest: float, unit: float) -> FloatArray:
    """(N,) metres up, from when bodies touch the ground.

    In the air it is a parabola. On the ground between two flights it is the curve that takes the body from the speed it
    lands with to the speed it leaves with, so that no speed jumps.

    Args:
        borne: (N,) whether any foot is on the ground, at even steps.
        step: seconds between them.
        deepest: metres that legs give way at most, as they land and push off.
        unit: seconds, the root of (leg length / gravity).
    """
    found = np.zeros(len(borne))
    flights = [(first, last) for first, last in spans(~borne) if first > 0 and last < len(borne) - 1]
    if not flights:
        return found
    speeds = _speeds(flights, step, deepest, unit)
    for (first, last), speed in zip(flights, speeds, strict=True):
        whole = (last - first + 2) * step
        at = (np.arange(first, last + 1) - first + 1) * step
        found[first : last + 1] = at * speed * (1 - at / whole)
    for first, last, sinking, rising in _stands(flights, speeds, len(borne), round(SETTLES * unit / step)):
        count = np.arange(first, last + 1)
        share = (count - first + 0.0) / max(last - first, 1)
        found[first : last + 1] = _give((last - first) * step, sinking, rising, share)
    return found


def _speeds(flights: list[tuple[int, int]], step: float, deepest: float, unit: float) -> list[float]:
    """Metres a second at which flights begin and end: those of a free fall, or what the stands beside them can bear."""
    found = []
    for number, (first, last) in enumerate(flights):
        before = first - flights[number - 1][1] - 1 if number else np.inf
        after = flights[number + 1][0] - last - 1 if number + 1 < len(flights) else np.inf
        stand = min(before, after) * step
        fall = 0.5 * GRAVITY * min((last - first + 2) * step, LONGEST * unit, HARDEST * stand)
        # Between two flights legs give way by a quarter of the stand at this speed; after the last by 4/27 of it.
        settles = SETTLES * unit
        ways = [0.25 * each * step if each * step < 2 * settles else 4 / 27 * settles for each in (before, after)]
        found.append(min(fall, deepest / max(*ways, 1e-9)))
    return found


def _stands(
    flights: list[tuple[int, int]], speeds: list[float], count: int, longest: int
) -> list[tuple[int, int, float, float]]:
    """First and last index of what is before, between and after flights, and the speeds of landing and leaving."""
    found = []
    before, sinking = None, 0.0
    for (first, last), speed in zip(flights, speeds, strict=True):
        start = max((before + 1) if before is not None else 0, 0)
        end = first - 1
        if before is None or end - start > 2 * longest:
            if before is not None:
                found.append((start, start + longest, sinking, 0.0))
            found.append((max(end - longest, start if before is None else start + longest + 1), end, 0.0, speed))
        else:
            found.append((start, end, sinking, speed))
        before, sinking = last, speed
    if before is not None:
        found.append((before + 1, min(before + 1 + longest, count - 1), sinking, 0.0))
    return [(first, last, down, up) for first, last, down, up in found if last > first]


def _give(duration: float, sinking: float, rising: float, share: FloatArray) -> FloatArray:
    """(K,) a curve from 0 down and back to 0 that begins with speed ``-sinking`` and ends with ``rising``."""
    down = share * (1 - share) ** 2
    back = share**2 * (1 - share)
    return np.asarray(-duration * (sinking * down + rising * back))
