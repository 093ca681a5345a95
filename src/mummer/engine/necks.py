"""Heads and what carries them: how a look is shared out along a neck."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mummer.arrays import locked
from mummer.engine.tables import integers
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.arguments import Floats1, Parents

LONGEST = 4
"""Joints of a neck, with the head, that take part in a look."""


class Necks(NamedTuple):
    """The H heads.

    Attributes:
        head: (H,) the joint that looks.
        first, number: (H,) where its joints are in ``joints``: the lowest first, the head last.
        joints: joints that turn.
        shares: how much of a look each takes; they add up to one for each head.
    """

    head: Parents
    first: Parents
    number: Parents
    joints: Parents
    shares: Floats1


def necks_table(physique: Physique) -> Necks:
    """The heads of a body, each with the joints of its neck that no other head needs."""
    heads = sorted(physique.anatomy.capabilities.get("head", ()))
    chains = [_neck(physique, head) for head in heads]
    used = [joint for chain in chains for joint in chain]
    chains = [[joint for joint in chain if used.count(joint) == 1] or chain[-1:] for chain in chains]
    shares = [np.arange(1.0, len(chain) + 1) for chain in chains]
    first = np.cumsum([0, *(len(chain) for chain in chains)])[:-1]
    return Necks(
        integers(heads),
        integers(first),
        integers([len(chain) for chain in chains]),
        integers([joint for chain in chains for joint in chain]),
        locked(np.concatenate([share / share.sum() for share in shares]) if shares else np.zeros(0)),
    )


def _neck(physique: Physique, head: int) -> list[int]:
    """The joints from the neck to the head, no farther down than where other limbs or the trunk begin."""
    anatomy, parents = physique.anatomy, rigid_body(physique.character).parents
    trunk = {limb.base for limb in anatomy.limbs if limb.kind != "neck"} | {physique.root}
    # A head without a neck of its own turns with the trunk it sits on, as that of a fish does.
    hung = [limb for limb in anatomy.limbs if limb.kind in ("arm", "leg", "wing")]
    hung += [limb for limb in anatomy.limbs if limb.kind == "neck" and limb.base != limb.tip]
    trunk |= {int(parents[limb.joints[0]]) for limb in hung}
    chain = [head]
    while len(chain) < LONGEST and (above := int(parents[chain[-1]])) >= 0 and above not in trunk:
        chain.append(above)
    return chain[::-1]
