"""Timing: a stretch of an action made longer or shorter, key times and footsteps with it; how quick it can be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.composite import Composite
from mummer.clip.segment import Glue
from mummer.clip.time_warp import TimeWarp
from mummer.clip.transition import Transition
from mummer.general.physique import physique_of
from mummer.ik.world_state import WorldState
from mummer.model.key_times import KeyTimes, increasing

QUICKEST = 2.5
"""How many times faster than its style a body can do an action."""
RUN_OFF = 0.15
"""Seconds for which one time of what is done again and again is faded into the next."""
SHORTEST, NO_TIME = 0.05, 1e-6
"""Seconds that each time takes at least, and below which two moments are one."""
LOOKS = 60.0
"""Frames a second at which it is looked how suddenly a body moves."""
SUDDEN = 0.03
"""Body heights by which the way of a joint may change from one frame to the next: what changes more is seen to jump."""
LIVELIER = 3.0
"""How many times as suddenly as by itself, just then, a motion that is more sudden than that may move for a goal."""
AROUND = 0.1
"""Seconds before and after a moment that tell how suddenly a motion moves just then."""


def jumps_of(clip: Clip, begin: float | None = None, end: float | None = None) -> float:
    """By how much the way of a joint from one frame to the next changes at most, in heights of the body.

    Args:
        clip: any motion.
        begin: seconds from when on it is looked; from its start if None.
        end: seconds until when; to its end if None.
    """
    low, high = clip.start if begin is None else begin, clip.end if end is None else end
    times = np.linspace(low, high, max(round((high - low) * LOOKS), 1) + 1)
    return float(jumps_at(WorldState(clip.body, clip.sample(times))).max(initial=0.0))


def jumps_at(state: WorldState) -> FloatArray:
    """(T - 2,) heights of the body by which the steps of its joints change at most from one frame (T,) to the next."""
    bends = np.linalg.norm(np.diff(state.positions, n=2, axis=0), axis=-1)
    return np.asarray(bends.max(axis=1, initial=0.0) / physique_of(state.body.character).height)


def is_thrown_about(jumps: FloatArray, clip: Clip) -> bool:
    """Whether a body is thrown about for the sake of goals.

    What is lively by itself, as a hammer that strikes, may be livelier then, but not while it is held up.

    Args:
        jumps: (T - 2,) see `jumps_at`, of what was made of the clip, at ``clip.times(LOOKS)``.
        clip: as it was.
    """
    if jumps.max(initial=0.0) < SUDDEN:
        return False
    from scipy.ndimage import maximum_filter1d

    own = jumps_at(WorldState(clip.body, clip.sample(clip.times(LOOKS))))
    around = maximum_filter1d(own, 2 * round(AROUND * LOOKS) + 1, mode="nearest")
    return bool((jumps > np.maximum(LIVELIER * around, SUDDEN)).any())


def quickest_of(clip: Clip, begin: float, end: float, sudden: float = SUDDEN) -> float:
    """How many times faster what lies between two moments can be: twice as fast is four times as ``sudden``."""
    return min(QUICKEST, max(1.0, math.sqrt(sudden / max(jumps_of(clip, begin, end), 1e-9))))


def dilated(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], begin: float, end: float, seconds: float
) -> tuple[Clip, KeyTimes, tuple[Mark, ...]]:
    """What lies between two moments made to last so many seconds; what comes before and after at its own speed.

    Args:
        clip: the motion.
        key_times: of it.
        footsteps: marks of when heels and toes stand.
        begin: seconds of the first moment.
        end: seconds of the second.
        seconds: how long the stretch lasts then.
    """
    return paced(clip, key_times, footsteps, [(begin, end, seconds)])


def repeated(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], times: int, own: int
) -> tuple[Clip, KeyTimes, tuple[Mark, ...]]:
    """What is done ``own`` times from its achieve to its release, evenly, done so many ``times``.

    Where it is done oftener, the way to the last time is gone again; where more seldom, what is too much is left out.
    One is faded into the other just before, while both do the same.

    Args:
        clip: the motion.
        key_times: of it.
        footsteps: marks of when heels and toes stand.
        times: how often it shall be done, once at least.
        own: how often the motion itself does it.
    """
    begin, end = key_times["achieve"], key_times["release"]
    way = (end - begin) / max(own - 1, 1)
    if times == own or own < 2 or way < SHORTEST:
        return clip, key_times, tuple(footsteps)
    leave, enter = (end, end - way) if times > own else (begin + (times - 1) * way, end)
    fade, made, later = (
        min(RUN_OFF, 0.5 * way),
        Composite(clip.body).with_segment(clip, seconds=leave - clip.start),
        0.0,
    )
    for _ in range(times - own if times > own else 1):
        at = leave + later
        glue = Transition(clip, clip, leave - fade, enter, fade, "blend").shifted(later)
        made = made.with_segment(clip, at=at, source=enter, entrance=Glue(at - fade, at, glue))
        later += leave - enter
    moved = [time + (later if time >= end - NO_TIME else 0.0) for time in key_times.times]
    steps = [
        mark.moved(*(time + (later if time >= end - NO_TIME else 0.0) for time in (mark.time, mark.until)))
        for mark in footsteps
    ]
    return made, KeyTimes(key_times.names, tuple(np.maximum.accumulate(moved).tolist())), tuple(steps)


def paced(
    clip: Clip, key_times: KeyTimes, footsteps: Sequence[Mark], stretches: Sequence[tuple[float, float, float]]
) -> tuple[Clip, KeyTimes, tuple[Mark, ...]]:
    """Several stretches made to last so long each, at once: what is between them keeps its length.

    Args:
        clip: the motion.
        key_times: of it.
        footsteps: marks of when heels and toes stand.
        stretches: from and to when each goes, one after another, and how many seconds it lasts then.
    """
    old, new, later = [clip.start], [clip.start], 0.0
    for begin, end, seconds in stretches:
        old += [begin, end]
        new += [begin + later, begin + later + seconds]
        later += seconds - (end - begin)
    made = TimeWarp(clip, increasing([*old, clip.end], [*new, clip.end + later]))
    # All moments at one go: each look for where one is then takes as long as for many.
    moments = made.outer([*key_times.times, *(time for mark in footsteps for time in (mark.time, mark.until))]).tolist()
    count = len(key_times.times)
    times = KeyTimes(key_times.names, tuple(np.maximum.accumulate(moments[:count]).tolist()))
    spans = zip(footsteps, moments[count::2], moments[count + 1 :: 2], strict=True)
    return made, times, tuple(mark.moved(begin, until) for mark, begin, until in spans)
