"""Bend the surface of a character to a pose: morphs first, then the skin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer import kernels
from mummer.arrays import FloatArray
from mummer.character.character import Character
from mummer.character.kinematics import world_matrices
from mummer.character.mesh import Mesh
from mummer.character.pose import Pose
from mummer.character.skin import Skin
from mummer.errors import InputError, UnknownNameError
from mummer.math import transform

Method = Literal["linear", "dual_quaternion"]
METHODS: tuple[Method, ...] = ("linear", "dual_quaternion")


@dataclass(frozen=True, eq=False)
class DeformedMesh:
    """Where the surface of one mesh is; triangles and the rest are those of the mesh itself.

    Attributes:
        positions: (..., V, 3) in the world, metres.
        normals: (..., V, 3) unit, in the world, or None if the mesh has none.
    """

    positions: FloatArray
    normals: FloatArray | None = None


def deform(
    character: Character, pose: Pose, *, method: Method = "linear", with_normals: bool = True
) -> tuple[DeformedMesh, ...]:
    """The surface of ``character`` in ``pose``, one entry for each of its meshes.

    Args:
        character: the body.
        pose: one pose or a batch.
        method: ``linear`` blends matrices: any transform, thins where a joint twists far. ``dual_quaternion``
            blends rigid motions: keeps the volume of twisted joints, bulges where they bend far.
        with_normals: whether normals are bent too.

    Raises:
        InputError: if the pose is for another body.
        UnknownNameError: if there is no such method.
    """
    if method not in METHODS:
        raise UnknownNameError("deform", "method", method, METHODS)
    count = len(character.morph_names)
    if pose.morphs is not None and pose.morphs.shape[-1] != count:
        raise InputError(f"the pose has {pose.morphs.shape[-1]} morph weights; {character.name!r} has {count} morphs")
    joints = len(character.skeleton)
    world_from_joint = world_matrices(character.skeleton, pose).reshape(-1, joints, 3, 4)
    morphs = None if pose.morphs is None else pose.morphs.reshape(len(world_from_joint), count)
    bent = []
    for mesh in character.meshes:
        world_from_mesh = transform.multiply(world_from_joint[:, mesh.skin.joints], mesh.skin.joint_from_mesh)
        weights = _weights_of(mesh, character.morph_names, morphs)
        positions = _bend_positions(mesh, weights, world_from_mesh, method)
        normals = _bend_normals(mesh, weights, world_from_mesh, method) if with_normals else None
        bent.append(
            DeformedMesh(_batched(positions, pose.shape), normals if normals is None else _batched(normals, pose.shape))
        )
    return tuple(bent)


def _weights_of(mesh: Mesh, names: tuple[str, ...], morphs: FloatArray | None) -> FloatArray | None:
    """(T, M) the weights of the mesh's own morphs, or None if nothing is morphed."""
    if morphs is None or not mesh.morphs:
        return None
    place = {name: index for index, name in enumerate(names)}
    weights = morphs[:, [place[morph.name] for morph in mesh.morphs]]
    return weights if np.any(weights) else None


def _bend_positions(mesh: Mesh, weights: FloatArray | None, world_from_mesh: FloatArray, method: Method) -> FloatArray:
    skin = kernels.skin_linear if method == "linear" else kernels.skin_dual_quaternion
    return _bend(mesh.skin, mesh.positions, [morph.positions for morph in mesh.morphs], weights, world_from_mesh, skin)


def _bend_normals(
    mesh: Mesh, weights: FloatArray | None, world_from_mesh: FloatArray, method: Method
) -> FloatArray | None:
    if mesh.normals is None:
        return None
    unchanged = np.zeros_like(mesh.normals)
    deltas = [unchanged if morph.normals is None else morph.normals for morph in mesh.morphs]
    if method == "linear":
        matrices, skin = _normal_matrices(world_from_mesh), kernels.skin_linear_normals
    else:
        matrices, skin = world_from_mesh, kernels.skin_dual_quaternion_normals
    return _bend(mesh.skin, mesh.normals, deltas, weights, matrices, skin)


def _bend(
    skin: Skin,
    points: FloatArray,
    deltas: list[FloatArray],
    weights: FloatArray | None,
    matrices: FloatArray,
    kernel: Callable[..., FloatArray],
) -> FloatArray:
    """(T, V, 3) from ``points`` (V, 3): a face that holds still is morphed once for all frames."""
    if weights is None:
        return kernel(points, skin.indices, skin.weights, matrices)
    if np.all(weights == weights[:1]):
        return kernel(kernels.morph(points, np.stack(deltas), weights[0]), skin.indices, skin.weights, matrices)
    targets = np.stack(deltas)
    frames = np.empty((len(matrices), *points.shape))
    for frame, (amounts, matrix) in enumerate(zip(weights, matrices, strict=True)):
        frames[frame] = kernel(kernels.morph(points, targets, amounts), skin.indices, skin.weights, matrix)
    return frames


def _normal_matrices(matrices: FloatArray) -> FloatArray:
    """The cofactors of the linear parts: they turn normals right under any scale, and exist for flat ones too."""
    columns = np.moveaxis(matrices[..., :3], -1, 0)
    # A surface that is stretched beyond what numbers hold has no normals.
    with np.errstate(over="ignore", invalid="ignore"):
        cofactors = np.stack([np.cross(columns[i - 2], columns[i - 1]) for i in range(3)], axis=-1)
        mirrored = np.sign(np.linalg.det(matrices[..., :3]))[..., None, None]
    return np.concatenate([np.where(mirrored < 0, -cofactors, cofactors), matrices[..., 3:]], axis=-1)


def _batched(values: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    return values.reshape(*shape, *values.shape[1:])
