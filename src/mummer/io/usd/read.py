"""From the bytes of a USD file to a character."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, Skeleton, Source
from mummer.errors import MissingExtraError
from mummer.io.child import read_in_child
from mummer.io.limits import ReadLimits
from mummer.io.usd.body import Body, build_body
from mummer.io.usd.materials import read_materials
from mummer.io.usd.meshes import read_meshes
from mummer.io.usd.motion import read_recordings
from mummer.report import ReportBuilder

BASE_BYTES = 1280 * 2**20
"""The library alone maps nearly a gigabyte, most of which is never touched."""
DEFAULT_RATE = 24.0
AXES = {"X": "+X", "Y": "+Y", "Z": "+Z"}


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is not finite is found and said
def read(data: bytes, path: Path | None, limits: ReadLimits) -> Character:
    """The character in a USD file: every UsdSkel Skeleton, the meshes, their blend shapes, and every SkelAnimation.

    Several Skeletons become one skeleton of several roots, except those that repeat the same joints. Nothing outside
    the file is read but textures beside it: sublayers, references and payloads to other files are cut off.

    Args:
        data: the file.
        path: where it came from, for messages and for textures beside it.
        limits: how much it may ask for.

    Raises:
        MissingExtraError: if the extra ``usd`` is not installed.
        MalformedFileError: if the file contradicts itself, or brings its reader down.
        LimitError: if it asks for more than the limits allow.
    """
    if importlib.util.find_spec("pxr") is None:
        raise MissingExtraError("usd", "reading USD")
    suffix = ".usdz" if data.startswith(b"PK") else ".usd"
    content = read_in_child("usd", data, path, limits, suffix=suffix, base_bytes=BASE_BYTES)
    report = ReportBuilder()
    for finding in content["findings"]:
        report.add("ignored", finding)
    if not (np.isfinite(content["rate"]) and content["rate"] > 0):
        report.add("guessed", f"{content['rate']:g} time codes a second cannot be meant; taken as {DEFAULT_RATE:g}")
        content["rate"] = DEFAULT_RATE
    body = build_body(content, path, report)
    materials = read_materials(content["materials"], data, path, limits, report)
    meshes = read_meshes(content["meshes"], body, materials, limits, path, report)
    name = content["name"] or (path.stem if path else "usd")
    skeleton = Skeleton(body.names, body.parents, *body.rest, name=name)
    source = Source("usd", path, AXES.get(content["up"], "+Y"), "", content["metres_per_unit"], content["rate"])
    character = Character(name, skeleton, meshes, source=source)
    pose = _default_pose(body, character.morph_names, content)
    recordings = read_recordings(content, body, pose, character.morph_names, path, report)
    return character.replace(default_pose=pose, recordings=recordings, report=report.build())


def _default_pose(body: Body, morph_names: tuple[str, ...], content: dict[str, Any]) -> Pose:
    translations, rotations, scales = body.pose
    scaled = bool((scales != 1).any() or (body.rest[2] != 1).any())
    morphs: FloatArray | None = np.zeros(len(morph_names)) if morph_names else None
    for skeleton in content["skeletons"]:
        if morphs is not None and skeleton["weights"] is not None:
            for name, weight in zip(skeleton["morphs"], skeleton["weights"].tolist(), strict=False):
                if name in morph_names and np.isfinite(weight):
                    morphs[morph_names.index(name)] = weight
    return Pose(rotations, None, translations, scales if scaled else None, morphs)
