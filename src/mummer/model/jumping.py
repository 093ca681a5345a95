"""Jumps and ways: motions that lead to a place, flights as long and as high as gravity has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.composite import Composite
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.standing import Standing
from mummer.clip.trajectory import Trajectory, flight_time
from mummer.clip.transition import Transition
from mummer.clip.weighted import Weighted
from mummer.ik.constraints import Constrained, keep_contacts
from mummer.ik.constraints.plant import TOE, sole_of, stands_of
from mummer.ik.world_state import WorldState
from mummer.model.key_times import KeyTimes
from mummer.model.timing import dilated
from mummer.model.values import Values

SOON = 0.1
"""Seconds before the landing from which on a foot that stands has landed."""
ROUNDS, NEAR = 6, 2e-4
"""How often a way is led on, and metres from where it leads at which it is there."""
LEAST = 0.01
"""Metres that the centre of mass rises at least."""
QUICKEST = 2.5
"""How many times faster than its style a body moves in the air; a smaller hop draws its legs up less."""


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


def jumped(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], values: Values
) -> tuple[Clip, KeyTimes, tuple[Mark, ...]]:
    """The motion with its flight led to ``to``, and as high as ``apex``.

    Returns:
        the motion, its key times, and its footsteps.
    """
    steps = tuple(footsteps)
    takeoff, landing = key_times["takeoff"], key_times["landing"]
    if landing - takeoff < 1e-3:
        return clip, key_times, steps
    clip = led(clip, steps, takeoff, landing, values)
    rise = Trajectory(clip, takeoff, landing).rise
    if values.has("apex"):
        apex = values["apex"]
        assert isinstance(apex, float)
        seconds = flight_time(max(apex, rise + LEAST, LEAST), rise=rise)
        share = QUICKEST * seconds / (landing - takeoff)
        clip, key_times, steps = dilated(clip, key_times, steps, takeoff, landing, seconds)
        landing = key_times["landing"]
        clip = clip if share >= 1 else _calmer(clip, takeoff, landing, share)
    return Trajectory(clip, takeoff, landing), key_times, steps


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
