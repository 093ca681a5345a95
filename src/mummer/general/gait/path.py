"""Where a body shall go: along points, through places at given times, or by a velocity; and the smooth way it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, as_floats, locked
from mummer.errors import InputError
from mummer.general.gait.curves import Curves, smoothed
from mummer.general.gait.legs import legs_of
from mummer.general.physique import Physique

Ends = Literal["stand", "moving"]
STILL = 1e-3
"""Metres a second below which a path has no direction."""


@dataclass(frozen=True, eq=False)
class Path:
    """Where a body shall be, before anything is made smooth.

    Attributes:
        times: (N,) seconds, increasing.
        places: (N, 2) x and z, metres, reached at these times; straight in between.
        headings: (N,) radians about the vertical, 0 ahead along +Z and a quarter turn along +X, or None to face along
            the way.
        ends: whether the body stands before the first and after the last, or keeps its velocity there.
    """

    times: FloatArray
    places: FloatArray
    headings: FloatArray | None = None
    ends: Ends = "stand"

    def __post_init__(self) -> None:
        for name in ("times", "places"):
            object.__setattr__(self, name, locked(getattr(self, name)))
        if self.times.ndim != 1 or len(self.times) < 2 or not np.all(np.diff(self.times) > 0):
            raise InputError("a path needs increasing times, two or more")
        if self.places.shape != (len(self.times), 2):
            raise InputError(
                f"places of a path have shape {self.places.shape}; expected ({len(self.times)}, 2): x and z"
            )
        if self.headings is not None:
            object.__setattr__(self, "headings", locked(self.headings))
            if self.headings.shape != self.times.shape:
                raise InputError(f"a path has {len(self.times)} times but {self.headings.size} headings")
        for values in (self.times, self.places, self.headings if self.headings is not None else self.times):
            if not np.all(np.isfinite(values)):
                raise InputError("a path holds numbers that are not finite")


Way: TypeAlias = "Path | npt.ArrayLike | Callable[[FloatArray], npt.ArrayLike] | None"
"""Rows of x and z, of seconds, x and z, or of seconds, x, z and heading; a `Path`; a velocity, which is a function of
times (T,) that gives (T, 2) metres a second along x and z, or (T, 3) with radians a second about up; None for straight
ahead."""
UPRIGHT = 1e-3
"""A front that is so little across the ground, of 1, points up or down, and the body goes along +Z."""
STRIDES, LEGS = 6.0, 2.0
"""How far a body goes if nobody says how far, in lengths of it; and how many legs long one with legs is taken to be at
most: wide wings lead nowhere."""


def path_of(physique: Physique, path: Way, *, speed: float, duration: float | None, ends: Ends) -> Path:
    """The path that is meant, at ``speed`` metres a second where it has no times.

    Raises:
        InputError: if it leads nowhere.
    """
    if isinstance(path, Path):
        return path
    if not 0 < speed < np.inf:
        raise InputError(f"a speed of {speed:g} m/s leads nowhere; expected more than 0")
    if callable(path):
        if duration is None:
            raise InputError("a velocity needs a duration; give duration= in seconds")
        return path_by_velocity(path, duration, ends=ends)
    if path is None:
        way = STRIDES * _size(physique) if duration is None else speed * duration
        start, front = physique.origin[[0, 2]], physique.anatomy.front[[0, 2]]
        across = float(np.linalg.norm(front))
        path = [start, start + way * (front / across if across > UPRIGHT else np.array([0.0, 1.0]))]
    return path_through(path, speed=speed, ends=ends)


def _size(physique: Physique) -> float:
    """Metres that a body is long, as far as its legs have to carry it."""
    longest = max((leg.length for leg in legs_of(physique)), default=physique.height)
    return min(physique.height, LEGS * longest)


def path_through(rows: npt.ArrayLike, *, speed: float, ends: Ends = "stand") -> Path:
    """A path along points, or through places at given times.

    Args:
        rows: (N, 2) x and z, walked at ``speed``; (N, 3) seconds, x and z; or (N, 4) seconds, x, z and heading.
        speed: metres a second.
        ends: see `Path.ends`.
    """
    given = np.atleast_2d(as_floats(rows, "a path"))
    if given.ndim != 2 or given.shape[1] not in (2, 3, 4) or len(given) < 1:
        raise InputError(f"a path has shape {given.shape}; expected rows of x, z or seconds, x, z (and heading)")
    if given.shape[1] == 2:
        if not speed > 0:
            raise InputError(f"a speed of {speed:g} m/s leads nowhere; expected more than 0")
        lengths = np.linalg.norm(np.diff(given, axis=0), axis=1)
        kept = np.concatenate([[True], lengths > 1e-9])
        given = given[kept]
        if len(given) < 2:
            raise InputError("a path of one point leads nowhere; expected two or more, or times")
        given = np.column_stack([np.concatenate([[0.0], np.cumsum(lengths[kept[1:]])]) / speed, given])
    return Path(given[:, 0], given[:, 1:3], given[:, 3] if given.shape[1] == 4 else None, ends)


def path_by_velocity(velocity: Callable[[FloatArray], npt.ArrayLike], duration: float, *, ends: Ends = "stand") -> Path:
    """A path that follows a velocity, which may jump.

    Args:
        velocity: of times (T,): (T, 2) along x and z, or (T, 3) with radians a second about the vertical.
        duration: seconds.
        ends: see `Path.ends`.
    """
    if not 0 < duration < np.inf:
        raise InputError(f"a duration of {duration:g} s makes no path; expected more than 0")
    times = np.linspace(0.0, duration, max(2, round(duration * 240)) + 1)
    step = times[1] - times[0]
    found = np.asarray(velocity(0.5 * (times[1:] + times[:-1])), np.float64)
    if found.ndim != 2 or len(found) != len(times) - 1 or found.shape[1] not in (2, 3):
        raise InputError(
            f"a velocity gave shape {found.shape} for {len(times) - 1} times; expected two or three columns"
        )
    travelled = np.concatenate([np.zeros((1, found.shape[1])), np.cumsum(found * step, axis=0)])
    return Path(times, travelled[:, :2], travelled[:, 2] if found.shape[1] == 3 else None, ends)


def travel(path: Path, *, start: float, end: float, step: float, settling: float) -> Curves:
    """The smooth way along a path: (N, 3) x, z and heading at even steps.

    Corners of the path and jumps of its velocity are spread over ``settling`` seconds, half of them ahead of time: a
    body slows down before it stops.
    """
    times = np.arange(start, end + step, step)
    ways = np.stack([_extended(path, times, column) for column in path.places.T], axis=1)
    if path.headings is None:
        turned = _along(ways, step)
    else:
        turned = _extended(path, times, np.unwrap(path.headings))
    width = settling / step
    rows = np.column_stack([ways, turned])
    if path.ends == "moving":
        return Curves(start, step, _smoothed_moving(rows, width))
    return Curves(start, step, smoothed(rows, width))


def _extended(path: Path, times: FloatArray, values: FloatArray) -> FloatArray:
    """(T,) values of the path, held or continued beyond its ends."""
    found = np.interp(times, path.times, values)
    if path.ends == "moving":
        first = (values[1] - values[0]) / (path.times[1] - path.times[0])
        last = (values[-1] - values[-2]) / (path.times[-1] - path.times[-2])
        found += np.minimum(times - path.times[0], 0) * first + np.maximum(times - path.times[-1], 0) * last
    return np.asarray(found)


def _along(ways: FloatArray, step: float) -> FloatArray:
    """(N,) the direction of travel, held where there is none."""
    velocity = np.diff(ways, axis=0, append=ways[-1:]) / step
    moves = np.flatnonzero(np.linalg.norm(velocity, axis=1) > STILL)
    if not len(moves):
        return np.zeros(len(ways))
    # Where it stands, the direction in which it last went; before it ever goes, that in which it will.
    which = np.maximum.accumulate(np.where(np.isin(np.arange(len(ways)), moves), np.arange(len(ways)), moves[0]))
    which = np.where(np.arange(len(ways)) < moves[0], moves[0], which)
    return np.unwrap(np.arctan2(velocity[which, 0], velocity[which, 1]))


def _smoothed_moving(rows: FloatArray, width: float) -> FloatArray:
    """The same as `smoothed` for rows that go on as they begin and end."""
    pad = int(width) + 2
    ahead = rows[-1] + np.arange(1, pad + 1)[:, None] * (rows[-1] - rows[-2])
    behind = rows[0] + np.arange(-pad, 0)[:, None] * (rows[1] - rows[0])
    return smoothed(np.concatenate([behind, rows, ahead]), width)[pad:-pad]
