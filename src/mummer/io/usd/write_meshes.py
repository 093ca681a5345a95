"""Meshes with their skins and blend shapes, as UsdGeom and UsdSkel have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Material, Mesh, MorphTarget
from mummer.io.usd.names import identifiers
from mummer.io.usd.write_skeleton import WrittenSkeletons, row_matrices


def write_meshes(
    stage: Any,
    root: Any,
    character: Character,
    skeletons: WrittenSkeletons,
    materials: dict[Material, Any],
    *,
    taken: Iterable[str],
) -> None:
    """Every mesh below the SkelRoot ``root``; names in ``taken`` are left to others."""
    from pxr import UsdShade

    reserved = [*taken, *(prim.GetPath().name for prim in skeletons.prims)]
    names = identifiers([mesh.name for mesh in character.meshes], taken=dict.fromkeys(reserved))
    corners: list[FloatArray] = []
    for place, (mesh, name) in enumerate(zip(character.meshes, names, strict=True)):
        prim = _write_surface(stage, root.GetPath().AppendChild(name), mesh)
        _write_skin(prim, mesh, skeletons, place)
        _write_morphs(stage, prim, mesh)
        UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(materials[mesh.material])
        corners += [mesh.positions.min(axis=0), mesh.positions.max(axis=0)] if len(mesh.positions) else []
    if corners:
        root.CreateExtentAttr(_vectors(np.stack([np.min(corners, axis=0), np.max(corners, axis=0)])))


def _write_surface(stage: Any, path: Any, mesh: Mesh) -> Any:
    from pxr import Sdf, UsdGeom, Vt

    prim = UsdGeom.Mesh.Define(stage, path)
    prim.GetPrim().SetDisplayName(mesh.name)
    prim.CreatePointsAttr(_vectors(mesh.positions))
    prim.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(mesh.triangles), 3, np.int32)))
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(np.ascontiguousarray(mesh.triangles.reshape(-1))))
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    prim.CreateDoubleSidedAttr(mesh.material.double_sided)
    if len(mesh.positions):
        prim.CreateExtentAttr(_vectors(np.stack([mesh.positions.min(axis=0), mesh.positions.max(axis=0)])))
    if mesh.normals is not None:
        prim.CreateNormalsAttr(_vectors(mesh.normals))
        prim.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    primvars = UsdGeom.PrimvarsAPI(prim)
    if mesh.uvs is not None:
        coordinates = primvars.CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex)
        flipped = np.stack([mesh.uvs[:, 0], 1 - mesh.uvs[:, 1]], axis=1)
        coordinates.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(flipped, np.float32)))
    _write_colors(prim, mesh)
    return prim


def _write_colors(prim: Any, mesh: Mesh) -> None:
    from pxr import UsdGeom, Vt

    if mesh.colors is None:
        prim.CreateDisplayColorAttr(_vectors(np.array([mesh.material.base_color[:3]])))
        return
    prim.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex).Set(_vectors(mesh.colors[:, :3]))
    opacity = np.ascontiguousarray(mesh.colors[:, 3])
    prim.CreateDisplayOpacityPrimvar(UsdGeom.Tokens.vertex).Set(Vt.FloatArray.FromNumpy(opacity))


def _write_skin(prim: Any, mesh: Mesh, skeletons: WrittenSkeletons, place: int) -> None:
    from pxr import Gf, UsdSkel, Vt

    binding = UsdSkel.BindingAPI.Apply(prim.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeletons.prims[skeletons.of_mesh[place]].GetPath()])
    binding.CreateJointsAttr([skeletons.tokens[joint] for joint in mesh.skin.joints])
    matrix = row_matrices(skeletons.world_from_mesh[place][None])[0]
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(matrix.tolist()))
    width = mesh.skin.influences
    indices = Vt.IntArray.FromNumpy(np.ascontiguousarray(mesh.skin.indices.reshape(-1)))
    weights = Vt.FloatArray.FromNumpy(np.ascontiguousarray(mesh.skin.weights.reshape(-1)))
    binding.CreateJointIndicesPrimvar(constant=False, elementSize=width).Set(indices)
    binding.CreateJointWeightsPrimvar(constant=False, elementSize=width).Set(weights)


def _write_morphs(stage: Any, prim: Any, mesh: Mesh) -> None:
    from pxr import UsdSkel

    if not mesh.morphs:
        return
    names = identifiers([morph.name for morph in mesh.morphs])
    paths = [prim.GetPath().AppendChild(name) for name in names]
    for path, morph in zip(paths, mesh.morphs, strict=True):
        _write_morph(stage, path, morph)
    binding = UsdSkel.BindingAPI(prim.GetPrim())
    binding.CreateBlendShapesAttr([morph.name for morph in mesh.morphs])
    binding.CreateBlendShapeTargetsRel().SetTargets(paths)


def _write_morph(stage: Any, path: Any, morph: MorphTarget) -> None:
    from pxr import UsdSkel, Vt

    shape = UsdSkel.BlendShape.Define(stage, path)
    moved = np.any(morph.positions != 0, axis=1)
    if morph.normals is not None:
        moved |= np.any(morph.normals != 0, axis=1)
    where = np.flatnonzero(moved).astype(np.int32)
    shape.CreateOffsetsAttr(_vectors(morph.positions[where]))
    shape.CreatePointIndicesAttr(Vt.IntArray.FromNumpy(where))
    if morph.normals is not None:
        shape.CreateNormalOffsetsAttr(_vectors(morph.normals[where]))


def _vectors(values: FloatArray) -> Any:
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, np.float32))
