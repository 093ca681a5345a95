"""Materials of an FBX file: colours, and the textures that are inside it or beside it."""

from __future__ import annotations

import base64
import contextlib
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np

from mummer.character import Material
from mummer.errors import FileError
from mummer.io import guard
from mummer.io.limits import ReadLimits
from mummer.report import ReportBuilder

GREY = (0.8, 0.8, 0.8)
IMAGES = (b"\x89PNG\r\n", b"\xff\xd8\xff")


def read_materials(
    content: list[dict[str, Any]], path: Path | None, limits: ReadLimits, report: ReportBuilder
) -> list[Material]:
    """One material for each of the file's, in its order."""
    left = limits.images_bytes
    materials = []
    for entry in content:
        texture = _texture(entry, path, left, limits, report)
        left -= len(texture or b"")
        red, green, blue = _color(entry, texture)
        materials.append(
            Material(
                entry["name"] or "material",
                (red, green, blue, 1.0),
                metallic=_unit(entry["metallic"], 0.0),
                roughness=_unit(entry["roughness"], 0.8),
                texture=texture,
            )
        )
    return materials


def _color(entry: dict[str, Any], texture: bytes | None) -> tuple[float, float, float]:
    # In FBX a texture takes the place of the colour; in our materials it is multiplied by it.
    if texture is not None:
        return (1.0, 1.0, 1.0)
    if entry["color"] is None or "texture_name" in entry:
        return GREY
    red, green, blue = (_unit(channel, grey) for channel, grey in zip(entry["color"], GREY, strict=True))
    return red, green, blue


def _unit(value: float, default: float) -> float:
    return float(np.clip(value, 0.0, 1.0)) if np.isfinite(value) else default


def _texture(
    entry: dict[str, Any], path: Path | None, left: int, limits: ReadLimits, report: ReportBuilder
) -> bytes | None:
    if "texture_name" not in entry:
        return None
    name = entry["texture_name"]
    found = base64.b64decode(entry["texture"]) if "texture" in entry else _beside(name, path, limits)
    short = PureWindowsPath(name).name
    if found is None:
        report.add("ignored", f"texture {short!r} is neither in the file nor beside it")
    elif not found.startswith(IMAGES):
        report.add("ignored", f"texture {short!r} is neither PNG nor JPEG")
    elif len(found) > left:
        report.add("ignored", f"texture {short!r} exceeds what is kept of images")
    else:
        return found
    return None


def _beside(name: str, path: Path | None, limits: ReadLimits) -> bytes | None:
    if path is None:
        return None
    # Windows paths read POSIX ones too; an absolute one is looked for by its last part alone.
    given = PureWindowsPath(name)
    for candidate in (given.as_posix(), given.name):
        with contextlib.suppress(FileError):
            return guard.read_bytes(guard.path_beside(path, candidate), limits)
    return None
