"""A piece of surface while a body is being made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mummer.arrays import FloatArray
from mummer.zoo.arguments import IntegerArray


@dataclass(frozen=True, eq=False)
class Patch:
    """Triangles in the world at rest, bound to joints of the skeleton.

    Attributes:
        name: what its mesh will be called.
        positions, normals: (V, 3).
        triangles: (F, 3).
        indices, weights: (V, K) joint indices and weights.
        colors: (V, 3) linear.
        roughness: of its material, 0 to 1.
        shapes: morph name to the displacement (V, 3) of each vertex.
    """

    name: str
    positions: FloatArray
    normals: FloatArray
    triangles: IntegerArray
    indices: IntegerArray
    weights: FloatArray
    colors: FloatArray
    roughness: float = 0.8
    shapes: dict[str, FloatArray] = field(default_factory=dict)


def merged(name: str, patches: Sequence[Patch], *, roughness: float = 0.8) -> Patch:
    """Several patches as one; at least one. Fewer influences are filled up with zero weights."""
    starts = np.cumsum([0, *(len(patch.positions) for patch in patches)])
    most = max(patch.weights.shape[1] for patch in patches)
    fill = [((0, 0), (0, most - patch.weights.shape[1])) for patch in patches]
    return Patch(
        name,
        np.concatenate([patch.positions for patch in patches]),
        np.concatenate([patch.normals for patch in patches]),
        np.concatenate([patch.triangles + start for patch, start in zip(patches, starts, strict=False)]),
        np.concatenate([np.pad(patch.indices, room) for patch, room in zip(patches, fill, strict=True)]),
        np.concatenate([np.pad(patch.weights, room) for patch, room in zip(patches, fill, strict=True)]),
        np.concatenate([patch.colors for patch in patches]),
        roughness,
        _merged_shapes(patches),
    )


def _merged_shapes(patches: Sequence[Patch]) -> dict[str, FloatArray]:
    names = dict.fromkeys(name for patch in patches for name in patch.shapes)
    return {
        name: np.concatenate([patch.shapes.get(name, np.zeros_like(patch.positions)) for patch in patches])
        for name in names
    }


def carried_by(joint: int, count: int) -> tuple[IntegerArray, FloatArray]:
    """Indices (V, 1) and weights (V, 1) of vertices that one joint carries."""
    return np.full((count, 1), joint, np.int64), np.ones((count, 1))


def smooth_normals(positions: FloatArray, triangles: IntegerArray) -> FloatArray:
    """(V, 3) unit normals, the mean of the faces around each vertex by their area."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    sums = np.stack(
        [
            sum(np.bincount(triangles[:, corner], faces[:, axis], len(positions)) for corner in range(3))
            for axis in range(3)
        ],
        axis=1,
    )
    sizes = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
    return np.where(sizes > 1e-20, sums / np.maximum(sizes, 1e-20), [0.0, 1.0, 0.0])
