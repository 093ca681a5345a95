"""Materials and their textures, each written once."""

from __future__ import annotations

from mummer.character import Material
from mummer.io.gltf.builder import Builder
from mummer.io.gltf.fields import Json
from mummer.io.gltf.images import media_type
from mummer.report import ReportBuilder


class Materials:
    """The materials of a document in the making."""

    def __init__(self, builder: Builder, report: ReportBuilder) -> None:
        self.builder, self.report = builder, report
        self.materials: list[Json] = []
        self.images: list[Json] = []
        self._material_numbers: dict[tuple[Material, bool], int] = {}
        self._image_numbers: dict[bytes, int] = {}

    def add(self, material: Material, *, textured: bool) -> int:
        """The number of a material; without its texture if the mesh has no coordinates for one."""
        key = (material, textured)
        if key not in self._material_numbers:
            self._material_numbers[key] = len(self.materials)
            self.materials.append(self._described(material, textured))
        return self._material_numbers[key]

    def _described(self, material: Material, textured: bool) -> Json:
        surface: Json = {
            "baseColorFactor": [float(value) for value in material.base_color],
            "metallicFactor": float(material.metallic),
            "roughnessFactor": float(material.roughness),
        }
        image = self._image(material.texture) if textured and material.texture else None
        if image is not None:
            surface["baseColorTexture"] = {"index": image}
        described: Json = {"name": material.name, "pbrMetallicRoughness": surface}
        if material.alpha_mode != "opaque":
            described["alphaMode"] = material.alpha_mode.upper()
        if material.alpha_mode == "mask":
            described["alphaCutoff"] = float(material.alpha_cutoff)
        if material.double_sided:
            described["doubleSided"] = True
        return described

    def _image(self, content: bytes) -> int | None:
        kind = media_type(content)
        if kind is None:
            self.report.add("ignored", "textures that are neither PNG nor JPEG")
            return None
        if content not in self._image_numbers:
            self._image_numbers[content] = len(self.images)
            self.images.append({"bufferView": self.builder.add_bytes(content), "mimeType": kind})
        return self._image_numbers[content]

    def sections(self) -> Json:
        """The parts of the document that hold materials; each texture is the image of the same number."""
        found: Json = {"materials": self.materials} if self.materials else {}
        if self.images:
            found["images"] = self.images
            found["textures"] = [{"source": number} for number in range(len(self.images))]
        return found
