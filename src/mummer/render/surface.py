"""The surface of one or more bodies as the rasteriser wants it: what does not change from frame to frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray
from mummer.character import Mesh
from mummer.character.mesh import Material
from mummer.errors import InputError
from mummer.render.textures import Atlas, build_atlas, has_holes

SOLID = (-1.0, 1.0, 0.0)
"""The row of `Surface.alphas` for a triangle without holes."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles and how they look.

    Attributes:
        faces: (F, 3) corners, int32.
        colors: (V, 3) linear RGB, float32.
        uvs: (V, 2) texture coordinates, float32.
        face_material: (F,) row of ``materials``, int32.
        materials: (M, 3) metallic, roughness, texture or -1.
        alphas: (F, 3) texture of the alpha or -1, alpha of the material, and the alpha from which a sample is covered,
            or a negative number where that differs from sample to sample so that their mean is right; float32.
        atlas: the textures.
    """

    faces: IntArray
    colors: FloatArray
    uvs: FloatArray
    face_material: IntArray
    materials: FloatArray
    alphas: FloatArray
    atlas: Atlas

    def __post_init__(self) -> None:
        # The loops that read these trust them.
        if self.faces.size and not 0 <= self.faces.min() <= self.faces.max() < len(self.colors):
            raise InputError(f"a triangle of a surface points outside its {len(self.colors)} vertices")


@dataclass(frozen=True, eq=False)
class Shape:
    """Where the surface is at one moment.

    Attributes:
        positions: (V, 3) metres in the world, float64.
        normals: (V, 3) unit, float32.
    """

    positions: FloatArray
    normals: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", np.ascontiguousarray(self.positions, np.float64))
        object.__setattr__(self, "normals", np.ascontiguousarray(self.normals, np.float32))


@dataclass(frozen=True, eq=False)
class Part:
    """One mesh of a surface before parts are joined.

    Attributes:
        triangles: (F, 3) corners.
        colors: (V, 3) linear RGB.
        uvs: (V, 2) or None.
        material: how it looks.
    """

    triangles: IntArray
    colors: FloatArray
    uvs: FloatArray | None
    material: Material


def part_of_mesh(mesh: Mesh) -> Part:
    """The look of one mesh: its material's colour times its vertex colours."""
    base = np.asarray(mesh.material.base_color, np.float32)[:3]
    colors = np.broadcast_to(base, (len(mesh.positions), 3))
    if mesh.colors is not None:
        colors = colors * np.nan_to_num(mesh.colors[:, :3], nan=1.0)
    return Part(mesh.triangles, np.clip(colors, 0.0, 1.0), mesh.uvs, mesh.material)


def join_parts(parts: Sequence[Part]) -> Surface:
    """All parts as one surface; their vertices follow one another in the order given."""
    images: dict[bytes, int] = {}
    faces, colors, uvs, face_material, materials, alphas = [], [], [], [], [], []
    start = 0
    for place, part in enumerate(parts):
        texture = _texture_of(part, images)
        faces.append(part.triangles + start)
        colors.append(part.colors)
        uvs.append(np.zeros((len(part.colors), 2)) if part.uvs is None else part.uvs)
        face_material.append(np.full(len(part.triangles), place))
        materials.append((part.material.metallic, part.material.roughness, texture))
        alphas.append(np.tile(_alpha_of(part.material, texture), (len(part.triangles), 1)))
        start += len(part.colors)
    return Surface(
        _joined(faces, np.int32, 3),
        _joined(colors, np.float32, 3),
        _joined(uvs, np.float32, 2),
        _joined(face_material, np.int32),
        np.asarray(materials, np.float64).reshape(-1, 3),
        _joined(alphas, np.float32, 3),
        build_atlas(list(images)),
    )


def _texture_of(part: Part, images: dict[bytes, int]) -> int:
    """The number of a part's texture, -1 for none."""
    if part.material.texture is None or part.uvs is None:
        return -1
    return images.setdefault(part.material.texture, len(images))


def _alpha_of(material: Material, texture: int) -> tuple[float, float, float]:
    """Texture, alpha and threshold as `Surface.alphas` has them."""
    alpha = float(material.base_color[3])
    if material.alpha_mode == "opaque":
        return SOLID
    holed = texture >= 0 and material.texture is not None and has_holes(material.texture)
    threshold = material.alpha_cutoff if material.alpha_mode == "mask" else -1.0
    return float(texture if holed else -1), alpha, threshold


def _joined(arrays: Sequence[FloatArray | IntArray], dtype: type, width: int | None = None) -> npt.NDArray[Any]:
    shape = (0,) if width is None else (0, width)
    return np.ascontiguousarray(np.concatenate([np.empty(shape, dtype), *arrays]), dtype)
