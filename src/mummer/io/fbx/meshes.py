"""Meshes of an FBX file: one for each node that shows one and each material it wears."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Material, Mesh, MorphTarget, Skin, unique_names
from mummer.errors import LimitError, MalformedFileError
from mummer.io.fbx.blends import Blend, read_blends
from mummer.io.fbx.body import Body
from mummer.io.fbx.corners import Corners, join_corners
from mummer.io.fbx.nodes import Nodes
from mummer.io.fbx.skins import Binding, read_binding
from mummer.io.limits import ReadLimits
from mummer.io.parts.triangulate import triangulate
from mummer.report import ReportBuilder


def read_meshes(
    content: list[dict[str, Any]],
    nodes: Nodes,
    body: Body,
    materials: list[Material],
    limits: ReadLimits,
    path: Path | None,
    report: ReportBuilder,
) -> tuple[tuple[Mesh, ...], dict[int, tuple[str, float]]]:
    """All meshes, and for each blend channel the name of its morph and the weight at which it is full."""
    meshes: list[Mesh] = []
    morph_of_channel: dict[int, tuple[str, float]] = {}
    shown = [node for node in range(len(nodes)) if nodes.meshes[node] >= 0]
    _require_few_deltas(content, [int(nodes.meshes[node]) for node in shown], limits, path)
    for node in shown:
        raw = content[nodes.meshes[node]]
        binding = read_binding(raw, node, nodes, body, report)
        if binding is None or not len(raw["positions"]):
            continue
        blends = read_blends(raw, report)
        morph_of_channel |= {channel: (blend.name, blend.full) for blend in blends for channel in blend.channels}
        worn = nodes.materials[node] or raw["materials"]
        name = nodes.names[node] or raw["name"] or "mesh"
        made = _split(raw, name, binding, blends, [_pick(materials, one) for one in worn], report)
        if not all(np.isfinite(mesh.positions).all() for mesh in made):
            raise MalformedFileError(path, "has points that are not finite", place=f"mesh {name!r}")
        meshes += made
    names = unique_names([mesh.name for mesh in meshes], blank="mesh")
    return tuple(_renamed(mesh, name) for mesh, name in zip(meshes, names, strict=True)), morph_of_channel


def _split(
    raw: dict[str, Any],
    name: str,
    binding: Binding,
    blends: list[Blend],
    materials: list[Material],
    report: ReportBuilder,
) -> list[Mesh]:
    """One mesh for each material that some face wears."""
    triangles, faces = _triangles(raw)
    if binding.mirrors:
        triangles = triangles[:, ::-1]
    worn = raw["face_materials"][faces] if len(raw["face_materials"]) else np.zeros(len(faces), np.int64)
    worn = np.clip(worn, 0, max(len(materials) - 1, 0))
    meshes = []
    for place in np.unique(worn):
        corners = join_corners(raw, triangles[worn == place], report)
        label = materials[place] if materials else Material()
        several = len(np.unique(worn)) > 1
        meshes.append(_mesh(f"{name}.{label.name}" if several else name, raw, corners, binding, blends, label))
    return meshes


def _triangles(raw: dict[str, Any]) -> tuple[IntArray, IntArray]:
    begins, counts = raw["faces"][:, 0].astype(np.int64), raw["faces"][:, 1].astype(np.int64)
    positions, corners = raw["positions"], raw["corners"]
    inside = (begins >= 0) & (counts >= 0) & (begins + counts <= len(corners))
    counts = np.where(inside, counts, 0)
    begins = np.where(inside, begins, 0)
    places = np.clip(corners, 0, len(positions) - 1)
    return triangulate(np.nan_to_num(positions[places]), begins, counts)


def _mesh(
    name: str, raw: dict[str, Any], corners: Corners, binding: Binding, blends: list[Blend], material: Material
) -> Mesh:
    vertices = corners.vertices
    return Mesh(
        name,
        raw["positions"][vertices],
        corners.triangles,
        Skin(binding.joints, binding.joint_from_mesh, binding.indices[vertices], binding.weights[vertices]),
        normals=corners.normals,
        uvs=corners.uvs,
        colors=corners.colors,
        morphs=tuple(_morph(blend, vertices) for blend in blends),
        material=material,
    )


def _morph(blend: Blend, vertices: IntArray) -> MorphTarget:
    normals: FloatArray | None = None if blend.normals is None else blend.normals[vertices]
    return MorphTarget(blend.name, blend.positions[vertices], normals)


def _pick(materials: list[Material], index: int) -> Material:
    return materials[index] if 0 <= index < len(materials) else Material()


def _renamed(mesh: Mesh, name: str) -> Mesh:
    return mesh if mesh.name == name else dataclasses.replace(mesh, name=name)


def _require_few_deltas(content: list[dict[str, Any]], shown: list[int], limits: ReadLimits, path: Path | None) -> None:
    corners = sum(len(content[mesh]["corners"]) for mesh in shown)
    deltas = sum(3 * len(content[mesh]["corners"]) * len(content[mesh]["blends"]) for mesh in shown)
    if corners > 4 * limits.vertices or deltas > limits.values:
        raise LimitError(path, f"shows {corners:,} corners of faces and {deltas:,} numbers of blend shapes")
