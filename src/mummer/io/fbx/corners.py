"""Corners of triangles joined into vertices: corners alike in everything become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.io.parts.normals import believable_normals
from mummer.report import ReportBuilder


@dataclass(frozen=True, eq=False)
class Corners:
    """V vertices that F triangles share.

    Attributes:
        vertices: (V,) the control point behind each vertex.
        triangles: (F, 3) into the vertices.
        normals: (V, 3) unit, or None.
        uvs: (V, 2) v down, or None.
        colors: (V, 4), or None.
    """

    vertices: IntArray
    triangles: IntArray
    normals: FloatArray | None
    uvs: FloatArray | None
    colors: FloatArray | None


def join_corners(raw: dict[str, Any], triangles: IntArray, report: ReportBuilder) -> Corners:
    """The vertices that ``triangles`` (F, 3) of corner indices come to.

    Normals, texture coordinates or colours that are not finite are mended, each with a finding.
    """
    flat = triangles.reshape(-1)
    points = np.clip(raw["corners"][flat], 0, len(raw["positions"]) - 1)
    values = {name: _values(raw[name], name, report) for name in ("normals", "uvs", "colors")}
    columns = [points]
    for name, table in values.items():
        if table is not None:
            # Files write one normal for every corner; equal ones are told by their value.
            _, same = np.unique(table, axis=0, return_inverse=True)
            columns.append(same.reshape(-1)[np.clip(raw[name]["indices"][flat], 0, len(table) - 1)])
    _, first, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)

    def pick(name: str) -> FloatArray | None:
        table = values[name]
        return None if table is None else table[np.clip(raw[name]["indices"][flat[first]], 0, len(table) - 1)]

    uvs, joined = pick("uvs"), inverse.reshape(-1, 3)
    placed = np.nan_to_num(raw["positions"][points[first]])
    return Corners(
        points[first],
        joined,
        believable_normals(placed, joined, pick("normals"), report),
        None if uvs is None else np.stack([uvs[:, 0], 1 - uvs[:, 1]], axis=1),
        pick("colors"),
    )


def _values(attribute: dict[str, Any] | None, name: str, report: ReportBuilder) -> FloatArray | None:
    if attribute is None or not len(attribute["values"]) or not len(attribute["indices"]):
        return None
    values = np.asarray(attribute["values"])
    finite = np.isfinite(values).all(axis=1) & (np.abs(values) < 1e30).all(axis=1)
    if not finite.all():
        report.add("repaired", f"{name} that are not finite were set to zero", count=int(np.sum(~finite)))
        values = np.where(finite[:, None], values, 0.0)
    if name == "normals":
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        values = np.where(lengths > 1e-12, values / np.where(lengths > 1e-12, lengths, 1.0), [0.0, 1.0, 0.0])
    if name == "colors":
        values = np.clip(values, 0.0, 1.0)
    # Rounded as the mesh will store them, so that equal ones are equal.
    return np.asarray(values.astype(np.float32))
