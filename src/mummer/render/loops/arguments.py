"""What the parameters of the rasteriser's loops hold; their precision is fixed, whatever the caller's arrays are."""

from __future__ import annotations

from typing import Annotated

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
