"""Skeletons as UsdSkel has them: joints as paths, one bind transform for each joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Mesh, Pose, world_matrices
from mummer.io.usd.names import identifiers
from mummer.math import transform
from mummer.report import ReportBuilder

SAME = 1e-6
"""Placements of a mesh that differ relatively by less than this are the same."""


@dataclass(frozen=True)
class WrittenSkeletons:
    """What was written.

    Attributes:
        tokens: the path of every joint.
        prims: every Skeleton; the first is the character's own.
        of_mesh: for each mesh the index of its Skeleton.
        world_from_mesh: for each mesh the (3, 4) placement at which it was bound.
    """

    tokens: list[str]
    prims: list[Any]
    of_mesh: list[int]
    world_from_mesh: list[FloatArray]


def write_skeletons(stage: Any, root: Any, character: Character, report: ReportBuilder) -> WrittenSkeletons:
    """The character's Skeleton, and one more for each group of meshes that were bound in another pose.

    A UsdSkel Skeleton knows one bind transform for each joint; our skins have one for each joint and mesh.
    """
    skeleton = character.skeleton
    tokens = joint_paths(skeleton.names, skeleton.parents.tolist())
    rest = world_matrices(skeleton, Pose.rest(skeleton))
    prims = [_define(stage, root.AppendChild("Skeleton"), tokens, character, rest)]
    of_mesh, placements, others = [], [], {}
    for mesh in character.meshes:
        placed, agreed = _placement(mesh, rest)
        if not agreed:
            key = (mesh.skin.joints.tobytes(), mesh.skin.joint_from_mesh.tobytes())
            if key not in others:
                others[key] = len(prims)
                path = root.AppendChild(f"Skeleton{len(prims) + 1}")
                prims.append(_define(stage, path, tokens, character, _rebound(mesh, rest, placed)))
            of_mesh.append(others[key])
        else:
            of_mesh.append(0)
        placements.append(placed)
        if len(set(mesh.skin.joints.tolist())) < len(mesh.skin.joints):
            report.add("repaired", "skins that name a joint twice keep its first bind")
    return WrittenSkeletons(tokens, prims, of_mesh, placements)


def joint_paths(names: tuple[str, ...], parents: list[int]) -> list[str]:
    """The path of every joint, as UsdSkel spells a hierarchy: ``Hips/Spine/Head``."""
    paths: list[str] = []
    for name, parent in zip(identifiers(names), parents, strict=True):
        paths.append(name if parent < 0 else f"{paths[parent]}/{name}")
    return paths


def row_matrices(matrices: FloatArray) -> FloatArray:
    """(N, 4, 4) matrices for row vectors, as USD multiplies, from (N, 3, 4) for column vectors."""
    return np.ascontiguousarray(np.swapaxes(transform.to_4x4(matrices), -1, -2))


def _define(stage: Any, path: Any, tokens: list[str], character: Character, binds: FloatArray) -> Any:
    from pxr import Sdf, UsdSkel, Vt

    skeleton, pose = character.skeleton, character.default_pose
    prim = UsdSkel.Skeleton.Define(stage, path)
    prim.CreateJointsAttr(tokens)
    prim.CreateJointNamesAttr(list(skeleton.names))
    standing = transform.compose(pose.full_translations(skeleton), pose.rotations, pose.full_scales(skeleton))
    prim.CreateBindTransformsAttr(Vt.Matrix4dArray.FromNumpy(row_matrices(binds)))
    prim.CreateRestTransformsAttr(Vt.Matrix4dArray.FromNumpy(row_matrices(standing)))
    if pose.morphs is not None and np.any(pose.morphs):
        weights = prim.GetPrim().CreateAttribute("mummer:blendShapeWeights", Sdf.ValueTypeNames.FloatArray, True)
        weights.Set([float(weight) for weight in pose.morphs])
        names = prim.GetPrim().CreateAttribute("mummer:blendShapes", Sdf.ValueTypeNames.TokenArray, True)
        names.Set(list(character.morph_names))
    return prim


def _placement(mesh: Mesh, rest: FloatArray) -> tuple[FloatArray, bool]:
    """(3, 4) world_from_mesh at rest as the joint nearest to a root has it, and whether all joints agree on it."""
    placed = transform.multiply(rest[mesh.skin.joints], mesh.skin.joint_from_mesh)
    if not len(placed):
        return transform.compose(np.zeros(3), [0, 0, 0, 1.0]), True
    size = float(np.abs(placed).max()) or 1.0
    agreed = bool(np.ptp(placed, axis=0).max() <= SAME * size)
    return np.asarray(placed[np.argmin(mesh.skin.joints)]), agreed


def _rebound(mesh: Mesh, rest: FloatArray, world_from_mesh: FloatArray) -> FloatArray:
    """(J, 3, 4) bind transforms that make ``mesh`` hang as its skin says once it is placed at ``world_from_mesh``."""
    binds = rest.copy()
    for joint, joint_from_mesh in reversed(list(zip(mesh.skin.joints, mesh.skin.joint_from_mesh, strict=True))):
        binds[joint] = transform.multiply(world_from_mesh, transform.inverse(joint_from_mesh))
    return binds
