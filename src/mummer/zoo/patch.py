"""A piece of surface while a body is being made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
    return Patch(
        name,
        np.concatenate([patch.positions for patch in patches]),
        np.concatenate([patch.normals for patch in patches]),
        np.concatenate([patch.triangles + start for patch, start in zip(patches, starts, strict=False)]),
        np.concatenate([_widened(patch.indices, most) for patch in patches]),
        np.concatenate([_widened(patch.weights, most) for patch in patches]),
        np.concatenate([patch.colors for patch in patches]),
        roughness,
        _merged_shapes(patches),
    )


def _widened(values: Any, width: int) -> Any:
    if values.shape[1] == width:
        return values
    wide = np.zeros((len(values), width), values.dtype)
    wide[:, : values.shape[1]] = values
    return wide


def _merged_shapes(patches: Sequence[Patch]) -> dict[str, FloatArray]:
    names = dict.fromkeys(name for patch in patches for name in patch.shapes)
    return {
        name: np.concatenate([patch.shapes.get(name, np.zeros_like(patch.positions)) for patch in patches])
        for name in names
    }


def carried_by(joint: int, count: int) -> tuple[IntegerArray, FloatArray]:
    """Indices (V, 1) and weights (V, 1) of vertices that one joint carries."""
    return np.full((count, 1), joint, np.int64), np.ones((count, 1))
