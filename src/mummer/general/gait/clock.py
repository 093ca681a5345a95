"""The clock of a gait: how fast legs go round at every moment, and where each is in its cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.general.gait.comfort import Comfort
from mummer.general.gait.curves import Curves, smoothed, smoothed_above, spans
from mummer.general.gait.legs import Leg
from mummer.general.gait.pattern import Order, triggers
from mummer.general.gait.style import Parameters, Style

GRAVITY = 9.81
STRIDE, STRIDE_POWER = 2.3, 0.6
"""Animals of all sizes take strides of 2.3 leg lengths times the relative speed to the power of 0.6 (Alexander)."""
SLOWEST = 0.12
"""Relative speed below which legs do not go round more slowly."""
LONGEST_FLIGHT = 1.7
"""A foot is in the air at most this long, in roots of (leg length / gravity)."""
SHORTEST_FLIGHT, QUICK_FLIGHT, BRIEFEST = 0.14, 0.95, 0.52
"""A foot is in the air for at least so many seconds, and so many roots of (leg length / gravity), if it is still on the
ground for this part of a cycle. The one bounds what it bears, in gravities, whatever its size; the other keeps those of
mice from jumping from frame to frame."""
TURN_A_STANCE = 0.6
"""Radians that a body turns at most over a foot that stands."""
MOVES = 0.008
"""Relative speed above which a body counts as moving."""
NEIGHBOR, PASSING, LEAST_APART = 0.46, 2.5, 0.36
"""Feet do not go farther from their places than this part of the way to the next foot of their side; what that one is
beside them counts so many times; and the way at least as so many leg lengths."""
READY = 6.0
"""Over how long legs take up a speed, in roots of (leg length / gravity)."""
LASTING = 24.0
"""Over how long the order in which legs step changes, in the same unit."""
ALWAYS_BORNE = 0.54
"""Bodies on sprawling legs run, but do not jump: their feet are down at least for this part of a cycle."""
AHEAD = 0.25
"""Cycles by which legs start before the body does."""


@dataclass(frozen=True, eq=False)
class Clock:
    """Where legs are in their cycles, at even steps of time.

    Attributes:
        times: (N,) seconds.
        speeds: (N,) relative to the legs.
        parameters: of the style at these speeds, (N,) each.
        phases: (N, L) cycles: feet land at whole numbers and leave ``duties`` later.
        duties: (N, L) parts of a cycle that feet are on the ground.
        spells: (S, 2) first and last index of each stretch in which legs go round.
        rate: (N,) cycles a second of the main group while they do.
    """

    times: FloatArray
    speeds: FloatArray
    parameters: Parameters
    phases: FloatArray
    duties: FloatArray
    spells: IntArray
    rate: FloatArray


def time_unit(legs: Sequence[Leg]) -> float:
    """Seconds that are natural to legs: the root of (their mean length / gravity)."""
    return float(np.sqrt(np.mean([leg.length for leg in legs]) / GRAVITY))


def sprawl(legs: Sequence[Leg]) -> float:
    """0 for a body on upright legs, 1 for one whose legs stand out to the sides."""
    return float(np.mean([leg.swivels for leg in legs]))


def make_clock(legs: Sequence[Leg], order: Order, style: Style, way: Curves, comfort: Comfort) -> Clock:
    """The clock for a body that goes along a smooth way (N, 3): x, z, heading."""
    unit = time_unit(legs)
    length = unit * unit * GRAVITY
    rates = way.slopes()
    velocities = _velocities(legs, way.values, rates)
    foot_speed = np.sqrt(np.max(np.sum(velocities**2, axis=-1), axis=1))
    turning = np.abs(rates[:, 2])
    speeds = smoothed(foot_speed / np.sqrt(GRAVITY * length), 2 * unit / way.step)
    given = style.parameters(speeds)
    hurry = cycles_needed(legs, order, velocities, comfort)
    # Legs are up to speed before the body is, and slow down after it: first and last steps are quick and short.
    ready = smoothed_above(speeds, READY * unit / way.step)
    given["duty"] = np.maximum(style.parameters(ready)["duty"], ALWAYS_BORNE * (sprawl(legs) > 0.5))
    rate, duty = _rate(foot_speed, speeds, turning, given, hurry, length)
    rate = smoothed_above(rate, READY * unit / way.step)
    spells = spans(_active(speeds > MOVES, way.step, rate))
    # Short legs are quick, but their feet take their time to fly.
    shortest = max(SHORTEST_FLIGHT, QUICK_FLIGHT * unit)
    flights = np.minimum(shortest * rate[:, None] * order.rates, 1 - BRIEFEST)
    duties = np.minimum(duty[:, None], np.maximum(1 - flights, np.minimum(duty, BRIEFEST)[:, None]))
    if len(legs) > 1:
        duties[:, 0] = np.clip(duties[:, 0] + given["weak_duty"], 0.15, 0.95)
    offsets = triggers(order, style, smoothed_above(speeds, LASTING * unit / way.step))
    offsets[:, 1:] -= given["weak_shift"][:, None]
    phases = _phases(rate, offsets, duties, order, spells, way.step)
    return Clock(way.times, speeds, given, phases, duties, spells, rate)


def _velocities(legs: Sequence[Leg], way: FloatArray, rates: FloatArray) -> FloatArray:
    """(N, L, 2) how fast the ground passes below each foot, as the body sees it: to the left, and ahead."""
    homes = np.array([leg.contact[[0, 2]] for leg in legs])
    sine, cosine = np.sin(way[:, 2]), np.cos(way[:, 2])
    left = rates[:, 0] * cosine - rates[:, 1] * sine
    ahead = rates[:, 0] * sine + rates[:, 1] * cosine
    turn = rates[:, 2:3]
    return np.stack([left[:, None] + turn * homes[:, 1], ahead[:, None] - turn * homes[:, 0]], axis=-1)


def cycles_needed(legs: Sequence[Leg], order: Order, velocities: FloatArray, comfort: Comfort) -> FloatArray:
    """(N,) how often a second legs that are always on the ground must be set anew, so that none leaves its comfort."""
    found = np.zeros(len(velocities))
    for index in range(len(legs)):
        own = velocities[:, index]
        # Feet that reach farther behind than ahead, or the other way, are set down where the middle is.
        room = comfort.far(index, own) + comfort.far(index, -own)
        room = np.minimum(room, 2 * _free(legs, order, index, own, comfort.homes))
        found = np.maximum(found, np.hypot(own[:, 0], own[:, 1]) / room / order.rates[index])
    return found


def _free(legs: Sequence[Leg], order: Order, index: int, velocities: FloatArray, homes: FloatArray) -> FloatArray:
    """(N,) metres that a foot may go to and fro before it meets the next foot of its side, which does the same."""
    own, found = legs[index], np.full(len(velocities), np.inf)
    ways = velocities / np.maximum(np.linalg.norm(velocities, axis=1, keepdims=True), 1e-9)
    for other, leg in enumerate(legs):
        if other == index or order.sides[other] != order.sides[index] or order.units[other] == order.units[index]:
            continue
        left, ahead = leg.contact[[0, 2]] + homes[other] - own.contact[[0, 2]] - homes[index]
        long = own.sole[1] - leg.sole[0] if ahead > 0 else leg.sole[1] - own.sole[0]
        left, ahead = _less(left, own.sole[2] + leg.sole[2]), _less(ahead, long)
        along, across = ways @ [left, ahead], ways @ [ahead, -left]
        apart = np.maximum(np.hypot(along, PASSING * across), LEAST_APART * own.length)
        found = np.minimum(found, NEIGHBOR * apart)
    return found


def _less(value: float, by: float) -> float:
    """A number that is nearer to zero by so much."""
    return float(np.sign(value)) * max(abs(value) - by, 0.0)


def _rate(
    foot_speed: FloatArray, speeds: FloatArray, turning: FloatArray, given: Parameters, hurry: FloatArray, length: float
) -> tuple[FloatArray, FloatArray]:
    """(N,) cycles a second, and (N,) the part of a cycle that feet are on the ground."""
    duty = given["duty"]
    relative = np.maximum(speeds, SLOWEST)
    stride = given["stride"] * STRIDE * length * relative**STRIDE_POWER
    slowest = SLOWEST ** (1 - STRIDE_POWER) / STRIDE * np.sqrt(GRAVITY / length) / np.maximum(given["stride"], 0.3)
    longest = LONGEST_FLIGHT * np.sqrt(length / GRAVITY)
    # What is not in the air any longer stands: no farther than it is comfortable either.
    needed = np.maximum(hurry * duty, hurry / (1 + hurry * longest))
    rate = np.maximum.reduce([foot_speed / stride, needed, turning * duty / TURN_A_STANCE, slowest])
    return rate, np.clip(np.maximum(duty, 1 - longest * rate), 0.15, 0.95)


def _active(moving: BoolArray, step: float, rate: FloatArray) -> BoolArray:
    """(N,) whether legs go round: while the body moves, a little before, and a whole cycle after."""
    found = moving.copy()
    for first, last in spans(moving):
        before = round(AHEAD / rate[first] / step)
        after = int(np.ceil(1.02 / rate[last] / step)) + 1
        found[max(first - before, 0) : last + after + 1] = True
    return found


def _phases(
    rate: FloatArray, offsets: FloatArray, duties: FloatArray, order: Order, spells: IntArray, step: float
) -> FloatArray:
    """(N, L) cycles; each spell begins at the phase that keeps no leg waiting long."""
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * step)])
    phases = np.zeros_like(offsets)
    for number, (first, last) in enumerate(spells):
        rows = slice(first, last + 1)
        begin = _best_start(offsets[first], duties[first], order.rates) if first else 0.25
        base = (turned[rows] - turned[first] + begin)[:, None] * order.rates - offsets[rows]
        # A pattern that changes with speed never turns legs back.
        base = np.maximum.accumulate(base, axis=0)
        phases[rows] = base + 10.0 * (number + 1) * len(rate)
    return phases


def _best_start(offsets: FloatArray, duties: FloatArray, rates: FloatArray) -> float:
    """The phase at which legs have least to wait, at most, until they leave the ground."""
    tried = np.linspace(0.0, 1.0, 48, endpoint=False)
    phase = (tried[:, None] * rates - offsets) % 1.0
    wait = np.where(phase <= duties, duties - phase, duties + 1 - phase) / rates
    # One leg goes at once.
    return float(tried[np.argmin(wait.max(axis=1) + 2 * wait.min(axis=1))])
