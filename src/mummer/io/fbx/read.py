"""From the bytes of an FBX file to a character."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Character, Pose, Skeleton, Source
from mummer.errors import MissingExtraError
from mummer.io.child import read_in_child
from mummer.io.fbx.body import Body, build_body
from mummer.io.fbx.materials import read_materials
from mummer.io.fbx.meshes import read_meshes
from mummer.io.fbx.motion import read_recordings
from mummer.io.fbx.nodes import Nodes
from mummer.io.limits import ReadLimits
from mummer.report import ReportBuilder

BASE_BYTES = 640 * 2**20


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is not finite is found and said
def read(data: bytes, path: Path | None, limits: ReadLimits) -> Character:
    """The character in an FBX file: skeleton, skinned and rigid meshes, blend shapes, and every animation stack.

    Units become metres and axes ours; a scale that stands on joints only because of units is folded into what they
    carry. Motion is sampled at the file's frame rate and starts at time zero.

    Args:
        data: the file.
        path: where it came from, for messages and for textures beside it.
        limits: how much it may ask for.

    Raises:
        MissingExtraError: if the extra ``fbx`` is not installed.
        MalformedFileError: if the file contradicts itself, or brings its reader down.
        LimitError: if it asks for more than the limits allow.
    """
    if importlib.util.find_spec("ufbx") is None:
        raise MissingExtraError("fbx", "reading FBX")
    content = read_in_child("fbx", data, path, limits, suffix=".fbx", base_bytes=BASE_BYTES)
    report = ReportBuilder()
    _report_warnings(content, report)
    nodes = Nodes.checked(content["nodes"], path)
    body = build_body(nodes, content["meshes"], content["stacks"], path, report)
    materials = read_materials(content["materials"], path, limits, report)
    meshes, morph_of_channel = read_meshes(content["meshes"], nodes, body, materials, limits, path, report)
    skeleton = Skeleton(body.names, body.parents, *body.rest, name=path.stem if path else "fbx")
    character = Character(skeleton.name, skeleton, meshes, source=_source(content, body, path))
    pose = _default_pose(body, character, content, morph_of_channel)
    recordings = read_recordings(content, body, pose, character.morph_names, morph_of_channel, path, report)
    return character.replace(default_pose=pose, recordings=recordings, report=report.build())


def _report_warnings(content: dict[str, Any], report: ReportBuilder) -> None:
    for warning in content["warnings"]:
        report.add("unusual", f"the FBX library says: {' '.join(str(warning).split())[:120]}")
    caches = sum(mesh["caches"] for mesh in content["meshes"])
    if caches:
        report.add("ignored", "vertex caches are not read", count=caches)


def _source(content: dict[str, Any], body: Body, path: Path | None) -> Source:
    return Source(
        "fbx",
        path,
        up=content["up"] or "+Y",
        front=content["front"],
        metres_per_unit=float(content["metres_per_unit"]),
        frame_rate=float(content["frame_rate"]),
        details={
            "nodes": tuple(int(node) for node in body.nodes),
            "version": content["version"],
            "ascii": content["ascii"],
            "creator": content["creator"],
            "starts": {stack["name"]: float(stack["start"]) for stack in content["stacks"]},
        },
    )


def _default_pose(
    body: Body, character: Character, content: dict[str, Any], morph_of_channel: dict[int, tuple[str, float]]
) -> Pose:
    names = character.morph_names
    translations, rotations, scales = body.pose
    morphs = [0.0] * len(names)
    for mesh in content["meshes"]:
        for blend in mesh["blends"]:
            if blend["channel"] in morph_of_channel:
                name, full = morph_of_channel[blend["channel"]]
                morphs[names.index(name)] = float(blend["weight"]) / full
    scaled = bool((scales != 1).any() or (body.rest[2] != 1).any())
    return Pose(rotations, None, translations, scales if scaled else None, morphs if names else None)  # type: ignore[arg-type]
