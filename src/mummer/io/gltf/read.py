"""Reading glTF 2.0: from the bytes of a file to a character."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mummer.character import Character, Mesh, Pose, Skeleton, Source
from mummer.errors import FileError, MalformedFileError
from mummer.io.gltf import buffers, container, vrm
from mummer.io.gltf.animations import build_recordings
from mummer.io.gltf.channels import Channel, read_channels
from mummer.io.gltf.document import Document
from mummer.io.gltf.joints import Joints, choose_joints
from mummer.io.gltf.materials import read_looks
from mummer.io.gltf.meshes import build_meshes
from mummer.io.gltf.morphs import MorphNode, read_morph_nodes
from mummer.io.gltf.reading import Bytes, Reading
from mummer.io.gltf.repairs import mend_bounds
from mummer.io.gltf.rest import rest_transforms
from mummer.io.gltf.skins import read_skins
from mummer.io.gltf.transforms import Transforms, read_transforms
from mummer.io.gltf.tree import read_tree
from mummer.io.gltf.vrm_data import References
from mummer.io.limits import DEFAULT_LIMITS, ReadLimits
from mummer.report import ReportBuilder

KNOWN_REQUIRED = {
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "VRM",
    "VRMC_vrm",
    "VRMC_vrm_animation",
    "VRMC_springBone",
}


def read(data: bytes, path: Path | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Character:
    """The character in a glTF 2.0 file: .glb, .gltf, .vrm or .vrma.

    Args:
        data: the bytes of the file.
        path: where it stands; files that it names are looked for beside it.
        limits: how much it may ask for.

    Returns:
        The character. ``source.document`` keeps the whole document, so that writing changes only what was changed;
        ``source.details["nodes"]`` holds the node of each joint, ``source.details["vrm"]`` the VRM data, if any.

    Raises:
        FileError: one line that says what is wrong and where.
    """
    # Numbers near the end of their range overflow on the way; what comes out is tested to be finite.
    with np.errstate(all="ignore"):
        try:
            return _read(_open(data, path, limits))
        except np.linalg.LinAlgError:
            raise MalformedFileError(path, "holds matrices that cannot be taken apart", place="/nodes") from None


def _read(reading: Reading) -> Character:
    tree = read_tree(reading)
    skins = read_skins(reading, tree)
    animations = read_channels(reading)
    moved = {channel.node for channels in animations for channel in channels if channel.path != "morph"}
    joints = choose_joints(reading, tree, skins, moved | vrm.named_nodes(reading))
    placed = read_transforms(reading)
    rest = rest_transforms(reading, tree, joints, skins, placed)
    morph_nodes = read_morph_nodes(reading, tree, _morph_motions(animations))
    meshes = build_meshes(reading, tree, joints, skins, read_looks(reading), morph_nodes)
    scaled = any(channel.path == "scale" for channels in animations for channel in channels)
    pose, morph_names = _default_pose(placed.of(joints.nodes), meshes, morph_nodes, scaled=scaled)
    recordings = build_recordings(reading, animations, joints, morph_nodes, morph_names, pose)
    name = reading.path.stem if reading.path is not None else "character"
    skeleton = Skeleton(joints.names, joints.parents, rest.translations, rest.rotations, rest.scales, name=name)
    mend_bounds(reading)
    kept = Document(
        reading.json,
        _all_buffers(reading),
        reading.chunks.others,
        reading.path,
        joints.nodes,
        skeleton,
        meshes,
        recordings,
        pose,
        {node: each.names for node, each in morph_nodes.items()},
        reading.mended,
    )
    source = _source(reading, joints, morph_nodes, kept)
    return Character(name, skeleton, meshes, recordings, pose, source=source, report=reading.report.build())


def _open(data: bytes, path: Path | None, limits: ReadLimits) -> Reading:
    report = ReportBuilder()
    chunks = container.split(data, path, report)
    reading = Reading(container.decode(chunks.text, path, report), chunks, path, limits, report)
    if "asset" not in reading.root:
        rig = "describes the bones of a rig, as Blender add-ons keep them, and " if "bones" in reading.root else ""
        raise reading.root.error(f"is JSON that {rig}is no glTF: it has no 'asset'; bring the body as .glb, .fbx, .bvh")
    version = reading.root.child("asset").text("version")
    if not version.startswith("2."):
        raise reading.root.error(
            f"is glTF version {version[:20] or 'unknown'}; only version 2 is read", "asset/version"
        )
    for name in reading.root.items("extensionsRequired"):
        if isinstance(name, str) and name not in KNOWN_REQUIRED:
            report.add("unusual", f"the file needs the extension {name[:60]!r}, which is kept but not understood")
    return reading


def _morph_motions(animations: list[list[Channel]]) -> dict[int, list[Channel]]:
    found: dict[int, list[Channel]] = {}
    for channels in animations:
        for channel in channels:
            if channel.path == "morph":
                found.setdefault(channel.node, []).append(channel)
    return found


def _default_pose(
    posed: Transforms, meshes: tuple[Mesh, ...], morph_nodes: dict[int, MorphNode], *, scaled: bool
) -> tuple[Pose, tuple[str, ...]]:
    """The pose that the nodes hold, and the names of its morph weights."""
    names = tuple(dict.fromkeys(morph.name for mesh in meshes for morph in mesh.morphs))
    weights = {
        name: weight for node in morph_nodes.values() for name, weight in zip(node.names, node.weights, strict=True)
    }
    scaled = scaled or bool(np.any(posed.scales != 1.0))
    pose = Pose(
        posed.rotations,
        translations=posed.translations,
        scales=posed.scales if scaled else None,
        morphs=np.array([weights[name] for name in names]) if names else None,
    )
    return pose, names


def _all_buffers(reading: Reading) -> tuple[Bytes | None, ...]:
    """The bytes of every buffer, so that they can be written again; None for one that is not there."""
    found: list[Bytes | None] = []
    for index in range(reading.count("buffers")):
        try:
            found.append(buffers.buffer(reading, index))
        except FileError as error:
            reading.report.add("ignored", f"a buffer that nothing here needs: {error.place} {error.what}")
            found.append(None)
    return tuple(found)


def _source(reading: Reading, joints: Joints, morph_nodes: dict[int, MorphNode], kept: Document) -> Source:
    nodes_of_mesh: dict[int, list[int]] = {}
    for index, node in enumerate(reading.entries("nodes")):
        if type(node.get("mesh")) is int:
            nodes_of_mesh.setdefault(node["mesh"], []).append(index)
    details: dict[str, Any] = {"nodes": joints.nodes}
    avatar = vrm.details(reading, References(joints.by_node, morph_nodes, nodes_of_mesh))
    if avatar is not None:
        details["vrm"] = avatar
    generator = reading.root.child("asset").raw.get("generator")
    if isinstance(generator, str):
        details["generator"] = generator
    return Source(_format(reading), reading.path, front=vrm.front(reading), details=details, document=kept)


def _format(reading: Reading) -> str:
    found = vrm.extension(reading)
    if found is not None:
        return "vrma" if found[0] == "animation" else "vrm"
    return "gltf" if isinstance(reading.chunks.text, bytes) else "glb"
