"""Forward kinematics: from a pose to where every joint is in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mummer import kernels
from mummer.arrays import FloatArray
from mummer.character.pose import Pose
from mummer.character.skeleton import SCALE_NOISE, Skeleton, skeleton_of
from mummer.errors import InputError
from mummer.math import quaternion

if TYPE_CHECKING:
    from mummer.character.character import Character


def world_transforms(skeleton: Skeleton | Character, pose: Pose) -> tuple[FloatArray, FloatArray]:
    """Where every joint is and how it is turned, for bodies without scaled joints.

    Args:
        skeleton: the body, or its skeleton.
        pose: one pose or a batch.

    Returns:
        world positions (..., J, 3) in metres, and world_from_joint rotations (..., J, 4).

    Raises:
        InputError: if a joint is scaled (use `world_matrices`) or the pose is for another number of joints.
    """
    skeleton = skeleton_of(skeleton)
    _require_fit(skeleton, pose)
    if not is_rigid(skeleton, pose):
        raise InputError(f"skeleton {skeleton.name!r} or its pose has scaled joints; use world_matrices")
    shape, joints = pose.shape, len(skeleton)
    assert pose.root_translation is not None
    if not shape:
        # One pose, as it is: the kernel has a short way for that.
        local = skeleton.rest_translations if pose.translations is None else pose.translations
        return kernels.fk_rigid(skeleton.parents, pose.rotations, local, pose.root_translation)
    local = skeleton.rest_translations if pose.translations is None else pose.translations.reshape(-1, joints, 3)
    positions, rotations = kernels.fk_rigid(
        skeleton.parents, pose.rotations.reshape(-1, joints, 4), local, pose.root_translation.reshape(-1, 3)
    )
    return positions.reshape(*shape, joints, 3), rotations.reshape(*shape, joints, 4)


def world_matrices(skeleton: Skeleton | Character, pose: Pose) -> FloatArray:
    """(..., J, 3, 4) affine world_from_joint matrices, scales and the shear they cause included."""
    skeleton = skeleton_of(skeleton)
    _require_fit(skeleton, pose)
    shape, joints = pose.shape, len(skeleton)
    translations = pose.full_translations(skeleton)
    scales = skeleton.rest_scales if pose.scales is None else pose.scales
    if not shape:
        return kernels.fk_affine(skeleton.parents, translations, pose.rotations, scales)
    matrices = kernels.fk_affine(
        skeleton.parents,
        translations.reshape(-1, joints, 3),
        pose.rotations.reshape(-1, joints, 4),
        scales if pose.scales is None else scales.reshape(-1, joints, 3),
    )
    return matrices.reshape(*shape, joints, 3, 4)


def world_positions(skeleton: Skeleton | Character, pose: Pose) -> FloatArray:
    """(..., J, 3) where every joint is in the world, in metres, for any body."""
    skeleton = skeleton_of(skeleton)
    _require_fit(skeleton, pose)
    # Looking through all scales for one that is not 1 costs more than minding them.
    if pose.scales is None and skeleton.is_rigid:
        return world_transforms(skeleton, pose)[0]
    return world_matrices(skeleton, pose)[..., 3]


def is_rigid(skeleton: Skeleton, pose: Pose) -> bool:
    """Whether no joint is scaled, in the pose or (where the pose says nothing) at rest, beyond rounding."""
    if pose.scales is None:
        return skeleton.is_rigid
    return bool(np.all(np.abs(pose.scales - 1.0) <= SCALE_NOISE))


def _require_fit(skeleton: Skeleton, pose: Pose) -> None:
    if not isinstance(pose, Pose):
        raise InputError(f"expected a pose, as clip.at(0.5) gives it; got {type(pose).__name__}")
    if pose.joint_count != len(skeleton):
        raise InputError(f"the pose is for {pose.joint_count} joints; skeleton {skeleton.name!r} has {len(skeleton)}")


def local_rotations(skeleton: Skeleton, turns: FloatArray) -> FloatArray:
    """(J, 4) parent_from_joint of (J, 4) world_from_joint."""
    above = np.where(skeleton.parents[:, None] >= 0, turns[skeleton.parents], quaternion.IDENTITY)
    return quaternion.multiply(quaternion.conjugate(above), turns)
