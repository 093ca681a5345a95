"""Tails, ears, antennae: what sways by itself when the body moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.engine.flexibility import kinds_of, rates_of
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.arguments import Floats1, Floats2, Parents

SHORTEST, LEAST_LEVER = 1e-3, 0.03
"""No part counts as shorter than the first part of the body's height; and none is swung by what is nearer to its joint
than the second, as the middle of a fan is: the least it lags behind would turn it round."""


class Sways(NamedTuple):
    """The S joints that sway, parents first.

    Attributes:
        joint: (S,) which.
        lever: (S, 3) from the joint to the middle of what it carries, at rest, metres.
        rate: (S,) radians a second at which it swings back.
        damping: (S,) 1 for what comes back without swinging over.
        most: (S,) radians from where it is carried that it sways at most.
    """

    joint: Parents
    lever: Floats2
    rate: Floats1
    damping: Floats1
    most: Floats1


NOTHING_SWAYS = Sways(
    locked(np.zeros(0, np.int64), np.int64), locked(np.zeros((0, 3))), *(locked(np.zeros(0)) for _ in range(3))
)


def sways_table(physique: Physique, taken: frozenset[int]) -> Sways:
    """What of a body sways, of the joints that nothing else moves."""
    parents, kinds = rigid_body(physique.character).parents, kinds_of(physique.character)
    joints = np.array([joint for joint, kind in enumerate(kinds) if kind and joint and joint not in taken], np.int64)
    levers, lengths = _levers(parents, physique.positions, physique.height)
    rates = rates_of(physique.character, kinds, lengths)[joints]
    return Sways(
        locked(joints, np.int64),
        locked(levers[joints]),
        *(locked(np.ascontiguousarray(column)) for column in rates.T),
    )


def _levers(parents: IntArray, places: FloatArray, height: float) -> tuple[FloatArray, FloatArray]:
    """(J, 3) from each joint to the middle of what hangs on it, in the world at rest, and (J,) how long that is.

    A joint that nothing hangs on goes on as the bone that ends in it, for half its length.
    """
    count = len(parents)
    bones = places - places[np.maximum(parents, 0)]
    weights = np.zeros(count)
    sums, lengths = np.zeros((count, 3)), np.zeros(count)
    for joint in range(count - 1, -1, -1):
        size = max(float(np.linalg.norm(bones[joint])), SHORTEST * height)
        if weights[joint] == 0:
            tip = 0.5 * bones[joint] if np.any(bones[joint]) else np.array([0.0, SHORTEST * height, 0.0])
            weights[joint], sums[joint], lengths[joint] = 0.5 * size, 0.5 * size * (places[joint] + tip), 0.5 * size
        parent = parents[joint]
        if parent >= 0:
            middle = places[joint] - 0.5 * bones[joint]
            weights[parent] += weights[joint] + size
            sums[parent] += sums[joint] + size * middle
            lengths[parent] = max(lengths[parent], lengths[joint] + size)
    levers = sums / weights[:, None] - places
    size, least = np.linalg.norm(levers, axis=1), LEAST_LEVER * height
    short = size < least
    levers[short] *= (least / np.maximum(size[short], 1e-12))[:, None]
    levers[size < SHORTEST * height] = [0.0, least, 0.0]
    return levers, np.maximum(lengths, SHORTEST * height)
