"""A body's mass as a few weighted vectors, whose distance between two poses is the mass displacement.

The mass displacement of a rigid part, E = ∫ |x - x̄|² dm = trace(R τ (Rᵀ - 2R̄ᵀ) + R̄ τ R̄ᵀ) with its 4x4 tensor τ, is
what four vectors move: the centre times √m, and the three columns of the rotation times a square root of the second
moment about the centre. Written so, it needs no 4x4 tensors, keeps its digits for poses that nearly agree, and turns
all distances between two lists of poses into one product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.errors import InputError
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


@dataclass(frozen=True, eq=False)
class MassPoints:
    """B poses of the mass of some joints.

    Attributes:
        vectors: (B, 4N, 3) in the world (or another frame), metres; those of the centres first, then the spread.
        weights: (4N,) how much each vector moves with the body's place: √(mass share) for a centre, zero for the
            spread, which only turns.
    """

    vectors: FloatArray
    weights: FloatArray

    def centered(self, level: FloatArray | None = None) -> FloatArray:
        """(B, 4N, 3) the vectors with the centre of mass moved to the origin.

        Args:
            level: (3,) unit; the height along it is kept. None moves it in all directions.
        """
        middle = np.einsum("n,bnk->bk", self.weights, self.vectors)
        if level is not None:
            middle = middle - (middle @ level)[:, None] * level
        return np.asarray(self.vectors - self.weights[:, None] * middle[:, None])


def mass_points(state: WorldState, joints: Sequence[int] | IntArray | None = None) -> MassPoints:
    """The mass of posed bodies in the world; squared distances of these vectors are mean squared displacements.

    Args:
        state: B poses.
        joints: whose mass counts; all if not given.

    Raises:
        InputError: if these joints carry no mass at all.
    """
    chosen = np.arange(len(state.body.skeleton)) if joints is None else np.asarray(joints, np.int64)
    return framed_points(state.body, chosen, state.positions[:, chosen], state.rotations[:, chosen])


def framed_points(body: RigidBody, joints: IntArray, positions: FloatArray, rotations: FloatArray) -> MassPoints:
    """As `mass_points`, for joints whose places (B, N, 3) and rotations (B, N, 4) are given in any one frame."""
    masses = body.mass.masses[joints]
    total = float(masses.sum())
    if not total > 0:
        raise InputError(f"these joints of {body.character.name!r} carry no mass; a distance cannot be weighed by it")
    shares = np.sqrt(masses / total)
    centers = (positions + quaternion.rotate(rotations, body.mass.centers[joints])) * shares[:, None]
    # Rows of (R √S)ᵀ: where each of three vectors of the spread points.
    spread = np.einsum("bnij,njk->bnki", quaternion.to_matrix(rotations), spread_roots(body)[joints])
    vectors = np.concatenate([centers, spread.reshape(len(centers), -1, 3) / np.sqrt(total)], axis=1)
    return MassPoints(vectors, np.concatenate([shares, np.zeros(3 * len(shares))]))


_roots: WeakKeyDictionary[RigidBody, FloatArray] = WeakKeyDictionary()


def spread_roots(body: RigidBody) -> FloatArray:
    """(J, 3, 3) square roots of the second moments about the centres, in the joints' frames, √kg m."""
    found = _roots.get(body)
    if found is None:
        values, vectors = np.linalg.eigh(body.mass.second_moments)
        found = _roots[body] = locked(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :])
    return found
