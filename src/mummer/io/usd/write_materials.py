"""Materials as UsdPreviewSurfaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mummer.atomic import write_bytes
from mummer.character import Character, Material
from mummer.io.usd.names import identifiers

PNG = b"\x89PNG"


def write_materials(stage: Any, scope: Any, character: Character, beside: Path, stem: str) -> dict[Material, Any]:
    """Every material that some mesh wears, under ``scope``; textures go into the folder ``beside``."""
    from pxr import UsdGeom

    worn = list(dict.fromkeys(mesh.material for mesh in character.meshes))
    if not worn:
        return {}
    UsdGeom.Scope.Define(stage, scope)
    names = identifiers(material.name for material in worn)
    return {
        material: _write_material(stage, scope.AppendChild(name), material, beside, f"{stem}_{place}")
        for place, (material, name) in enumerate(zip(worn, names, strict=True))
    }


def _write_material(stage: Any, path: Any, material: Material, beside: Path, file_stem: str) -> Any:
    from pxr import Gf, Sdf, UsdShade

    prim = UsdShade.Material.Define(stage, path)
    prim.GetPrim().SetDisplayName(material.name)
    surface = UsdShade.Shader.Define(stage, path.AppendChild("Surface"))
    surface.CreateIdAttr("UsdPreviewSurface")
    red, green, blue, alpha = material.base_color
    color = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    color.Set(Gf.Vec3f(red, green, blue))
    for name, value in (("metallic", material.metallic), ("roughness", material.roughness), ("opacity", alpha)):
        surface.CreateInput(name, Sdf.ValueTypeNames.Float).Set(float(value))
    if material.texture is not None:
        kind = "png" if material.texture.startswith(PNG) else "jpg"
        write_bytes(beside / f"{file_stem}.{kind}", material.texture)
        texture = _write_texture(stage, path, f"./{file_stem}.{kind}", material)
        color.ConnectToSource(texture)
    surface.CreateOutput("surface", Sdf.ValueTypeNames.Token)
    prim.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
    return prim


def _write_texture(stage: Any, path: Any, file: str, material: Material) -> Any:
    from pxr import Gf, Sdf, UsdShade

    reader = UsdShade.Shader.Define(stage, path.AppendChild("TextureCoordinates"))
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
    texture = UsdShade.Shader.Define(stage, path.AppendChild("Texture"))
    texture.CreateIdAttr("UsdUVTexture")
    texture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(Sdf.AssetPath(file))
    texture.CreateInput("sourceColorSpace", Sdf.ValueTypeNames.Token).Set("sRGB")
    texture.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(*material.base_color))
    for wrap in ("wrapS", "wrapT"):
        texture.CreateInput(wrap, Sdf.ValueTypeNames.Token).Set("repeat")
    coordinates = texture.CreateInput("st", Sdf.ValueTypeNames.Float2)
    coordinates.ConnectToSource(reader.CreateOutput("result", Sdf.ValueTypeNames.Float2))
    return texture.CreateOutput("rgb", Sdf.ValueTypeNames.Float3)
