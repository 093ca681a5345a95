"""Mass speed: how fast the mass of a body, or of one of its groups by its own muscles, is moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.clip import Clip, TimeWarp
from mummer.errors import InputError, UnknownNameError
from mummer.ik.bells import covered
from mummer.ik.pose_distance import Align, group_distances, pose_distance

RATE = 60.0
"""Frames a second at which speeds are looked at, unless said otherwise."""
EASE = 0.2
"""Seconds over which a motion slows down and picks up again where its speed is limited."""
STILL = 1e-6
"""Metres a second below which a group did not move."""
WHOLE = "body"
"""What the whole body is called among the groups."""


@dataclass(frozen=True)
class Stretch:
    """A part of a clip.

    Attributes:
        start, end: seconds.
        speed: metres a second, root mean square over the mass, on average over the part.
    """

    start: float
    end: float
    speed: float


def mass_speed(
    clip: Clip,
    times: npt.ArrayLike | None = None,
    *,
    group: str | None = None,
    align: Align = "none",
    rate: float = RATE,
) -> FloatArray:
    """(T,) metres a second at which the mass of a body moves, as root mean square.

    Args:
        clip: any clip.
        times: (T,) seconds; all frames at ``rate`` if not given.
        group: a group of the anatomy, moved by its own joints alone; the whole body if not given.
        align: ``none`` counts the way of the body through the world; ``level`` and ``full`` leave its travel out, see
            `pose_distance`.
        rate: frames a second; the speed is that between half a frame before and half a frame after.
    """
    before, after, span = _brackets(clip, times, rate)
    moved = pose_distance(clip.body, clip.sample(before), clip.sample(after), group=group, align=align)
    return np.asarray(moved / span)


def mass_speeds(
    clip: Clip, times: npt.ArrayLike | None = None, *, align: Align = "none", rate: float = RATE
) -> dict[str, FloatArray]:
    """(T,) metres a second of each group of the anatomy by its own joints, and of the whole body as ``body``.

    See `mass_speed` for the arguments.
    """
    before, after, span = _brackets(clip, times, rate)
    earlier, later = clip.sample(before), clip.sample(after)
    moved = group_distances(clip.body, earlier, later, align=align)
    moved[WHOLE] = pose_distance(clip.body, earlier, later, align=align)
    return {name: np.asarray(distance / span) for name, distance in moved.items()}


def speed_limits(clips: Clip | Iterable[Clip], *, share: float = 1.0) -> dict[str, float]:
    """How fast each group can be, in metres a second, as told by examples of the body moving fast.

    Groups that never move in them are left out: nothing is known of their limits.

    Args:
        clips: of the same body; the faster the better.
        share: the part of all moments that shall be no faster, 1 for the fastest moment of all.
    """
    listed = [clips] if isinstance(clips, Clip) else list(clips)
    if not listed:
        raise InputError("speed limits are learned from clips; expected at least one")
    found = [mass_speeds(clip) for clip in listed]
    limits = {name: float(np.quantile(np.concatenate([each[name] for each in found]), share)) for name in found[0]}
    return {name: limit for name, limit in limits.items() if limit > STILL}


def time_needed(distance: float | Mapping[str, float], limit: float | Mapping[str, float]) -> float:
    """The seconds that a body needs for a distance, at its fastest: the slowest of its groups decides.

    Args:
        distance: metres of mass displacement, of the whole body or by group.
        limit: metres a second, for all or by group; groups without one do not hold the body up.

    Raises:
        InputError: if a limit is not positive.

    Example:
        >>> time_needed({"left_arm": 0.3, "torso": 0.1}, {"left_arm": 1.5, "torso": 0.4})
        0.25
    """
    distances = distance if isinstance(distance, Mapping) else {WHOLE: distance}
    limits = limit if isinstance(limit, Mapping) else dict.fromkeys(distances, limit)
    needed = [0.0]
    for name, metres in distances.items():
        if name in limits:
            needed.append(float(metres) / _positive(name, limits[name]))
    return max(needed)


def fastest_stretch(clip: Clip, seconds: float, *, group: str | None = None) -> Stretch:
    """The part of a clip, so many seconds long, in which the mass moves fastest on average.

    Args:
        clip: any clip.
        seconds: how long a part; the whole clip if that is shorter.
        group: see `mass_speed`.
    """
    if not seconds > 0:
        raise InputError(f"a stretch of {seconds:g} s has no speed; expected a positive number")
    times = clip.times(RATE)
    speeds = mass_speed(clip, times, group=group)
    width = min(max(1, round(seconds * RATE)), max(1, len(times) - 1))
    between = 0.5 * (speeds[1:] + speeds[:-1]) if len(speeds) > 1 else speeds
    sums = np.concatenate([[0.0], np.cumsum(between)])
    means = (sums[width:] - sums[:-width]) / width
    best = int(np.argmax(means))
    return Stretch(float(times[best]), float(times[min(best + width, len(times) - 1)]), float(means[best]))


def limit_speed(clip: Clip, limits: float | Mapping[str, float], *, rate: float = RATE) -> Clip:
    """The clip, slowed down smoothly where a group would be faster than it can; itself where none is.

    Args:
        clip: any clip.
        limits: metres a second, for the whole body or by group (``body`` is the whole), as `speed_limits` gives them.
        rate: frames a second at which speeds are looked at.
    """
    wanted = limits if isinstance(limits, Mapping) else {WHOLE: limits}
    known = () if clip.body.anatomy is None else clip.body.anatomy.groups
    # Twice as dense as the frames: recordings jerk from frame to frame, and a peak may fall between two of ours.
    times = clip.times(2 * rate)
    slower: FloatArray = np.ones(1)
    for name, limit in wanted.items():
        if name != WHOLE and name not in known:
            raise UnknownNameError(repr(clip.body.name), "group", name, [WHOLE, *known])
        speeds = mass_speed(clip, times, group=None if name == WHOLE else name, rate=rate)
        slower = np.maximum(slower, speeds / _positive(name, limit))
    if not np.any(slower > 1):
        return clip
    slower = covered(slower, max(2, round(4 * EASE * rate)))
    steps = 0.5 * (slower[1:] + slower[:-1]) * np.diff(times)
    warped = times[0] + np.concatenate([[0.0], np.cumsum(steps)])
    return TimeWarp(clip, tuple(zip(times.tolist(), warped.tolist(), strict=True)))


def _brackets(clip: Clip, times: npt.ArrayLike | None, rate: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(T,) half a frame before and after each time within the clip, and the seconds between."""
    at = clip.times(rate) if times is None else np.atleast_1d(np.asarray(times, np.float64))
    half = 0.5 / rate
    before, after = np.clip(at - half, clip.start, clip.end), np.clip(at + half, clip.start, clip.end)
    # A clip of a single moment does not move.
    return before, after, np.where(after > before, after - before, 1.0)


def _positive(name: str, limit: float) -> float:
    if not 0 < limit < np.inf:
        raise InputError(f"the speed limit of {name!r} is {limit:g} m/s; expected a positive number")
    return float(limit)
