"""Tracks: where chosen joints are over time, evenly sampled, smoothed against noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Pose, Skeleton, world_positions
from mummer.clip.clip import BLOCK, Clip

WIDEST = 100.0
"""A bell so many times as wide as the motion is long averages all of it, as a wider one would, which takes memory."""
_KEPT = "_parts_of_skeleton"


@dataclass(frozen=True, eq=False)
class Tracks:
    """Places of some joints at even steps of time.

    Attributes:
        times: (T,) seconds.
        places: (T, n, 3) in the world, metres.
    """

    times: FloatArray
    places: FloatArray

    @property
    def step(self) -> float:
        """Seconds from one time to the next."""
        return float(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0

    @cached_property
    def velocities(self) -> FloatArray:
        """(T, n, 3) metres a second, by central differences."""
        return rates(self.places, self.step)


def follow(clip: Clip, joints: Sequence[int], *, rate: float, smoothing: float = 0.0) -> Tracks:
    """Where ``joints`` of the clip's body are.

    Args:
        clip: any clip.
        joints: joint indices.
        rate: samples a second.
        smoothing: seconds; the width (one standard deviation) of the bell that places are averaged with.
    """
    times = clip.times(rate)
    places = places_of(clip, joints, times)
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    return Tracks(times, smoothed(places, smoothing / step) if smoothing > 0 else places)


def places_of(clip: Clip, joints: Sequence[int], times: FloatArray) -> FloatArray:
    """(T, n, 3) where ``joints`` of the body are at ``times``, metres; only what they hang from is worked out."""
    part, kept, chosen = _part_of(clip.body.skeleton, tuple(joints))
    places = np.empty((len(times), len(chosen), 3))
    for begin in range(0, len(times), BLOCK):
        rows = slice(begin, begin + BLOCK)
        places[rows] = world_positions(part, _pose_of(clip.sample(times[rows]), kept))[:, chosen]
    return places


def _part_of(skeleton: Skeleton, joints: tuple[int, ...]) -> tuple[Skeleton, IntArray, IntArray]:
    """The joints with all that they hang from, as a skeleton; which they are in the whole; where ``joints`` are there.

    Kept in the skeleton: the same few joints, those of feet, are asked for again and again.
    """
    known: dict[tuple[int, ...], tuple[Skeleton, IntArray, IntArray]] = skeleton.__dict__.setdefault(_KEPT, {})
    if joints not in known:
        kept = np.array(sorted({0, *joints, *(above for joint in joints for above in skeleton.ancestors(joint))}))
        parents = skeleton.parents[kept]
        part = Skeleton(
            tuple(skeleton.names[joint] for joint in kept),
            np.where(parents >= 0, np.searchsorted(kept, parents), -1),
            skeleton.rest_translations[kept], skeleton.rest_rotations[kept], skeleton.rest_scales[kept], skeleton.name,
        )  # fmt: skip
        known[joints] = part, kept, np.searchsorted(kept, np.array(joints, np.int64))
    return known[joints]


def _pose_of(pose: Pose, joints: IntArray) -> Pose:
    """The same poses of fewer joints."""

    def some(values: FloatArray | None) -> FloatArray | None:
        return None if values is None else values[..., joints, :]

    return Pose(pose.rotations[..., joints, :], pose.root_translation, some(pose.translations), some(pose.scales))


def rates(values: FloatArray, step: float) -> FloatArray:
    """(T, ...) the change of values a second by central differences, ``step`` seconds apart; none of a single one."""
    return np.asarray(np.gradient(values, step, axis=0)) if len(values) > 1 else np.zeros_like(values)


def smoothed(values: FloatArray, width: float) -> FloatArray:
    """(T, ...) averaged along the first axis with a bell of ``width`` samples; the ends are continued by reflection."""
    from scipy.ndimage import gaussian_filter1d

    if len(values) < 2 or not width > 0:
        return values
    # Reflection through the end point keeps a steady motion steady right up to the end.
    width = min(width, WIDEST * len(values))
    pad = min(len(values) - 1, int(np.ceil(4 * width)))
    before = 2 * values[0] - values[pad:0:-1]
    after = 2 * values[-1] - values[-2 : -pad - 2 : -1]
    padded = np.concatenate([before, values, after])
    return np.asarray(gaussian_filter1d(padded, width, axis=0, mode="nearest")[pad : pad + len(values)])
