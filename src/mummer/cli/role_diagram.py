"""A body drawn by its roles: the same surface, and only the joints that have a role, called by it."""

from __future__ import annotations

import dataclasses

import numpy as np

from mummer.character import Anatomy, Character, Mesh, Pose, Skeleton, Skin
from mummer.character.deform import deform
from mummer.character.derive import rest_positions


def diagram_of(character: Character, anatomy: Anatomy) -> Character:
    """``character`` at rest with joints for its roles alone; digits and what has no role are left out."""
    skeleton = _by_roles(character.skeleton, anatomy)
    count = len(skeleton)
    plain = Anatomy(
        anatomy.kind, {}, {}, (), {"torso": tuple(range(count))}, np.arange(count), anatomy.front, anatomy.up
    )
    return Character(character.name, skeleton, _frozen(character, skeleton), anatomy=plain)


def _by_roles(skeleton: Skeleton, anatomy: Anatomy) -> Skeleton:
    """Joints that have a role, each hanging from the nearest above it that has one; the whole skeleton if none has."""
    roles: dict[int, str] = {}
    for role, joint in anatomy.roles.items():
        if not role[-1].isdigit():
            roles.setdefault(joint, role)
    if not roles:
        return skeleton
    kept = sorted(roles)
    places = rest_positions(skeleton)
    parents = [next((kept.index(above) for above in skeleton.ancestors(joint) if above in roles), -1) for joint in kept]
    offsets = [
        places[joint] - (places[kept[parent]] if parent >= 0 else 0.0)
        for joint, parent in zip(kept, parents, strict=True)
    ]
    names = tuple(roles[joint] for joint in kept)
    return Skeleton(names, np.array(parents), np.array(offsets), name=skeleton.name)


def _frozen(character: Character, skeleton: Skeleton) -> tuple[Mesh, ...]:
    """The meshes as they are at rest, carried stiffly by the first joint."""
    bent = deform(character, Pose.rest(character.skeleton))
    root = rest_positions(skeleton)[0]
    joint_from_mesh = np.hstack([np.eye(3), -root[:, None]])
    return tuple(
        dataclasses.replace(
            mesh,
            positions=surface.positions,
            normals=surface.normals,
            skin=Skin.rigid(0, joint_from_mesh, len(surface.positions)),
            morphs=(),
        )
        for mesh, surface in zip(character.meshes, bent, strict=True)
    )
