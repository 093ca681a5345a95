"""Bodies as BVH can hold them: joint frames that stand parallel to the world at rest, and no scales."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Pose, Skeleton, is_rigid, world_matrices, world_transforms
from mummer.math import quaternion


@dataclass(frozen=True, eq=False)
class Baked:
    """A skeleton and its motion with joint frames that stand parallel to the world at rest, in metres and our axes.

    Attributes:
        offsets: (J, 3) from parent to joint at rest.
        rotations: (T, J, 4) parent_from_joint; the identity at rest.
        translations: (T, J, 3) parent_from_joint.
        lost_scales: whether joints were scaled; their positions are kept all the same.
    """

    offsets: FloatArray
    rotations: FloatArray
    translations: FloatArray
    lost_scales: bool = False


def world_aligned(skeleton: Skeleton, poses: Pose) -> Baked:
    """The same joint positions in every pose, with every joint frame exchanged for one parallel to the world at rest.

    With ``W`` the rotation of a joint in the world at rest and ``P`` that of its parent, the joint's rotation ``q``
    becomes ``P q inverse(W)``, and its translation is turned by ``P``: no joint moves.

    Args:
        skeleton: any body.
        poses: a batch of T poses.
    """
    if not is_rigid(skeleton, poses) or not skeleton.is_rigid:
        return _without_scales(skeleton, poses)
    translations = poses.full_translations(skeleton)
    if np.array_equal(skeleton.rest_rotations, np.broadcast_to(quaternion.IDENTITY, skeleton.rest_rotations.shape)):
        return Baked(skeleton.rest_translations, poses.rotations, translations)
    world_from_joint, world_from_parent = _rest_rotations(skeleton)
    return Baked(
        quaternion.rotate(world_from_parent, skeleton.rest_translations),
        _aligned(poses.rotations, world_from_joint, world_from_parent),
        quaternion.rotate(world_from_parent, translations),
    )


def _without_scales(skeleton: Skeleton, poses: Pose) -> Baked:
    """Positions as the scaled body has them, reached by moving joints where turning them is not enough."""
    rigid = dataclasses.replace(skeleton, rest_scales=np.ones_like(skeleton.rest_scales))
    world_from_joint, world_from_parent = _rest_rotations(rigid)
    rotations = _aligned(poses.rotations, world_from_joint, world_from_parent)
    _, turned = world_transforms(rigid, poses.replace(scales=None))
    parents = skeleton.parents
    world_from_aligned = quaternion.multiply(turned, quaternion.conjugate(world_from_joint))
    rest_steps = _steps(world_matrices(skeleton, Pose.rest(skeleton))[..., 3], parents)
    steps = _steps(world_matrices(skeleton, poses)[..., 3], parents)
    above = np.where((parents < 0)[:, None], quaternion.IDENTITY, world_from_aligned[:, parents])
    return Baked(rest_steps, rotations, quaternion.rotate(quaternion.conjugate(above), steps), lost_scales=True)


def _aligned(rotations: FloatArray, world_from_joint: FloatArray, world_from_parent: FloatArray) -> FloatArray:
    inner = quaternion.multiply(rotations, quaternion.conjugate(world_from_joint))
    return quaternion.multiply(world_from_parent, inner)


def _rest_rotations(skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
    """(J, 4) world_from_joint and world_from_parent at rest."""
    world_from_joint = skeleton.rest_rotations.copy()
    world_from_parent = np.tile(quaternion.IDENTITY, (len(skeleton), 1))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            world_from_parent[joint] = world_from_joint[parent]
            world_from_joint[joint] = quaternion.multiply(world_from_joint[parent], skeleton.rest_rotations[joint])
    return world_from_joint, world_from_parent


def _steps(positions: FloatArray, parents: IntArray) -> FloatArray:
    """(..., J, 3) from each parent's position to the joint's own, in the world."""
    return positions - np.where((parents < 0)[:, None], 0.0, positions[..., parents, :])
