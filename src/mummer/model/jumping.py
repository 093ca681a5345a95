"""Jumps and ways: motions that lead to a place, flights as long and as high as gravity has it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.composite import Composite
from mummer.clip.pivot import Pivot
from mummer.clip.segment import Glue
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.standing import Standing, up_of, wrapped
from mummer.clip.trajectory import GRAVITY, Trajectory, flight_time
from mummer.clip.transition import Transition
from mummer.clip.weighted import Weighted
from mummer.ik.constraints import Constrained, keep_contacts
from mummer.ik.constraints.plant import TOE, sole_of, stands_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.model.key_times import KeyTimes
from mummer.model.timing import QUICKEST, SUDDEN, jumps_of, paced, quickest_of
from mummer.model.values import Values

SOON = 0.1
"""Seconds before the landing from which on a foot that stands has landed."""
ROUNDS, NEAR = 6, 2e-4
"""How often a way is led on, and metres from where it leads at which it is there."""
LEAST = 0.01
"""Metres that the centre of mass rises at least."""
BRIEF = 1e-3
"""Seconds below which there is no flight."""
SLIGHT = math.radians(0.05)
"""Radians by which nobody need turn in the air."""
SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)
"""Parts of a turn in the air that are tried, until the body is not thrown about."""
MOMENTS = 41
"""Moments at which it is looked how high the centre of mass is."""
MOMENT = 1.0 / 30.0
"""Seconds over which its speed is told."""
PRESSED = 0.03
"""Leg lengths by which a foot that is pushed off from, or lands, may be higher or lower than where it stands."""
LETS_GO, LANDS = 0.04, 0.08
"""Seconds before the takeoff and after the landing in which feet are free: who is held as it flies is stretched."""
GATHERS = 0.12
"""Seconds in which a body takes up what it lacks of the speed that it flies with, and loses it again."""


def landed(clip: Clip, footsteps: Sequence[Mark], landing: float) -> FloatArray:
    """(3,) the middle of where the feet come to stand from the landing on, on the ground; of the hips for others."""
    feet = {foot.name: foot.heel for foot in known_feet(clip.body)}
    places = []
    for name, stands in stands_of(footsteps).items():
        after = [each for each in stands if each.flat[1] > landing + SOON]
        if after and name in feet:
            begin, end = max(after[0].flat[0], landing), after[0].flat[1]
            state = WorldState(clip.body, clip.sample(np.linspace(begin, max(begin, end), 9)))
            places.append(sole_of(clip.body, feet[name]).place(state, TOE).mean(axis=0))
    if places:
        return np.asarray(np.mean(places, axis=0) - _soles(clip, feet.values()))
    moment = np.array([min(landing, clip.end)])
    if not feet:
        return np.asarray(Standing.of(clip.body).places(clip.frames(moment))[0][0])
    state = WorldState(clip.body, clip.sample(moment))
    balls = [sole_of(clip.body, heel).place(state, TOE)[0] for heel in feet.values()]
    return np.asarray(np.mean(balls, axis=0) - _soles(clip, feet.values()))


def _soles(clip: Clip, heels: Iterable[int]) -> FloatArray:
    """(3,) from the ground up to the balls of feet that stand as at rest."""
    rest = WorldState(clip.body, Pose.rest(clip.body.skeleton))
    heights = [float(sole_of(clip.body, heel).place(rest, TOE)[0, 1]) for heel in heels]
    ground = 0.0 if clip.body.anatomy is None else clip.body.anatomy.ground
    return np.array([0.0, float(np.mean(heights)) - ground, 0.0])


Jumped: TypeAlias = "tuple[Clip, KeyTimes, tuple[Mark, ...]]"
"""A motion, its key times, and its footsteps."""


def jumped(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], values: Values, *, is_recorded: bool = False,
    clips: bool = True,
) -> tuple[Jumped, Values]:  # fmt: skip
    """The motion with its flight led to ``to``, and as high as ``apex``; as high as it goes by itself if nobody says.

    Whoever goes higher pushes off faster: the way from the deepest crouch to the takeoff, and from the landing to the
    deepest again, takes as long as the speed there asks for. Recordings have the speed that they fly with. In the air
    the body turns to where it is ``facing`` when it lands, as far as it can without a jerk in so short a flight.

    Returns:
        what it is then; and the values, where it cannot turn as far as it is asked to.
    """
    plain = _flown(clip, key_times, footsteps, values, is_recorded=is_recorded)
    takeoff, landing = key_times["takeoff"], key_times["landing"]
    turn = _asked_turn(clip, values) if landing - takeoff > BRIEF else 0.0
    if abs(turn) < SLIGHT:
        return plain, values
    most = max(SUDDEN, _liveliness(plain))
    for share in SHARES if clips else SHARES[:1]:
        there = turned_over(clip, takeoff, landing, share * turn)
        made = _flown(there, key_times, footsteps, values, is_recorded=is_recorded)
        if not clips or _liveliness(made) <= most:
            return made, values if share == 1 else values.clipped("facing", _faced(values, (share - 1) * turn))
    return plain, values.clipped("facing", _faced(values, -turn))


def _liveliness(made: Jumped) -> float:
    """By how much a joint jumps in the air; see `jumps_of`."""
    return jumps_of(made[0], made[1]["takeoff"], made[1]["landing"])


def _asked_turn(clip: Clip, values: Values) -> float:
    """Radians that a body has to turn in the air besides what it does anyway, to be ``facing`` where it shall."""
    if not values.has("facing"):
        return 0.0
    standing = Standing.of(clip.body)
    headings = standing.places(clip.frames(np.array([clip.start, clip.end])))[1]
    begin, end = (np.asarray(values[name], np.float64) for name in ("orientation", "facing"))
    x, y, z, w = quaternion.multiply(end, quaternion.conjugate(begin)).tolist()
    asked = 2 * math.atan2(float(np.array([x, y, z]) @ standing.up), w)
    return float(wrapped(asked - (headings[1] - headings[0])))


def _faced(values: Values, by: float) -> tuple[float, ...]:
    """Where a body faces that turns so much further than to where it is asked to."""
    turn = quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), by)
    return tuple(quaternion.multiply(turn, np.asarray(values["facing"], np.float64)).tolist())


def turned_over(clip: Clip, takeoff: float, landing: float, angle: float) -> Clip:
    """The motion turned about the vertical from the landing on; on its way there the body comes round in the air."""
    standing = Standing.of(clip.body)
    place = tuple(standing.places(clip.frames(np.array([landing])))[0][0].tolist())
    after = Pivot(clip, place, tuple(standing.turn(angle).tolist()), place)
    way = Transition(clip, after, takeoff, landing, landing - takeoff, "blend")
    made = Composite(clip.body).with_segment(clip, seconds=takeoff - clip.start)
    return made.with_segment(after, at=landing, source=landing, entrance=Glue(takeoff, landing, way))


def _flown(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], values: Values, *, is_recorded: bool = False
) -> Jumped:
    """The motion led to ``to`` and flying as high as ``apex``; see `jumped`."""
    steps = tuple(footsteps)
    takeoff, landing = key_times["takeoff"], key_times["landing"]
    if landing - takeoff < BRIEF:
        return clip, key_times, steps
    clip = led(clip, steps, takeoff, landing, values)
    flight = Trajectory(clip, takeoff, landing)
    if is_recorded and not values.has("apex"):
        return flight, key_times, steps
    rise, (up, fall), (down, low) = flight.rise, _speeds(flight), _crouches(flight, key_times)
    quickest = quickest_of(clip, down, low)
    asked = values["apex"] if values.has("apex") else _apex(flight, quickest)
    assert isinstance(asked, float)
    apex = max(asked, rise + LEAST, LEAST)
    seconds = flight_time(apex, rise=rise)
    share = quickest * seconds / (landing - takeoff)
    speeds = math.sqrt(2 * GRAVITY * apex), math.sqrt(2 * GRAVITY * (apex - rise))
    pushes = [min(max(own / speed, 1.0 / quickest), QUICKEST) for own, speed in zip((up, fall), speeds, strict=True)]
    pushes = [1.0, 1.0] if is_recorded else pushes
    lasting = (takeoff - down) * pushes[0], (low - landing) * pushes[1]
    stretches = [(down, takeoff, lasting[0]), (takeoff, landing, seconds), (landing, low, lasting[1])]
    clip, key_times, steps = paced(clip, key_times, steps, stretches)
    takeoff, landing = key_times["takeoff"], key_times["landing"]
    clip = clip if share >= 1 else _calmer(clip, takeoff, landing, share)
    rooms = takeoff - clip.start, clip.end - landing
    gathers = (0.0, 0.0) if is_recorded else (min(GATHERS, rooms[0]), min(GATHERS, rooms[1]))
    return Trajectory(clip, takeoff, landing, gathers=gathers), key_times, steps


def pressed(clip: Clip, steps: Sequence[Mark], takeoff: float, landing: float) -> tuple[Mark, ...]:
    """Footsteps, each in its place, that last as long as feet are down before the takeoff and after the landing.

    Feet that are pushed off from, or that sink in a little, are not quite still; but they stay where they are.
    """
    feet, found = {foot.name: foot for foot in known_feet(clip.body)}, []
    for mark in steps:
        name, _, part = mark.name.rpartition(" ")
        same = [other for other in steps if other.name == mark.name]
        first = mark.time == min((other.time for other in same if other.time > landing), default=None)
        last = mark.until == max((other.until for other in same if other.until < takeoff), default=None)
        if name not in feet or not (first or last):
            found.append(mark)
            continue
        edge = min(landing + LANDS, mark.until) if first else max(takeoff - LETS_GO, mark.time)
        times = np.linspace(mark.time if first else mark.until, edge, MOMENTS)
        heights = sole_of(clip.body, feet[name].heel).place(WorldState(clip.body, clip.sample(times)), part)[:, 1]
        up = np.flatnonzero(np.abs(heights - heights[0]) > PRESSED * feet[name].leg)
        edge = float(times[up[0] - 1 if len(up) else -1])
        found.append(mark.moved(edge, mark.until) if first else mark.moved(mark.time, edge))
    return tuple(found)


def _apex(flight: Trajectory, quickest: float) -> float:
    """Metres that the centre of mass rises as the motion has it, within what there is time for while it flies.

    Small bodies are as quick as they can be, and still rise higher than they seem to.
    """
    heights = flight.centers(np.linspace(flight.takeoff, flight.landing, MOMENTS)) @ up_of(flight.body)
    most = GRAVITY * (flight.landing - flight.takeoff) ** 2 / 8
    return min(max(float(heights.max() - heights[0]), most / quickest**2), most)


def _speeds(flight: Trajectory) -> tuple[float, float]:
    """Metres a second up before the takeoff, and down after the landing, as the motion has it."""
    times = np.array([flight.takeoff - MOMENT, flight.takeoff, flight.landing, flight.landing + MOMENT])
    heights = flight.centers(times) @ up_of(flight.body)
    return float(heights[1] - heights[0]) / MOMENT, float(heights[2] - heights[3]) / MOMENT


def _crouches(flight: Trajectory, key_times: KeyTimes) -> tuple[float, float]:
    """When the centre of mass is lowest before the takeoff, and after the landing."""
    up, found = up_of(flight.body), []
    for begin, end in ((key_times.start, flight.takeoff), (flight.landing, key_times.end)):
        times = np.linspace(begin, max(begin, end), MOMENTS)
        found.append(float(times[np.argmin(flight.centers(times) @ up)]))
    return found[0], found[1]


def _calmer(clip: Clip, takeoff: float, landing: float, share: float) -> Clip:
    """A flight with so much of what the body does in the air; the rest leads from the takeoff to the landing."""
    seconds = landing - takeoff
    straight = Transition(clip, clip, takeoff, landing, seconds, "hermite")
    flight = Weighted((clip.trimmed(takeoff, landing), straight), (share, 1.0 - share))
    return Composite(clip.body).with_segment(clip).with_layer(flight, at=takeoff, source=takeoff)


def led(clip: Clip, steps: Sequence[Mark], begin: float, end: float, values: Values) -> Clip:
    """Moved evenly between two moments, as far as what was asked for is from where it comes to stand by itself."""
    if not values.has("to") or not end - begin > 1e-3:
        return clip
    x, y, z = (np.asarray(values["to"], np.float64) - landed(clip, steps, end)).tolist()
    return SpaceWarp(clip, (SpaceWarpKey(begin, shift=(0.0, 0.0, 0.0)), SpaceWarpKey(end, shift=(x, y, z))), "broken")


def arrived(clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], values: Values) -> Clip:
    """A way led to ``to``, so that it gets there with its feet planted: what planting takes away is added again."""
    if not values.has("to"):
        return clip
    # Over level ground: feet in the air say nothing of how high it leads.
    goal = np.array(values["to"], np.float64)
    goal[1] = landed(clip, footsteps, key_times.end)[1]
    asked = _leading(values, goal)
    for _ in range(ROUNDS):
        made = led(clip, footsteps, key_times.start, key_times.end, asked)
        planted = Constrained(made, keep_contacts(made, contacts=tuple(footsteps)))
        off = (goal - landed(planted, footsteps, key_times.end)) * (1.0, 0.0, 1.0)
        if float(np.linalg.norm(off)) < NEAR:
            return made
        asked = _leading(asked, np.asarray(asked["to"], np.float64) + off)
    return led(clip, footsteps, key_times.start, key_times.end, asked)


def _leading(values: Values, to: FloatArray) -> Values:
    return Values({**values.settings, "to": replace(values.settings["to"], value=tuple(to.tolist()))})
