"""What there is to say about a character, as plain data that prints as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character, Mesh, Recording, Skeleton
from mummer.cli.telling import finding_rows
from mummer.math import transform


def describe(character: Character) -> dict[str, Any]:
    """Everything worth knowing about ``character``: counts, sizes, tree, anatomy, animations, findings."""
    low, high = bounds(character)
    source = character.source
    return {
        "name": character.name,
        "format": source.format if source else None,
        "up": source.up if source else "+Y",
        "front": source.front if source else "",
        "metres_per_unit": source.metres_per_unit if source else 1.0,
        "frame_rate": source.frame_rate if source else None,
        "joint_count": len(character.skeleton),
        "roots": [character.skeleton.names[root] for root in character.skeleton.roots],
        "depth": int(character.skeleton.depths.max()),
        "size": [round(float(extent), 6) for extent in high - low],
        "bounds": [[round(float(x), 6) for x in low], [round(float(x), 6) for x in high]],
        "vertices": sum(len(mesh.positions) for mesh in character.meshes),
        "triangles": sum(len(mesh.triangles) for mesh in character.meshes),
        "meshes": [_mesh(mesh) for mesh in character.meshes],
        "morphs": list(character.morph_names),
        "animations": [_recording(recording) for recording in character.recordings],
        "anatomy": _anatomy(character.anatomy, character) if character.anatomy else None,
        "mass": round(character.mass.total, 3) if character.mass else None,
        "findings": finding_rows(character.report),
        "joints": [
            {"name": name, "parent": int(parent)}
            for name, parent in zip(character.skeleton.names, character.skeleton.parents, strict=True)
        ],
    }


def bounds(character: Character) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest corner of the body at rest: of its mesh where it has one, else of its joints.

    In plain numpy: for one pose, getting the compiled kernels ready would take longer than all the rest.
    """
    world_from_joint = _rest_matrices(character.skeleton)
    points = [_rest_surface(mesh, world_from_joint) for mesh in character.meshes if len(mesh.positions)]
    stacked = np.concatenate(points) if points else world_from_joint[:, :, 3]
    return stacked.min(axis=0), stacked.max(axis=0)


def _rest_matrices(skeleton: Skeleton) -> FloatArray:
    """(J, 3, 4) world_from_joint at rest."""
    matrices = transform.to_4x4(
        transform.compose(skeleton.rest_translations, skeleton.rest_rotations, skeleton.rest_scales)
    )
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            matrices[joint] = matrices[parent] @ matrices[joint]
    return matrices[:, :3]


def _rest_surface(mesh: Mesh, world_from_joint: FloatArray) -> FloatArray:
    """(V, 3) the vertices of a mesh in the world when its skeleton is at rest."""
    skin = mesh.skin
    world_from_mesh = transform.multiply(world_from_joint[skin.joints], skin.joint_from_mesh)
    placed = np.zeros((len(mesh.positions), 3))
    for influence in range(skin.influences):
        moved = transform.apply_to_points(world_from_mesh[skin.indices[:, influence]], mesh.positions)
        placed += skin.weights[:, influence, None] * moved
    return placed


def _mesh(mesh: Mesh) -> dict[str, Any]:
    return {
        "name": mesh.name,
        "vertices": len(mesh.positions),
        "triangles": len(mesh.triangles),
        "influences": mesh.skin.influences,
        "joints": len(mesh.skin.joints),
        "morphs": len(mesh.morphs),
        "material": mesh.material.name,
    }


def _recording(recording: Recording) -> dict[str, Any]:
    moved = {int(t) for curve in recording.curves if curve.path != "morph" for t in curve.targets}
    return {
        "name": recording.name,
        "start": round(recording.start, 6),
        "duration": round(recording.duration, 6),
        "keys": max((len(curve.times) for curve in recording.curves), default=0),
        "frame_rate": recording.frame_rate,
        "joints": len(moved),
        "morphs": sum(len(curve.targets) for curve in recording.curves if curve.path == "morph"),
    }


def _anatomy(anatomy: Anatomy, character: Character) -> dict[str, Any]:
    names = character.skeleton.names
    return {
        "kind": anatomy.kind,
        "height": round(anatomy.height, 6),
        "front": [round(float(x), 6) for x in anatomy.front],
        "roles": {role: names[joint] for role, joint in anatomy.roles.items()},
        "capabilities": {key: [names[joint] for joint in joints] for key, joints in anatomy.capabilities.items()},
        "limbs": [
            {"name": limb.name, "kind": limb.kind, "side": limb.side, "length": round(limb.length, 6)}
            for limb in anatomy.limbs
        ],
        "groups": {key: len(joints) for key, joints in anatomy.groups.items()},
    }
