"""Skins: which joints carry which vertex, by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked, require_finite
from mummer.character._checks import require_exact_shape
from mummer.errors import InputError


@dataclass(frozen=True, eq=False)
class Skin:
    """The binding of V vertices to B joints with K influences each.

    Attributes:
        joints: (B,) joint indices of the skeleton.
        joint_from_mesh: (B, 3, 4) affine, from mesh space to each joint's space when bound [inverse bind].
        indices: (V, K) into ``joints``.
        weights: (V, K) not negative, each row summing to one.
    """

    joints: IntArray
    joint_from_mesh: FloatArray
    indices: IntArray
    weights: FloatArray

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "joints", locked(self.joints, np.int32))
        set_field(self, "joint_from_mesh", locked(self.joint_from_mesh))
        set_field(self, "indices", locked(self.indices, np.int32))
        set_field(self, "weights", locked(self.weights, np.float32))
        require_exact_shape(self.joints, (None,), "joints of a skin")
        require_exact_shape(self.joint_from_mesh, (None, 3, 4), "joint_from_mesh of a skin")
        require_finite(self.joint_from_mesh, "joint_from_mesh of a skin")
        if len(self.joint_from_mesh) != len(self.joints):
            raise InputError(f"a skin has {len(self.joints)} joints but {len(self.joint_from_mesh)} inverse binds")
        if self.indices.shape != self.weights.shape or self.indices.ndim != 2:
            raise InputError(f"skin indices {self.indices.shape} and weights {self.weights.shape} must be (V, K) alike")
        if self.indices.size and not 0 <= self.indices.min() <= self.indices.max() < len(self.joints):
            raise InputError(f"a skin index points outside its {len(self.joints)} joints")
        if self.weights.size:
            sums = self.weights.sum(axis=1)
            if not np.all(np.abs(sums - 1) < 1e-3) or np.any(self.weights < 0):
                raise InputError("skin weights must not be negative and must sum to one for every vertex")

    @classmethod
    def rigid(cls, joint: int, joint_from_mesh: FloatArray, vertices: int) -> Skin:
        """A skin that carries all vertices by one joint."""
        return cls(
            np.array([joint]),
            np.asarray(joint_from_mesh)[None],
            np.zeros((vertices, 1), np.int32),
            np.ones((vertices, 1), np.float32),
        )

    @property
    def influences(self) -> int:
        """K, the number of influences each vertex has at most."""
        return int(self.indices.shape[1])
