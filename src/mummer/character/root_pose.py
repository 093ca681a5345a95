"""Poses with a ground root and without one: the same places in the world, told by different joints."""

from __future__ import annotations

import numpy as np

from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.math import rigid
from mummer.math.rigid import Rigid


def pose_with_root(pose: Pose, skeleton: Skeleton, world_from_root: Rigid) -> Pose:
    """One pose of ``skeleton`` as a pose of the same skeleton with a new joint 0 at ``world_from_root``."""
    root_from_world = rigid.inverse(*world_from_root)
    translations, rotations = np.array(pose.full_translations(skeleton)), pose.rotations.copy()
    roots = list(skeleton.roots)
    translations[roots], rotations[roots] = rigid.multiply(*root_from_world, translations[roots], rotations[roots])
    return Pose(
        np.concatenate([world_from_root[1][None], rotations]),
        translations=np.concatenate([world_from_root[0][None], translations]),
        scales=None if pose.scales is None else np.concatenate([np.ones((1, 3)), pose.scales]),
        morphs=pose.morphs,
    )


def pose_without_root(pose: Pose, skeleton: Skeleton) -> Pose:
    """One pose of ``skeleton``, whose joint 0 is a ground root, as a pose of the same skeleton without it."""
    translations, rotations = np.array(pose.full_translations(skeleton)), pose.rotations.copy()
    below = list(skeleton.children[0])
    translations[below], rotations[below] = rigid.multiply(
        translations[0], rotations[0], translations[below], rotations[below]
    )
    return Pose(
        rotations[1:],
        translations=translations[1:],
        scales=None if pose.scales is None else pose.scales[1:],
        morphs=pose.morphs,
    )


def without_rest_translations(pose: Pose, skeleton: Skeleton) -> Pose:
    """The same pose, translations left out where no joint but joint 0 is moved from rest."""
    if pose.translations is None or not np.array_equal(pose.translations[..., 1:, :], skeleton.rest_translations[1:]):
        return pose
    return pose.replace(translations=None)
