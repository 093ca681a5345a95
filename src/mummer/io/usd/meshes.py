"""Meshes of a USD stage: one for each material that some face wears."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Material, Mesh, MorphTarget, Skin
from mummer.errors import LimitError, MalformedFileError
from mummer.io.limits import ReadLimits
from mummer.io.parts.triangulate import triangulate
from mummer.io.usd.body import Body
from mummer.io.usd.corners import Corners, join_corners
from mummer.io.usd.skins import Binding, read_binding
from mummer.report import ReportBuilder


def read_meshes(
    content: list[dict[str, Any]],
    body: Body,
    materials: dict[str, Material],
    limits: ReadLimits,
    path: Path | None,
    report: ReportBuilder,
) -> tuple[Mesh, ...]:
    """All meshes that have faces."""
    deltas = sum(3 * len(mesh["blends"]) * _length(mesh["points"]) for mesh in content)
    if deltas > limits.values:
        raise LimitError(path, f"has {deltas:,} numbers of blend shapes; the limit is {limits.values:,}")
    meshes: list[Mesh] = []
    for index, raw in enumerate(content):
        if _length(raw["points"]) and _length(raw["counts"]) and _length(raw["corners"]):
            binding = read_binding(raw, index, body, path, report)
            meshes += _split(raw, binding, materials, path, report)
    return tuple(meshes)


def _split(
    raw: dict[str, Any], binding: Binding, materials: dict[str, Material], path: Path | None, report: ReportBuilder
) -> list[Mesh]:
    triangles, faces = _triangles(raw, path)
    if binding.mirrors != raw["left_handed"]:
        triangles = triangles[:, ::-1]
    worn = np.full(len(raw["counts"]), -1)
    for place, part in enumerate(raw["parts"]):
        chosen = np.zeros(0, int) if part["faces"] is None else part["faces"]
        worn[chosen[(chosen >= 0) & (chosen < len(worn))]] = place
    of_triangle = worn[faces]
    meshes = []
    for place in np.unique(of_triangle):
        wearer = raw["material"] if place < 0 else raw["parts"][place]["material"]
        material = materials.get(wearer, _display(raw))
        several = len(np.unique(of_triangle)) > 1
        corners = join_corners(raw, triangles[of_triangle == place], several, wearer in materials, report)
        name = f"{raw['name']}.{material.name}" if several else raw["name"]
        meshes.append(_mesh(name, raw, corners, binding, material, report))
    return meshes


def _triangles(raw: dict[str, Any], path: Path | None) -> tuple[IntArray, IntArray]:
    counts, corners = raw["counts"].astype(np.int64), raw["corners"]
    points = raw["points"]
    if np.any(counts < 0) or counts.sum() > len(corners) or corners.min() < 0 or corners.max() >= len(points):
        raise MalformedFileError(path, "has faces with corners that do not exist", place=f"mesh {raw['name']!r}")
    if not np.isfinite(points[corners]).all():
        raise MalformedFileError(path, "has points that are not finite", place=f"mesh {raw['name']!r}")
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return triangulate(points[corners], begins, counts)


def _mesh(
    name: str, raw: dict[str, Any], corners: Corners, binding: Binding, material: Material, report: ReportBuilder
) -> Mesh:
    points = corners.points
    return Mesh(
        name,
        np.nan_to_num(raw["points"][points]),
        corners.triangles,
        Skin(binding.joints, binding.joint_from_mesh, binding.indices[points], binding.weights[points]),
        normals=corners.normals,
        uvs=corners.uvs,
        colors=corners.colors,
        morphs=tuple(_morph(blend, raw, points, report) for blend in raw["blends"] if blend["offsets"] is not None),
        material=dataclasses.replace(material, double_sided=raw["double_sided"]),
    )


def _morph(blend: dict[str, Any], raw: dict[str, Any], points: IntArray, report: ReportBuilder) -> MorphTarget:
    if blend["between"]:
        report.add("ignored", "shapes in between a blend shape", count=blend["between"])
    count = len(raw["points"])
    where = np.arange(count) if blend["points"] is None else blend["points"]

    def dense(offsets: FloatArray | None) -> FloatArray | None:
        if offsets is None or len(offsets) != len(where):
            return None
        usable = (where >= 0) & (where < count) & np.isfinite(offsets).all(axis=1)
        if not usable.all():
            report.add("repaired", "blend shape offsets not finite or for no point", count=int(np.sum(~usable)))
        spread = np.zeros((count, 3), np.float32)
        spread[where[usable]] = offsets[usable]
        return spread[points]

    positions = dense(blend["offsets"])
    return MorphTarget(
        blend["name"], np.zeros((len(points), 3)) if positions is None else positions, dense(blend["normals"])
    )


def _display(raw: dict[str, Any]) -> Material:
    """What a mesh without a material looks like: its display colour, if that is one for the whole mesh."""
    colors = raw["colors"]
    if colors is None or colors["spread"] != "constant" or not np.isfinite(colors["values"][0]).all():
        return Material()
    red, green, blue = (float(part) for part in np.clip(colors["values"][0], 0.0, 1.0))
    return Material(base_color=(red, green, blue, 1.0))


def _length(values: Any) -> int:
    return 0 if values is None else len(values)
