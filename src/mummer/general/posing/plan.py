"""What of a body is placed and what helps, as the tables that the kernel of poses reads; made once for each body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.general.feet import standing_feet
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.general.posing.chains import Chain, chains_of
from mummer.general.posing.columns import (
    AS_IT_IS,
    CHAIN,
    COUNT,
    ELBOW,
    FIRST,
    FOLLOW,
    HAS_ELBOW,
    HELP,
    HIP,
    KIND,
    KNEE,
    LENGTH,
    POINT,
    PREFERRED,
    STEPS,
    TIP,
)
from mummer.ik.analytic.limb_joints import preferred_axis
from mummer.ik.rigid_body import rigid_body

FEW, MANY = 10, 12
"""Damped steps of a chain that is begun in closed form, and of one that is not."""
STANDING = 8.0
"""How much more of the body's help a standing foot is worth than a hand."""
STIFF = 0.03
"""How unwilling a spine joint is to lean, in squares of the distance to what it moves, for each of its fellows."""

Point = tuple[int, tuple[float, ...] | None]


@dataclass(frozen=True, eq=False)
class Plan:
    """The tables of `pose_frames` for some parts of a body.

    Attributes:
        tips: the joints that are placed, in the order of the chains.
        chains: (N, CHAIN)
        members: (M,) the joints of all chains.
        weights: (M,)
        leaning: (U,) the joints that help.
        stiffness: (U,)
        carries: (N, U)
        rows: how many rows of scratch it takes.
    """

    tips: tuple[int, ...]
    chains: FloatArray
    members: IntArray
    weights: FloatArray
    leaning: IntArray
    stiffness: FloatArray
    carries: FloatArray
    rows: int


@kept
def plan_of(physique: Physique, points: tuple[Point, ...], exact: frozenset[int], root_follow: float) -> Plan:
    """The plan for placing some joints, or points of them.

    Args:
        physique: the body.
        points: joints, each with metres from it in its own frame, or None for the joint itself.
        exact: those that are worth bending the whole body for.
        root_follow: how readily the root comes for them, 0 to 1.
    """
    found = chains_of(physique, [joint for joint, _ in points])
    feet = {foot for foot, _ in standing_feet(physique)}
    helped = [_help(chain, exact, feet) for chain in found]
    leaning = _leaning(physique, [chain for chain, worth in zip(found, helped, strict=True) if worth > 0])
    chains = np.zeros((len(found), CHAIN))
    first = 0
    for row, chain, worth in zip(chains, found, helped, strict=True):
        _fill(physique, row, chain, dict(points)[chain.tip])
        row[FIRST], row[HELP], row[FOLLOW] = first, worth, 1.0 if chain.tip in feet else root_follow
        first += len(chain.members)
    carries = np.array([[_carries(physique, joint, chain) for joint in leaning] for chain in found], np.float64)
    return Plan(
        tuple(chain.tip for chain in found),
        locked(chains),
        locked(np.array([joint for chain in found for joint in chain.members], np.int64), np.int64),
        locked(np.array([weight for chain in found for weight in chain.weights], np.float64)),
        locked(np.array(leaning, np.int64), np.int64),
        locked(np.array([_stiffness(physique, joint, found, len(leaning)) for joint in leaning], np.float64)),
        locked(carries.reshape(len(found), len(leaning))),
        max([1, len(leaning), *(len(chain.members) for chain in found)]),
    )


def _help(chain: Chain, exact: frozenset[int], feet: set[int]) -> float:
    if chain.tip in exact and chain.tip in feet:
        return STANDING
    return 1.0 if chain.tip in exact or chain.kind == AS_IT_IS or chain.shared else 0.0


def _fill(physique: Physique, row: FloatArray, chain: Chain, point: tuple[float, ...] | None) -> None:
    row[TIP], row[HIP], row[KNEE], row[COUNT], row[KIND] = chain.tip, -1, -1, len(chain.members), chain.kind
    if point is not None:
        row[POINT : POINT + 3] = point
    if chain.limb is not None:
        row[HIP], row[KNEE] = chain.limb.base, chain.limb.middle
        row[PREFERRED : PREFERRED + 3] = preferred_axis(rigid_body(physique.character), chain.limb)
    if chain.elbow is not None:
        row[ELBOW : ELBOW + 3], row[HAS_ELBOW] = chain.elbow, 1.0
    places = physique.positions[[*chain.members, chain.tip]]
    length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()) + float(np.linalg.norm(point or 0.0))
    row[LENGTH] = max(length, 1e-6 * physique.height)
    row[STEPS] = MANY if chain.kind == AS_IT_IS else FEW


def _leaning(physique: Physique, chains: Sequence[Chain]) -> list[int]:
    """The joints of the spine, the root aside, that carry any of the chains, and those that several chains share."""
    parents, found = physique.character.skeleton.parents, set()
    spine = set(physique.spine) - {physique.root}
    for chain in chains:
        found |= set(chain.shared)
        joint = int(parents[chain.members[0] if chain.members else chain.tip])
        while joint >= 0:
            if joint in spine:
                found.add(joint)
            joint = int(parents[joint])
    return sorted(found - {0})


def _carries(physique: Physique, joint: int, chain: Chain) -> float:
    above = int(physique.character.skeleton.parents[chain.tip])
    while above >= 0 and above != joint:
        above = int(physique.character.skeleton.parents[above])
    return float(above == joint)


def _stiffness(physique: Physique, joint: int, chains: Sequence[Chain], count: int) -> float:
    """Square metres."""
    carried = [chain.tip for chain in chains if _carries(physique, joint, chain)]
    arms = np.linalg.norm(physique.positions[carried] - physique.positions[joint], axis=1)
    return STIFF * count * max(float(np.max(arms, initial=0.0)), 0.05 * physique.height) ** 2
