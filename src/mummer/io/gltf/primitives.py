"""The parts of a mesh: attributes and triangles, whatever way they are stored, repaired where that is safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray
from mummer.io.gltf import accessors, buffers, compression
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading
from mummer.io.gltf.topology import to_triangles

DRAWN = {4: "triangles", 5: "triangle strips", 6: "triangle fans"}


@dataclass(frozen=True, eq=False)
class Surface:
    """One primitive of a mesh, decoded.

    Attributes:
        positions: (V, 3) float32.
        triangles: (F, 3) int32.
        element: the primitive in the document.
        packed: attributes that come out of Draco compression, by name.
    """

    positions: FloatArray
    triangles: IntArray
    element: Element
    packed: dict[str, npt.NDArray[Any]]

    def floats(self, reading: Reading, name: str, *types: str) -> FloatArray | None:
        """An attribute (V, width) as float32, or None if the primitive has none of that name.

        Raises:
            FileError: if it is of another type or has another number of rows than the positions.
        """
        index = attribute(reading, self.element, name)
        if index is None:
            return None
        if name in self.packed:
            return _packed_floats(reading, index, self.packed[name])
        return self._fitting(accessors.read_floats(reading, index, *types), name)

    def integers(self, reading: Reading, name: str, *types: str) -> IntArray | None:
        """An attribute (V, width) of whole numbers, or None if the primitive has none of that name."""
        index = attribute(reading, self.element, name)
        if index is None:
            return None
        if name in self.packed:
            return self.packed[name].astype(np.int64)
        return self._fitting(accessors.read_integers(reading, index, *types), name)

    def mend(self, reading: Reading, name: str, values: npt.NDArray[Any]) -> None:
        """Keep a repaired attribute (V, width), so that it is written; what was packed is then written plainly."""
        index = attribute(reading, self.element, name)
        if index is None:
            return
        if self.packed:
            self._unpack(reading)
        reading.mended.accessors[index] = values

    def mend_triangles(self, reading: Reading, triangles: IntArray) -> None:
        """Keep repaired triangles (F, 3), so that they are written."""
        place = self.place
        if self.packed:
            self._unpack(reading)
        reading.mended.fields[*place, "indices"] = triangles.astype(np.uint32).reshape(-1)
        reading.mended.fields[*place, "mode"] = 4

    @property
    def place(self) -> tuple[str | int, ...]:
        """Where the primitive stands in the document."""
        return tuple(int(part) if part.isdecimal() else part for part in self.element.place.strip("/").split("/"))

    def _unpack(self, reading: Reading) -> None:
        reading.mended.fields[*self.place, "extensions", "KHR_draco_mesh_compression"] = None
        for name, values in self.packed.items():
            index = attribute(reading, self.element, name)
            if index is not None:
                whole = name.startswith("JOINTS")
                plain = values if whole else _packed_floats(reading, index, values)
                reading.mended.accessors.setdefault(index, plain)
        index = self.element.index("indices", reading.count("accessors"), "accessor")
        if index is not None:
            reading.mended.accessors.setdefault(index, self.triangles.astype(np.uint32).reshape(-1, 1))

    def _fitting(self, values: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
        if len(values) != len(self.positions):
            raise self.element.error(f"has {len(values)} rows for {len(self.positions)} vertices", f"attributes/{name}")
        return values


def attribute(reading: Reading, primitive: Element, name: str) -> int | None:
    """The accessor of an attribute, or None."""
    attributes = primitive.optional("attributes")
    return None if attributes is None else attributes.index(name, reading.count("accessors"), "accessor")


def read_surface(reading: Reading, primitive: Element) -> Surface | None:
    """The positions and triangles of a primitive, or None if it draws no triangles.

    Raises:
        FileError: if it points outside its data.
        UndecodableError: if it is compressed and cannot be decompressed here.
    """
    mode = primitive.integer("mode", 4)
    if mode not in DRAWN:
        reading.report.add("ignored", "mesh parts of points or lines" if mode < 4 else "mesh parts of unknown kind")
        return None
    position = attribute(reading, primitive, "POSITION")
    if position is None:
        reading.report.add("ignored", "mesh parts without positions")
        return None
    packed = primitive.extension("KHR_draco_mesh_compression")
    if packed is not None:
        return _unpacked(reading, primitive, packed, position)
    positions = accessors.read_floats(reading, position, "VEC3")
    corners = _corners(reading, primitive, len(positions))
    return Surface(positions, to_triangles(reading, corners, mode), primitive, {})


def _corners(reading: Reading, primitive: Element, vertices: int) -> IntArray:
    index = primitive.index("indices", reading.count("accessors"), "accessor")
    if index is None:
        return np.arange(vertices, dtype=np.int32)
    corners = accessors.read_integers(reading, index, "SCALAR")[:, 0]
    if int(corners.max()) >= vertices or int(corners.min()) < 0:
        raise primitive.error(f"points at vertex {int(corners.max()):,}; there are {vertices:,}", "indices")
    return corners.astype(np.int32)


def _unpacked(reading: Reading, primitive: Element, packed: Element, position: int) -> Surface:
    index = primitive.index("indices", reading.count("accessors"), "accessor")
    view = packed.index("bufferView", reading.count("bufferViews"), "buffer view")
    if index is None or view is None:
        raise packed.error("needs a buffer view, and the primitive needs indices")
    vertices = reading.element("accessors", position).integer("count", least=1)
    corners = reading.element("accessors", index).integer("count", least=1)
    reading.spend(vertices * 16 + corners, packed.place)
    content = bytes(buffers.view(reading, view)[0])
    attributes, triangles = compression.decode_draco(packed, content, vertices=vertices, corners=corners)
    names = packed.child("attributes")
    found = {name: attributes[names.integer(name)] for name in names.raw if names.integer(name) in attributes}
    if "POSITION" not in found or found["POSITION"].shape[1] != 3:
        raise packed.error("holds no positions", "attributes")
    if triangles.size and int(triangles.max()) >= vertices:
        raise packed.error(f"points at vertex {int(triangles.max()):,}; there are {vertices:,}")
    positions = _packed_floats(reading, position, found["POSITION"])
    return Surface(positions, triangles.astype(np.int32), primitive, found)


def _packed_floats(reading: Reading, index: int, values: npt.NDArray[Any]) -> FloatArray:
    if values.dtype.kind == "f":
        return values.astype(np.float32)
    normalized = reading.element("accessors", index).raw.get("normalized") is True
    scale = np.iinfo(values.dtype).max if normalized else 1
    return values.astype(np.float32) / np.float32(scale)
