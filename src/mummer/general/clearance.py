"""The underside of a body: what of it may be how deep in the ground, and what lifts the whole body out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.general.feet import standing_feet
from mummer.general.intent import UP, Intent
from mummer.general.kept import kept
from mummer.general.modes.surface import part_volume
from mummer.general.physique import Physique
from mummer.general.track import Track
from mummer.ik.volume import Volume, volume_of
from mummer.kernels import quaternions

GIVE = 0.004
"""A body may press into the ground by this part of its height more than at rest: what is soft gives way."""
ASIDE = ("arm", "finger", "wing", "tail", "antenna", "ear", "fin")
"""Limbs that lift nobody: they make way."""
SOFT = 0.01
"""Part of the body's longest side over which a place that sinks comes to rest on the ground."""


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


@kept
def underside_of(physique: Physique) -> Underside:
    """What of a body may touch the ground."""
    volume = volume_of(physique.character)
    # What stands on feet drags its tail; what has none may be all tail below.
    kinds = {*ASIDE} if standing_feet(physique) else {*ASIDE} - {"tail"}
    aside = {joint for limb in physique.anatomy.limbs if limb.kind in kinds for joint in limb.joints}
    aside |= set(physique.anatomy.capabilities.get("digit", ()))
    turned = quaternions.rotate(physique.rotations[volume.joints][:, None], volume.ends)
    lowest = np.min((physique.positions[volume.joints][:, None] + turned)[..., 1] - volume.radii, axis=1)
    lifts = np.array([joint not in aside for joint in volume.joints], bool)
    return Underside(volume, np.maximum(-lowest, 0.0), lifts, GIVE * physique.height)


def above_ground(intent: Intent) -> Intent:
    """The same with the places of parts held above the ground of the stage, as high as their own thickness lies on it.

    What is no lower than that, or than at rest, stays where it is.
    """
    places = {
        joint: _above(intent, joint, track) if joint != intent.physique.root else track
        for joint, track in intent.places.items()
    }
    if all(places[joint] is track for joint, track in intent.places.items()):
        return intent
    return replace(intent, places=places)


def _above(intent: Intent, joint: int, track: Track) -> Track:
    """The track itself where none of it is too low."""
    soft = SOFT * intent.physique.height
    lowest = (_lying(intent.physique, joint) if track.offset is None else 0.0) - soft
    up = quaternions.rotate(intent.stage_rotations, UP)
    heights = np.vecdot(track.values - intent.stage_positions, up)
    if np.all(heights >= lowest + soft):
        return track
    below = np.clip((heights - lowest) / soft, -1.0, 1.0)
    lift = np.where(heights < lowest + soft, lowest + soft * (below + 1) ** 2 / 4 - heights, 0.0)
    return track._replace(values=track.values + up * lift[:, None])


@kept
def _lying(physique: Physique, joint: int) -> float:
    """Metres above the ground at which a part lies on it: its thickness there, if it is no lower at rest."""
    height = float(physique.positions[joint, 1])
    if not len(volume_of(physique.character)):
        return min(0.0, height)
    part = part_volume(physique.character, joint)
    turned = quaternions.rotate(physique.rotations[part.joints][:, None], part.ends)
    away = physique.positions[part.joints][:, None] + turned - physique.positions[joint]
    nearest = np.unravel_index(int(np.argmin(np.linalg.norm(away, axis=2))), part.radii.shape)
    return min(float(part.radii[nearest]), height)
