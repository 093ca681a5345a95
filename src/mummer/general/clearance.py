"""Bodies do not sink into the ground: where something would press them down into it, the root is lifted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip import Frames
from mummer.general.intent import UP, Intent
from mummer.general.physique import Physique
from mummer.ik.volume import Volume, volume_of
from mummer.ik.volume.placed import placed_capsules
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

GIVE = 0.004
"""A body may press into the ground by this part of its height more than at rest: what is soft gives way."""
ASIDE = ("arm", "finger", "wing", "tail", "antenna", "ear", "fin")
"""Limbs that lift nobody: they are placed by themselves."""


@dataclass(frozen=True, eq=False)
class Underside:
    """The capsules of a body that may lift it.

    Attributes:
        volume: C capsules.
        deepest: (C,) how far below the ground each may be, metres: as far as at rest, where that is below.
        give: metres that a body may press into the ground beyond that.
    """

    volume: Volume
    deepest: FloatArray
    give: float


@lru_cache(maxsize=256)
def underside_of(physique: Physique) -> Underside:
    """What of a body may lift it off the ground."""
    volume = volume_of(physique.character)
    aside = {joint for limb in physique.anatomy.limbs if limb.kind in ASIDE for joint in limb.joints}
    aside |= set(physique.anatomy.capabilities.get("digit", ()))
    kept = np.array([joint not in aside for joint in volume.joints], bool)
    part = Volume(volume.joints[kept], volume.ends[kept], volume.radii[kept], volume.misfit[kept])
    rest = physique.positions[part.joints][:, None] + quaternion.rotate(
        physique.rotations[part.joints][:, None], part.ends
    )
    lowest = np.min(rest[..., 1] - part.radii, axis=1)
    return Underside(part, np.maximum(-lowest, 0.0), GIVE * physique.height)


def lift_needed(intent: Intent, frames: Frames) -> FloatArray:
    """(T,) metres by which the root must be lifted so that the body does not sink into the ground of the stage.

    It is continuous in the pose, and zero for a body that is no deeper in the ground than at rest.
    """
    underside = underside_of(intent.physique)
    if not len(underside.volume):
        return np.zeros(len(intent))
    placed = placed_capsules(underside.volume, WorldState(intent.physique.character, frames.to_pose()))
    up = quaternion.rotate(intent.stage_rotations, UP)
    heights = np.einsum("tcek,tk->tce", placed.ends - intent.stage_positions[:, None, None], up)
    lowest = np.min(heights - underside.volume.radii, axis=2)
    sunk = np.max(-lowest - underside.deepest, axis=1)
    give = underside.give
    eased = np.clip(sunk, 0.0, 2 * give) ** 2 / (4 * give)
    return np.where(sunk > 2 * give, sunk - give, eased)
