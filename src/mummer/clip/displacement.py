"""Mass displacement: how far the mass of a body, or what one of its groups moves by itself, is from pose to pose.

The mass displacement of a rigid part, E = ∫ |x - x̄|² dm = trace(R τ (Rᵀ - 2R̄ᵀ) + R̄ τ R̄ᵀ) with its 4x4 tensor τ, is
what four vectors move: the centre times √m, and the three columns of the rotation times a square root of the second
moment about the centre. Written so, it needs no 4x4 tensors, keeps its digits for poses that nearly agree, and turns
all distances between two lists of poses into one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Character, Pose, rest_positions
from mummer.character.balance import mass_of
from mummer.character.kinematics import world_matrices
from mummer.errors import InputError
from mummer.kept import kept


@dataclass(frozen=True, eq=False)
class MassPoints:
    """B poses of the mass of some joints; squared distances of the vectors are mean squared displacements.

    Attributes:
        vectors: (B, 4N, 3) in the world, metres; those of the centres first, then the spread.
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

    def apart(self, other: MassPoints) -> FloatArray:
        """(B,) root mean square displacement from these poses to others, metres."""
        return np.asarray(np.sqrt(np.sum((self.vectors - other.vectors) ** 2, axis=(1, 2))))


@kept
def spread_roots(character: Character) -> FloatArray:
    """(J, 3, 3) square roots of the second moments about the centres, in the joints' frames, √kg m."""
    values, vectors = np.linalg.eigh(mass_of(character).second_moments)
    return locked(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :])


def mass_points(character: Character, pose: Pose, joints: Sequence[int] | IntArray | None = None) -> MassPoints:
    """The mass of posed bodies in the world.

    Args:
        character: the body.
        pose: one pose or B.
        joints: whose mass counts; all if not given.

    Raises:
        InputError: if these joints carry no mass at all.
    """
    chosen = np.arange(len(character.skeleton)) if joints is None else np.asarray(joints, np.int64)
    mass = mass_of(character)
    masses = mass.masses[chosen]
    total = float(masses.sum())
    if not total > 0:
        raise InputError(f"these joints of {character.name!r} carry no mass; a distance cannot be weighed by it")
    matrices = world_matrices(character.skeleton, pose).reshape(-1, len(character.skeleton), 3, 4)[:, chosen]
    linear, shares = matrices[..., :3], np.sqrt(masses / total)
    centers = (np.einsum("bnij,nj->bni", linear, mass.centers[chosen]) + matrices[..., 3]) * shares[:, None]
    # Rows of (R √S)ᵀ: where each of three vectors of the spread points.
    spread = np.einsum("bnij,njk->bnki", linear, spread_roots(character)[chosen])
    vectors = np.concatenate([centers, spread.reshape(len(centers), -1, 3) / np.sqrt(total)], axis=1)
    return MassPoints(vectors, np.concatenate([shares, np.zeros(3 * len(shares))]))


def carried_by(character: Character, joints: Iterable[int]) -> IntArray:
    """(n,) the given joints and everything that hangs from them, in order."""
    return _carried_by(character, tuple(joints))


@kept
def _carried_by(character: Character, joints: tuple[int, ...]) -> IntArray:
    inside = np.zeros(len(character.skeleton), bool)
    inside[list(joints)] = True
    for joint, parent in enumerate(character.skeleton.parents.tolist()):
        inside[joint] |= parent >= 0 and inside[parent]
    return locked(np.flatnonzero(inside), np.int64)


def with_joints_of(character: Character, pose: Pose, other: Pose, joints: Sequence[int]) -> Pose:
    """``pose`` with some joints turned, moved and scaled against their parents as in ``other``; both (B,) or one."""
    shape, chosen = np.broadcast_shapes(pose.shape, other.shape), list(joints)
    mine, theirs = pose.broadcast_to(shape), other.broadcast_to(shape)

    def exchanged(ours: FloatArray, given: FloatArray) -> FloatArray:
        changed: FloatArray = np.array(np.broadcast_to(ours, (*shape, *ours.shape[-2:])))
        changed[..., chosen, :] = given[..., chosen, :]
        return changed

    made = mine.replace(rotations=exchanged(mine.rotations, theirs.rotations))
    pair = (mine, theirs)
    if mine.scales is not None or theirs.scales is not None:
        made = made.replace(scales=exchanged(*(each.full_scales(character.skeleton) for each in pair)))
    if mine.translations is not None or theirs.translations is not None:
        return made.replace(translations=exchanged(*(each.full_translations(character.skeleton) for each in pair)))
    return made.replace(root_translation=theirs.root_translation) if 0 in chosen else made


def own_points(
    character: Character, pose: Pose, other: Pose, joints: Sequence[int]
) -> tuple[tuple[MassPoints, MassPoints], tuple[MassPoints, MassPoints]]:
    """The mass that some joints move by themselves: their own and all that hangs from them, which rides along.

    Twice from where it is to where these joints alone take it: with everything else as in ``pose``, and as in
    ``other``; so that the way there is as far as the way back.
    """
    moved = carried_by(character, joints)
    there, back = (with_joints_of(character, *pair, joints) for pair in ((pose, other), (other, pose)))
    first, second = (
        (mass_points(character, begin, moved), mass_points(character, end, moved))
        for begin, end in ((pose, there), (back, other))
    )
    return first, second


def own_displacement(character: Character, pose: Pose, other: Pose, joints: Sequence[int]) -> FloatArray:
    """(B,) metres that some joints move their mass and what they carry by themselves, as root mean square."""
    squares = [one.apart(two) ** 2 for one, two in own_points(character, pose, other, joints)]
    return np.asarray(np.sqrt(0.5 * (squares[0] + squares[1])))


def reach_of(character: Character, joints: Sequence[int]) -> float:
    """Metres from where some joints hang to the furthest joint they carry, at rest; the joints' own size at least."""
    return _reach_of(character, tuple(joints))


@kept
def _reach_of(character: Character, joints: tuple[int, ...]) -> float:
    places, moved = rest_positions(character.skeleton), carried_by(character, joints)
    parents = character.skeleton.parents
    tops = [joint for joint in joints if parents[joint] not in joints]
    hangs = [int(parents[joint]) if parents[joint] >= 0 else int(joint) for joint in tops]
    far = max(float(np.linalg.norm(places[moved] - places[hang], axis=1).max()) for hang in hangs)
    mass = mass_of(character)
    own = np.sqrt(np.trace(mass.second_moments[moved].sum(axis=0)) / max(mass.masses[moved].sum(), 1e-12))
    return max(far, float(own))
