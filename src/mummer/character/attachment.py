"""Attachments: what a body carries by a joint, and how a body is carried by something else."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.kinematics import is_rigid, world_matrices, world_transforms
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.character.socket import Socket
from mummer.errors import InputError
from mummer.math import quaternion, rigid, transform
from mummer.math.rigid import Rigid


def world_from_socket(skeleton: Skeleton, pose: Pose, socket: Socket) -> Rigid:
    """Where a socket is in the world: also the pose of a prop that is held there.

    Args:
        skeleton: the body.
        pose: one pose, or a batch (the poses of a clip give the prop's way through it).
        socket: a place on the body.

    Returns:
        translation (..., 3) in metres and rotation (..., 4). A prop is never scaled by the joint that carries it.

    Raises:
        InputError: if the socket or the pose does not fit the skeleton.
    """
    if not 0 <= socket.joint < len(skeleton):
        raise InputError(f"socket {socket.name!r} is at joint {socket.joint}; {skeleton.name!r} has {len(skeleton)}")
    if is_rigid(skeleton, pose):
        positions, rotations = world_transforms(skeleton, pose)
        return rigid.multiply(
            positions[..., socket.joint, :], rotations[..., socket.joint, :], *socket.joint_from_socket
        )
    world_from_joint = world_matrices(skeleton, pose)[..., socket.joint, :, :]
    place = transform.apply_to_points(world_from_joint, socket.translation)
    _, rotation, _, _ = transform.decompose(world_from_joint)
    return place, quaternion.multiply(rotation, socket.rotation)


def root_for_attachment(skeleton: Skeleton, pose: Pose, socket: Socket, world_from_anchor: Rigid) -> Pose:
    """The pose moved as a whole so that ``socket`` comes to ``world_from_anchor``: how a carried body is carried.

    The tree is followed from the root to the socket, and the roots are then turned and moved rigidly by what is
    missing; no joint below them changes.

    Args:
        skeleton: the body that is carried.
        pose: one pose or a batch.
        socket: the place on it that is held.
        world_from_anchor: translation (..., 3) and rotation (..., 4) of what holds it, for instance
            `world_from_socket` of another body. The anchor and the pose broadcast: one pose held by a moving anchor
            gives a batch.

    Returns:
        a pose, or a batch of the broadcast shape.
    """
    anchor_translation, anchor_rotation = (np.asarray(part, np.float64) for part in world_from_anchor)
    shape = np.broadcast_shapes(pose.shape, anchor_translation.shape[:-1], anchor_rotation.shape[:-1])
    spread = pose.broadcast_to(shape)
    socket_from_world = rigid.inverse(*world_from_socket(skeleton, spread, socket))
    correction = rigid.multiply(anchor_translation, anchor_rotation, *socket_from_world)
    return moved_rigidly(skeleton, spread, correction)


def moved_rigidly(skeleton: Skeleton, pose: Pose, new_from_old: Rigid) -> Pose:
    """The pose with every root turned and moved in the world by ``new_from_old`` (..., 3), (..., 4)."""
    turn = np.broadcast_to(new_from_old[1], (*pose.shape, 4))
    shift = np.broadcast_to(new_from_old[0], (*pose.shape, 3))
    roots = list(skeleton.roots)
    rotations = pose.rotations.copy()
    rotations[..., roots, :] = quaternion.multiply(turn[..., None, :], rotations[..., roots, :])
    if pose.translations is None and roots == [0]:
        assert pose.root_translation is not None
        return pose.replace(rotations=rotations, root_translation=rigid.apply(shift, turn, pose.root_translation))
    translations: FloatArray = np.array(pose.full_translations(skeleton))
    moved = rigid.apply(shift[..., None, :], turn[..., None, :], translations[..., roots, :])
    translations[..., roots, :] = moved
    return pose.replace(rotations=rotations, translations=translations)
