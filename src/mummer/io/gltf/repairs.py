"""Numbers in meshes that are no numbers: mended where the surface stays what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.io.gltf.primitives import Surface
from mummer.io.gltf.reading import Reading


def mended_surface(reading: Reading, surface: Surface) -> Surface:
    """The surface with every position a number: vertices that are none lose their triangles and go to the origin.

    Raises:
        MalformedFileError: if no triangle is left.
    """
    wrong = _wrong_rows(surface.positions)
    if not wrong.any():
        return surface
    positions = np.where(wrong[:, None], np.float32(0), surface.positions)
    touched = np.asarray(wrong[surface.triangles].any(axis=1))
    if touched.all() and len(touched):
        raise surface.element.error("holds no triangle whose positions are finite numbers", "attributes/POSITION")
    if touched.any():
        message = "triangles with positions that are not finite numbers were dropped"
        reading.report.add("repaired", message, count=int(touched.sum()))
    else:
        reading.report.add("repaired", "unused vertices whose position is no number", count=int(wrong.sum()))
    surface.mend(reading, "POSITION", positions)
    if touched.any():
        surface.mend_triangles(reading, surface.triangles[~touched])
    return Surface(positions, surface.triangles[~touched], surface.element, surface.packed)


def mended_normals(reading: Reading, surface: Surface, normals: FloatArray) -> FloatArray:
    """(V, 3) unit normals; rows that are no numbers or zero are taken from the triangles around the vertex."""
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(normals.astype(np.float64), axis=1)
    wrong = ~np.isfinite(lengths) | (lengths < 1e-12)
    off = np.abs(lengths - 1) > 1e-3
    if wrong.any():
        reading.report.add("repaired", "normals that are zero or no numbers", count=int(wrong.sum()))
        around = _smooth_normals(surface.positions, surface.triangles)
        normals = np.where(wrong[:, None], around, normals)
        lengths = np.where(wrong, 1.0, lengths)
    if np.any(off):
        normals = (normals / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
        surface.mend(reading, "NORMAL", normals)
        if np.any(off & ~wrong):
            reading.report.add("repaired", "normals were brought to unit length", count=int((off & ~wrong).sum()))
    return normals


def mend_tangents(reading: Reading, surface: Surface) -> None:
    """Take tangents that are none out of what is written: everybody can make them from normals and texture."""
    tangents = surface.floats(reading, "TANGENT", "VEC4")
    if tangents is None:
        return
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(tangents[:, :3].astype(np.float64), axis=1)
        good = (np.abs(lengths - 1) < 5e-3) & (np.abs(tangents[:, 3]) == 1)
    if not good.all():
        reading.report.add("repaired", "tangents that are none were left out", count=int((~good).sum()))
        reading.mended.fields[*surface.place, "attributes", "TANGENT"] = None


def mend_bounds(reading: Reading) -> None:
    """State the bounds of what was read where the document states others."""
    count = 0
    for number, values in reading.arrays.items():
        accessor = reading.entries("accessors")[number]
        if number in reading.mended.accessors or not {"min", "max"} & accessor.keys():
            continue
        bounds = {"min": values.min(axis=0), "max": values.max(axis=0)}
        wrong = {key: each.tolist() for key, each in bounds.items() if not _states(accessor.get(key), each)}
        reading.mended.fields |= {("accessors", number, key): each for key, each in wrong.items()}
        count += bool(wrong)
    if count:
        reading.report.add("repaired", "accessors whose bounds are not those of their content", count=count)


def _states(stated: Any, found: npt.NDArray[Any]) -> bool:
    """Whether stated numbers are those that were found, as they are stored."""
    if not isinstance(stated, list) or len(stated) != len(found) or any(type(n) not in (int, float) for n in stated):
        return False
    return bool(np.array_equal(np.array(stated, np.float64).astype(found.dtype), found) or not np.isfinite(found).all())


def mended_values(reading: Reading, values: FloatArray, what: str, default: float, index: int | None) -> FloatArray:
    """The values with rows that are no numbers set to ``default``; ``index`` is their accessor."""
    wrong = _wrong_rows(values)
    if not wrong.any():
        return values
    reading.report.add("repaired", f"{what} that are no numbers", count=int(wrong.sum()))
    made = np.where(wrong[:, None], np.float32(default), values)
    if index is not None:
        reading.mended.accessors[index] = made
    return made


def _wrong_rows(values: FloatArray) -> BoolArray:
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum(dtype=np.float64)):
            return np.zeros(len(values), bool)
    return np.asarray(~np.isfinite(values).all(axis=1))


def _smooth_normals(positions: FloatArray, triangles: IntArray) -> FloatArray:
    """(V, 3) the mean direction of the triangles at each vertex, by area; up where there is none."""
    corner = positions.astype(np.float64)[triangles]
    facing = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    sums = np.zeros((len(positions), 3))
    np.add.at(sums, triangles.reshape(-1), np.repeat(facing, 3, axis=0))
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    flat = lengths[:, 0] == 0
    sums[flat], lengths[flat] = (0.0, 1.0, 0.0), 1.0
    return (sums / lengths).astype(np.float32)
