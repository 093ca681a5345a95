"""The bytes behind a document: buffers beside the file or inside it, and the views into them."""

from __future__ import annotations

import base64
import binascii
from typing import Any
from urllib.parse import unquote_to_bytes

from mummer.errors import FileError, LimitError, MalformedFileError
from mummer.io import guard
from mummer.io.gltf import compression
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Bytes, Reading


def buffer(reading: Reading, index: int) -> Bytes:
    """The bytes of one buffer, exactly as many as it states.

    Raises:
        FileError: if they are not there, fewer than stated, or outside the file's folder.
    """
    if index in reading.buffers:
        return reading.buffers[index]
    element = reading.element("buffers", index)
    content = _content(reading, index, element)
    length = element.integer("byteLength", least=1)
    if length > len(content):
        raise element.error(f"states {length:,} bytes, but there are {len(content):,}", "byteLength")
    reading.buffers[index] = memoryview(content)[:length]
    return reading.buffers[index]


def _content(reading: Reading, index: int, element: Element) -> Bytes:
    if "uri" in element:
        return resource(reading, element)
    if index == 0 and reading.chunks.binary is not None:
        return reading.chunks.binary
    raise element.error("has no uri, and there is no binary chunk for it")


def resource(reading: Reading, element: Element) -> Bytes:
    """The bytes that the ``uri`` of a buffer or image means: embedded, or in a file beside the document."""
    uri = element.text("uri")
    if uri[:5].lower() == "data:":
        return _embedded(element, uri)
    try:
        return guard.read_bytes(guard.path_beside(reading.path, uri), reading.limits)
    except LimitError:
        raise
    except FileError as error:
        raise MalformedFileError(
            reading.path, f"the file {uri[:80]!r} {error.what}", place=f"{element.place}/uri"
        ) from None


def _embedded(element: Element, uri: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma:
        raise element.error("is a data URI without a comma", "uri")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise element.error(f"is not valid base64: {error}", "uri") from None


def view(reading: Reading, index: int) -> tuple[Bytes, int]:
    """The bytes of one buffer view, decompressed if need be, and its stride (0: tightly packed).

    Raises:
        FileError: if the view lies outside its buffer.
        UndecodableError: if it is compressed and cannot be decompressed here.
    """
    if index in reading.views:
        return reading.views[index]
    plain = _plain_view(reading, reading.entries("bufferViews")[index])
    if plain is not None:
        reading.views[index] = (plain, 0)
        return reading.views[index]
    element = reading.element("bufferViews", index)
    stride = element.integer("byteStride", 0)
    packed = element.extension("EXT_meshopt_compression") or element.extension("KHR_meshopt_compression")
    content = _slice(reading, element) if packed is None else _unpacked(reading, packed)
    reading.views[index] = (content, stride)
    return reading.views[index]


def _plain_view(reading: Reading, raw: Any) -> Bytes | None:
    """A view without stride or compression into a buffer that is at hand; None for all others, good or bad."""
    if type(raw) is not dict or "byteStride" in raw or "extensions" in raw:
        return None
    number, offset, length = raw.get("buffer"), raw.get("byteOffset", 0), raw.get("byteLength")
    if type(number) is not int or type(offset) is not int or type(length) is not int:
        return None
    content = reading.buffers.get(number)
    if content is None or offset < 0 or length < 1 or offset + length > len(content):
        return None
    return content[offset : offset + length]


def _unpacked(reading: Reading, packed: Element) -> bytes:
    count, stride = packed.integer("count", least=1), packed.integer("byteStride", least=1)
    reading.spend(count * stride // 4, packed.place)
    return compression.decode_meshopt(packed, bytes(_slice(reading, packed)), count, stride)


def _slice(reading: Reading, element: Element) -> Bytes:
    number = element.index("buffer", reading.count("buffers"), "buffer")
    if number is None:
        raise element.error("names no buffer")
    offset, length = element.integer("byteOffset", 0), element.integer("byteLength", least=1)
    content = buffer(reading, number)
    if offset + length > len(content):
        raise element.error(f"covers bytes {offset:,} to {offset + length:,} of a buffer of {len(content):,}")
    return content[offset : offset + length]
