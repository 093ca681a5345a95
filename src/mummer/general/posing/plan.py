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
    CURLED,
    DAMPING,
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
    POINTED,
    PREFERRED,
    STEPS,
    TIP,
)
from mummer.general.posing.curl import ROWS, curl_table
from mummer.ik.analytic.limb_joints import preferred_axis
from mummer.ik.rigid_body import rigid_body

FEW, MANY = 10, 10
"""Damped steps of a chain that is begun in closed form, and of one that is not."""
QUICK, SLOW = 0.02, 0.1
"""How damped those steps are. A neck that is asked to be shorter than it is leaves that to the body below."""
STANDING = 8.0
"""How much more of the body's help a standing foot is worth than a hand."""
STUB = 0.3
"""How much of the help of what carries it a limb is worth that can only point, beside a hand that must touch."""
STIFF = 0.06
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
        curls: (N, ROWS, 1 + most members) of `curl_table`.
        leaning: (U,) the joints that help.
        stiffness: (U,)
        carries: (N, U)
        rows: how many rows of scratch it takes.
    """

    tips: tuple[int, ...]
    chains: FloatArray
    members: IntArray
    weights: FloatArray
    curls: FloatArray
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
    leaning = _leaning(physique, [chain for chain, worth in zip(found, helped, strict=True) if worth > 0], exact)
    chains = np.zeros((len(found), CHAIN))
    first = 0
    for row, chain, worth in zip(chains, found, helped, strict=True):
        _fill(physique, row, chain, dict(points)[chain.tip])
        row[FIRST], row[HELP], row[FOLLOW] = first, worth, 1.0 if chain.tip in feet else root_follow
        first += len(chain.members)
    helpers = [_helpers(physique, chain, exact) for chain in found]
    carries = np.array([[float(joint in some) for joint in leaning] for some in helpers], np.float64)
    return Plan(
        tuple(chain.tip for chain in found),
        locked(chains),
        locked(np.array([joint for chain in found for joint in chain.members], np.int64), np.int64),
        locked(np.array([weight for chain in found for weight in chain.weights], np.float64)),
        locked(_curls(physique, found, dict(points))),
        locked(np.array(leaning, np.int64), np.int64),
        locked(np.array([_stiffness(physique, joint, found, helpers) for joint in leaning], np.float64)),
        locked(carries.reshape(len(found), len(leaning))),
        max([1, len(leaning), *(len(chain.members) for chain in found)]),
    )


def _help(chain: Chain, exact: frozenset[int], feet: set[int]) -> float:
    if chain.tip in exact and chain.tip in feet:
        return STANDING
    if chain.tip in exact or chain.kind == AS_IT_IS or chain.shared:
        return 1.0
    return STUB if chain.kind == POINTED else 0.0


def _fill(physique: Physique, row: FloatArray, chain: Chain, point: tuple[float, ...] | None) -> None:
    row[TIP], row[HIP], row[KNEE], row[COUNT], row[KIND] = chain.tip, -1, -1, len(chain.members), chain.kind
    if point is not None:
        row[POINT : POINT + 3] = point
    if chain.limb is not None:
        row[HIP], row[KNEE] = chain.limb.base, chain.limb.middle
        row[PREFERRED : PREFERRED + 3] = preferred_axis(rigid_body(physique.character), chain.limb)
    if chain.kind == CURLED and chain.limb is not None:
        row[HIP] = chain.members.index(chain.limb.base)
    if chain.elbow is not None:
        row[ELBOW : ELBOW + 3], row[HAS_ELBOW] = chain.elbow, 1.0
    places = physique.positions[[*chain.members, chain.tip]]
    length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()) + float(np.linalg.norm(point or 0.0))
    row[LENGTH] = max(length, 1e-6 * physique.height)
    row[STEPS], row[DAMPING] = (MANY, SLOW) if chain.kind == AS_IT_IS else (FEW, QUICK)


def _curls(physique: Physique, chains: Sequence[Chain], points: dict[int, tuple[float, ...] | None]) -> FloatArray:
    """(N, ROWS, 1 + most members) see `curl_table`; zeros for what does not curl."""
    curls = np.zeros((len(chains), ROWS, 1 + max((len(chain.members) for chain in chains), default=0)))
    for rows, chain in zip(curls, chains, strict=True):
        if chain.kind == CURLED and chain.limb is not None:
            point = np.array(points[chain.tip] or (0.0, 0.0, 0.0))
            table = curl_table(physique, chain.limb.base, chain.members, chain.tip, point)
            rows[:, : table.shape[1]] = table
    return curls


def _leaning(physique: Physique, chains: Sequence[Chain], exact: frozenset[int]) -> list[int]:
    """The joints, the root aside, that help any of the chains, in joint order."""
    return sorted({joint for chain in chains for joint in _helpers(physique, chain, exact)})


def _helpers(physique: Physique, chain: Chain, exact: frozenset[int]) -> set[int]:
    """What leans for a chain: the spine below it and what it shares with others; what only points turns a head."""
    parents = physique.character.skeleton.parents
    spine = set(physique.spine) | {physique.root}
    found, joint = set(chain.shared), int(parents[chain.members[0] if chain.members else chain.tip])
    while joint >= 0:
        is_spine = joint in spine
        if chain.kind == POINTED and chain.tip not in exact and is_spine:
            break
        if (is_spine and joint != physique.root) or chain.kind == POINTED:
            found.add(joint)
        joint = int(parents[joint])
    return found - {0, physique.root}


def _stiffness(physique: Physique, joint: int, chains: Sequence[Chain], helpers: Sequence[set[int]]) -> float:
    """Square metres."""
    helped = [(chain.tip, len(some)) for chain, some in zip(chains, helpers, strict=True) if joint in some]
    arms = np.linalg.norm(physique.positions[[tip for tip, _ in helped]] - physique.positions[joint], axis=1)
    count = max(fellows for _, fellows in helped)
    return STIFF * count * max(float(np.max(arms, initial=0.0)), 0.05 * physique.height) ** 2
