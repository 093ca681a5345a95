"""The meshes of a USD stage with their skins and blend shapes."""

from __future__ import annotations

from typing import Any

from pxr import UsdGeom, UsdShade, UsdSkel

from .usd_values import label, matrix, numbers, targets, tokens


def read_mesh(prim: Any, cache: Any) -> dict[str, Any]:
    """Faces, attributes with how they are spread over the mesh, and what binds it to a Skeleton."""
    mesh = UsdGeom.Mesh(prim)
    primvars = UsdGeom.PrimvarsAPI(prim)
    normals = primvars.GetPrimvar("normals")
    return {
        "name": label(prim),
        "world": matrix(cache.GetLocalToWorldTransform(prim)),
        "points": numbers(mesh.GetPointsAttr().Get(), 3),
        "counts": numbers(mesh.GetFaceVertexCountsAttr().Get()),
        "corners": numbers(mesh.GetFaceVertexIndicesAttr().Get()),
        "left_handed": mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded,
        "double_sided": bool(mesh.GetDoubleSidedAttr().Get()),
        "normals": _primvar(normals, 3) if normals and normals.HasValue() else _normals(mesh),
        "uvs": _primvar(_coordinates(primvars), 2),
        "colors": _primvar(mesh.GetDisplayColorPrimvar(), 3),
        "opacities": _primvar(mesh.GetDisplayOpacityPrimvar()),
        "material": _material(prim),
        "parts": _parts(prim),
        "skin": _skin(prim),
        "blends": _blends(prim),
    }


def _normals(mesh: Any) -> dict[str, Any] | None:
    values = mesh.GetNormalsAttr().Get()
    if not values:
        return None
    return {"values": numbers(values, 3), "indices": None, "spread": str(mesh.GetNormalsInterpolation())}


def _coordinates(primvars: Any) -> Any:
    for primvar in primvars.GetPrimvarsWithAuthoredValues():
        if str(primvar.GetTypeName()) in ("texCoord2f[]", "float2[]") and primvar.GetPrimvarName() in (
            "st",
            "UVMap",
            "st0",
        ):
            return primvar
    return None


def _primvar(primvar: Any, *tail: int) -> dict[str, Any] | None:
    if not primvar or not primvar.HasValue():
        return None
    values = primvar.Get()
    if values is None or not len(values):
        return None
    indices = primvar.GetIndices() if primvar.IsIndexed() else None
    return {
        "values": numbers(values, *tail),
        "indices": numbers(indices) if indices else None,
        "spread": str(primvar.GetInterpolation()),
    }


def _material(prim: Any) -> str:
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    return str(material.GetPath()) if material else ""


def _parts(prim: Any) -> list[dict[str, Any]]:
    """Faces that wear a material of their own."""
    answer = []
    for subset in UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets():
        faces = numbers(subset.GetIndicesAttr().Get())
        answer.append({"material": _material(subset.GetPrim()), "faces": faces})
    return answer


def _skin(prim: Any) -> dict[str, Any] | None:
    binding = UsdSkel.BindingAPI(prim)
    skeleton = binding.GetInheritedSkeleton()
    primvars = UsdGeom.PrimvarsAPI(prim)
    indices = primvars.FindPrimvarWithInheritance("skel:jointIndices")
    weights = primvars.FindPrimvarWithInheritance("skel:jointWeights")
    if not skeleton or not indices or not weights or not indices.HasValue() or not weights.HasValue():
        return None
    placed = binding.GetGeomBindTransformAttr().Get()
    return {
        "skeleton": str(skeleton.GetPath()),
        "joints": tokens(binding.GetJointsAttr()),
        "placed": matrix(placed) if placed is not None else None,
        "indices": numbers(indices.ComputeFlattened()),
        "weights": numbers(weights.ComputeFlattened()),
        "width": int(indices.GetElementSize()),
        "spread": str(indices.GetInterpolation()),
    }


def _blends(prim: Any) -> list[dict[str, Any]]:
    binding = UsdSkel.BindingAPI(prim)
    names, paths = tokens(binding.GetBlendShapesAttr()), targets(binding.GetBlendShapeTargetsRel())
    answer = []
    for name, path in zip(names, paths, strict=False):
        shape = UsdSkel.BlendShape(prim.GetStage().GetPrimAtPath(path))
        if shape:
            answer.append(
                {
                    "name": name,
                    "offsets": numbers(shape.GetOffsetsAttr().Get(), 3),
                    "normals": numbers(shape.GetNormalOffsetsAttr().Get(), 3),
                    "points": numbers(shape.GetPointIndicesAttr().Get()),
                    "between": len(shape.GetInbetweens()),
                }
            )
    return answer
