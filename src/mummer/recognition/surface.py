"""What the surface tells about the joints under it: how much of it each carries, and how far that part reaches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Mesh

MOST_POINTS, MOST_TRIANGLES = 6000, 20000
"""Vertices looked at for one body, triangles for one mesh; more would cost time and tell nothing new."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The surface of a body in one pose, joint by joint.

    Attributes:
        share: (J,) the part of the surface, by area, that each joint carries; sums to one, or zeros without a surface.
        low: (J, 3) lowest corner in the world of what each joint carries most of, in metres; its position if nothing.
        high: (J, 3) highest corner.
        center: (J, 3) middle of it.
        stiff: J flags: all that a joint carries is bound to it alone, as the meshes of a robot are.
    """

    share: FloatArray
    low: FloatArray
    high: FloatArray
    center: FloatArray
    stiff: tuple[bool, ...]

    @cached_property
    def exists(self) -> bool:
        """Whether there is a surface at all."""
        return bool(self.share.any())


def read_surface(character: Character, world_from_joint: FloatArray) -> Surface:
    """The surface of ``character`` when its joints stand at ``world_from_joint`` (J, 3, 4)."""
    count = len(character.skeleton)
    positions = world_from_joint[:, :, 3]
    share = np.zeros(count)
    soft = np.zeros(count, bool)
    owners, points = [], []
    total = sum(len(mesh.positions) for mesh in character.meshes)
    step = max(1, -(-total // MOST_POINTS))
    for mesh in character.meshes:
        owner, point = _carried(mesh, world_from_joint, step, share)
        owners.append(owner)
        points.append(point)
        if len(mesh.skin.joints) > 1:
            soft[mesh.skin.joints] = True
    low, high, center = positions.copy(), positions.copy(), positions.copy()
    if owners:
        owner, point = np.concatenate(owners), np.concatenate(points)
        fine = np.isfinite(point).all(axis=1)
        owner, point = owner[fine], point[fine]
        _corners(owner, point, low, high, center)
    whole = share.sum()
    return Surface(share / whole if whole > 0 else share, low, high, center, tuple((~soft).tolist()))


def _carried(mesh: Mesh, world_from_joint: FloatArray, step: int, share: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The joint that carries each looked-at vertex most, and where it is; adds what joints carry to ``share``."""
    skin = mesh.skin
    indices, weights = skin.indices[::step], skin.weights[::step].astype(np.float64)
    if not indices.size:
        return np.zeros(0, np.int64), np.zeros((0, 3))
    world = _compose(world_from_joint[skin.joints], skin.joint_from_mesh)
    scale = abs(float(np.linalg.det(world[0, :, :3]))) ** (2 / 3)
    carried = skin.weights * (scale * _areas(mesh))[:, None]
    share += np.bincount(skin.joints[skin.indices].ravel(), carried.ravel(), len(share))
    most = np.take_along_axis(indices, weights.argmax(axis=1)[:, None], axis=1)[:, 0]
    vertices = np.asarray(mesh.positions, np.float64)[::step]
    point = np.einsum("vij,vj->vi", world[most][:, :, :3], vertices) + world[most][:, :, 3]
    return skin.joints[most].astype(np.int64), point


def _areas(mesh: Mesh) -> FloatArray:
    """(V,) the surface about each vertex, in the mesh's units: what is drawn finely is no larger for it; never zero."""
    step = max(1, -(-len(mesh.triangles) // MOST_TRIANGLES))
    triangles = mesh.triangles[::step]
    if not len(triangles):
        return np.ones(len(mesh.positions))
    corners = mesh.positions[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.nan_to_num(np.sqrt((across**2).sum(axis=1)))
    found = np.bincount(triangles.ravel(), np.repeat(step * area, 3), len(mesh.positions))
    return np.asarray(found + 0.01 * found.mean() + 1e-12)


def _compose(first: FloatArray, second: FloatArray) -> FloatArray:
    """(N, 3, 4) affine products of (N, 3, 4) matrices."""
    turned = first[:, :, :3] @ second
    turned[:, :, 3] += first[:, :, 3]
    return np.asarray(turned)


def _corners(owner: FloatArray, point: FloatArray, low: FloatArray, high: FloatArray, center: FloatArray) -> None:
    order = np.argsort(owner, kind="stable")
    owner, point = owner[order], point[order]
    if not len(owner):
        return
    joints, starts = np.unique(owner, return_index=True)
    low[joints] = np.minimum.reduceat(point, starts, axis=0)
    high[joints] = np.maximum.reduceat(point, starts, axis=0)
    counts = np.diff(np.append(starts, len(owner)))
    center[joints] = np.add.reduceat(point, starts, axis=0) / counts[:, None]


def rest_bounds(character: Character, world_from_joint: FloatArray, parts: Iterable[int]) -> FloatArray:
    """(2, 3) lowest and highest corner of a body whose joints stand at ``world_from_joint`` (J, 3, 4), in metres.

    The surface decides where there is one, else the joints, without those that carry all of the ``parts`` (joints) and
    are none of them: they often stay at the origin, wherever the body is. Vertices that are not finite are left out.
    """
    corners = []
    for mesh in character.meshes:
        world = _compose(world_from_joint[mesh.skin.joints], mesh.skin.joint_from_mesh)
        vertices = np.asarray(mesh.positions, np.float64)
        points = np.zeros_like(vertices)
        for place in range(mesh.skin.influences):
            matrix, weight = world[mesh.skin.indices[:, place]], mesh.skin.weights[:, place, None]
            points += weight * (np.einsum("vij,vj->vi", matrix[:, :, :3], vertices) + matrix[:, :, 3])
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            corners += [points.min(axis=0), points.max(axis=0)]
    if corners:
        found = np.array(corners)
    else:
        above = [set(character.skeleton.ancestors(joint)) for joint in parts]
        found = np.delete(world_from_joint[:, :, 3], list(set.intersection(*above)) if above else [], axis=0)
    return np.stack([found.min(axis=0), found.max(axis=0)])
