"""Bending a whole limb by one turn that its joints share: tails, ears, wings, feelers."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.binding import Part
from mummer.general.context_limbs import chain_to
from mummer.general.modes.rotation_map import AXIAL
from mummer.general.physique import Physique
from mummer.math import quaternion


def bends_of(physique: Physique, part: Part, turns: list[FloatArray], bends: dict[int, FloatArray]) -> None:
    """Add to ``bends`` what the joints of a limb get of its whole bend.

    Args:
        physique: the body.
        part: the joint up to which the limb bends.
        turns: for each joint, base first, (T, 3) the whole bend as that joint has it.
        bends: by joint; see `Intent.bends`.
    """
    chain = chain_to(physique, part.joint)
    chain = chain[1:] or chain
    for joint, turn in zip(chain, turns, strict=True):
        own = turn / len(chain) * (AXIAL if part.mirrored else 1.0)
        bends[joint] = bends[joint] + own if joint in bends else own


def bend_rotations(physique: Physique, rotations: FloatArray, bends: dict[int, FloatArray]) -> None:
    """Turn joints by their bends, in place.

    Args:
        physique: the body.
        rotations: (T, J, 4) parent_from_joint.
        bends: see `Intent.bends`.
    """
    parents = physique.character.skeleton.parents
    for joint, bend in bends.items():
        above = int(parents[joint])
        axes = quaternion.conjugate(physique.rotations[above]) if above >= 0 else quaternion.IDENTITY
        turn = quaternion.exp(quaternion.rotate(axes, bend))
        rotations[:, joint] = quaternion.multiply(turn, rotations[:, joint])


def is_bent(bends: dict[int, FloatArray]) -> bool:
    """Whether any bend is more than nothing."""
    return any(bool(np.any(bend)) for bend in bends.values())
