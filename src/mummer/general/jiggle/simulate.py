"""Loose parts through a whole motion, at even steps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.general.jiggle import swing_loop
from mummer.general.jiggle.chains import Chains
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.kernels.place import CPU

GRAVITY = 9.81
FORGOTTEN = 1e-5
"""A loop is gone around until what was at its start has died away to this part."""
MOST_ROUNDS = 40
STEPS_A_PIECE = 20_000
"""Steps of single joints that one thread takes at a time: fewer are not worth handing out."""


@dataclass(frozen=True)
class Swinging:
    """How loose parts swing.

    Attributes:
        looseness: how far they give way: 1 as they are, 0 not at all, 2 twice as far.
        weight: how much they feel gravity as the body leans, as a part of it.
        up: (3,) up in the world.
        ground: height along ``up`` below which no tip is drawn.
    """

    looseness: float
    weight: float
    up: tuple[float, float, float]
    ground: float


def swung(chains: Chains, state: WorldState, step: float, swinging: Swinging, *, is_loop: bool) -> FloatArray:
    """(T, N, 4) how each joint is turned, parent_from_joint.

    Args:
        chains: what swings.
        state: the body at T moments.
        step: seconds between moments.
        swinging: how.
        is_loop: whether the motion begins again as it ends: then so does the swing.
    """
    count = len(state)
    found = np.empty((count, len(chains), 4))
    memory = np.zeros((len(chains), swing_loop.WIDTH))
    local = _local(state.pose, chains)
    places = np.ascontiguousarray(state.positions[:, chains.carriers])
    rotations = np.ascontiguousarray(state.rotations[:, chains.carriers])
    numbers = step_numbers(chains.rates, step, swinging.looseness)
    settings = np.array([step, *swinging.up, swinging.ground, GRAVITY * swinging.weight, 1.0])
    back = quaternions.multiply(state.rotations[0, 0], quaternions.conjugate(state.rotations[-1, 0]))
    for _ in range(_rounds(chains.rates, (count - 1) * step) if is_loop else 1):
        CPU.run(
            swing_loop.swing_parts, chains.parts, chains.starts, chains.parents, count, places, rotations, local,
            chains.offsets, chains.levers, chains.ups, numbers, chains.rests, chains.limit_kinds, chains.limits,
            settings, memory, found, grain=max(1, STEPS_A_PIECE * chains.parts // max(1, count * len(chains))),
        )  # fmt: skip
        settings[swing_loop.IS_FIRST] = 0.0
        for column in (swing_loop.LAG, swing_loop.SPEED, swing_loop.TIP_SPEED):
            memory[:, column : column + 3] = quaternions.rotate(back, memory[:, column : column + 3])
    return found


def step_numbers(rates: FloatArray, step: float, looseness: float) -> FloatArray:
    """(N, 6) what a step of ``step`` seconds does to a damped swing, exactly; see `swing_loop`.

    Args:
        rates: (N, 3) radians a second, damping below 1, most bend.
        step: seconds.
        looseness: factor on how far parts give way.
    """
    fast, damping, most = rates.T
    fast = fast / math.sqrt(looseness)
    swing = fast * np.sqrt(1 - damping**2)
    fade, sine, cosine = np.exp(-damping * fast * step), np.sin(swing * step), np.cos(swing * step)
    lean = damping * fast / swing * sine
    return np.stack(
        [
            fade * (cosine + lean), fade * sine / swing, -fade * fast**2 / swing * sine, fade * (cosine - lean),
            fast**2, most * looseness,
        ],
        axis=1,
    )  # fmt: skip


def _local(pose: Pose, chains: Chains) -> FloatArray:
    """(T, N, 4) the clip's own rotations of the joints, (1, N, 4) if they never change."""
    local = np.ascontiguousarray(pose.rotations[:, chains.joints])
    return local[:1].copy() if np.array_equal(local[:1].repeat(len(local), axis=0), local) else local


def _rounds(rates: FloatArray, duration: float) -> int:
    """How often to go around a loop until its start is forgotten."""
    slowest = float((rates[:, 0] * rates[:, 1]).min(initial=np.inf))
    return min(MOST_ROUNDS, 1 + math.ceil(-math.log(FORGOTTEN) / max(slowest * duration, 1e-9)))
