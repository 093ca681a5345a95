"""Accessors: typed arrays in the bytes of a document. Sizes are tested against the bytes before anything is made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray
from mummer.io.gltf import buffers
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading, aligned

COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
SHAPES: dict[str, tuple[int, int]] = {
    "SCALAR": (1, 1),
    "VEC2": (1, 2),
    "VEC3": (1, 3),
    "VEC4": (1, 4),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
"""Columns and rows of each type."""

PLAIN = {
    (number, name): (dtype, columns * rows, columns * rows * dtype.itemsize)
    for number, dtype in COMPONENTS.items()
    for name, (columns, rows) in SHAPES.items()
    if columns == 1 or dtype.itemsize == 4
}
"""Type, width and bytes of the elements whose parts lie without gaps."""


@dataclass(frozen=True)
class Layout:
    """How the elements of an accessor lie in their bytes.

    Attributes:
        dtype: type of one component.
        count: number of elements.
        columns, rows: shape of one element.
        column_bytes: bytes from one column to the next; matrices of small integers pad theirs to four.
    """

    dtype: np.dtype[Any]
    count: int
    columns: int
    rows: int
    column_bytes: int

    @property
    def width(self) -> int:
        """Components of one element."""
        return self.columns * self.rows

    @property
    def element_bytes(self) -> int:
        """Bytes of one element when packed tightly."""
        return self.columns * self.column_bytes


def read_floats(reading: Reading, index: int, *types: str) -> FloatArray:
    """(count, width) float32 values; normalised integers become -1 to 1, other integers their value.

    Args:
        reading: the reading this is part of.
        index: which accessor; must have been checked.
        types: the types that will do, for instance ``VEC3``; matrices come column by column.

    Raises:
        FileError: if the accessor is of another type, or its bytes are not there.
    """
    found = _decoded(reading, index)
    _require_type(reading, index, types, "numbers")
    if found.dtype == np.float32:
        return found
    if index not in reading.floats:
        normalized = reading.entries("accessors")[index].get("normalized") is True
        converted = reading.floats[index] = _as_floats(found, normalized)
        converted.flags.writeable = False
    return reading.floats[index]


def read_integers(reading: Reading, index: int, *types: str) -> IntArray:
    """(count, width) whole numbers in the type they are stored in.

    Raises:
        FileError: if the accessor holds floats or is of another type, or its bytes are not there.
    """
    found = _decoded(reading, index)
    _require_type(reading, index, types, "whole numbers", found.dtype.kind != "f")
    return found


def _decoded(reading: Reading, index: int) -> npt.NDArray[Any]:
    found = reading.arrays.get(index)
    if found is None:
        found = _read_plain(reading, reading.entries("accessors")[index])
        if found is None:
            found = _read(reading, reading.element("accessors", index))
        found.flags.writeable = False
        reading.arrays[index] = found
    return found


def _read_plain(reading: Reading, raw: Any) -> npt.NDArray[Any] | None:
    """A packed accessor without anything unusual; None sends all others through the checks that name what is wrong.

    Files with many clips have ten thousand of them, so this path takes each in one breath.
    """
    try:
        dtype, width, size = PLAIN[raw["componentType"], raw["type"]]
        count, view, offset = raw["count"], raw["bufferView"], raw.get("byteOffset", 0)
    except (KeyError, TypeError, AttributeError):
        return None
    if type(count) is not int or type(view) is not int or type(offset) is not int or "sparse" in raw:
        return None
    if count < 1 or offset < 0 or not 0 <= view < reading.count("bufferViews"):
        return None
    content, stride = buffers.view(reading, view)
    if stride not in (0, size) or offset + count * size > len(content):
        return None
    reading.spend(count * width, "/accessors")
    return aligned(np.frombuffer(content, dtype, count * width, offset)).reshape(count, width)


def _require_type(reading: Reading, index: int, types: tuple[str, ...], what: str, holds: bool = True) -> None:
    raw = reading.entries("accessors")[index]
    if raw["type"] not in types or not holds:
        found = f"{raw['type']} of component type {raw['componentType']}"
        raise reading.element("accessors", index).error(f"is {found}; expected {' or '.join(types)} of {what}")


def _read(reading: Reading, element: Element) -> npt.NDArray[Any]:
    layout = _layout(reading, element)
    view = element.index("bufferView", reading.count("bufferViews"), "buffer view")
    if view is None:
        values = np.zeros((layout.count, layout.width), layout.dtype)
    else:
        values = _from_view(reading, element, layout, view, element.integer("byteOffset", 0))
    if "sparse" in element:
        values = _with_sparse(reading, element.child("sparse"), layout, values)
    return values


def _layout(reading: Reading, element: Element) -> Layout:
    dtype = COMPONENTS.get(element.integer("componentType"))
    if dtype is None:
        raise element.error(f"is {element.raw['componentType']}; expected one of {sorted(COMPONENTS)}", "componentType")
    kind = element.text("type")
    if kind not in SHAPES:
        raise element.error(f"is {kind[:40]!r}; expected one of {', '.join(SHAPES)}", "type")
    columns, rows = SHAPES[kind]
    column_bytes = rows * dtype.itemsize
    if columns > 1:
        column_bytes += -column_bytes % 4
    count = element.integer("count", least=1)
    reading.spend(count * columns * rows, element.place)
    return Layout(dtype, count, columns, rows, column_bytes)


def _from_view(reading: Reading, element: Element, layout: Layout, view: int, offset: int) -> npt.NDArray[Any]:
    """The elements that lie in a buffer view, without copying where they lie packed and aligned."""
    content, stride = buffers.view(reading, view)
    size = layout.element_bytes
    stride = stride or size
    if stride < size:
        raise element.error(f"has elements of {size} bytes, which lie only {stride} apart")
    end = offset + stride * (layout.count - 1) + size
    if end > len(content):
        raise element.error(f"needs {end:,} bytes of buffer view {view}, which has {len(content):,}")
    array: npt.NDArray[Any] = np.ndarray(
        (layout.count, layout.columns, layout.rows),
        layout.dtype,
        content,
        offset,
        (stride, layout.column_bytes, layout.dtype.itemsize),
    )
    return aligned(array).reshape(layout.count, layout.width)


def _with_sparse(reading: Reading, sparse: Element, layout: Layout, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The values with the rows that a sparse accessor names exchanged."""
    count = sparse.integer("count", least=1)
    if count > layout.count:
        raise sparse.error(f"is {count:,}; the accessor has only {layout.count:,} elements", "count")
    place, content = sparse.child("indices"), sparse.child("values")
    place_type = COMPONENTS.get(place.integer("componentType"))
    if place_type is None or place_type.kind != "u":
        raise place.error("is not a type of unsigned whole numbers", "componentType")
    rows = _sparse_part(reading, place, Layout(place_type, count, 1, 1, place_type.itemsize))[:, 0]
    if int(rows.max()) >= layout.count:
        raise place.error(f"points at element {int(rows.max()):,}; there are {layout.count:,}")
    changed = values.copy()
    changed[rows] = _sparse_part(reading, content, replace(layout, count=count))
    return changed


def _sparse_part(reading: Reading, element: Element, layout: Layout) -> npt.NDArray[Any]:
    view = element.index("bufferView", reading.count("bufferViews"), "buffer view")
    if view is None:
        raise element.error("names no buffer view")
    return _from_view(reading, element, layout, view, element.integer("byteOffset", 0))


def _as_floats(values: npt.NDArray[Any], normalized: bool) -> FloatArray:
    if not normalized:
        return values.astype(np.float32)
    most = np.float32(np.iinfo(values.dtype).max)
    scaled = values.astype(np.float32) / most
    return np.maximum(scaled, np.float32(-1.0)) if values.dtype.kind == "i" else scaled
