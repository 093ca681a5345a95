"""Throws: where a thing must fly to hit what it is thrown at, and a hand that is as fast as that when it lets go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.standing import Standing, wrapped
from mummer.clip.trajectory import GRAVITY
from mummer.ik.body_point import Part
from mummer.ik.world_state import WorldState
from mummer.model.key_times import KeyTimes
from mummer.model.load import laden
from mummer.model.timing import SUDDEN, dilated, quickest_of
from mummer.model.values import Values
from mummer.report import ReportBuilder

WHIP = 2.0
"""How much more suddenly than in other motions a hand that throws moves: a man's with forty times what pulls down."""
SLOWEST = 0.4
"""How much slower than its style a throw may be made; how much faster is in `quickest_of`."""
FARTHEST = math.radians(60.0)
"""How far a body may turn from where its feet stand, to throw."""
ARC = 0.1
"""How far above hand and target a throw rises by default, in parts of the distance over the ground."""
MOMENT = 1.0 / 120.0
"""Seconds over which the speed of a hand is measured."""


@dataclass(frozen=True)
class Flight:
    """The way of a thing that was thrown.

    Attributes:
        time: seconds at which it leaves the hand.
        place, velocity: (x, y, z) metres and metres a second, then.
        duration: seconds until it is at the target.
        gravity: metres a second squared, downwards.

    Example:
        >>> flight = Flight(1.0, (0.0, 2.0, 0.0), (0.0, 0.0, 3.0), 0.5)
        >>> flight.at([1.5]).round(3).tolist()
        [[0.0, 0.774, 1.5]]
    """

    time: float
    place: tuple[float, float, float]
    velocity: tuple[float, float, float]
    duration: float
    gravity: float = GRAVITY

    def at(self, times: npt.ArrayLike) -> FloatArray:
        """(T, 3) where it is at ``times``, from when it leaves the hand on."""
        passed = np.maximum(np.asarray(times, np.float64) - self.time, 0.0)[..., None]
        fall = np.array([0.0, -0.5 * self.gravity, 0.0])
        return np.asarray(np.asarray(self.place) + np.asarray(self.velocity) * passed + fall * passed**2)

    @property
    def apex(self) -> float:
        """The height of its highest place, metres."""
        return self.place[1] + max(self.velocity[1], 0.0) ** 2 / (2 * self.gravity)


def ballistic(start: FloatArray, target: FloatArray, values: Values, time: float = 0.0) -> Flight:
    """The flight from a hand to a target: through an apex, or at a speed over the ground.

    Args:
        start: (3,) where the hand lets go, metres.
        target: (3,) what to hit.
        values: with ``apex`` (height in the world), ``speed``, ``rising`` and ``gravity`` where they are known.
        time: seconds at which the hand lets go.
    """
    gravity, apex, speed = (_number(values, name) for name in ("gravity", "apex", "speed"))
    pull = GRAVITY if gravity is None else gravity
    out = np.array([target[0] - start[0], 0.0, target[2] - start[2]])
    level = float(np.linalg.norm(out))
    if speed is not None and level > 0:
        seconds = level / max(speed, 1e-3)
        climb = (float(target[1] - start[1]) + 0.5 * pull * seconds**2) / seconds
    else:
        top = max(float(start[1]), float(target[1])) + ARC * level if apex is None else apex
        top = max(top, float(start[1]), float(target[1]))
        climb = math.sqrt(2 * pull * (top - float(start[1])))
        rest = math.sqrt(max(climb**2 - 2 * pull * float(target[1] - start[1]), 0.0))
        rising = values.has("rising") and values["rising"] is True and climb - rest > 1e-6
        seconds = max((climb - rest if rising else climb + rest) / pull, 1e-3)
    x, _, z = (out / seconds).tolist()
    place = tuple(float(number) for number in start)
    return Flight(time, place, (x, climb, z), seconds, pull)  # type: ignore[arg-type]


def spin_of(values: Values, velocity: FloatArray) -> FloatArray | None:
    """(3,) radians a second, about an axis of the world, that something thrown spins with; None if nobody says.

    Args:
        values: with ``spin`` in turns a second, and ``about``: ``across`` its flight, forward if positive, ``up``, or
            ``along`` it.
        velocity: (3,) as it leaves the hand.
    """
    turns = _number(values, "spin")
    if turns is None:
        return None
    up, along = np.array([0.0, 1.0, 0.0]), velocity / max(float(np.linalg.norm(velocity)), 1e-9)
    axis = {"up": up, "along": along, "across": np.cross(up, along)}[str(values["about"])]
    return np.asarray(2 * math.pi * turns * axis / max(float(np.linalg.norm(axis)), 1e-9))


def _number(values: Values, name: str) -> float | None:
    found = values[name] if values.has(name) else None
    assert found is None or isinstance(found, float)
    return found


def thrown(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], tip: Part | None, values: Values, report: ReportBuilder
) -> tuple[Clip, KeyTimes, tuple[Mark, ...], Flight | None]:
    """A throw as fast as what is thrown must be, or as it can be with so much in its hand; see `turned`.

    Returns:
        the motion, its key times, its footsteps, and the flight once it is turned towards its target.
    """
    steps = tuple(footsteps)
    if tip is None or not values.has("target"):
        return clip, key_times, steps, None
    target = np.asarray(values["target"], np.float64)
    towards, release = turned(clip, key_times, values), key_times["release"]
    flight = ballistic(_hand(towards, tip, release), target, values)
    before, after = (_hand(towards, tip, min(max(release + way * MOMENT, clip.start), clip.end)) for way in (-1, 1))
    speed = float(np.linalg.norm(after - before)) / (2 * MOMENT)
    wanted = float(np.linalg.norm(flight.velocity))
    begin, end = key_times["windup"], key_times["follow_through"]
    fastest = quickest_of(clip, begin, end, WHIP * SUDDEN) / laden(clip.body, tip, values)[1]
    factor = min(max(speed / max(wanted, 1e-6), 1 / fastest), 1 / SLOWEST)
    if abs(factor * wanted - speed) > 0.05 * wanted:
        report.add(
            "missed", f"the hand is {speed / factor:.1f} m/s fast where it lets go; {wanted:.1f} m/s were needed"
        )
    if end - begin > 1e-3:
        clip, key_times, steps = dilated(clip, key_times, steps, begin, end, (end - begin) * factor)
    release = key_times["release"]
    start = _hand(turned(clip, key_times, values, report), tip, release)
    return clip, key_times, steps, ballistic(start, target, values, release)


def _hand(clip: Clip, tip: Part, time: float) -> FloatArray:
    return WorldState(clip.body, clip.sample([time])).point(tip)[0]


def turned(clip: Clip, key_times: KeyTimes, values: Values, report: ReportBuilder | None = None) -> Clip:
    """The body turned about up towards its target, from the windup to the follow-through, its feet with it."""
    if not values.has("target"):
        return clip
    target = np.asarray(values["target"], np.float64)
    places, headings = Standing.of(clip.body).places(clip.frames(np.array([clip.start])))
    front = np.array([0.0, 0.0, 1.0]) if clip.body.anatomy is None else clip.body.anatomy.front
    ahead = float(headings[0]) + math.atan2(float(front[0]), float(front[2]))
    away = target - places[0]
    turn = float(wrapped(math.atan2(float(away[0]), float(away[2])) - ahead))
    if abs(turn) < 1e-3 or float(np.linalg.norm(away[[0, 2]])) < 1e-6:
        return clip
    if abs(turn) > FARTHEST:
        if report is not None:
            report.add(
                "missed", f"the target is {math.degrees(turn):.0f} degrees to the left; the body turns by 60 at most"
            )
        turn = math.copysign(FARTHEST, turn)
    about = (0.0, math.sin(turn / 2), 0.0, math.cos(turn / 2))
    root = clip.body.skeleton.names[0]
    moments = [key_times["windup"], key_times["follow_through"]]
    keys = [SpaceWarpKey.nothing(clip.start)] if moments[0] > clip.start + 1e-3 else []
    keys += [SpaceWarpKey(moment, turns={root: about}) for moment in sorted(set(moments))]
    keys += [SpaceWarpKey.nothing(clip.end)] if moments[1] < clip.end - 1e-3 else []
    return SpaceWarp(clip, tuple(keys), "scaled", 0.0)
