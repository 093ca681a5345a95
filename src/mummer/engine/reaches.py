"""What reaches without being a limb that folds: heads on necks and spines, trunks, tentacles."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

import numpy as np

from mummer.arrays import locked
from mummer.engine.tables import integers
from mummer.general.context_limbs import chain_to
from mummer.general.mouth import mouth_point
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.arguments import Floats1, Floats2, Parents

SPINE = 0.35
"""How readily a spine bends beside the neck that it carries."""


class Reaches(NamedTuple):
    """R chains that are bent all along to bring their tip somewhere.

    Attributes:
        tip: (R,) the joint that is brought.
        point: (R, 3) from it to what of it is brought, at rest: the front of a mouth; zero for others.
        first, number: (R,) where the joints of each are in ``chain``, the lowest first; the last is the tip itself if
            it is a head without a jaw, that turns to where its mouth goes, else what the tip hangs on.
        chain: joints.
        ease: how readily each bends, 0 to 1.
        neck: (R,) the first joint of each that is none of the spine; the tip if all are.
        length: (R,) metres along the bones from there to what is brought.
    """

    tip: Parents
    point: Floats2
    first: Parents
    number: Parents
    chain: Parents
    ease: Floats1
    neck: Parents
    length: Floats1


def reaches_table(physique: Physique, limbs: Container[int]) -> Reaches:
    """What of a body reaches: heads, mouths, and hands that no limb ends in."""
    able = physique.anatomy.capabilities
    faces = {joint for name in ("head", "mouth") for joint in able.get(name, ())}
    tips = sorted(faces | {hand for hand in able.get("grasper", ()) if hand not in limbs} - {physique.root})
    chains = [_chain(physique, tip, with_spine=tip in faces) for tip in tips]
    heads = set(able.get("head", ())).intersection(able.get("mouth", ()))
    chains = [[*chain, tip] if tip in heads else chain for tip, chain in zip(tips, chains, strict=True)]
    kept = [(tip, chain) for tip, chain in zip(tips, chains, strict=True) if chain]
    spine = set(physique.spine)
    ease = [SPINE if joint in spine else 1.0 for _, chain in kept for joint in chain]
    first = np.cumsum([0, *(len(chain) for _, chain in kept)])[:-1]
    points = [mouth_point(physique, tip) for tip, _ in kept]
    necks = [next((joint for joint in chain if joint not in spine), tip) for tip, chain in kept]
    lengths = [
        float(physique.limb_lengths[tip] - physique.limb_lengths[neck]) * (neck not in spine) + np.linalg.norm(point)
        for (tip, _), neck, point in zip(kept, necks, points, strict=True)
    ]
    return Reaches(
        integers([tip for tip, _ in kept]),
        locked(np.array(points, np.float64).reshape(-1, 3)),
        integers(first),
        integers([len(chain) for _, chain in kept]),
        integers([joint for _, chain in kept for joint in chain]),
        locked(np.array(ease, np.float64)),
        integers(necks),
        locked(np.array(lengths, np.float64)),
    )


def _chain(physique: Physique, tip: int, *, with_spine: bool) -> list[int]:
    """The joints above a tip that bend for it: of its limb, and for a head those of the spine above the root."""
    if not with_spine:
        return chain_to(physique, tip)[1:-1]
    parents = rigid_body(physique.character).parents
    found: list[int] = []
    joint = int(parents[tip])
    while joint >= 0 and joint != physique.root:
        found.insert(0, joint)
        joint = int(parents[joint])
    return found if joint == physique.root else []
