"""Cycles: whether a motion repeats itself while it goes over the ground, how fast, and where a cycle is best cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import world_positions
from mummer.clip.clip import BLOCK, Clip
from mummer.clip.retimed import Trim
from mummer.clip.standing import Standing
from mummer.errors import InputError
from mummer.math import quaternion

LONGEST_SHARE = 0.65
"""How much of a clip one cycle may take: what is left must be enough to see it again."""


@dataclass(frozen=True)
class Cycle:
    """One cycle of a motion that repeats itself.

    Attributes:
        start: seconds; of all places to cut, the one where the poses a period apart are most alike.
        period: seconds from a pose to the same pose again.
        confidence: 0 to 1; 1 when the motion repeats exactly, 0 when poses a period apart are as unlike as any two.
    """

    start: float
    period: float
    confidence: float

    @property
    def end(self) -> float:
        """Seconds at which the cycle ends."""
        return self.start + self.period

    def cut(self, clip: Clip) -> Trim:
        """The cycle alone, ready to be looped."""
        return Trim(clip, self.start, min(self.end, clip.end))


def find_cycle(
    clip: Clip, *, shortest: float = 0.2, longest: float = 4.0, rate: float = 60.0, tolerance: float = 0.1
) -> Cycle:
    """The cycle of a walk, a run, or anything else that repeats.

    Poses are compared where the body stands and as it faces, so that travel and turns do not matter. Walks and runs
    have confidences from about 0.75; a motion that does not repeat has less.

    Args:
        clip: a clip that is longer than one cycle; the more cycles, the surer.
        shortest: seconds; the shortest period to choose from.
        longest: seconds; the longest.
        rate: samples a second; the period is finer than that.
        tolerance: of all good periods the shortest is taken; one this much less alike (0 to 1) is still good.

    Raises:
        InputError: if the clip is too short to hold a cycle and a part of the next.
    """
    times = clip.times(rate)
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0 / rate
    last = min(round(longest / step), round(LONGEST_SHARE * (len(times) - 1)))
    first = max(1, round(shortest / step))
    if last - first < 2:
        raise InputError(
            f"no cycle from {shortest:g} s can be looked for in a clip of {clip.duration:g} s; "
            f"expected {(shortest + 2 * step) / LONGEST_SHARE:.3g} s or more"
        )
    poses = poses_in_place(clip, times)
    unlike = _unlikeness(poses, last + 1)
    lag, returns = _first_good(unlike, first, tolerance)
    exact = lag + _vertex(unlike, lag)
    start = _best_cut(poses, exact)
    confidence = float(np.clip(1.0 - unlike[lag], 0.0, 1.0)) if returns else 0.0
    return Cycle(float(times[start]), min(exact * step, clip.end - float(times[start])), confidence)


def poses_in_place(clip: Clip, times: FloatArray) -> FloatArray:
    """(T, 3 J) where the joints are, seen from where the body stands and faces."""
    standing = Standing.of(clip.body)
    poses = np.empty((len(times), 3 * len(clip.body.skeleton)))
    for begin in range(0, len(times), BLOCK):
        rows = slice(begin, begin + BLOCK)
        frames = clip.frames(times[rows])
        places, headings = standing.places(frames)
        joints = world_positions(clip.body.skeleton, frames.to_pose()) - standing.level(places)[:, None]
        poses[rows] = quaternion.rotate(standing.turn(-headings)[:, None], joints).reshape(len(joints), -1)
    return poses


def _unlikeness(poses: FloatArray, count: int) -> FloatArray:
    """(count,) for each lag, how unlike poses that far apart are: 0 the same, 1 like poses taken at random."""
    centered = poses - poses.mean(axis=0)
    scale = max(2.0 * float(np.mean(np.sum(centered**2, axis=1))), 1e-18)
    unlike = np.zeros(count)
    for lag in range(1, count):
        unlike[lag] = np.mean(np.sum((centered[lag:] - centered[:-lag]) ** 2, axis=1)) / scale
    return unlike


def _first_good(unlike: FloatArray, first: int, tolerance: float) -> tuple[int, bool]:
    """The shortest lag that is a valley about as deep as the deepest, and whether there is a valley at all.

    Without one the motion never comes back to a pose: near lags are alike only because they are near.
    """
    inner = np.arange(max(first, 1), len(unlike) - 1)
    valleys = inner[(unlike[inner] <= unlike[inner - 1]) & (unlike[inner] <= unlike[inner + 1])]
    if not len(valleys):
        return int(first + np.argmin(unlike[first:])), False
    deepest = unlike[valleys].min()
    return int(valleys[unlike[valleys] <= deepest + tolerance][0]), True


def _best_cut(poses: FloatArray, lag: float) -> int:
    """Where poses and velocities a lag apart, which may end between two frames, are most alike."""
    whole = min(int(lag), len(poses) - 2)
    part = min(lag - whole, 1.0)
    later = (1.0 - part) * poses[whole:-1] + part * poses[whole + 1 :]
    difference = later - poses[: len(later)]
    apart = np.sum(difference**2, axis=1)
    # Velocities are weighed over an eighth of a cycle: about how long a difference of velocity would be seen.
    moving = np.sum(np.gradient(difference, axis=0) ** 2, axis=1) * (lag / 8.0) ** 2
    return int(np.argmin(apart + moving))


def _vertex(values: FloatArray, place: int) -> float:
    """How far from ``place`` the lowest point of the parabola through it and its neighbors lies, -0.5 to 0.5."""
    if not 0 < place < len(values) - 1:
        return 0.0
    left, middle, right = values[place - 1 : place + 2]
    bend = left - 2 * middle + right
    return float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) if bend > 1e-15 else 0.0
