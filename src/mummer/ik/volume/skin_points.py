"""The surface of a body at rest as points that each belong to one joint."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Character, Mesh, Pose, deform
from mummer.kept import kept


@dataclass(frozen=True, eq=False)
class SkinPoints:
    """The vertices of all meshes in a pose.

    Attributes:
        places: (N, 3) in the world, metres.
        normals: (N, 3) unit and outward; zero at a vertex without triangles.
        areas: (N,) square metres of surface that each stands for.
        joints: (N,) the joint with the largest weight.
        triangles: (F, 3) into the points.
    """

    places: FloatArray
    normals: FloatArray
    areas: FloatArray
    joints: IntArray
    triangles: IntArray

    def __len__(self) -> int:
        return len(self.places)


def skin_points(character: Character, pose: Pose | None = None) -> SkinPoints:
    """The surface of ``character``, at rest unless a single ``pose`` is given, without vertices that are not finite."""
    bent = deform(character, Pose.rest(character.skeleton) if pose is None else pose, with_normals=False)
    places: list[FloatArray] = [np.zeros((0, 3))]
    triangles: list[IntArray] = [np.zeros((0, 3), np.int64)]
    joints: list[IntArray] = [np.zeros(0, np.int64)]
    start = 0
    for mesh, shape in zip(character.meshes, bent, strict=True):
        places.append(np.asarray(shape.positions, np.float64))
        triangles.append(mesh.triangles.astype(np.int64) + start)
        joints.append(carriers(mesh))
        start += len(shape.positions)
    return _measured(np.concatenate(places), np.concatenate(triangles), np.concatenate(joints))


@kept
def skin_at_rest(character: Character) -> SkinPoints:
    """The surface of ``character`` at rest; remembered."""
    return skin_points(character)


def carriers(mesh: Mesh) -> IntArray:
    """(V,) the joint that carries the largest part of each vertex."""
    if not mesh.skin.weights.size:
        return np.zeros(len(mesh.positions), np.int64)
    strongest = mesh.skin.weights.argmax(axis=1)
    return mesh.skin.joints[mesh.skin.indices[np.arange(len(strongest)), strongest]].astype(np.int64)


def turned_outward(points: SkinPoints) -> SkinPoints:
    """The same surface with its normals outward even where the file has it inside out."""
    corners = points.places[points.triangles]
    if np.linalg.det(corners - corners.mean(axis=(0, 1))).sum() >= 0:
        return points
    return replace(points, normals=-points.normals)


def spread_points(surface: SkinPoints, joint: int, most: int) -> tuple[FloatArray, FloatArray]:
    """About ``most`` places (N, 3) spread over the surface that ``joint`` carries, and the area (N,) of each.

    Large triangles are cut up, so that the answer does not depend on how finely a surface is modelled.
    """
    votes = surface.joints[surface.triangles] == joint
    faces = np.flatnonzero(votes.sum(axis=1) >= 2)
    corners = surface.places[surface.triangles[faces]]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    if not areas.sum() > 0:
        return np.zeros((0, 3)), np.zeros(0)
    cuts = np.clip(np.ceil(np.sqrt(areas * most / areas.sum())), 1, 16).astype(np.int64)
    places, shares = [], []
    for cut in np.unique(cuts):
        mine = cuts == cut
        weights = _middles(int(cut))
        places.append(np.einsum("wc,fcd->fwd", weights, corners[mine]).reshape(-1, 3))
        shares.append(np.repeat(areas[mine] / len(weights), len(weights)))
    everywhere, area = np.concatenate(places), np.concatenate(shares)
    if len(everywhere) <= 2 * most:
        return everywhere, area
    # Every so-and-so-many in a fixed order by place: the same whatever order the file lists its triangles in.
    order = np.lexsort(np.round(everywhere / 1e-6).T)
    chosen = order[np.linspace(0, len(order) - 1, most).round().astype(np.int64)]
    return everywhere[chosen], area[chosen]


def _middles(cut: int) -> FloatArray:
    """(cut², 3) the middles of the triangles that one is cut into, as shares of its corners."""
    step = np.arange(cut)
    i, j = (grid.reshape(-1) for grid in np.meshgrid(step, step, indexing="ij"))
    upright, turned = i + j < cut, i + j < cut - 1
    first = np.concatenate([i[upright] + 1 / 3, i[turned] + 2 / 3]) / cut
    second = np.concatenate([j[upright] + 1 / 3, j[turned] + 2 / 3]) / cut
    return np.stack([1 - first - second, first, second], axis=1)


def _measured(places: FloatArray, triangles: IntArray, joints: IntArray) -> SkinPoints:
    finite: BoolArray = np.asarray(np.isfinite(places).all(axis=1))
    triangles = triangles[finite[triangles].all(axis=1)]
    corners = places[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals, areas = np.zeros(places.shape), np.zeros(len(places))
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], across)
        np.add.at(areas, triangles[:, corner], np.linalg.norm(across, axis=1) / 6)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    renumbered = np.cumsum(finite) - 1
    return SkinPoints(places[finite], normals[finite], areas[finite], joints[finite], renumbered[triangles])
