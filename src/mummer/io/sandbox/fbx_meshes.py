"""The meshes of an FBX scene with their skins and blend shapes."""

from __future__ import annotations

from typing import Any

from .fbx_values import each, integers, keep, matrices
from .transfer import block, view


def read_meshes(scene: Any) -> list[dict[str, Any]]:
    """Faces as the file has them: corners that index positions, normals, texture coordinates and colours."""
    return [_mesh(mesh) for mesh in each(scene.meshes)]


def _mesh(mesh: Any) -> dict[str, Any]:
    skins = each(mesh.skin_deformers)
    return {
        "name": mesh.name,
        "positions": view("f8", keep(mesh.vertices), 3),
        "faces": view("i4", keep(mesh.faces), 2),
        "corners": integers(mesh.vertex_indices),
        "face_materials": integers(mesh.face_material),
        "materials": [material.typed_id for material in each(mesh.materials)],
        "normals": _attribute(keep(mesh.vertex_normal), 3),
        "uvs": _attribute(keep(mesh.vertex_uv), 2),
        "colors": _attribute(keep(mesh.vertex_color), 4),
        "skins": [_skin(skin) for skin in skins],
        "blends": [_blend(channel) for blend in each(mesh.blend_deformers) for channel in each(blend.channels)],
        "caches": len(keep(mesh.cache_deformers)),
    }


def _attribute(attribute: Any, width: int) -> dict[str, Any] | None:
    if not attribute.exists:
        return None
    return {"values": view("f8", keep(attribute.values), width), "indices": integers(attribute.indices)}


def _skin(skin: Any) -> dict[str, Any]:
    clusters = each(skin.clusters)
    return {
        "bones": block("i4", (-1 if keep(one.bone_node) is None else one.bone_node.typed_id for one in clusters)),
        "bone_from_geometry": matrices(keep(one.geometry_to_bone) for one in clusters),
        "world_from_bone": matrices(keep(one.bind_to_world) for one in clusters),
        "weights": [view("f8", keep(one.weights)) for one in clusters],
        "vertices": [integers(one.vertices) for one in clusters],
    }


def _blend(channel: Any) -> dict[str, Any]:
    keys = each(channel.keyframes)
    shape = keep(channel.target_shape)
    answer: dict[str, Any] = {"name": channel.name, "channel": channel.typed_id, "weight": channel.weight}
    answer |= {"full": keys[-1].target_weight if keys else 1.0, "between": max(len(keys) - 1, 0), "shape": None}
    if shape is not None:
        answer["shape"] = {
            "name": shape.name,
            "vertices": integers(shape.offset_vertices),
            "positions": view("f8", keep(shape.position_offsets), 3),
            "normals": view("f8", keep(shape.normal_offsets), 3),
        }
    return answer
