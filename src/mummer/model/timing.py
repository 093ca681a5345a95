"""Timing: a stretch of an action made longer or shorter, key times and footsteps with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.character.marks import Mark
from mummer.clip.clip import Clip
from mummer.clip.time_warp import TimeWarp
from mummer.model.key_times import KeyTimes, increasing


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
    later = begin + seconds - end
    old = [clip.start, begin, end, clip.end]
    new = [clip.start, begin, end + later, clip.end + later]
    made = TimeWarp(clip, increasing(old, new))
    # All moments at one go: each look for where one is then takes as long as for many.
    moments = made.outer([*key_times.times, *(time for mark in footsteps for time in (mark.time, mark.until))]).tolist()
    count = len(key_times.times)
    times = KeyTimes(key_times.names, tuple(np.maximum.accumulate(moments[:count]).tolist()))
    spans = zip(footsteps, moments[count::2], moments[count + 1 :: 2], strict=True)
    return made, times, tuple(mark.moved(begin, until) for mark, begin, until in spans)
