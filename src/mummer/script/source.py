"""Recordings as numbers: every degree of freedom of a clip over time, for plans to take their detail from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.ik.world_state import WorldState
from mummer.math import quaternion
from mummer.script.dofs import Dofs

RATE = 120.0
MOST_FRAMES = 20_000
"""Of longer motions fewer moments a second are looked at."""


@dataclass(frozen=True, eq=False)
class Source:
    """A clip, sampled.

    Attributes:
        clip: the motion.
        times: (T,) its seconds, evenly spaced.
        values: by degree of freedom, (T,): radians from how the body stands, metres from where it was at the start.
        positions: (T, J, 3) joints in the world.
    """

    clip: Clip
    times: FloatArray
    values: dict[str, FloatArray]
    positions: FloatArray

    @cached_property
    def columns(self) -> dict[str, int]:
        """Where each degree of freedom stands in `matrix`."""
        return {dof: place for place, dof in enumerate(self.values)}

    @cached_property
    def matrix(self) -> FloatArray:
        """(T, D) all values."""
        return np.stack(list(self.values.values()), axis=1)

    def at(self, dof: str, time: float) -> float:
        """The value of a degree of freedom at a moment."""
        return float(self.look([self.columns[dof]], np.array([time]))[0, 0])

    def look(self, columns: list[int], times: FloatArray) -> FloatArray:
        """(T, C) some columns at any times, on curves through the samples (Catmull-Rom)."""
        last = len(self.times) - 1
        place = np.clip((times - self.times[0]) / max(self.times[-1] - self.times[0], 1e-12) * last, 0.0, last)
        first = np.minimum(place.astype(int), max(last - 1, 0))
        u = (place - first)[:, None]
        rows = [np.clip(first + step, 0, last) for step in (-1, 0, 1, 2)]
        before, here, there, beyond = (self.matrix[row][:, columns] for row in rows)
        bend = u * (
            u * (2.0 * before - 5.0 * here + 4.0 * there - beyond + u * (3.0 * (here - there) + beyond - before))
        )
        return np.asarray(here + 0.5 * (u * (there - before) + bend))


def sampled(dofs: Dofs, clip: Clip) -> Source:
    """A clip of the body of ``dofs`` as numbers."""
    times = clip.times(min(RATE, MOST_FRAMES / max(clip.duration, 1e-3)))
    poses = clip.sample(times)
    state = WorldState(dofs.character, poses)
    values: dict[str, FloatArray] = {}
    turned = quaternion.multiply(quaternion.conjugate(dofs.neutral.rotations), poses.rotations)
    vectors = np.einsum("jba,tjb->tja", dofs.joint_from_axes, unwrapped(turned))
    for dof, (joint, axis) in dofs.columns.items():
        values[dof] = vectors[:, joint, axis]
    carried = [dofs.hips, *(foot.heel for foot in dofs.feet)]
    moved = (state.positions[:, carried] - state.positions[:1, carried]) @ dofs.axes.T
    values |= dict(zip(dofs.places, moved.reshape(len(times), -1).T, strict=True))
    if dofs.feet:
        heels = [foot.heel for foot in dofs.feet]
        still = quaternion.conjugate(dofs.state.rotations[0, heels])
        turns = unwrapped(quaternion.multiply(state.rotations[:, heels], still))
        values |= dict(zip(dofs.turns, turns.reshape(len(times), -1).T, strict=True))
    return Source(clip, times, values, state.positions)


def unwrapped(turns: FloatArray) -> FloatArray:
    """(T, ..., 3) rotation vectors of ``turns`` (T, ..., 4) that go on from frame to frame, full turns and all."""
    found = quaternion.log(turns)
    jumps = np.flatnonzero((np.abs(np.diff(found, axis=0)) > 0.5).reshape(len(found) - 1, -1).any(axis=1))
    if len(jumps):
        for frame in range(int(jumps[0]) + 1, len(found)):
            found[frame] = quaternion.log_near(turns[frame], found[frame - 1])
    return found
