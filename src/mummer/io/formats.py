"""Which file formats there are, how each is told by its content, and who reads and writes it."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mummer.errors import UnknownFormatError


@dataclass(frozen=True)
class Format:
    """One file format.

    Attributes:
        name: short name, as `Source.format` has it.
        title: what people call it.
        extensions: lower case, with the dot.
        recognizes: whether the first bytes of a file are of this format.
        reader: ``module:function`` of ``read(data, path, limits) -> Character``, or None.
        writer: ``module:function`` of ``write(character, path) -> Report``, or None.
        single: whether a file plays one motion only.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    reader: str | None
    writer: str | None = None
    single: bool = False


def _text(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "replace").lstrip("\ufeff \t\r\n")
    return head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")


def _is_gltf(head: bytes) -> bool:
    return _text(head[:64]).startswith("{")


def _is_bvh(head: bytes) -> bool:
    return any(_text(head).upper().startswith(word) for word in ("HIERARCHY", "ROOT ", "MOTION"))


def _is_fbx(head: bytes) -> bool:
    text = _text(head)
    return head.startswith(b"Kaydara FBX Binary") or text.startswith("; FBX") or "FBXHeaderExtension" in text


def _is_usd(head: bytes) -> bool:
    return head.startswith((b"PXR-USDC", b"#usda")) or (head.startswith(b"PK\x03\x04") and b".usd" in head[:512])


def _is_joint_list(head: bytes) -> bool:
    """Whether a file is a list of joints in JSON: joints with parents, and no glTF asset."""
    text = _text(head)
    if not text.startswith("{") or '"asset"' in text:
        return False
    plain = all(word in text for word in ('"joints"', '"parent"', '"position"'))
    return plain or all(word in text for word in ('"Skeleton"', '"Joints"', '"AttachX"'))


def _first_words(head: bytes) -> str:
    lines = (line.strip() for line in _text(head).splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _is_sk(head: bytes) -> bool:
    text = _text(head)
    return "skeleton" in text and "offset" in text and _first_words(head).startswith(("set_name", "skeleton", "root"))


def _is_skm(head: bytes) -> bool:
    text = _text(head)
    return text.startswith(("SkM", "SKM", "# SKM")) or ("channels" in text and ("XPos" in text or "Quat" in text))


def _is_asf(head: bytes) -> bool:
    return _first_words(head).lower().startswith((":version", ":name")) and ":" in _text(head)


def _is_amc(head: bytes) -> bool:
    words = [line.strip().lower() for line in _text(head).splitlines() if line.strip() and not line.startswith("#")]
    return bool(words) and words[0] in (":fully-specified", ":degrees", ":radians")


def _is_c3d(head: bytes) -> bool:
    """Whether a file begins with the number of its parameter block, a small one, and the sign of the format."""
    return len(head) >= 512 and 2 <= head[0] < 32 and head[1] == 0x50


FORMATS: tuple[Format, ...] = (
    Format("glb", "glTF 2.0 binary, VRM", (".glb", ".vrm"), lambda head: head.startswith(b"glTF"),
           "mummer.io.gltf:read", "mummer.io.gltf:write"),
    Format("vrma", "VRM animation", (".vrma",), lambda _: False, "mummer.io.gltf:read",
           "mummer.io.gltf.vrma:write_vrma", single=True),
    Format("fbx", "Autodesk FBX", (".fbx",), _is_fbx, "mummer.io.fbx:read"),
    Format("usd", "USD with UsdSkel", (".usd", ".usda", ".usdc", ".usdz"), _is_usd, "mummer.io.usd:read",
           "mummer.io.usd:write", single=True),
    Format("bvh", "Biovision hierarchy", (".bvh",), _is_bvh, "mummer.io.bvh:read", "mummer.io.bvh:write",
           single=True),
    Format("c3d", "C3D markers", (".c3d",), _is_c3d, "mummer.io.c3d:read"),
    Format("skm", "SmartBody motion", (".skm",), _is_skm, "mummer.io.skm:read"),
    Format("sk", "SmartBody skeleton", (".sk",), _is_sk, "mummer.io.sk:read"),
    Format("asf", "Acclaim skeleton", (".asf",), _is_asf, "mummer.io.asf:read"),
    Format("amc", "Acclaim motion", (".amc",), _is_amc, "mummer.io.amc:read"),
    Format("joints", "list of joints in JSON", (), _is_joint_list, "mummer.io.joint_list:read"),
    Format("gltf", "glTF 2.0", (".gltf",), _is_gltf, "mummer.io.gltf:read", "mummer.io.gltf:write"),
)  # fmt: skip
HEAD_BYTES = 4096


def detect(head: bytes, path: Path | None) -> Format:
    """The format of a file from its first bytes; its name decides only where the content is silent.

    Raises:
        UnknownFormatError: saying what could be read instead.
    """
    for candidate in FORMATS:
        if candidate.recognizes(head):
            return candidate
    suffix = path.suffix.lower() if path else ""
    named = next((candidate for candidate in FORMATS if suffix in candidate.extensions), None)
    if named is not None:
        # The reader says precisely what is wrong with a file that does not start as its name promises.
        return named
    readable = ", ".join(extension for each in FORMATS for extension in each.extensions)
    raise UnknownFormatError(path, f"is none of the formats that can be read ({readable})")


def for_writing(path: Path, *, also: Sequence[str] = ()) -> Format:
    """The format to write, by the extension of ``path``.

    Args:
        path: where to.
        also: further extensions to name among the choices, which somebody else writes: pictures and films.

    Raises:
        UnknownFormatError: with the closest extension that can be written, and all there are.
    """
    suffix = path.suffix.lower()
    writable = {extension: each for each in FORMATS if each.writer for extension in each.extensions}
    if suffix in writable:
        return writable[suffix]
    choices = (*writable, *also)
    near = difflib.get_close_matches(suffix, choices, n=1, cutoff=0.7)
    known = next((each.title for each in FORMATS if suffix in each.extensions), None)
    what = f"{known} is read, not written" if known else f"no writer for {suffix or 'a name without extension'!r}"
    meant = f"did you mean {near[0]}? There are" if near and not known else "choose one of"
    raise UnknownFormatError(path, f"cannot be written: {what}; {meant} {', '.join(choices)}")


def resolve(target: str) -> Callable[..., Any]:
    """The function that ``module:function`` names, its module loaded now."""
    module, _, function = target.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
