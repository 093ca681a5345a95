"""Compressed content: meshopt buffer views, and Draco meshes where the extra ``compressed`` is installed.

What cannot be decoded stays in the document untouched and is left out of the character.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.errors import MalformedFileError
from mummer.io.gltf import meshopt
from mummer.io.gltf.fields import Element
from mummer.io.gltf.meshopt_filters import FILTERS

METADATA_FLAG = 0x8000


class UndecodableError(MalformedFileError):
    """Content that is compressed and cannot be decompressed here."""


def _failure(element: Element, what: str) -> UndecodableError:
    return UndecodableError(element.path, what, place=element.place)


def decode_meshopt(packed: Element, content: bytes, count: int, stride: int) -> bytes:
    """The ``count * stride`` bytes of a meshopt-compressed buffer view.

    Args:
        packed: the extension object.
        content: the compressed bytes.
        count: number of elements; must have been counted against the limits.
        stride: bytes of an element.

    Raises:
        UndecodableError: if the content is damaged, or asks for what the extension does not define.
    """
    mode, filtered = packed.text("mode"), packed.text("filter", "NONE")
    data = np.frombuffer(content, np.uint8)
    try:
        if mode == "ATTRIBUTES":
            _require(packed, stride % 4 == 0 and stride <= 256, f"has elements of {stride} bytes")
            return _unfiltered(packed, meshopt.decode_attributes(data, count, stride), filtered).tobytes()
        _require(packed, mode in ("TRIANGLES", "INDICES") and stride in (2, 4), f"has mode {mode[:20]!r}")
        _require(packed, mode == "INDICES" or count % 3 == 0, f"has {count} indices of triangles")
        decode = meshopt.decode_triangles if mode == "TRIANGLES" else meshopt.decode_indices
        return decode(data, count).astype(f"<u{stride}").tobytes()
    except meshopt.MeshoptError as error:
        raise _failure(packed, f"cannot be decompressed: {error}") from None


def _unfiltered(packed: Element, elements: npt.NDArray[Any], filtered: str) -> npt.NDArray[Any]:
    if filtered == "NONE":
        return elements
    _require(packed, filtered in FILTERS, f"has filter {filtered[:20]!r}")
    undo, strides = FILTERS[filtered]
    _require(packed, elements.shape[1] in strides, f"filters elements of {elements.shape[1]} bytes")
    return undo(elements)


def _require(element: Element, holds: bool, what: str) -> None:
    if not holds:
        raise _failure(element, f"{what}, which meshopt compression does not have")


def decode_draco(
    packed: Element, content: bytes, *, vertices: int, corners: int
) -> tuple[dict[int, npt.NDArray[Any]], npt.NDArray[Any]]:
    """The attributes by their Draco number, (V, width) each, and the (F, 3) triangles of a Draco-compressed mesh.

    Args:
        packed: the extension object.
        content: the compressed bytes.
        vertices: how many vertices the document states.
        corners: how many corners of triangles the document states.

    Raises:
        UndecodableError: if the library is not installed, cannot decode the content, or finds other counts than the
            document states.
    """
    try:
        import DracoPy
    except ImportError:
        raise _failure(packed, "is compressed with Draco; decoding needs the extra 'compressed'") from None
    _check_draco_sizes(packed, content, vertices, corners)
    try:
        mesh = DracoPy.decode(content)
        attributes = {int(each["unique_id"]): np.asarray(each["data"]) for each in mesh.attributes}
        triangles = np.asarray(mesh.faces).reshape(-1, 3)
    except Exception as error:  # the library raises many kinds, some of them its own
        raise _failure(packed, f"cannot be decompressed: {str(error)[:120]}") from None
    if triangles.size != corners or any(len(data) != vertices for data in attributes.values()):
        raise _failure(packed, "holds other numbers of vertices or triangles than the document states")
    return attributes, triangles


def _check_draco_sizes(packed: Element, content: bytes, vertices: int, corners: int) -> None:
    """Compare the sizes in the Draco header with the document before the library makes room for them."""
    if len(content) < 13 or content[:5] != b"DRACO" or content[7] != 1:
        raise _failure(packed, "is not a Draco mesh")
    if int.from_bytes(content[9:11], "little") & METADATA_FLAG:
        raise _failure(packed, "carries Draco metadata, which is not decoded")
    edgebreaker = content[8] == 1
    first, offset = _variable_length(content, 12 if edgebreaker else 11)
    second, _ = _variable_length(content, offset)
    points, faces = (first, second) if edgebreaker else (second, first)
    if points > 2 * vertices + 64 or faces * 3 > corners:
        raise _failure(packed, f"claims {points:,} points and {faces:,} triangles, more than the document states")


def _variable_length(content: bytes, offset: int) -> tuple[int, int]:
    """A number stored seven bits a byte, and where the next one starts."""
    value, shift = 0, 0
    while offset < len(content) and shift < 64:
        byte = content[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
    return value, offset
