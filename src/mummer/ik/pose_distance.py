"""Pose distance: how far the mass of a body moves from one pose to another.

The mass displacement of a rigid part, E = ∫ |x - x̄|² dm = trace(R τ (Rᵀ - 2R̄ᵀ) + R̄ τ R̄ᵀ) with its 4x4 tensor τ, is
what four vectors move: the centre times √m, and the three columns of the rotation times a square root of the second
moment about the centre. Written so, it needs no 4x4 tensors, keeps its digits for poses that nearly agree, and turns
all distances between two lists of poses into one product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Character, Pose
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion

Align = Literal["none", "level", "full"]
ALIGNS: tuple[Align, ...] = ("none", "level", "full")
BLOCK = 2048
"""Poses that are compared at one go, so that long batches need little memory."""


def cross_moments(first: FloatArray, second: FloatArray) -> FloatArray:
    """(A, B, 3, 3) Σ a bᵀ over the vectors of each of A poses (A, N, 3) and each of B others (B, N, 3)."""
    rows, columns = (vectors.transpose(0, 2, 1).reshape(-1, vectors.shape[1]) for vectors in (first, second))
    found = (rows @ columns.T).reshape(len(first), 3, len(second), 3)
    return found.transpose(0, 2, 1, 3)


def most_overlap(moments: FloatArray, up: FloatArray | None = None) -> FloatArray:
    """(...) the largest Σ a·(R b) over turns R, from the moments Σ a bᵀ (..., 3, 3).

    Args:
        moments: Σ a bᵀ.
        up: (3,) unit for turns about that axis alone; None for turns of any kind.
    """
    if up is None:
        values = np.linalg.svd(moments, compute_uv=False)
        # Only turns count, not mirrorings: where those would fit better the smallest overlap is lost.
        mirrored = np.linalg.det(moments) < 0
        return np.asarray(values.sum(axis=-1) - np.where(mirrored, 2 * values[..., 2], 0.0))
    along = np.einsum("i,...ij,j->...", up, moments, up)
    level = np.trace(moments, axis1=-2, axis2=-1) - along
    crossed = np.cross(up, np.eye(3))
    turned = np.einsum("ij,...ij->...", crossed, moments)
    return np.asarray(along + np.hypot(level, turned))


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


@kept
def spread_roots(body: RigidBody) -> FloatArray:
    """(J, 3, 3) square roots of the second moments about the centres, in the joints' frames, √kg m."""
    values, vectors = np.linalg.eigh(body.mass.second_moments)
    return locked(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :])


def group_points(state: WorldState, group: str) -> tuple[MassPoints, bool]:
    """The mass of one group of the anatomy seen from where the group hangs, and whether it holds a root.

    Each connected piece of the group is seen in the frame of the joint above it; a piece with a
    root of the skeleton is seen in the world.
    """
    anatomy = state.body.character.anatomy
    if anatomy is None:
        raise InputError(f"the anatomy of {state.body.character.name!r} is not known; it has no groups")
    joints = np.sort(np.asarray(anatomy.group(group), np.int64))
    hangs = hanging_from(state.body.parents, joints)
    positions, rotations = state.positions[:, joints].copy(), state.rotations[:, joints].copy()
    for frame in np.unique(hangs[hangs >= 0]).tolist():
        own = hangs == frame
        positions[:, own], rotations[:, own] = _seen_from(state, frame, positions[:, own], rotations[:, own])
    return framed_points(state.body, joints, positions, rotations), bool(np.any(hangs < 0))


def hanging_from(parents: IntArray, joints: IntArray) -> IntArray:
    """(N,) for each of a group's sorted joints the nearest joint above it outside the group; -1 where there is none."""
    above: dict[int, int] = {}
    for joint in joints.tolist():
        parent = int(parents[joint])
        above[joint] = above.get(parent, parent)
    return np.array([above[joint] for joint in joints.tolist()], np.int64)


def _seen_from(
    state: WorldState, frame: int, positions: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    frame_from_world = quaternion.conjugate(state.rotations[:, frame])[:, None]
    away = positions - state.positions[:, frame, None]
    return quaternion.rotate(frame_from_world, away), quaternion.multiply(frame_from_world, rotations)


def root_mean_square_displacement(
    state: WorldState, other: WorldState, joints: Sequence[int] | IntArray | None = None
) -> FloatArray:
    """(B,) metres that the mass of a body moves from one pose to the other, as root mean square.

    Args:
        state: B poses, or one.
        other: as many poses of the same body, or one.
        joints: whose mass counts; all if not given.
    """
    count = max(len(state), len(other))
    if count <= BLOCK:
        return _apart(mass_points(state, joints), mass_points(other, joints))
    character, found = state.body.character, np.empty(count)
    for begin in range(0, count, BLOCK):
        rows = slice(begin, begin + BLOCK)
        pieces = [WorldState(character, each.pose[rows] if len(each) > 1 else each.pose) for each in (state, other)]
        found[rows] = _apart(mass_points(pieces[0], joints), mass_points(pieces[1], joints))
    return found


def pose_distance(
    character: Character, pose: Pose, other: Pose, *, group: str | None = None, align: Align = "none"
) -> FloatArray:
    """(B,) metres that a body's mass moves from each pose to its partner, as root mean square.

    Args:
        character: the body.
        pose: B poses, or one.
        other: as many, or one.
        group: a group of the anatomy: only its own mass, moved by its own joints alone, as seen from the frame that
            the group hangs from. The whole body if not given.
        align: ``none`` compares poses where they are, ``level`` after the best move over the ground and turn about
            the vertical, ``full`` after the best move and turn of any kind. A group that does not hold a root hangs
            from the body and is never aligned.

    Example:
        >>> import mummer as mm
        >>> from mummer.ik.pose_distance import pose_distance
        >>> dog = mm.zoo.body("dog")
        >>> float(pose_distance(dog, dog.default_pose, dog.default_pose)[0])
        0.0
    """
    first, second, aligned = _points(character, pose, other, group, align)
    if aligned == "none":
        return _apart(first, second)
    up = up_of(character)
    a, b = (points.centered(up if aligned == "level" else None) for points in (first, second))
    a, b = np.broadcast_arrays(a, b)
    moments = np.einsum("bni,bnj->bij", a, b)
    squares = np.sum(a * a, axis=(1, 2)) + np.sum(b * b, axis=(1, 2))
    return _root(squares - 2 * most_overlap(moments, up if aligned == "level" else None))


def pose_distances(
    character: Character, poses: Pose, others: Pose, *, group: str | None = None, align: Align = "none"
) -> FloatArray:
    """(A, B) the distance of each of A poses from each of B others, metres; see `pose_distance`.

    Made of products of matrices: good to about 1e-7 of the body's size, as aligned distances are; `pose_distance` with
    ``align="none"`` keeps all digits.
    """
    first, second, aligned = _points(character, poses, others, group, align)
    if aligned == "none":
        a, b = (points.vectors.reshape(len(points.vectors), -1) for points in (first, second))
        overlap = (a - a[:1]) @ (b - a[:1]).T
        squares = np.sum((a - a[:1]) ** 2, axis=1)[:, None] + np.sum((b - a[:1]) ** 2, axis=1)
        return _root(squares - 2 * overlap)
    up = up_of(character) if aligned == "level" else None
    a, b = first.centered(up), second.centered(up)
    squares = np.sum(a * a, axis=(1, 2))[:, None] + np.sum(b * b, axis=(1, 2))
    return _root(squares - 2 * most_overlap(cross_moments(a, b), up))


def group_distances(character: Character, pose: Pose, other: Pose, *, align: Align = "none") -> dict[str, FloatArray]:
    """(B,) metres for each group of the anatomy: how far its mass is moved by its own joints alone.

    An arm that only rides along on a bending torso has moved nothing. See `pose_distance`.
    """
    groups = () if character.anatomy is None else character.anatomy.groups
    return {name: pose_distance(character, pose, other, group=name, align=align) for name in groups}


def _points(
    character: Character, pose: Pose, other: Pose, group: str | None, align: Align
) -> tuple[MassPoints, MassPoints, Align]:
    if align not in ALIGNS:
        raise UnknownNameError("pose_distance", "alignment", align, ALIGNS)
    first, second = WorldState(character, pose), WorldState(character, other)
    if group is None:
        return mass_points(first), mass_points(second), align
    (a, rooted), (b, _) = group_points(first, group), group_points(second, group)
    return a, b, align if rooted else "none"


def _apart(first: MassPoints, second: MassPoints) -> FloatArray:
    return np.asarray(np.sqrt(np.sum((first.vectors - second.vectors) ** 2, axis=(1, 2))))


def _root(squares: FloatArray) -> FloatArray:
    """The root of what rounding may have put just below zero."""
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
