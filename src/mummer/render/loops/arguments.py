"""What the parameters of the rasteriser's loops hold; their precision is fixed, whatever the caller's arrays are."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from mummer.arrays import FloatArray, IntArray
from mummer.kernels.arguments import Argument

Size = Annotated[int, Argument("int64", 0)]
Number = Annotated[float, Argument("float64", 0)]
Points = Annotated[FloatArray, Argument("float64", 2)]
Numbers = Annotated[FloatArray, Argument("float64", 1)]
Vectors = Annotated[FloatArray, Argument("float32", 2)]
Faces = Annotated[IntArray, Argument("int32", 2)]
Indices = Annotated[IntArray, Argument("int32", 1)]
Image = Annotated[FloatArray, Argument("float32", 2)]
Texels = Annotated[IntArray, Argument("uint8", 1)]
Bytes = Annotated[IntArray, Argument("uint8", 1)]
Ids = Annotated[IntArray, Argument("int32", 2)]
Colors = Annotated[FloatArray, Argument("float32", 3)]

IndicesOut = Annotated[IntArray, Argument("int32", 1, written=True)]
FacesOut = Annotated[IntArray, Argument("int32", 2, written=True)]
ImageOut = Annotated[FloatArray, Argument("float32", 2, written=True)]
IdsOut = Annotated[IntArray, Argument("int32", 2, written=True)]
ColorsOut = Annotated[FloatArray, Argument("float32", 3, written=True)]
BytesOut = Annotated[IntArray, Argument("uint8", 3, written=True)]


class Texture(NamedTuple):
    """Pictures on surfaces.

    Attributes:
        texels: RGBA bytes of an atlas.
        levels: where its textures and their smaller copies are, see `mummer.render.textures`.
        linear: (256,) linear light of sRGB bytes.
    """

    texels: Texels
    levels: Points
    linear: Numbers


class Skin(NamedTuple):
    """Triangles as they are shaded.

    Attributes:
        points: (V, 3) homogeneous sample coordinates.
        world: (V, 3) places in metres.
        normals: (V, 3) unit.
        faces: (F, 3) corners.
        colors: (V, 3) linear RGB.
        uvs: (V, 2) texture coordinates.
        material: (F,) row of ``materials``.
        materials: (M, 3) metallic, roughness, texture or -1.
    """

    points: Points
    world: Points
    normals: Vectors
    faces: Faces
    colors: Vectors
    uvs: Vectors
    material: Indices
    materials: Points


class Shadow(NamedTuple):
    """What the key light sees.

    Attributes:
        from_world: (4, 4): three rows of homogeneous map coordinates; the last row holds the offset in metres.
        nearness: 1 / distance of what the light sees, 0 for nothing.
    """

    from_world: Points
    nearness: Image


class Tiles(NamedTuple):
    """Which triangles may be seen in which tile of a picture.

    Attributes:
        starts: (tiles + 1,) where each tile's list starts.
        listed: triangles of each tile, in order.
        side: samples along a side of a tile.
        columns: tiles in a row.
    """

    starts: Indices
    listed: Indices
    side: Size
    columns: Size
