"""Bodies with copies of their skeleton, see `mummer.character.copies`, are recognised without these."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from mummer.character import Anatomy, Character, Pose, Skeleton


def without_joints(character: Character, gone: Sequence[int]) -> tuple[Character, list[int]]:
    """The body at rest without some joints and the surface that they carry, and which joints are left."""
    skeleton = character.skeleton
    kept = sorted(set(range(len(skeleton))) - set(gone))
    number = {joint: place for place, joint in enumerate(kept)}
    parents = [number.get(int(skeleton.parents[joint]), -1) for joint in kept]
    left = Skeleton(
        tuple(skeleton.names[joint] for joint in kept), np.array(parents), skeleton.rest_translations[kept],
        skeleton.rest_rotations[kept], skeleton.rest_scales[kept], name=skeleton.name,
    )  # fmt: skip
    meshes = tuple(
        dataclasses.replace(
            mesh, skin=dataclasses.replace(mesh.skin, joints=np.array([number[joint] for joint in joints]))
        )
        for mesh in character.meshes
        if set(joints := mesh.skin.joints.tolist()) <= number.keys()
    )
    pose = Pose.rest(left)
    if names := {morph.name for mesh in meshes for morph in mesh.morphs}:
        pose = pose.replace(morphs=np.zeros(len(names)))
    source = character.source and dataclasses.replace(character.source, document=None, details={})
    return Character(character.name, left, meshes, default_pose=pose, source=source), kept


def with_copies(anatomy: Anatomy, kept: Sequence[int], copies: dict[int, int]) -> Anatomy:
    """The anatomy of a body for that body with copies of its joints: no roles for these, and the groups of theirs.

    Args:
        anatomy: of the body without copies.
        kept: the joint of the whole body that each of its joints is.
        copies: of each further joint the one that it is a copy of.
    """

    def whole(joints: Sequence[int]) -> tuple[int, ...]:
        return tuple(kept[joint] for joint in joints)

    mirror = np.arange(len(kept) + len(copies))
    mirror[list(kept)] = np.array(kept)[anatomy.mirror]
    groups = {name: whole(joints) for name, joints in anatomy.groups.items()}
    return dataclasses.replace(
        anatomy,
        roles={role: kept[joint] for role, joint in anatomy.roles.items()},
        groups={
            name: (*joints, *(copy for copy, twin in copies.items() if twin in joints))
            for name, joints in groups.items()
        },
        capabilities={name: whole(joints) for name, joints in anatomy.capabilities.items()},
        mirror=mirror,
        limbs=tuple(dataclasses.replace(limb, joints=whole(limb.joints)) for limb in anatomy.limbs),
        sockets=tuple(dataclasses.replace(socket, joint=kept[socket.joint]) for socket in anatomy.sockets),
    )
