"""Tails, ears, antennae: what sways by itself when the body moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import locked
from mummer.general.jiggle.chains import chains_of
from mummer.general.jiggle.flexibility import kinds_of
from mummer.general.physique import Physique
from mummer.kernels import quaternions
from mummer.kernels.arguments import Floats1, Floats2, Parents


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
    kinds = kinds_of(physique.character)
    loose = np.array([kind is not None and joint not in taken for joint, kind in enumerate(kinds)])
    loose[0] = False
    chains = chains_of(physique.character, loose)
    order = np.argsort(chains.joints, kind="stable")
    joints = chains.joints[order]
    levers = quaternions.rotate(physique.rotations[joints], chains.levers[order]) if len(joints) else np.zeros((0, 3))
    rates = chains.rates[order]
    return Sways(
        locked(joints.astype(np.int64), np.int64),
        locked(np.ascontiguousarray(levers)),
        *(locked(np.ascontiguousarray(column)) for column in rates.T),
    )
