"""Where a mouth is on what carries it: jaws turn at the back of a head, and take hold at its front."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character import Pose, deform
from mummer.general.physique import Physique
from mummer.ik.volume import volume_of
from mummer.kept import kept
from mummer.math import quaternion

ASIDE = 0.5
"""How far back a jaw rather takes hold in its middle, for each metre that other skin is aside."""
CARRIED = 0.5
"""How much of what moves a point of the skin is a jaw, 0 to 1, if the point is the jaw's."""


@kept
def mouth_point(physique: Physique, joint: int) -> FloatArray:
    """(3,) metres from a jaw to its front at rest, in character space; zero for what is no jaw or has no volume.

    That is the foremost of its skin, rather that near its own middle, or without one the foremost of its capsules.
    """
    if joint not in physique.anatomy.capabilities.get("mouth", ()):
        return locked(np.zeros(3))
    points = _skin(physique, joint)
    if not len(points):
        volume = volume_of(physique.character)
        own = np.flatnonzero(volume.joints == joint)
        points = quaternion.rotate(physique.rotations[joint], volume.ends[own]).reshape(-1, 3)
        points = points + volume.radii[own].reshape(-1, 1) * [0.0, 0.0, 1.0]
    if not len(points):
        return locked(np.zeros(3))
    # A place between the foremost two would be as far from the skin as these are from each other.
    return locked(points[int(np.argmax(points[:, 2] - ASIDE * np.abs(points[:, 0])))])


def _skin(physique: Physique, joint: int) -> FloatArray:
    """(n, 3) from a joint to the skin that it carries more than others do, at rest in character space."""
    character, found = physique.character, [np.zeros((0, 3))]
    bent = deform(character, Pose.rest(character.skeleton), with_normals=False)
    for mesh, shape in zip(character.meshes, bent, strict=True):
        places = quaternion.rotate(quaternion.conjugate(physique.axes), shape.positions - physique.origin)
        own = np.sum(mesh.skin.weights * (mesh.skin.joints[mesh.skin.indices] == joint), axis=1) > CARRIED
        found.append(places[own & np.isfinite(places).all(axis=1)] - physique.positions[joint])
    return np.concatenate(found)
