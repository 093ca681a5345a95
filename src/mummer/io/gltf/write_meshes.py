"""Meshes and skins of a new document."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Mesh, Skin
from mummer.io.gltf.builder import TRIANGLES, VERTICES, Builder
from mummer.io.gltf.fields import Json
from mummer.io.gltf.write_materials import Materials


def write_mesh(builder: Builder, materials: Materials, mesh: Mesh, weights: FloatArray, *, skinned: bool) -> Json:
    """A mesh of one primitive.

    Args:
        builder: where the data goes.
        materials: where its material goes.
        mesh: what to write; it must have at least one triangle.
        weights: (M,) how much of each of its morphs is blended in when nothing moves.
        skinned: whether to say which joints carry it.
    """
    attributes = {"POSITION": builder.add_array(mesh.positions, "VEC3", target=VERTICES, bounds=True)}
    if mesh.normals is not None:
        attributes["NORMAL"] = builder.add_array(_unit(mesh.normals), "VEC3", target=VERTICES)
    if mesh.uvs is not None:
        attributes["TEXCOORD_0"] = builder.add_array(mesh.uvs, "VEC2", target=VERTICES)
    if mesh.colors is not None:
        attributes["COLOR_0"] = builder.add_array(mesh.colors, "VEC4", target=VERTICES)
    if skinned:
        attributes.update(_influences(builder, mesh.skin))
    small = len(mesh.positions) <= 65535
    corners = mesh.triangles.reshape(-1).astype(np.uint16 if small else np.uint32)
    primitive: Json = {
        "attributes": attributes,
        "indices": builder.add_array(corners, "SCALAR", target=TRIANGLES),
        "material": materials.add(mesh.material, textured=mesh.uvs is not None),
    }
    written: Json = {"name": mesh.name, "primitives": [primitive]}
    if mesh.morphs:
        with_normals = mesh.normals is not None and all(morph.normals is not None for morph in mesh.morphs)
        primitive["targets"] = [_target(builder, mesh, number, with_normals) for number in range(len(mesh.morphs))]
        written["weights"] = weights.tolist()
        written["extras"] = {"targetNames": [morph.name for morph in mesh.morphs]}
    return written


def _unit(normals: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(normals.astype(np.float64), axis=1, keepdims=True)
    up = np.array([0.0, 1.0, 0.0])
    return np.where(lengths > 0, normals / np.where(lengths > 0, lengths, 1.0), up).astype(np.float32)


def _target(builder: Builder, mesh: Mesh, number: int, with_normals: bool) -> dict[str, int]:
    morph = mesh.morphs[number]
    target = {"POSITION": builder.add_offsets(morph.positions, bounds=True)}
    if with_normals and morph.normals is not None:
        target["NORMAL"] = builder.add_offsets(morph.normals, bounds=False)
    return target


def _influences(builder: Builder, skin: Skin) -> dict[str, int]:
    """Sets of four influences each; rows sum to one as nearly as single precision allows."""
    indices, weights = _merged(skin.indices, skin.weights.astype(np.float64))
    sets = -(-indices.shape[1] // 4)
    padding = ((0, 0), (0, sets * 4 - indices.shape[1]))
    indices, weights = np.pad(indices, padding), np.pad(weights, padding)
    weights /= weights.sum(axis=1, keepdims=True)
    stored = np.where(weights > 0, indices, 0).astype(np.uint8 if len(skin.joints) <= 256 else np.uint16)
    attributes = {}
    for number in range(sets):
        columns = slice(number * 4, number * 4 + 4)
        attributes[f"JOINTS_{number}"] = builder.add_array(stored[:, columns], "VEC4", target=VERTICES)
        attributes[f"WEIGHTS_{number}"] = builder.add_array(weights[:, columns], "VEC4", target=VERTICES)
    return attributes


def _merged(indices: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Influences in which no vertex names a joint twice: repeats add their weight to the first."""
    weights = weights.copy()
    for later in range(1, indices.shape[1]):
        for earlier in range(later):
            same = (indices[:, later] == indices[:, earlier]) & (weights[:, later] > 0) & (weights[:, earlier] > 0)
            weights[same, earlier] += weights[same, later]
            weights[same, later] = 0.0
    return indices, weights


def write_skin(builder: Builder, joints: IntArray, joint_from_mesh: FloatArray, name: str) -> Json:
    """A skin of ``joints`` (B,), which are nodes of the same number, with inverse binds (B, 3, 4)."""
    matrices = np.zeros((len(joints), 4, 4))
    matrices[:, :3] = joint_from_mesh
    matrices[:, 3, 3] = 1.0
    columns = np.ascontiguousarray(matrices.transpose(0, 2, 1)).reshape(-1, 16)
    return {
        "name": name,
        "inverseBindMatrices": builder.add_array(columns, "MAT4"),
        "joints": joints.tolist(),
    }
