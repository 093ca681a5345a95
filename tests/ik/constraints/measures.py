"""How good a constrained motion is: goals met, nothing accelerated, detail kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.clip.clip import Clip
from mummer.ik import Goal, WorldState
from mummer.math import bands, quaternion

RATE = 120.0
FAST = 5.5
"""Hertz; a band that is mostly faster than this counts as detail: the first three at 120 samples a second."""


@dataclass(frozen=True)
class Verdict:
    """What became of a motion.

    Attributes:
        missed: metres; the largest error of any goal while it holds.
        acceleration: largest acceleration in the world of the joints that were bent, over that of the input.
        angular: largest angular acceleration of these joints against their parents, over that of the input.
        anywhere: largest acceleration in the world of any joint, over that of the input.
        energy: energy above 5.5 Hz of the rotations of all joints, over that of the input.
        limb_energy: the same for the joints that were bent.
        lowered: metres; how far the hips are displaced at most.
    """

    missed: float
    acceleration: float
    angular: float
    anywhere: float
    energy: float
    limb_energy: float
    lowered: float


def judge(before: Clip, after: Clip, goals: Sequence[Goal], bent: Sequence[int], *, rate: float = RATE) -> Verdict:
    times = before.times(rate)
    one, two = (WorldState(before.body, clip.sample(times)) for clip in (before, after))
    step = float(times[1] - times[0])
    joints = list(bent)
    everywhere = [place_accelerations(state, step) for state in (one, two)]
    angular = [angular_accelerations(state, step)[:, joints].max() for state in (one, two)]
    energies = [fast_energy(state, rate) for state in (one, two)]
    return Verdict(
        missed=worst_miss(two, times, goals),
        acceleration=float(everywhere[1][:, joints].max() / everywhere[0][:, joints].max()),
        angular=float(angular[1] / angular[0]),
        anywhere=float(everywhere[1].max() / everywhere[0].max()),
        energy=float(energies[1].sum() / energies[0].sum()),
        limb_energy=float(energies[1][joints].sum() / energies[0][joints].sum()),
        lowered=float(np.linalg.norm(two.positions[:, 0] - one.positions[:, 0], axis=-1).max()),
    )


def worst_miss(state: WorldState, times: np.ndarray, goals: Sequence[Goal]) -> float:
    """Metres; the largest error of any goal while it holds."""
    errors = [np.where(goal.active(len(times), times), goal.error(state, times), 0.0).max() for goal in goals]
    return float(max(errors))


def place_accelerations(state: WorldState, step: float) -> np.ndarray:
    """(T, J) in the world, by second differences, metres a second squared."""
    return np.linalg.norm(np.diff(state.positions, 2, axis=0), axis=-1) / step**2


def angular_accelerations(state: WorldState, step: float) -> np.ndarray:
    """(T, J) of joints against their parents, radians a second squared."""
    turns = state.pose.rotations
    spins = quaternion.log(quaternion.multiply(turns[1:], quaternion.conjugate(turns[:-1]))) / step
    return np.linalg.norm(np.diff(spins, axis=0), axis=-1) / step


def fast_energy(state: WorldState, rate: float) -> np.ndarray:
    """(J,) the sum over time of the squares of what is fast in each joint's rotation."""
    # Band k holds most of what repeats every 2.7 to 5.5 times 2 ** k samples.
    count = 1 + int(np.floor(np.log2(rate / (5.4 * FAST)) + 1e-9))
    details = bands.split_rotations(state.pose.rotations, count=count).details
    return np.sum(details**2, axis=(0, 1, 3))
