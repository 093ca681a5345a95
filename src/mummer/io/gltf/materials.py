"""Materials: what pictures need of them, and which texture coordinates they use."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.mesh import AlphaMode, Material
from mummer.errors import MalformedFileError
from mummer.io.gltf.fields import Element
from mummer.io.gltf.images import Images
from mummer.io.gltf.reading import Reading

_ALPHA_MODES: dict[str, AlphaMode] = {"OPAQUE": "opaque", "MASK": "mask", "BLEND": "blend"}


@dataclass(frozen=True)
class Look:
    """A material and how its base colour texture is laid on.

    Attributes:
        material: what pictures need.
        uv_set: which texture coordinates the base colour uses.
        texture_from_uv: (2, 3) affine change of the coordinates, or None.
    """

    material: Material
    uv_set: int = 0
    texture_from_uv: FloatArray | None = None


def read_looks(reading: Reading) -> list[Look]:
    """All materials of the document; what is wrong in one is left at its default, with a finding."""
    images = Images(reading)
    looks = []
    for index, element in enumerate(reading.elements("materials")):
        name = element.name() or f"material{index}"
        try:
            looks.append(_read_look(reading, element, images, name))
        except MalformedFileError as error:
            reading.report.add("ignored", f"material: {error.place} {error.what}")
            looks.append(Look(Material(name)))
    return looks


def _read_look(reading: Reading, element: Element, images: Images, name: str) -> Look:
    shiny = element.extension("KHR_materials_pbrSpecularGlossiness")
    metal = element.optional("pbrMetallicRoughness") or Element({}, element.place, element.path)
    colored, prefix = (shiny, "diffuse") if shiny is not None else (metal, "baseColor")
    color = colored.numbers(f"{prefix}Factor", 4, (1.0, 1.0, 1.0, 1.0))
    texture = colored.optional(f"{prefix}Texture")
    material = Material(
        name,
        (_unit(color[0]), _unit(color[1]), _unit(color[2]), _unit(color[3])),
        0.0 if shiny is not None else _unit(metal.number("metallicFactor", 1.0)),
        _unit(
            1.0 - shiny.number("glossinessFactor", 1.0) if shiny is not None else metal.number("roughnessFactor", 1.0)
        ),
        element.raw.get("doubleSided") is True,
        None if texture is None else _image(reading, texture, images),
        _ALPHA_MODES.get(str(element.raw.get("alphaMode", "OPAQUE")), "opaque"),
        _unit(element.number("alphaCutoff", 0.5)),
    )
    if texture is None:
        return Look(material)
    uv_set, layout = _layout(texture)
    return Look(material, uv_set, layout)


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _image(reading: Reading, texture: Element, images: Images) -> bytes | None:
    index = texture.index("index", reading.count("textures"), "texture")
    return None if index is None else images.of_texture(index)


def _layout(texture: Element) -> tuple[int, FloatArray | None]:
    uv_set = texture.integer("texCoord", 0)
    moved = texture.extension("KHR_texture_transform")
    if moved is None:
        return uv_set, None
    offset, scale = moved.numbers("offset", 2, (0.0, 0.0)), moved.numbers("scale", 2, (1.0, 1.0))
    angle = moved.number("rotation", 0.0)
    cosine, sine = math.cos(angle), math.sin(angle)
    layout = np.array(
        [[cosine * scale[0], sine * scale[1], offset[0]], [-sine * scale[0], cosine * scale[1], offset[1]]]
    )
    return moved.integer("texCoord", uv_set), layout
