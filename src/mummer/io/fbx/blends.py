"""Blend shapes of an FBX mesh as dense displacements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import unique_names
from mummer.report import ReportBuilder


@dataclass(frozen=True, eq=False)
class Blend:
    """One shape that a mesh can be blended towards.

    Attributes:
        name: of its channel.
        channels: the blend channel that drives it.
        full: the channel's weight at which the shape is reached.
        positions: (P, 3) displacement of every control point.
        normals: (P, 3) change of every normal, or None.
    """

    name: str
    channels: tuple[int, ...]
    full: float
    positions: FloatArray
    normals: FloatArray | None


def read_blends(raw: dict[str, Any], report: ReportBuilder) -> list[Blend]:
    """The shapes of a mesh; shapes on the way to another one (in-betweens) are left out with a finding."""
    usable = [entry for entry in raw["blends"] if entry["shape"] is not None]
    between = sum(entry["between"] for entry in usable)
    if between:
        report.add("ignored", "shapes in between a blend channel's shapes", count=between)
    names = unique_names([entry["name"] or entry["shape"]["name"] for entry in usable], blank="morph")
    return [_blend(entry, name, len(raw["positions"]), report) for entry, name in zip(usable, names, strict=True)]


def _blend(entry: dict[str, Any], name: str, count: int, report: ReportBuilder) -> Blend:
    shape = entry["shape"]
    full = float(entry["full"])
    positions = _dense(shape["vertices"], shape["positions"], count, report)
    normals = _dense(shape["vertices"], shape["normals"], count, report)
    good = np.isfinite(full) and full > 1e-6
    return Blend(
        name,
        (int(entry["channel"]),),
        full if good else 1.0,
        np.zeros((count, 3)) if positions is None else positions,
        normals,
    )


def _dense(vertices: Any, offsets: FloatArray, count: int, report: ReportBuilder) -> FloatArray | None:
    if not len(offsets) or len(offsets) != len(vertices) or not np.any(offsets):
        return None
    usable = (vertices >= 0) & (vertices < count) & np.isfinite(offsets).all(axis=1)
    if not usable.all():
        report.add("repaired", "blend shape offsets that are not finite or for no vertex", count=int(np.sum(~usable)))
    dense = np.zeros((count, 3))
    np.add.at(dense, vertices[usable], offsets[usable])
    return dense
