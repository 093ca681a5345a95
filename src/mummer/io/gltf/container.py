"""The outer shell of glTF: the chunks of a .glb file, and JSON text, in and out."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from mummer.errors import LimitError, MalformedFileError
from mummer.io.gltf.fields import Json
from mummer.report import ReportBuilder

MAGIC = b"glTF"
JSON_CHUNK = 0x4E4F534A
BINARY_CHUNK = 0x004E4942
MOST_JSON_VALUES = 4_000_000
"""Values in the JSON text before it is refused: each may cost a hundred bytes of memory once decoded."""


@dataclass(frozen=True)
class Chunks:
    """What a file holds, before anything is understood.

    Attributes:
        text: the JSON text.
        binary: the binary chunk of a .glb file, or None.
        others: type and content of chunks that the format does not know.
    """

    text: bytes | memoryview
    binary: memoryview | None = None
    others: tuple[tuple[int, bytes], ...] = ()


def split(data: bytes, path: Path | None, report: ReportBuilder) -> Chunks:
    """The chunks of a .glb file, or the whole of a .gltf file as text.

    Raises:
        MalformedFileError: if the file is cut off or its chunks do not fit in it.
    """
    if not data.startswith(MAGIC):
        return Chunks(data)
    if len(data) < 20:
        raise MalformedFileError(
            path, f"is cut off after {len(data)} bytes; a .glb file has at least 20", place="header"
        )
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise MalformedFileError(path, f"is glTF binary version {version}; only version 2 is read", place="header")
    if length > len(data):
        raise MalformedFileError(path, f"is cut off: {len(data):,} bytes of {length:,}", place="header")
    if length < len(data):
        report.add("ignored", f"{len(data) - length:,} bytes after the end of the .glb container")
    chunks = list(_chunks(memoryview(data)[:length], path))
    if not chunks or chunks[0][0] != JSON_CHUNK:
        raise MalformedFileError(path, "does not start with a JSON chunk", place="chunk 0")
    binary = next((content for kind, content in chunks[1:2] if kind == BINARY_CHUNK), None)
    others = chunks[1:] if binary is None else chunks[2:]
    return Chunks(chunks[0][1], binary, tuple((kind, bytes(content)) for kind, content in others))


def _chunks(data: memoryview, path: Path | None) -> list[tuple[int, memoryview]]:
    found: list[tuple[int, memoryview]] = []
    offset = 12
    while offset + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, offset)
        start = offset + 8
        if length > len(data) - start:
            raise MalformedFileError(
                path, f"states {length:,} bytes, but {len(data) - start:,} are left", place=f"chunk {len(found)}"
            )
        found.append((kind, data[start : start + length]))
        offset = start + length
    return found


def join(text: bytes, binary: bytes | None, others: tuple[tuple[int, bytes], ...] = ()) -> bytes:
    """A .glb file: the JSON text, the binary chunk, and chunks of other types, each padded to four bytes."""
    parts = [(JSON_CHUNK, text + b" " * (-len(text) % 4))]
    if binary is not None:
        parts.append((BINARY_CHUNK, binary + b"\0" * (-len(binary) % 4)))
    parts.extend((kind, content + b"\0" * (-len(content) % 4)) for kind, content in others)
    length = 12 + sum(8 + len(content) for _, content in parts)
    pieces = [MAGIC, struct.pack("<II", 2, length)]
    for kind, content in parts:
        pieces += [struct.pack("<II", len(content), kind), content]
    return b"".join(pieces)


def decode(text: bytes | memoryview, path: Path | None, report: ReportBuilder) -> Json:
    """The JSON text as plain dictionaries and lists, so that nothing of it is lost.

    Raises:
        MalformedFileError: if it is not JSON, or not an object.
        LimitError: if it would take too much memory.
    """
    raw = bytes(text)
    if raw.startswith(b"\xef\xbb\xbf"):
        report.add("repaired", "the JSON text starts with a byte order mark")
        raw = raw[3:]
    values = raw.count(b",") + raw.count(b"[") + raw.count(b"{")
    if values > MOST_JSON_VALUES:
        raise LimitError(path, f"has {values:,} values; the limit is {MOST_JSON_VALUES:,}", place="JSON")
    try:
        decoded: Any = msgspec.json.decode(raw.rstrip(b"\0 "))
    except RecursionError:
        raise MalformedFileError(path, "is nested too deeply", place="JSON") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise MalformedFileError(path, f"is not valid JSON: {error}", place="JSON") from None
    if not isinstance(decoded, dict):
        raise MalformedFileError(path, "is not a JSON object", place="JSON")
    return decoded


def encode(document: Json) -> bytes:
    """JSON text of plain dictionaries and lists; numbers read back exactly."""
    return msgspec.json.encode(document)
