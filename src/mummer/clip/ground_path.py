"""RootMotion: where a body goes over the ground, as data for a game and as a curve of time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, locked, require_finite
from mummer.errors import InputError, UnknownNameError
from mummer.math import quaternion

Mode = Literal["linear", "composite"]
MODES = ("linear", "composite")


@dataclass(frozen=True, eq=False)
class RootMotion:
    """The way of a body over the ground.

    Between its times the place goes in a straight line and the heading turns evenly.

    Attributes:
        mode: ``linear`` for one average velocity without turns, ``composite`` for a step from each pose to the next.
        times: (K,) seconds, increasing, two or more.
        positions: (K, 3) in the world, metres.
        headings: (K,) turns about ``up`` since the first, in radians; whole turns add up.
        up: (3,) unit.
    """

    mode: Mode
    times: FloatArray
    positions: FloatArray
    headings: FloatArray
    up: FloatArray

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("RootMotion", "mode", self.mode, MODES)
        for name in ("times", "positions", "headings", "up"):
            object.__setattr__(self, name, locked(getattr(self, name)))
            require_finite(getattr(self, name), f"{name} of a root motion")
        count = len(self.times)
        if count < 2 or np.any(np.diff(self.times) <= 0):
            raise InputError("a root motion needs two or more increasing times")
        if self.positions.shape != (count, 3) or self.headings.shape != (count,) or self.up.shape != (3,):
            raise InputError(f"a root motion of {count} times needs {count} positions and headings, and one up")

    @property
    def velocity(self) -> FloatArray:
        """(3,) the average velocity from the first place to the last, in the world, metres a second."""
        return np.asarray((self.positions[-1] - self.positions[0]) / (self.times[-1] - self.times[0]))

    @cached_property
    def deltas(self) -> tuple[FloatArray, FloatArray]:
        """What a game adds from each time to the next.

        Returns:
            steps (K - 1, 3) in metres, seen in the heading of the moment (that of the first time is the world's), and
            turns (K - 1,) in radians about up.
        """
        back = quaternion.conjugate(self.turn(self.headings[:-1]))
        return quaternion.rotate(back, np.diff(self.positions, axis=0)), np.diff(self.headings)

    @classmethod
    def from_deltas(
        cls, mode: Mode, times: FloatArray, start: FloatArray, steps: FloatArray, turns: FloatArray, up: FloatArray
    ) -> RootMotion:
        """The way that steps and turns lead along from ``start`` (3,); undoes `deltas`."""
        headings = np.concatenate([[0.0], np.cumsum(turns)])
        turned = quaternion.rotate(quaternion.exp(headings[:-1, None] * np.asarray(up)), steps)
        positions = np.concatenate([[start], np.asarray(start) + np.cumsum(turned, axis=0)])
        return cls(mode, times, positions, headings, up)

    def turn(self, angles: FloatArray) -> FloatArray:
        """(..., 4) rotations about up by ``angles`` in radians."""
        return quaternion.exp(np.asarray(angles)[..., None] * self.up)

    def at(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(T, 3) places and (T,) headings at ``times`` (T,), held before the first and after the last."""
        places = np.stack([np.interp(times, self.times, self.positions[:, axis]) for axis in range(3)], axis=1)
        return places, np.interp(times, self.times, self.headings)
