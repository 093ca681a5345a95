"""Materials of a USD file: colours, and textures inside its package or beside it."""

from __future__ import annotations

import contextlib
import io
import posixpath
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Material
from mummer.errors import FileError
from mummer.io import guard
from mummer.io.limits import ReadLimits
from mummer.report import ReportBuilder

IMAGES = (b"\x89PNG\r\n", b"\xff\xd8\xff")
SURFACE_DEFAULTS = {"metallic": 0.0, "roughness": 0.5, "opacity": 1.0}
SURFACE_COLOR = [0.18, 0.18, 0.18]


def read_materials(
    content: dict[str, dict[str, Any]], data: bytes, path: Path | None, limits: ReadLimits, report: ReportBuilder
) -> dict[str, Material]:
    """One material for each path of the stage."""
    left = limits.images_bytes
    materials = {}
    for place, entry in content.items():
        texture = _texture(entry.get("texture_name"), data, path, limits, left, report)
        left -= len(texture or b"")
        metallic, roughness, opacity = (_unit(entry.get(name, default)) for name, default in SURFACE_DEFAULTS.items())
        red, green, blue = (_unit(part) for part in entry.get("diffuseColor", SURFACE_COLOR)[:3])
        color = (red, green, blue, opacity)
        materials[place] = Material(entry["name"] or "material", color, metallic, roughness, texture=texture)
    return materials


def _unit(value: float) -> float:
    return float(np.clip(value, 0.0, 1.0)) if np.isfinite(value) else 0.0


def _texture(
    name: str | None, data: bytes, path: Path | None, limits: ReadLimits, left: int, report: ReportBuilder
) -> bytes | None:
    if name is None:
        return None
    found = _packed(name, data, left) if data.startswith(b"PK") else _beside(name, path, limits)
    if found is not None and found.startswith(IMAGES) and len(found) <= left:
        return found
    report.add("ignored", f"texture {posixpath.basename(name)[:80]!r} is not there, too large, or neither PNG nor JPEG")
    return None


def _packed(name: str, data: bytes, left: int) -> bytes | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            entry = package.getinfo(posixpath.normpath(name))
            return package.read(entry) if entry.file_size <= left else None
    except (KeyError, ValueError, OSError, NotImplementedError, RuntimeError, zipfile.BadZipFile):
        return None


def _beside(name: str, path: Path | None, limits: ReadLimits) -> bytes | None:
    with contextlib.suppress(FileError):
        return guard.read_bytes(guard.path_beside(path, name), limits)
    return None
