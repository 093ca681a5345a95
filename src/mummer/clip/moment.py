"""One moment of a clip: the pose, and how fast everything changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.clip.frames import Frames
from mummer.math import quaternion

STEP = 1 / 60
"""Seconds between the samples from which velocities are taken."""
CHANNELS = ("root", "translations", "scales", "morphs")


@dataclass(frozen=True, eq=False)
class Moment:
    """The pose of a clip at one time, and its rates of change there.

    Attributes:
        pose: one frame.
        spins: (J, 3) angular velocity of each joint in its parent's frame, in radians a second.
        rates: changes per second of the other arrays of ``pose``, each with a leading axis of one, as far as it has
            them: ``root`` (1, 3), ``translations`` (1, J, 3), ``scales`` (1, J, 3), ``morphs`` (1, M).
    """

    pose: Frames
    spins: FloatArray
    rates: dict[str, FloatArray]

    @classmethod
    def of(cls, clip: Clip, time: float) -> Moment:
        """The moment ``time`` of a clip, with velocities from samples on both sides of it, or at an end from within.

        They are those of the parabola through three samples; a clip of no duration stands still.
        """
        at = float(np.clip(time, clip.start, clip.end))
        shifts = _shifts(at - clip.start, clip.end - at)
        frames = clip.frames(at + np.array([0.0, *shifts]))
        pose = frames.select(np.array([0]))
        weights = _slope_weights(*shifts)
        turns = quaternion.multiply(frames.rotations[1:], quaternion.conjugate(frames.rotations[:1]))
        rates = {
            name: weights[0] * (values[1:2] - values[:1]) + weights[1] * (values[2:] - values[:1])
            for name in CHANNELS
            if (values := getattr(frames, name)) is not None
        }
        return cls(pose, np.tensordot(weights, quaternion.log(turns), axes=1), rates)

    def slowed(self, factor: float) -> Moment:
        """The same pose passed ``factor`` times as fast."""
        return Moment(self.pose, factor * self.spins, {name: factor * rate for name, rate in self.rates.items()})

    def values(self, channel: str, like: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Value and rate (1, ...) of an array of the pose, where it has none those of ``like`` standing still."""
        found = getattr(self.pose, channel)
        if found is None:
            return like, np.zeros_like(like)
        return found, self.rates[channel]


def _shifts(before: float, after: float) -> tuple[float, float]:
    """Where to sample beside a moment that has so many seconds before and after it."""
    if min(before, after) >= STEP:
        return -STEP, STEP
    if after >= before:
        return min(STEP, 0.5 * after), min(2 * STEP, after)
    return -min(STEP, 0.5 * before), -min(2 * STEP, before)


def _slope_weights(one: float, two: float) -> FloatArray:
    """(2,) how much the differences to samples at ``one`` and ``two`` seconds count in the slope of a parabola."""
    if abs(one) < 1e-6:
        return np.zeros(2)
    return np.array([two / (one * (two - one)), -one / (two * (two - one))])
