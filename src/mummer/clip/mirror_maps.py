"""The constant maps that reflect the motion of each joint onto its mirror partner."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Anatomy, Skeleton
from mummer.math import quaternion

SWAPS = ((0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1))
"""The orders of three axes that undo themselves."""


@dataclass(frozen=True, eq=False)
class MirrorMaps:
    """What `Mirror` does to each joint, made once for a body.

    Attributes:
        sources: (J,) the partner that each joint takes its motion from.
        rotations: (J, 4, 4) acting on the partner's quaternion.
        offsets: (J, 3), turns: (J, 3, 3) acting on the partner's translation: turn, then add.
        axes: (J, 3) which of the partner's axes each axis takes its scale from.
        rest_scales: (J, 3) of the skeleton.
        normal: (3,) unit, of the plane.
    """

    sources: IntArray
    rotations: FloatArray
    offsets: FloatArray
    turns: FloatArray
    axes: IntArray
    rest_scales: FloatArray
    normal: FloatArray

    @classmethod
    def of(cls, skeleton: Skeleton, anatomy: Anatomy) -> MirrorMaps:
        """The maps for one body."""
        sources = anatomy.mirror.astype(np.int64)
        own, above = _rest_rotations(skeleton)
        reflection = np.eye(3) - 2 * np.outer(anatomy.left, anatomy.left)
        # Own rotation' = above⁻¹ · reflect(partner's above · q · partner's own⁻¹) · own, all of it linear in q.
        left = _left_matrices(quaternion.conjugate(above)) @ _reflection_of_quaternions(anatomy.left)
        left = left @ _left_matrices(above[sources])
        rotations = left @ _right_matrices(quaternion.conjugate(own[sources]))
        rotations = _right_matrices(own) @ rotations
        turns = quaternion.to_matrix(quaternion.conjugate(above)) @ reflection @ quaternion.to_matrix(above[sources])
        rest = skeleton.rest_translations
        offsets = rest - np.einsum("jab,jb->ja", turns, rest[sources])
        offsets[list(skeleton.roots)] = 0.0
        axes = _scale_axes(sources, quaternion.to_matrix(own), reflection)
        return cls(sources, rotations, offsets, turns, axes, skeleton.rest_scales, anatomy.left)

    def reflected(self, points: FloatArray) -> FloatArray:
        """(..., 3) points of the world on the other side of the plane."""
        return np.asarray(points - 2 * (points @ self.normal)[..., None] * self.normal)

    def translated(self, translations: FloatArray) -> FloatArray:
        """(T, J, 3) the translations of all joints, mirrored."""
        return np.asarray(np.einsum("jab,tjb->tja", self.turns, translations[:, self.sources]) + self.offsets)

    def scaled(self, scales: FloatArray) -> FloatArray:
        """(T, J, 3) the scales of all joints, mirrored."""
        grown = scales / np.where(self.rest_scales == 0, 1, self.rest_scales)
        taken = np.take_along_axis(grown[:, self.sources], self.axes[None], axis=2)
        return np.asarray(taken * np.where(self.rest_scales == 0, 1, self.rest_scales))


def _rest_rotations(skeleton: Skeleton) -> tuple[FloatArray, FloatArray]:
    """(J, 4) rotations of each joint and of its parent in the world at rest."""
    own = skeleton.rest_rotations.copy()
    above = np.tile([0.0, 0.0, 0.0, 1.0], (len(skeleton), 1))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            above[joint] = own[parent]
            own[joint] = quaternion.multiply(own[parent], own[joint])
    return own, above


def _reflection_of_quaternions(normal: FloatArray) -> FloatArray:
    """(4, 4) what a reflection does to rotations: the part of the axis across the plane stays, the rest turns round."""
    matrix = np.eye(4)
    matrix[:3, :3] = 2 * np.outer(normal, normal) - np.eye(3)
    return matrix


def _left_matrices(q: FloatArray) -> FloatArray:
    """(..., 4, 4) the matrices that multiply a quaternion by ``q`` from the left."""
    return np.stack([quaternion.multiply(q, unit) for unit in np.eye(4)], axis=-1)


def _right_matrices(q: FloatArray) -> FloatArray:
    """(..., 4, 4) the matrices that multiply a quaternion by ``q`` from the right."""
    return np.stack([quaternion.multiply(np.broadcast_to(unit, q.shape), q) for unit in np.eye(4)], axis=-1)


def _scale_axes(sources: IntArray, own: FloatArray, reflection: FloatArray) -> IntArray:
    """(J, 3) the axis of the partner that lies along each axis once reflected, as nearly as there is one."""
    axes = np.tile(np.arange(3), (len(sources), 1))
    for joint, partner in enumerate(sources.tolist()):
        if partner < joint:
            axes[joint] = np.argsort(axes[partner])
            continue
        along = np.abs(own[joint].T @ reflection @ own[partner])
        choices = SWAPS if partner == joint else tuple(permutations(range(3)))
        # Rounded, so that equal choices are told apart by their order alone.
        axes[joint] = max(choices, key=lambda order: round(float(along[[0, 1, 2], list(order)].sum()), 9))
    return axes
