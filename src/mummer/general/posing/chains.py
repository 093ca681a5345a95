"""Which joints place a part: its chain from what carries it, as far as no other part needs the same joints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limits import HINGE
from mummer.general.context_limbs import chain_to
from mummer.general.physique import Physique
from mummer.general.posing.columns import AS_IT_IS, BENT, CURLED, POINTED
from mummer.general.variants import side_of
from mummer.ik.analytic.limb_joints import TWIST, LimbJoints, find_limb
from mummer.ik.rigid_body import rigid_body

FACE = ("head", "mouth", "jaw", "eye", "ear")
"""Parts that the joints above them carry rather than reach with: they are never begun in closed form."""
ELBOW = np.array([0.55, -0.75, -0.35])
"""Where the elbows of arms go that are far from rest: outwards, down and back."""
GIRDLE = 0.4
"""How readily joints above a hip or shoulder turn, beside those below."""


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints that place one part.

    Attributes:
        tip: what is placed.
        members: the joints from what carries them down to the parent of the tip, each the parent of the next.
        weights: how readily each turns; none for those that other parts need too.
        shared: those others.
        kind: how it is begun, see `columns`.
        limb: hip, knee and ankle where it is begun in closed form.
        elbow: (3,) unit, in character space, to where its elbow goes far from rest; None for all but arms.
    """

    tip: int
    members: tuple[int, ...]
    weights: tuple[float, ...]
    shared: tuple[int, ...]
    kind: int
    limb: LimbJoints | None
    elbow: FloatArray | None


def chains_of(physique: Physique, tips: Sequence[int]) -> tuple[Chain, ...]:
    """The chains of some joints, those first that carry others."""
    members = {tip: _members(physique, tip, set(tips)) for tip in tips}
    users = Counter(joint for joints in members.values() for joint in joints)
    return tuple(
        _chain(physique, tip, members[tip], {joint for joint in members[tip] if users[joint] > 1})
        for tip in sorted(tips, key=lambda tip: (min(members[tip], default=tip), tip))
    )


def _members(physique: Physique, tip: int, tips: set[int]) -> tuple[int, ...]:
    """The joints above a tip up to what carries them, or to another tip, which is left where it is."""
    members: list[int] = []
    for joint in _whole_arm(physique, tip)[1:-1][::-1]:
        members.insert(0, joint)
        if joint in tips:
            break
    return tuple(members)


def _whole_arm(physique: Physique, tip: int) -> list[int]:
    """The joints from what carries a limb to its tip: a hand of an arm that branches is placed by all of that arm."""
    chain = chain_to(physique, tip)
    arms = {joint for limb in physique.anatomy.limbs if limb.kind == "arm" for joint in limb.joints}
    while tip in arms and chain[0] in arms and chain[0] != physique.limb_bases[tip]:
        chain.insert(0, int(physique.character.skeleton.parents[chain[0]]))
    return chain


def _chain(physique: Physique, tip: int, members: tuple[int, ...], shared: set[int]) -> Chain:
    names = physique.character.skeleton.names
    able = physique.anatomy.capabilities
    limb = find_limb(rigid_body(physique.character), tip)
    limits = rigid_body(physique.character).limits
    own = [joint for joint in members if joint not in shared and TWIST.search(names[joint]) is None]
    kind = AS_IT_IS
    if not any(tip in able.get(part, ()) for part in FACE):
        if limb is not None and limb.base in own and limb.middle in own:
            hinges = [joint for joint in own if joint > limb.base and limits.kinds[joint] == HINGE]
            kind = CURLED if len(hinges) > 1 else BENT
        elif len(own) == 1:
            kind = POINTED
    limb = limb if kind in (BENT, CURLED) else None
    weights = [_weight(physique, joint, tip, own, limb) for joint in members]
    elbow = _elbow(physique, tip) if kind == BENT and tip in able.get("grasper", ()) else None
    return Chain(tip, members, tuple(weights), tuple(sorted(shared)), kind, limb, elbow)


def _weight(physique: Physique, joint: int, tip: int, own: list[int], limb: LimbJoints | None) -> float:
    if joint not in own:
        return 0.0
    if limb is not None:
        return GIRDLE if joint < limb.base else 1.0
    # A head does not nod for the little that it would move its jaw by.
    arms = np.linalg.norm(physique.positions[own] - physique.positions[tip], axis=1)
    return float(arms[own.index(joint)] / max(float(arms.max()), 1e-9))


def _elbow(physique: Physique, tip: int) -> FloatArray:
    way = ELBOW * [side_of(physique, tip) or 1, 1, 1]
    return np.asarray(way / np.linalg.norm(way))
