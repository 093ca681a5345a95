"""The materials that the meshes of a USD stage wear, as far as pictures need them."""

from __future__ import annotations

from typing import Any

from pxr import UsdShade

from .usd_values import label


def read_materials(meshes: list[Any]) -> dict[str, dict[str, Any]]:
    """Each worn material by its path: what its UsdPreviewSurface says."""
    answer: dict[str, dict[str, Any]] = {}
    for prim in meshes:
        subsets = UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets()
        for wearer in (prim, *(subset.GetPrim() for subset in subsets)):
            material, _ = UsdShade.MaterialBindingAPI(wearer).ComputeBoundMaterial()
            path = str(material.GetPath()) if material else ""
            if material and path not in answer:
                answer[path] = _material(material)
    return answer


def _material(material: Any) -> dict[str, Any]:
    answer: dict[str, Any] = {"name": label(material.GetPrim())}
    surface = material.ComputeSurfaceSource()[0]
    if not surface:
        return answer
    for name in ("metallic", "roughness", "opacity", "diffuseColor"):
        entry = surface.GetInput(name)
        value = entry.Get() if entry else None
        if value is not None:
            answer[name] = [float(part) for part in value] if name == "diffuseColor" else float(value)
    color = surface.GetInput("diffuseColor")
    source = color.GetConnectedSources()[0] if color else []
    if source:
        answer |= _texture(UsdShade.Shader(source[0].source.GetPrim()))
    return answer


def _texture(shader: Any) -> dict[str, Any]:
    file = shader.GetInput("file") if shader else None
    asset = file.Get() if file else None
    if asset is None or not asset.path:
        return {}
    answer: dict[str, Any] = {"texture_name": str(asset.path)}
    scale = shader.GetInput("scale")
    if scale and scale.Get() is not None:
        answer["diffuseColor"] = [float(part) for part in scale.Get()][:3]
    return answer
