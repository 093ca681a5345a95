"""The skin of a body as points: an even choice of its vertices, bent as its file says; capsules where it has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mummer import kernels
from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose, world_matrices
from mummer.math import transform

THICK = 0.18
"""Radius of a bone that has no skin, in lengths of the bone."""
THICKEST = 0.06
"""The most that such a radius may be, in sizes of the body."""
AROUND, ALONG = 8, 8
"""Points around and along a bone that has no skin."""
_KEPT = "_surface_to_judge"


@dataclass(frozen=True, eq=False)
class Surface:
    """V points of a skin.

    Attributes:
        points: (V, 3) as bound.
        indices, weights: (V, K) which binds carry each, and by how much.
        joints: (B,) of the binds.
        joint_from_mesh: (B, 3, 4).
        owners: (V,) the joint that carries most of each point.
    """

    points: FloatArray
    indices: IntArray
    weights: FloatArray
    joints: IntArray
    joint_from_mesh: FloatArray
    owners: IntArray

    def __len__(self) -> int:
        return len(self.points)

    def posed(self, world_from_joint: FloatArray) -> FloatArray:
        """(T, V, 3) where the points are, metres, given (T, J, 3, 4)."""
        matrices = transform.multiply(world_from_joint[:, self.joints], self.joint_from_mesh)
        return np.asarray(kernels.skin_linear(self.points, self.indices, self.weights, matrices))

    def chosen(self, rows: IntArray) -> Surface:
        """Some of the points."""
        return Surface(
            self.points[rows], self.indices[rows], self.weights[rows], self.joints, self.joint_from_mesh,
            self.owners[rows],
        )  # fmt: skip

    def thinned(self, places: FloatArray, heights: FloatArray, most: int) -> IntArray:
        """(n,) rows of at most so many points, evenly over a body at ``places`` (V, 3), the lowest of each spot."""
        if len(places) <= most:
            return np.arange(len(places))
        order = np.argsort(heights, kind="stable")
        cell = float(np.ptp(places, axis=0).max()) / 100.0
        while True:
            boxes = np.floor((places[order] - places.min(axis=0)) / cell).astype(np.int64)
            _, first = np.unique(boxes, axis=0, return_index=True)
            if len(first) <= most:
                return np.sort(order[first])
            cell *= 1.2


def surface_of(body: Character) -> Surface:
    """All of the skin of a body; made once."""
    found = body.__dict__.get(_KEPT)
    if found is None:
        found = body.__dict__[_KEPT] = _of_meshes(body) if any(len(m.positions) for m in body.meshes) else _bare(body)
    return cast(Surface, found)


def _of_meshes(body: Character) -> Surface:
    meshes = [mesh for mesh in body.meshes if len(mesh.positions)]
    wide = max(mesh.skin.influences for mesh in meshes)
    firsts = np.cumsum([0, *(len(mesh.skin.joints) for mesh in meshes)])
    indices = [_wide(mesh.skin.indices + first, wide) for mesh, first in zip(meshes, firsts, strict=False)]
    weights = np.concatenate([_wide(mesh.skin.weights, wide) for mesh in meshes])
    joints = np.concatenate([mesh.skin.joints for mesh in meshes])
    every = np.concatenate(indices)
    owners = joints[np.take_along_axis(every, weights.argmax(axis=1)[:, None], axis=1)[:, 0]]
    binds = np.concatenate([mesh.skin.joint_from_mesh for mesh in meshes])
    points = np.concatenate([mesh.positions for mesh in meshes])
    sound = np.isfinite(points).all(axis=1)
    return Surface(points, every, weights, joints, binds, owners).chosen(np.flatnonzero(sound))


def _wide(values: npt.NDArray[Any], wide: int) -> npt.NDArray[Any]:
    return np.pad(values, ((0, 0), (0, wide - values.shape[1])))


def _bare(body: Character) -> Surface:
    """Capsules along the bones: rings of points that each joint carries on the way to its children.

    What is above the joint that carries the body, where that is known, is no part of it, as handles of rigs are.
    """
    skeleton = body.skeleton
    roots = () if body.anatomy is None else body.anatomy.capabilities.get("root", ())
    handles = {joint for root in roots for joint in skeleton.ancestors(root)}
    flesh = [joint for joint in range(len(skeleton)) if joint not in handles]
    world = world_matrices(skeleton, Pose.rest(skeleton))
    places = world[:, :, 3]
    size = max(float(np.ptp(places, axis=0).max()), 1e-9)
    points, owners = [places[flesh]], [np.array(flesh)]
    angles = np.arange(AROUND) * (2 * np.pi / AROUND)
    shares = (np.arange(ALONG) + 0.5) / ALONG
    for joint in range(len(skeleton)):
        above = int(skeleton.parents[joint])
        bone = places[joint] - places[above]
        length = float(np.linalg.norm(bone))
        if above < 0 or above in handles or length < 1e-3 * size:
            continue
        side = np.cross(bone, np.eye(3)[np.argmin(np.abs(bone))])
        side /= np.linalg.norm(side)
        other = np.cross(bone / length, side)
        ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
        thick = min(THICK * length, THICKEST * size)
        rings = places[above] + shares[:, None, None] * bone + thick * ring
        points.append(rings.reshape(-1, 3))
        owners.append(np.full(AROUND * ALONG, above))
    every = np.concatenate(owners)
    binds = transform.inverse(world)
    return Surface(
        np.concatenate(points), every[:, None], np.ones((len(every), 1), np.float32), np.arange(len(skeleton)), binds,
        every,
    )  # fmt: skip
