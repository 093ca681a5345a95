"""Bodies do not sink into the ground: where they would, the root is lifted, and hands that reach are held higher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip import Frames
from mummer.general.context_limbs import chain_to
from mummer.general.feet import standing_feet
from mummer.general.intent import UP, Intent
from mummer.general.kept import kept
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
    """The capsules of a body, and how deep they may be.

    Attributes:
        volume: C capsules.
        deepest: (C,) how far below the ground each may be, metres: as far as at rest, where that is below.
        lifts: (C,) which of them lift the whole body.
        give: metres that a body may press into the ground beyond that.
    """

    volume: Volume
    deepest: FloatArray
    lifts: BoolArray
    give: float

    def eased(self, sunk: FloatArray) -> FloatArray:
        """(T,) metres up for what is ``sunk`` (T,) metres: nothing, then smoothly all but what may give way."""
        soft = np.clip(sunk, 0.0, 2 * self.give) ** 2 / (4 * self.give)
        return np.where(sunk > 2 * self.give, sunk - self.give, soft)


@dataclass(frozen=True, eq=False)
class Lifts:
    """How much higher things must be, at T moments.

    Attributes:
        root: (T,) metres, for the whole body.
        parts: (T,) metres, for the places of single joints.
    """

    root: FloatArray
    parts: Mapping[int, FloatArray] = field(default_factory=dict)

    @property
    def largest(self) -> float:
        """Metres of the highest lift."""
        return max(float(np.max(lift, initial=0.0)) for lift in (self.root, *self.parts.values()))

    def __add__(self, more: Lifts) -> Lifts:
        parts = dict(self.parts)
        for joint, lift in more.parts.items():
            parts[joint] = parts[joint] + lift if joint in parts else lift
        return Lifts(self.root + more.root, parts)


@kept
def underside_of(physique: Physique) -> Underside:
    """What of a body may touch the ground."""
    volume = volume_of(physique.character)
    # What stands on feet drags its tail; what has none may be all tail below.
    kinds = {*ASIDE} if standing_feet(physique) else {*ASIDE} - {"tail"}
    aside = {joint for limb in physique.anatomy.limbs if limb.kind in kinds for joint in limb.joints}
    aside |= set(physique.anatomy.capabilities.get("digit", ()))
    turned = quaternion.rotate(physique.rotations[volume.joints][:, None], volume.ends)
    lowest = np.min((physique.positions[volume.joints][:, None] + turned)[..., 1] - volume.radii, axis=1)
    lifts = np.array([joint not in aside for joint in volume.joints], bool)
    return Underside(volume, np.maximum(-lowest, 0.0), lifts, GIVE * physique.height)


@kept
def _carried_by(physique: Physique, joint: int) -> BoolArray:
    """(C,) the capsules of the limb of a joint, and of all that hangs on it; none for a limb that lifts the body."""
    underside, parents = underside_of(physique), physique.character.skeleton.parents
    members = np.zeros(len(physique), bool)
    members[list(chain_to(physique, joint))[1:]] = members[joint] = True
    for below, parent in enumerate(parents):
        members[below] |= parent >= 0 and members[parent]
    return np.asarray(members[underside.volume.joints] & ~underside.lifts)


def lifts_needed(intent: Intent, frames: Frames) -> Lifts:
    """How much higher root and reaching parts must be so that nothing sinks into the ground of the stage.

    It is continuous in the pose, and zero for a body that is no deeper in the ground than at rest.
    """
    underside = underside_of(intent.physique)
    if not len(underside.volume):
        return Lifts(np.zeros(len(intent)))
    placed = placed_capsules(underside.volume, WorldState(intent.physique.character, frames.to_pose()))
    up = quaternion.rotate(intent.stage_rotations, UP)
    heights = np.einsum("tcek,tk->tce", placed.ends - intent.stage_positions[:, None, None], up)
    sunk = -np.min(heights - underside.volume.radii, axis=2) - underside.deepest
    root = underside.eased(np.max(sunk[:, underside.lifts], axis=1, initial=0.0))
    parts = {}
    for joint in intent.places:
        carried = _carried_by(intent.physique, joint)
        if np.any(carried) and np.any(lift := underside.eased(np.max(sunk[:, carried], axis=1) - root)):
            parts[joint] = lift
    return Lifts(root, parts)


def with_parts_lifted(intent: Intent, lifts: Lifts) -> Intent:
    """The same, with the places of parts higher."""
    up = quaternion.rotate(intent.stage_rotations, UP)
    places = {
        joint: track._replace(values=track.values + up * lifts.parts[joint][:, None]) if joint in lifts.parts else track
        for joint, track in intent.places.items()
    }
    return replace(intent, places=places)
