"""Building documents: arrays go to the end of a buffer, with the views and accessors that describe them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.errors import InputError
from mummer.io.gltf.fields import Json

COMPONENT_NUMBERS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
VERTICES, TRIANGLES = 34962, 34963
SPARSE_BELOW = 0.4
"""A morph target that moves a smaller part of the vertices than this is stored sparsely."""


@dataclass
class Builder:
    """Binary data in the making.

    Attributes:
        views: the buffer views of the document, old ones first.
        accessors: the accessors of the document, old ones first.
        start: how many bytes the buffer has already.
        buffer: which buffer grows.
    """

    views: list[Json] = field(default_factory=list)
    accessors: list[Json] = field(default_factory=list)
    start: int = 0
    buffer: int = 0
    _pieces: list[bytes] = field(default_factory=list)
    _length: int = 0
    _shared: dict[tuple[int, str], tuple[npt.NDArray[Any], int]] = field(default_factory=dict)

    @property
    def added(self) -> bytes:
        """The bytes to put after those that the buffer has already."""
        return b"".join(self._pieces)

    def add_bytes(self, content: bytes, target: int | None = None) -> int:
        """A new buffer view with this content, starting at a multiple of four bytes."""
        padding = -(self.start + self._length) % 4
        if padding:
            self._pieces.append(b"\0" * padding)
        view: Json = {
            "buffer": self.buffer,
            "byteOffset": self.start + self._length + padding,
            "byteLength": len(content),
        }
        if target is not None:
            view["target"] = target
        self._pieces.append(content)
        self._length += padding + len(content)
        self.views.append(view)
        return len(self.views) - 1

    def add_array(self, array: npt.NDArray[Any], kind: str, *, target: int | None = None, bounds: bool = False) -> int:
        """An accessor for an array (count, ...) whose rows are one ``kind`` each, in a view of its own.

        A read-only array that was added before keeps its accessor: meshes often share theirs.
        """
        key = (id(array), kind)
        if key not in self._shared:
            view = self.add_bytes(_packed(array).tobytes(), target)
            number = self._accessor(array, kind, bounds, bufferView=view)
            if array.flags.writeable:
                return number
            self._shared[key] = (array, number)
        return self._shared[key][1]

    def add_arrays(self, arrays: list[tuple[npt.NDArray[Any], str, bool]]) -> list[int]:
        """New accessors for several arrays, each with its kind and whether bounds are stated, in one shared view."""
        contents = [_packed(array).tobytes() for array, _, _ in arrays]
        view = self.add_bytes(b"".join(contents))
        offsets = np.cumsum([0, *(len(content) for content in contents)]).tolist()
        return [
            self._accessor(array, kind, bounds, bufferView=view, **({"byteOffset": offset} if offset else {}))
            for (array, kind, bounds), offset in zip(arrays, offsets, strict=False)
        ]

    def add_offsets(self, array: npt.NDArray[Any], *, bounds: bool) -> int:
        """A new accessor for the displacements (V, 3) of a morph target, sparse if few vertices move."""
        moved = np.flatnonzero(array.any(axis=1))
        if len(moved) >= SPARSE_BELOW * len(array) or len(moved) == 0:
            return self.add_array(array, "VEC3", bounds=bounds)
        places = moved.astype(np.uint16 if len(array) <= 65535 else np.uint32)
        index = self._accessor(array, "VEC3", bounds)
        self.accessors[index]["sparse"] = {
            "count": len(moved),
            "indices": {
                "bufferView": self.add_bytes(places.tobytes()),
                "componentType": COMPONENT_NUMBERS[places.dtype.str[1:]],
            },
            "values": {"bufferView": self.add_bytes(_packed(array[moved]).tobytes())},
        }
        return index

    def _accessor(self, array: npt.NDArray[Any], kind: str, bounds: bool, **place: int) -> int:
        packed = _packed(array)
        accessor: Json = {
            **place,
            "componentType": COMPONENT_NUMBERS[packed.dtype.str[1:]],
            "count": len(packed),
            "type": kind,
        }
        if bounds:
            rows = packed.reshape(len(packed), -1)
            accessor["min"], accessor["max"] = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _packed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array as it is stored: contiguous, floats in single precision.

    Raises:
        InputError: if a number is too large for that.
    """
    if array.dtype.kind != "f":
        return np.ascontiguousarray(array)
    with np.errstate(over="ignore"):
        packed = np.ascontiguousarray(array, np.float32)
    if not np.all(np.isfinite(packed)):
        raise InputError("the character holds numbers that glTF, which stores single precision, cannot hold")
    return packed
