"""Writing glTF 2.0: a kept document with only its animations changed, or a new document."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from mummer.atomic import replacing
from mummer.character import Character
from mummer.errors import UnknownFormatError
from mummer.io.gltf import container
from mummer.io.gltf.document import Document
from mummer.io.gltf.fields import Json
from mummer.io.gltf.fresh import fresh_document
from mummer.io.gltf.pack import carry_images, pack_binary, pack_text
from mummer.io.gltf.patch import patched_document
from mummer.io.gltf.reading import Bytes
from mummer.report import Report, ReportBuilder

BINARY = (".glb", ".vrm")
OWN_PARTS = {
    "asset", "scene", "scenes", "nodes", "meshes", "skins", "animations", "materials", "textures", "images",
    "accessors", "bufferViews", "buffers", "samplers", "extensionsUsed", "extensionsRequired", "extensions",
}  # fmt: skip


def write(character: Character, path: str | os.PathLike[str], *, embed: bool = False, fresh: bool = False) -> Report:
    """Write a character as glTF 2.0; what stood at ``path`` is replaced whole or not at all.

    A character that was read from glTF, and whose skeleton and meshes were not exchanged since, is written into its own
    document: everything of it stays, including what nobody here understands, except animations that were removed or
    added. Any other character gets a new document.

    Args:
        character: what to write.
        path: ends in .glb or .vrm for a single file, in .gltf for text with its data in a .bin file beside it.
        embed: whether a .gltf holds its data itself.
        fresh: whether to make a new document even where the old one could be kept.

    Returns:
        What the file does not hold of the character or of its source.

    Raises:
        FileError: if the file cannot be written.
    """
    target = Path(path)
    report = ReportBuilder()
    binary = target.suffix.lower() in BINARY
    if not binary and target.suffix.lower() != ".gltf":
        raise UnknownFormatError(target, f"ends in {target.suffix!r}; glTF is written as .glb, .vrm or .gltf")
    json, buffers, chunks = _document(character, report, target, binary=binary, fresh=fresh)
    _report_losses(character, target, json, report)
    if binary:
        _put({target: pack_binary(json, buffers, chunks)})
    else:
        text, files = pack_text(json, buffers, target.stem, embed=embed)
        _put({target: container.encode(text), **{target.parent / name: data for name, data in files.items()}})
    return report.build()


def _document(
    character: Character, report: ReportBuilder, target: Path, *, binary: bool, fresh: bool
) -> tuple[Json, list[Bytes | None], tuple[tuple[int, bytes], ...]]:
    kept = character.source.document if character.source is not None else None
    if not fresh and isinstance(kept, Document) and kept.has_body_of(character):
        json, buffers = patched_document(character, kept, report)
        json, buffers = carry_images(json, buffers, kept.path, target, report, inside=binary)
        if kept.chunks and not binary:
            report.add("ignored", "chunks of the .glb container that the format does not know", count=len(kept.chunks))
        return json, buffers, kept.chunks
    if isinstance(kept, Document):
        _report_left_behind(kept.json, report)
    json, content = fresh_document(character, report)
    return json, [content] if content else [], ()


def _report_left_behind(json: Json, report: ReportBuilder) -> None:
    """Name what a new document does not take over from the file that the character came from."""
    extensions = json.get("extensions")
    names = [*(key for key in json if key not in OWN_PARTS), *(extensions if isinstance(extensions, dict) else ())]
    report.add("ignored", "the body was changed, so a new document was made: material details beyond the base color")
    for name in names:
        report.add("ignored", f"the body was changed, so a new document was made: without {name[:60]!r} of its source")


def _report_losses(character: Character, target: Path, json: Json, report: ReportBuilder) -> None:
    parts = [name for name in ("anatomy", "limits", "mass") if getattr(character, name) is not None]
    if parts:
        report.add("ignored", f"{', '.join(parts)}: glTF has no place for it")
    extensions = json.get("extensions")
    if target.suffix.lower() == ".vrm" and not (
        isinstance(extensions, dict) and {"VRM", "VRMC_vrm"} & extensions.keys()
    ):
        report.add("unusual", "the file is named .vrm but has no VRM data")


def _put(files: dict[Path, bytes]) -> None:
    """Write all files under temporary names first, then let each take its place."""
    with contextlib.ExitStack() as stack:
        temporary = [(stack.enter_context(replacing(path)), content) for path, content in files.items()]
        for place, content in temporary:
            place.write_bytes(content)
