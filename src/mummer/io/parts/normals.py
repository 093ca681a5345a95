"""Normals that can be believed: those of some files have nothing to do with the faces they came with."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.report import ReportBuilder

# Smooth shading tilts normals away from their faces, but rarely beyond a right angle. Meshes that are inside out
# disagree everywhere, and are shaded well by the normals they have.
FEWEST_AGREEING, MOST_AGREEING = 0.25, 0.75


def believable_normals(
    positions: FloatArray, triangles: IntArray, normals: FloatArray | None, report: ReportBuilder
) -> FloatArray | None:
    """``normals`` (V, 3), or None with a finding if they point about as often into the surface as out of it."""
    if normals is None or not len(triangles):
        return normals
    corners = positions[triangles].astype(np.float64)
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    leaning = np.einsum("fi,fi->f", faces, normals[triangles].astype(np.float64).sum(axis=1))
    areas = np.linalg.norm(faces, axis=1)
    total = float(areas.sum())
    if total <= 0:
        return normals
    agreeing = float(areas[leaning > 0].sum()) / total
    if FEWEST_AGREEING < agreeing < MOST_AGREEING:
        report.add("repaired", "normals have nothing to do with their faces and were left out")
        return None
    return normals
