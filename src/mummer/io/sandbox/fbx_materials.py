"""The materials of an FBX scene, as far as pictures need them."""

from __future__ import annotations

import base64
from typing import Any

from .fbx_values import each, keep


def read_materials(scene: Any, most_bytes: int) -> list[dict[str, Any]]:
    """Base colour, roughness and the base colour's texture: embedded bytes where the file has them, else its name."""
    left, answer = most_bytes, []
    for material in each(scene.materials):
        entry = _material(material)
        texture = _texture(material)
        if texture is not None:
            content = texture.content
            entry["texture_name"] = texture.relative_filename or texture.filename or texture.name or "texture"
            if content and len(content) <= left:
                left -= len(content)
                entry["texture"] = base64.b64encode(content).decode()
        answer.append(entry)
    return answer


def _material(material: Any) -> dict[str, Any]:
    pbr = keep(material.pbr)
    color, factor = keep(pbr.base_color), keep(pbr.base_factor)
    strength = factor.value_vec4.x if factor.has_value else 1.0
    return {
        "name": material.name,
        "color": [float(channel) * strength for channel in color.value_vec4[:3]] if color.has_value else None,
        "roughness": _number(keep(pbr.roughness), 0.8),
        "metallic": _number(keep(pbr.metalness), 0.0),
    }


def _number(entry: Any, default: float) -> float:
    return float(entry.value_vec4.x) if entry.has_value else default


def _texture(material: Any) -> Any:
    for maps, name in ((keep(material.pbr), "base_color"), (keep(material.fbx), "diffuse_color")):
        texture = keep(keep(getattr(maps, name)).texture)
        if texture is not None:
            return texture
    return None
