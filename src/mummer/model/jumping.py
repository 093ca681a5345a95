"""Jumps: a flight that leads to a place, as long and as high as gravity has it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.marks import Mark
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.space_warp import SpaceWarp, SpaceWarpKey
from mummer.clip.standing import Standing
from mummer.clip.time_warp import TimeWarp
from mummer.clip.trajectory import Trajectory, flight_time
from mummer.ik.constraints.plant import TOE, sole_of, stands_of
from mummer.ik.world_state import WorldState
from mummer.model.key_times import KeyTimes, increasing
from mummer.model.values import Values

SOON = 0.1
"""Seconds before the landing from which on a foot that stands has landed."""
LEAST = 0.01
"""Metres that the centre of mass rises at least."""


def landed(clip: Clip, footsteps: Sequence[Mark], landing: float) -> FloatArray:
    """(3,) the middle of where the feet come to stand from the landing on; of the hips for a body without."""
    feet = {foot.name: foot.heel for foot in known_feet(clip.body)}
    places = []
    for name, stands in stands_of(footsteps).items():
        after = [each for each in stands if each.flat[1] > landing + SOON]
        if after and name in feet:
            begin, end = max(after[0].flat[0], landing), after[0].flat[1]
            state = WorldState(clip.body, clip.sample(np.linspace(begin, max(begin, end), 9)))
            places.append(sole_of(clip.body, feet[name]).place(state, TOE).mean(axis=0))
    if places:
        return np.asarray(np.mean(places, axis=0))
    moment = np.array([min(landing, clip.end)])
    if not feet:
        return np.asarray(Standing.of(clip.body).places(clip.frames(moment))[0][0])
    state = WorldState(clip.body, clip.sample(moment))
    return np.asarray(np.mean([sole_of(clip.body, heel).place(state, TOE)[0] for heel in feet.values()], axis=0))


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
    clip = _led(clip, steps, takeoff, landing, values)
    rise = Trajectory(clip, takeoff, landing).rise
    if values.has("apex"):
        apex = values["apex"]
        assert isinstance(apex, float)
        seconds = flight_time(max(apex, rise + LEAST, LEAST), rise=rise)
        clip, key_times, steps = _dilated(clip, key_times, steps, takeoff, landing, seconds)
        landing = key_times["landing"]
    return Trajectory(clip, takeoff, landing), key_times, steps


def _led(clip: Clip, steps: tuple[Mark, ...], takeoff: float, landing: float, values: Values) -> Clip:
    """Moved evenly from takeoff to landing, as far as what was asked for is from where it comes down by itself."""
    if not values.has("to"):
        return clip
    x, y, z = (np.asarray(values["to"], np.float64) - landed(clip, steps, landing)).tolist()
    ends = (SpaceWarpKey(takeoff, shift=(0.0, 0.0, 0.0)), SpaceWarpKey(landing, shift=(x, y, z)))
    return SpaceWarp(clip, ends, "broken")


def _dilated(
    clip: Clip, key_times: KeyTimes, steps: tuple[Mark, ...], takeoff: float, landing: float, seconds: float
) -> tuple[Clip, KeyTimes, tuple[Mark, ...]]:
    """The flight made to last so many seconds; what comes before and after at its own speed."""
    later = takeoff + seconds - landing
    old = [clip.start, takeoff, landing, clip.end]
    warped = _Straight(old, [clip.start, takeoff, landing + later, clip.end + later])
    made = TimeWarp(clip, increasing(old, warped.new))
    times = KeyTimes(key_times.names, tuple(warped(key_times.times).tolist()))
    return made, times, tuple(mark.moved(*warped([mark.time, mark.until]).tolist()) for mark in steps)


class _Straight:
    """Times moved along lines between pairs."""

    def __init__(self, old: Sequence[float], new: Sequence[float]) -> None:
        self.old, self.new = list(old), list(new)

    def __call__(self, times: Sequence[float]) -> FloatArray:
        return np.interp(times, self.old, self.new)
