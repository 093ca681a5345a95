"""How deep a body that leans would be in the ground."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.physique import Physique
from mummer.ik.volume import volume_of
from mummer.kernels import quaternions


@lru_cache(maxsize=256)
def belly_joints(physique: Physique) -> tuple[int, ...]:
    """The joints that the root carries along stiffly: the spine, and what hangs from it and is no limb."""
    parents = physique.character.skeleton.parents
    limbs = {joint for limb in physique.anatomy.limbs for joint in limb.joints}
    found = {physique.root, *physique.spine}
    for joint in range(len(physique)):
        if int(parents[joint]) in found and joint not in limbs:
            found.add(joint)
    return tuple(sorted(found))


def sunk(physique: Physique, joints: Sequence[int], leans: FloatArray, ups: FloatArray) -> FloatArray:
    """(N,) metres by which a body that leans as a whole is in the ground, any part deeper than at rest.

    Args:
        physique: the body.
        joints: the parts of it that count.
        leans: (N, 3) rotation vectors about left, up and ahead.
        ups: (N,) metres that the root is higher than at rest.
    """
    volume = volume_of(physique.character)
    kept = np.isin(volume.joints, joints)
    owners, radii = volume.joints[kept], volume.radii[kept]
    if not len(owners):
        return np.zeros(len(ups))
    ends = physique.positions[owners][:, None] + quaternions.rotate(
        physique.rotations[owners][:, None], volume.ends[kept]
    )
    allowed = np.minimum((ends[..., 1] - radii).min(axis=1), 0.0)
    root = physique.positions[physique.root]
    turned = quaternions.rotate(quaternions.exp(leans)[:, None, None], ends - root)
    lowest = (root[1] + turned[..., 1] - radii).min(axis=2) + ups[:, None]
    return np.asarray(np.maximum(allowed - lowest, 0.0).max(axis=1))
