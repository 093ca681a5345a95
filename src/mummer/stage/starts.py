"""When a motion that is laid over another begins: by when it achieves its goal, or by what lies below it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.clip import Clip
from mummer.ik import WorldState, mass_speeds
from mummer.stage.durations import Durations
from mummer.stage.timing import LONGEST, SHORTEST, transition_seconds

RATE = 30.0
TRIED = 12
"""Durations that are tried where the pose at the end depends on how long it takes to get there."""


def fitting_seconds(wanted: Callable[[float], float], around: float) -> float:
    """The duration that is nearest to the one that it would need itself.

    Args:
        wanted: from a duration to the one that the poses at its ends ask for.
        around: seconds; durations from a third of it to three times as long are tried.
    """
    low, high = max(SHORTEST, around / 3), min(LONGEST, 3 * around)
    tried = np.geomspace(low, max(high, low + 1e-6), TRIED)
    return float(min(tried, key=lambda seconds: abs(np.log(wanted(float(seconds)) / seconds))))


def seconds_before(below: Clip, clip: Clip, goal_at: float, entry: float, durations: Durations | None = None) -> float:
    """How long before ``goal_at`` a transition must begin to enter ``clip`` at ``entry`` just then."""

    def wanted(seconds: float) -> float:
        return transition_seconds(below, clip, _within(below, goal_at - seconds), entry, durations=durations)

    return fitting_seconds(wanted, 0.5)


def resumption_seconds(
    leaving: Clip,
    exit: float,  # noqa: A002
    below: Clip,
    at: float,
    around: float,
    durations: Durations | None = None,
) -> float:
    """How long the way back into a motion takes that goes on meanwhile.

    Args:
        leaving: the motion that ends.
        exit: seconds of it at which it is left.
        below: the motion that is resumed.
        at: seconds of that motion at that moment.
        around: seconds that it took to come in.
        durations: see `transition_seconds`.
    """

    def wanted(seconds: float) -> float:
        return transition_seconds(leaving, below, exit, _within(below, at + seconds), durations=durations)

    return min(fitting_seconds(wanted, around), max(below.end - at, SHORTEST))


def closest_approach(below: Clip, target: npt.ArrayLike) -> float:
    """Seconds at which the centre of mass comes nearest to a place in the world (3,)."""
    times, far = _distances(below, target)
    return float(times[int(np.argmin(far))])


def easiest_moment(
    below: Clip, clip: Clip, entry: float, target: npt.ArrayLike, reach: float, groups: tuple[str, ...] = ()
) -> float:
    """Seconds at which to reach for a place: near enough, and when the motion below already goes that way.

    The cost is a bowl, the exponential of how far the centre of mass is beyond reach, and the difference of the speeds
    of the groups in question from those with which the motion is entered.

    Args:
        below: the motion that goes on.
        clip: the motion that reaches.
        entry: seconds of it at which it reaches.
        target: (3,) metres.
        reach: metres within which being nearer counts for nothing.
        groups: whose speeds shall agree; all if empty.
    """
    times, far = _distances(below, target)
    bowl = np.exp(np.clip(4 * (far / reach - 1), -30, 30))
    chosen = groups or tuple(below.anatomy.groups)
    mine, theirs = mass_speeds(below, times, align="level"), mass_speeds(clip, [entry], align="level")
    apart = np.mean([np.abs(mine[name] - theirs[name][0]) for name in chosen], axis=0)
    return float(times[int(np.argmin(bowl + apart))])


def _distances(below: Clip, target: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    times = below.times(RATE)
    center = WorldState(below.body, below.sample(times)).center_of_mass
    return times, np.linalg.norm(center - np.asarray(target, np.float64), axis=1)


def _within(clip: Clip, time: float) -> float:
    return float(np.clip(time, clip.start, clip.end))
