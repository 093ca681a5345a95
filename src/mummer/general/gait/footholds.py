"""Where one foot steps: ahead of its place by half of what the body will travel over it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.gait.clock import MOVES, Clock
from mummer.general.gait.comfort import Comfort
from mummer.general.gait.curves import Curves
from mummer.general.gait.legs import Leg

NEAR, TURNED = 0.02, 0.06
"""A foot that would move less than this, in leg lengths and radians, stays where it is."""
ROLL = 0.6
"""Feet roll fully on steps of this many leg lengths."""
TRAIL = 0.4
"""A foot that rolls over its ball stays behind longer than it reaches ahead: by this part of heel to ball."""
WALKS = 0.15
"""Relative speed from which on feet stand where they have most room, not where they rest."""
DRAWN, TIMES = 0.6, 4
"""How far a foothold that is out of comfort is drawn in at a time, and how often."""


@dataclass(frozen=True)
class LegSteps:
    """The steps of one leg: seconds, places (x, z and yaw, one more than steps), and how much the foot rolls."""

    lifts: list[float] = field(default_factory=list)
    lands: list[float] = field(default_factory=list)
    places: list[FloatArray] = field(default_factory=list)
    rolls: list[float] = field(default_factory=list)


def plan_leg(leg: Leg, index: int, clock: Clock, way: Curves, comfort: Comfort) -> LegSteps:
    """The steps of the leg with number ``index``."""
    steps = LegSteps(places=[_homes(leg, index, way, clock, comfort, clock.times[:1])[0]])
    for first, last in clock.spells:
        lifts, lands = _crossings(clock, index, int(first), int(last))
        rest = float(clock.times[last])
        targets = _targets(leg, index, clock, way, comfort, lands, np.append(lifts[1:], rest))
        for lift, land, target in zip(lifts.tolist(), lands.tolist(), targets, strict=True):
            _take(steps, leg, lift, land, target)
    return steps


def _take(steps: LegSteps, leg: Leg, lift: float, land: float, target: FloatArray) -> None:
    """Add one step, if it leads anywhere."""
    onward = target - steps.places[-1]
    if float(np.hypot(*onward[:2])) < NEAR * leg.length and abs(float(onward[2])) < TURNED:
        return
    ahead = float(onward[0] * np.sin(target[2]) + onward[1] * np.cos(target[2]))
    steps.lifts.append(lift)
    steps.lands.append(land)
    steps.places.append(target)
    steps.rolls.append(min(max(ahead / (ROLL * leg.length), 0.0), 1.0))


def _crossings(clock: Clock, index: int, first: int, last: int) -> tuple[FloatArray, FloatArray]:
    """Seconds at which a foot leaves and lands within a stretch in which legs go round."""
    rows = slice(first, last + 1)
    times, phase = clock.times[rows], clock.phases[rows, index]
    rising = 1e-10 * np.arange(len(times))
    leaving = np.maximum.accumulate(phase - clock.duties[rows, index]) + rising
    cycles = np.arange(np.ceil(leaving[0]), np.floor(phase[-1] - 1) + 1)
    lifts, lands = np.interp(cycles, leaving, times), np.interp(cycles + 1, phase + rising, times)
    kept = (cycles <= leaving[-1]) & (lands > lifts + 1e-3)
    return lifts[kept], lands[kept]


def _targets(
    leg: Leg, index: int, clock: Clock, way: Curves, comfort: Comfort, lands: FloatArray, leaves: FloatArray
) -> FloatArray:
    """(S, 3) x, z and yaw where a foot lands, so that the body passes over it half-way through its stand."""
    here, there = (_homes(leg, index, way, clock, comfort, times) for times in (lands, leaves))
    targets = 0.5 * (here + there)
    gone = there[:, :2] - here[:, :2]
    far = np.maximum(np.hypot(*gone.T), 0.5 * leg.length)
    targets[:, :2] -= TRAIL * abs(float(leg.heel[2])) * gone / far[:, None]
    middle = leg.contact[[0, 2]] + comfort.homes[index]
    _draw_in(leg, index, comfort, targets, [_carried(way, middle, lands), _carried(way, middle, leaves)])
    # Where the body comes to stand, feet go where it stands.
    stopped = np.interp(leaves, clock.times, clock.speeds) < MOVES
    return np.where(stopped[:, None], there, targets)


def _draw_in(leg: Leg, index: int, comfort: Comfort, targets: FloatArray, homes: list[FloatArray]) -> None:
    """Move targets to where the leg reaches them with ease, both as it lands and as it leaves."""
    for _ in range(TIMES):
        for home in homes:
            away = targets[:, :2] - home[:, :2]
            sine, cosine = np.sin(home[:, 2]), np.cos(home[:, 2])
            own = np.stack([away[:, 0] * cosine - away[:, 1] * sine, away[:, 0] * sine + away[:, 1] * cosine], axis=1)
            far = np.maximum(np.hypot(*away.T), 1e-9 * leg.length)
            excess = np.maximum(1 - comfort.far(index, own) / far, 0.0)
            targets[:, :2] -= DRAWN * away * excess[:, None]


def _homes(leg: Leg, index: int, way: Curves, clock: Clock, comfort: Comfort, times: FloatArray) -> FloatArray:
    """(S, 3) x, z and yaw of where a foot stands on the mean, if the body is where it is at ``times``."""
    spread = np.interp(times, clock.times, clock.parameters["spread"])
    # Only feet below a body come nearer to its middle.
    spread = 1 - (1 - spread) * (1 - leg.swivels)
    moves = np.clip(np.interp(times, clock.times, clock.speeds) / WALKS, 0.0, 1.0)
    places = np.stack([leg.contact[0] * spread, np.full(len(times), leg.contact[2])], axis=1)
    return _carried(way, places + moves[:, None] * comfort.homes[index], times)


def _carried(way: Curves, places: FloatArray, times: FloatArray) -> FloatArray:
    """(S, 3) x, z and yaw of a place of the body, (2,) or (S, 2) to the left and ahead, that is carried along."""
    x, z, heading = way(times).T
    left, ahead = places[..., 0], places[..., 1]
    sine, cosine = np.sin(heading), np.cos(heading)
    return np.stack([x + left * cosine + ahead * sine, z - left * sine + ahead * cosine, heading], axis=1)
