"""Putting a document into files: one .glb, or a .gltf with its data beside or inside it."""

from __future__ import annotations

import base64
import contextlib
from pathlib import Path

from mummer.errors import FileError
from mummer.io import guard
from mummer.io.gltf import container
from mummer.io.gltf.builder import Builder
from mummer.io.gltf.fields import Json
from mummer.io.gltf.images import media_type
from mummer.io.gltf.reading import Bytes
from mummer.io.limits import DEFAULT_LIMITS
from mummer.report import ReportBuilder

MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")


def pack_binary(json: Json, buffers: list[Bytes | None], chunks: tuple[tuple[int, bytes], ...]) -> bytes:
    """A .glb file: all buffers that have data become its one binary chunk."""
    merged, content = merge_buffers(json, buffers)
    return container.join(container.encode(merged), content, chunks)


def merge_buffers(json: Json, buffers: list[Bytes | None]) -> tuple[Json, bytes | None]:
    """The document with everything in buffer 0, and the bytes of that buffer; None if there are none."""
    entries = json.get("buffers", [])
    filled = [place for place, content in enumerate(buffers) if content is not None]
    if not filled:
        return json, None
    starts: dict[int, int] = {}
    pieces: list[bytes] = []
    length = 0
    for place in filled:
        padding = -length % 4
        content = bytes(buffers[place] or b"")
        pieces += [b"\0" * padding, content]
        starts[place] = length + padding
        length += padding + len(content)
    empty = [place for place in range(len(entries)) if place not in starts]
    number = dict.fromkeys(filled, 0) | {place: 1 + rank for rank, place in enumerate(empty)}
    first = {key: value for key, value in entries[filled[0]].items() if key != "uri"}
    merged = {**json, "buffers": [{**first, "byteLength": length}, *(entries[place] for place in empty)]}
    if filled != [0] or empty != list(range(1, len(entries))):
        merged["bufferViews"] = [_moved(view, starts, number) for view in json.get("bufferViews", [])]
    return merged, b"".join(pieces)


def _moved(view: Json, starts: dict[int, int], number: dict[int, int]) -> Json:
    """A view, or the compressed data of one, after its buffer has become part of another."""
    if not isinstance(view, dict) or view.get("buffer") not in number:
        return view
    place = view["buffer"]
    moved = {**view, "buffer": number[place], "byteOffset": view.get("byteOffset", 0) + starts.get(place, 0)}
    extensions = view.get("extensions")
    if isinstance(extensions, dict):
        moved["extensions"] = {
            name: _moved(content, starts, number) if name in MESHOPT else content
            for name, content in extensions.items()
        }
    return moved


def pack_text(json: Json, buffers: list[Bytes | None], stem: str, *, embed: bool) -> tuple[Json, dict[str, bytes]]:
    """The document with a uri for every buffer, and the files to put beside it by name."""
    entries, files = list(json.get("buffers", [])), {}
    for place, content in enumerate(buffers):
        if content is None:
            continue
        if embed:
            uri = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
        else:
            uri = f"{stem}.bin" if place == 0 else f"{stem}.{place}.bin"
            files[uri] = bytes(content)
        entries[place] = {**entries[place], "uri": uri}
    return ({**json, "buffers": entries} if entries else json), files


def carry_images(
    json: Json, buffers: list[Bytes | None], source: Path | None, target: Path, report: ReportBuilder, *, inside: bool
) -> tuple[Json, list[Bytes | None]]:
    """The document with images that lie in files beside its source brought along, where the new file cannot see them.

    Args:
        json: the document.
        buffers: its buffers.
        source: the file it came from.
        target: the file to write.
        report: where findings go.
        inside: whether the new file must hold everything itself.
    """
    images = json.get("images", [])
    if source is None or (not inside and source.parent.resolve() == target.parent.resolve()):
        return json, buffers
    changed = list(images)
    builder = Builder(list(json.get("bufferViews", [])), [], len(buffers[0] or b"") if buffers else 0)
    for place, image in enumerate(images):
        content = _image_file(image, source, report)
        if content is None:
            continue
        kept = {key: value for key, value in image.items() if key != "uri"}
        kind = media_type(content) or "application/octet-stream"
        if inside and buffers and buffers[0] is not None and kind.startswith("image/"):
            changed[place] = {**kept, "bufferView": builder.add_bytes(content), "mimeType": kind}
        else:
            changed[place] = {**kept, "uri": f"data:{kind};base64,{base64.b64encode(content).decode()}"}
    if not builder.added:
        return ({**json, "images": changed} if changed != images else json), buffers
    grown = b"".join([bytes(buffers[0] or b""), builder.added])
    entries = [{**json["buffers"][0], "byteLength": len(grown)}, *json["buffers"][1:]]
    return {**json, "images": changed, "bufferViews": builder.views, "buffers": entries}, [grown, *buffers[1:]]


def _image_file(image: Json, source: Path, report: ReportBuilder) -> bytes | None:
    uri = image.get("uri") if isinstance(image, dict) else None
    if not isinstance(uri, str) or uri[:5].lower() == "data:":
        return None
    with contextlib.suppress(FileError):
        return guard.read_bytes(guard.path_beside(source, uri), DEFAULT_LIMITS)
    report.add("ignored", f"the texture {uri[:80]!r}, which is not beside the source file")
    return None
