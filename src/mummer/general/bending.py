"""Bending a whole limb by one turn that its joints share: tails, ears, wings, feelers."""

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.general.binding import Part
from mummer.general.context_limbs import chain_to
from mummer.general.modes.rotation_map import AXIAL
from mummer.general.physique import Physique


def add_bends(physique: Physique, part: Part, turns: list[FloatArray], bends: dict[int, FloatArray]) -> None:
    """Add to ``bends`` what the joints of a limb get of its whole bend.

    Args:
        physique: the body.
        part: the joint up to which the limb bends.
        turns: for each joint, base first, (T, 3) the whole bend as that joint has it.
        bends: by joint, (T, 3) rotation vectors.
    """
    chain = chain_to(physique, part.joint)
    chain = chain[1:] or chain
    for joint, turn in zip(chain, turns, strict=True):
        own = turn / len(chain) * (AXIAL if part.mirrored else 1.0)
        bends[joint] = bends[joint] + own if joint in bends else own
