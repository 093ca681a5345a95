"""Where a mouth is on what carries it: jaws turn at the back of a head, and take hold at its front."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.general.physique import Physique
from mummer.ik.volume import volume_of
from mummer.kept import kept
from mummer.math import quaternion

MIDDLE = 0.005
"""Heights from the middle plane within which a jaw is in the middle, and takes hold there."""


@kept
def mouth_point(physique: Physique, joint: int) -> FloatArray:
    """(3,) metres from a jaw to its front at rest, in character space; zero for what is no jaw or has no volume."""
    volume = volume_of(physique.character)
    own = np.flatnonzero(volume.joints == joint)
    if joint not in physique.anatomy.capabilities.get("mouth", ()) or not len(own):
        return locked(np.zeros(3))
    ends = quaternion.rotate(physique.rotations[joint], volume.ends[own]).reshape(-1, 3)
    front = ends[int(np.argmax(ends[:, 2] + volume.radii[own].reshape(-1)))]
    is_middle = abs(physique.positions[joint, 0]) < MIDDLE * physique.height
    return locked(front * [0.0 if is_middle else 1.0, 1.0, 1.0])
