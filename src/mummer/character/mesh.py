"""Meshes: the surface of a body, with what it needs to be bent and to be seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character._checks import require_exact_shape
from mummer.character.skin import Skin
from mummer.errors import InputError, UnknownNameError

AlphaMode = Literal["opaque", "mask", "blend"]
ALPHA_MODES: tuple[AlphaMode, ...] = ("opaque", "mask", "blend")


@dataclass(frozen=True)
class Material:
    """How a surface looks, as far as pictures need it.

    Attributes:
        name: what the file calls it.
        base_color: linear RGBA, each 0 to 1.
        metallic, roughness: 0 to 1.
        double_sided: whether the back of a triangle is seen.
        texture: encoded image bytes (PNG or JPEG) of the base colour, or None.
        alpha_mode: how alpha is meant: ``opaque`` ignores it, ``mask`` cuts holes, ``blend`` is half-clear. If not
            given, ``blend`` for a base colour that is not fully opaque, else ``opaque``.
        alpha_cutoff: for ``mask``, the alpha below which there is a hole.
    """

    name: str = "material"
    base_color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    metallic: float = 0.0
    roughness: float = 0.8
    double_sided: bool = False
    texture: bytes | None = field(default=None, repr=False)
    alpha_mode: AlphaMode = ""  # type: ignore[assignment]
    alpha_cutoff: float = 0.5

    def __post_init__(self) -> None:
        if not self.alpha_mode:
            object.__setattr__(self, "alpha_mode", "blend" if self.base_color[3] < 1 else "opaque")
        if self.alpha_mode not in ALPHA_MODES:
            raise UnknownNameError(f"material {self.name!r}", "alpha mode", str(self.alpha_mode), ALPHA_MODES)


@dataclass(frozen=True, eq=False)
class MorphTarget:
    """One shape that a mesh can be blended towards.

    Attributes:
        name: shared by all meshes that move together, for instance ``jaw_open``.
        positions: (V, 3) displacement of each vertex in mesh space.
        normals: (V, 3) change of each normal, or None.
    """

    name: str
    positions: FloatArray
    normals: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", locked(self.positions, np.float32))
        require_exact_shape(self.positions, (None, 3), f"positions of morph {self.name!r}")
        if self.normals is not None:
            object.__setattr__(self, "normals", locked(self.normals, np.float32))
            require_exact_shape(self.normals, self.positions.shape, f"normals of morph {self.name!r}")


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one material, bound to a skeleton.

    Attributes:
        name: what the file calls it.
        positions: (V, 3) in mesh space, metres once the skin's binds are applied.
        triangles: (F, 3) vertex indices, counter-clockwise seen from outside.
        skin: which joints carry which vertex. A part that moves rigidly with one joint has a skin of one influence.
        normals: (V, 3) unit, or None.
        uvs: (V, 2) texture coordinates, v down, or None.
        colors: (V, 4) linear RGBA that multiply the material's, or None.
        morphs: shapes that can be blended in.
        material: how it looks.
    """

    name: str
    positions: FloatArray
    triangles: IntArray
    skin: Skin
    normals: FloatArray | None = None
    uvs: FloatArray | None = None
    colors: FloatArray | None = None
    morphs: tuple[MorphTarget, ...] = ()
    material: Material = Material()

    def __repr__(self) -> str:
        size = f"{len(self.positions)} vertices, {len(self.triangles)} triangles, {len(self.morphs)} morphs"
        return f"Mesh({self.name!r}, {size})"

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "positions", locked(self.positions, np.float32))
        set_field(self, "triangles", locked(self.triangles, np.int32))
        set_field(self, "morphs", tuple(self.morphs))
        require_exact_shape(self.positions, (None, 3), f"positions of mesh {self.name!r}")
        require_exact_shape(self.triangles, (None, 3), f"triangles of mesh {self.name!r}")
        count = len(self.positions)
        for name, width in (("normals", 3), ("uvs", 2), ("colors", 4)):
            values = getattr(self, name)
            if values is not None:
                array = locked(values, np.float32)
                require_exact_shape(array, (count, width), f"{name} of mesh {self.name!r}")
                set_field(self, name, array)
        if self.triangles.size and not 0 <= self.triangles.min() <= self.triangles.max() < count:
            raise InputError(f"a triangle of mesh {self.name!r} points outside its {count} vertices")
        if len(self.skin.weights) != count:
            raise InputError(
                f"the skin of mesh {self.name!r} is for {len(self.skin.weights)} vertices; expected {count}"
            )
        for morph in self.morphs:
            if len(morph.positions) != count:
                raise InputError(
                    f"morph {morph.name!r} of mesh {self.name!r} has {len(morph.positions)} vertices; expected {count}"
                )
