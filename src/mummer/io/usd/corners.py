"""Corners of a USD mesh joined into vertices, whatever its attributes are spread over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.report import ReportBuilder

ATTRIBUTES = ("normals", "uvs", "colors", "opacities")


@dataclass(frozen=True, eq=False)
class Corners:
    """V vertices that F triangles share.

    Attributes:
        points: (V,) the point behind each vertex.
        triangles: (F, 3) into the vertices.
        normals: (V, 3) unit, or None.
        uvs: (V, 2) v down, or None.
        colors: (V, 4), or None.
    """

    points: IntArray
    triangles: IntArray
    normals: FloatArray | None
    uvs: FloatArray | None
    colors: FloatArray | None


def join_corners(
    raw: dict[str, Any], triangles: IntArray, part: bool, has_material: bool, report: ReportBuilder
) -> Corners:
    """The vertices that ``triangles`` (F, 3) of corner indices come to, in the order of the points.

    Args:
        raw: the mesh.
        triangles: those of its triangles that wear one material.
        part: whether there are others.
        has_material: whether a material says what colour they are.
        report: receives what was repaired.
    """
    flat = triangles.reshape(-1)
    points = raw["corners"][flat]
    if not part and _is_plain(raw):
        # No attribute tells corners of one point apart: keep every point, in its order.
        every = np.arange(len(raw["points"]))
        return _corners(every, points, _attributes(raw, {"vertex": every, "varying": every}, has_material, report))
    face_of_corner = np.repeat(np.arange(len(raw["counts"])), raw["counts"])
    spread = {"vertex": points, "varying": points, "faceVarying": flat, "uniform": face_of_corner[flat]}
    values = _attributes(raw, spread, has_material, report)
    told = [np.unique(table, axis=0, return_inverse=True)[1] for table in values.values() if table is not None]
    columns = [points, *(column.reshape(-1) for column in told)]
    _, first, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)
    picked = {name: None if table is None else table[first] for name, table in values.items()}
    return _corners(points[first], inverse, picked)


def _is_plain(raw: dict[str, Any]) -> bool:
    given = [raw[name] for name in ATTRIBUTES if raw[name] is not None]
    return all(attribute["spread"] in ("vertex", "varying", "constant") for attribute in given)


def _attributes(
    raw: dict[str, Any], spread: dict[str, IntArray], has_material: bool, report: ReportBuilder
) -> dict[str, FloatArray | None]:
    values = {name: _values(raw[name], spread, name, report) for name in ATTRIBUTES}
    if has_material and raw["colors"] is not None and raw["colors"]["spread"] == "constant":
        # A display colour for the whole mesh stands in for the material where there is none.
        values["colors"] = values["opacities"] = None
    return values


def _corners(points: IntArray, triangles: IntArray, values: dict[str, FloatArray | None]) -> Corners:
    uvs = values["uvs"]
    return Corners(
        points,
        triangles.reshape(-1, 3),
        values["normals"],
        None if uvs is None else np.stack([uvs[:, 0], 1 - uvs[:, 1]], axis=1),
        _colors(values["colors"], values["opacities"]),
    )


def _values(
    attribute: dict[str, Any] | None, spread: dict[str, IntArray], name: str, report: ReportBuilder
) -> FloatArray | None:
    """The attribute at every corner of the triangles, or None."""
    if attribute is None or attribute["spread"] not in spread:
        return None
    places = spread[attribute["spread"]]
    if attribute["indices"] is not None:
        indices = attribute["indices"]
        if not len(indices) or places.max(initial=0) >= len(indices):
            report.add("ignored", f"{name} that do not fit their mesh")
            return None
        places = indices[places]
    values = attribute["values"]
    if places.min(initial=0) < 0 or places.max(initial=0) >= len(values):
        report.add("ignored", f"{name} that do not fit their mesh")
        return None
    table = values[places].reshape(len(places), -1).astype(np.float32)
    bad = ~np.isfinite(table).all(axis=1)
    if bad.any():
        report.add("repaired", f"{name} that are not finite were set to zero", count=int(bad.sum()))
        table[bad] = 0.0
    if name == "normals":
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        table = np.where(
            lengths > 1e-12, table / np.where(lengths > 1e-12, lengths, 1.0), np.array([0, 1, 0], np.float32)
        )
    return table


def _colors(colors: FloatArray | None, opacities: FloatArray | None) -> FloatArray | None:
    if colors is None:
        return None
    alpha = np.ones((len(colors), 1), np.float32) if opacities is None else opacities
    return np.clip(np.concatenate([colors, alpha], axis=1), 0.0, 1.0)
