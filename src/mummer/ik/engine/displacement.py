"""Displacements of the body over time: worked out at moments of a grid, made smooth, and added to a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Pose
from mummer.clip.frames import Frames
from mummer.math import quaternion, splines

SLOWNESS = 4.0
"""Hertz; the body gives way more slowly than this. Limbs make up for what it leaves."""


@dataclass(frozen=True, eq=False)
class Displacement:
    """How much the body is moved and its joints are turned, as smooth curves.

    Attributes:
        times: (K,) seconds, evenly spaced.
        shifts: (K, 3) metres, of the root.
        joints: (N,) that turn.
        turns: (K, N, 3) rotation vectors in the joints' own frames, put after their rotations.
    """

    times: FloatArray
    shifts: FloatArray
    joints: IntArray
    turns: FloatArray

    def add_to(self, frames: Frames, times: FloatArray) -> None:
        """Displace the body in ``frames``."""
        frames.root += curve(self.times, self.shifts, times)
        turning = np.abs(self.turns).max(axis=(0, 2), initial=0.0) > 1e-9
        if turning.any():
            joints = self.joints[turning]
            turns = quaternion.exp(curve(self.times, self.turns[:, turning], times))
            frames.rotations[:, joints] = quaternion.multiply(frames.rotations[:, joints], turns)

    def then(self, other: Displacement) -> Displacement:
        """This one and then ``other``, of the same joints at the same times."""
        turns = quaternion.log(quaternion.multiply(quaternion.exp(self.turns), quaternion.exp(other.turns)))
        return Displacement(self.times, self.shifts + other.shifts, self.joints, turns)

    def shifted(self, shifts: FloatArray) -> Displacement:
        """The same with the root moved by ``shifts`` (K, 3) as well."""
        return Displacement(self.times, self.shifts + shifts, self.joints, self.turns)


def no_displacement(times: FloatArray, joints: IntArray) -> Displacement:
    """One that leaves everything as it is."""
    return Displacement(times, np.zeros((len(times), 3)), joints, np.zeros((len(times), len(joints), 3)))


def displacement_between(times: FloatArray, before: Pose, after: Pose, joints: IntArray) -> Displacement:
    """What leads from ``before`` (K,) to ``after`` (K,), made smooth."""
    assert before.root_translation is not None
    assert after.root_translation is not None
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    apart = quaternion.multiply(quaternion.conjugate(before.rotations[:, joints]), after.rotations[:, joints])
    turns = quaternion.log(quaternion.continuous(apart, axis=0))
    shifts = smooth(after.root_translation - before.root_translation, step)
    return Displacement(times, shifts, joints, smooth(turns, step))


def smooth(values: FloatArray, step: float, slowness: float = SLOWNESS) -> FloatArray:
    """(K, ...) the curve nearest to ``values`` whose bend costs so much that it is slower than ``slowness`` hertz."""
    from scipy.linalg import solveh_banded

    count = len(values)
    if count < 5 or not np.any(values):
        return values
    stiffness = (2 * np.pi * slowness * step) ** -4
    bands = np.zeros((3, count))
    bands[0] = 1.0
    for offset, products in enumerate(((1.0, 4.0, 1.0), (-2.0, -2.0), (1.0,))):
        for begin, amount in enumerate(products):
            bands[offset, begin : begin + count - 2] += stiffness * amount
    return np.asarray(solveh_banded(bands, values.reshape(count, -1), lower=True).reshape(values.shape))


def curve(knots: FloatArray, values: FloatArray, times: FloatArray) -> FloatArray:
    """(T, ...) at ``times``, through ``values`` (K, ...)."""
    if len(knots) < 2 or not values.any():
        return np.broadcast_to(values[:1], (len(times), *values.shape[1:]))
    return splines.hermite(knots, values, times, tangents=np.gradient(values, knots, axis=0))
