"""From solids that stand in the world at rest to masses in the frames of the joints that carry them."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.kinematics import world_matrices
from mummer.character.mass import Mass
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.character.solids import Moments


def mass_of_rest(skeleton: Skeleton, moments: Moments, density: float) -> Mass:
    """The mass of J solids, one for each joint, given in the world at rest.

    A solid without volume gives a joint without mass.
    """
    world_from_joint = world_matrices(skeleton, Pose.rest(skeleton))
    # A joint scaled to nothing has no inverse; the pseudo-inverse puts its mass at its origin.
    joint_from_world = np.linalg.pinv(world_from_joint[..., :3])
    solid = moments.volumes > 0
    offsets = np.where(solid[:, None], moments.centers - world_from_joint[..., 3], 0.0)
    seconds = np.where(solid[:, None, None], moments.seconds, 0.0)
    return Mass(
        np.where(solid, moments.volumes, 0.0) * density,
        np.einsum("jab,jb->ja", joint_from_world, offsets),
        symmetric(joint_from_world @ seconds @ np.swapaxes(joint_from_world, 1, 2)) * density,
    )


def symmetric(matrices: FloatArray) -> FloatArray:
    """(..., 3, 3) the matrices with rounding errors across the diagonal taken out."""
    return np.asarray((matrices + np.swapaxes(matrices, -1, -2)) / 2)
