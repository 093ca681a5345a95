"""Pose distance: how far the mass of a body moves from one pose to another; see `mummer.clip.displacement`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.clip.displacement import MassPoints, mass_points, own_points
from mummer.clip.standing import up_of
from mummer.errors import InputError, UnknownNameError
from mummer.ik.world_state import WorldState, as_batch

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


def root_mean_square_displacement(
    state: WorldState, other: WorldState, joints: Sequence[int] | IntArray | None = None
) -> FloatArray:
    """(B,) metres that the mass of a body moves from one pose to the other, as root mean square.

    Args:
        state: B poses, or one.
        other: as many poses of the same body, or one.
        joints: whose mass counts; all if not given.
    """
    character, count = state.body.character, max(len(state), len(other))
    found = np.empty(count)
    for begin in range(0, count, BLOCK):
        rows = slice(begin, begin + BLOCK)
        one, two = (each.pose[rows] if len(each) > 1 else each.pose for each in (state, other))
        found[rows] = mass_points(character, one, joints).apart(mass_points(character, two, joints))
    return found


def pose_distance(
    character: Character, pose: Pose, other: Pose, *, group: str | None = None, align: Align = "none"
) -> FloatArray:
    """(B,) metres that a body's mass moves from each pose to its partner, as root mean square.

    Args:
        character: the body.
        pose: B poses, or one.
        other: as many, or one.
        group: a group of the anatomy: what its own joints alone move, which is its own mass and all that it carries.
            A torso that bends moves arms and head as well; they themselves have moved nothing. The whole body if not
            given.
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
    if align not in ALIGNS:
        raise UnknownNameError("pose_distance", "alignment", align, ALIGNS)
    first, second = as_batch(pose), as_batch(other)
    if group is None:
        return _aligned(character, mass_points(character, first), mass_points(character, second), align)
    joints = _group(character, group)
    rooted = any(root in joints for root in character.skeleton.roots)
    ways = [
        _aligned(character, one, two, align if rooted else "none")
        for one, two in own_points(character, first, second, joints)
    ]
    return np.asarray(np.sqrt(0.5 * (ways[0] ** 2 + ways[1] ** 2)))


def pose_distances(
    character: Character, poses: Pose, others: Pose, *, group: str | None = None, align: Align = "none"
) -> FloatArray:
    """(A, B) the distance of each of A poses from each of B others, metres; see `pose_distance`.

    Made of products of matrices: good to about 1e-7 of the body's size, as aligned distances are; `pose_distance` with
    ``align="none"`` keeps all digits.
    """
    listed = as_batch(poses)
    if group is not None:
        rows = [
            pose_distance(character, listed[row : row + 1], others, group=group, align=align)
            for row in range(len(listed))
        ]
        return np.stack(rows)
    if align not in ALIGNS:
        raise UnknownNameError("pose_distance", "alignment", align, ALIGNS)
    first, second = mass_points(character, listed), mass_points(character, as_batch(others))
    if align == "none":
        a, b = (points.vectors.reshape(len(points.vectors), -1) for points in (first, second))
        overlap = (a - a[:1]) @ (b - a[:1]).T
        squares = np.sum((a - a[:1]) ** 2, axis=1)[:, None] + np.sum((b - a[:1]) ** 2, axis=1)
        return _root(squares - 2 * overlap)
    up = up_of(character) if align == "level" else None
    a, b = first.centered(up), second.centered(up)
    squares = np.sum(a * a, axis=(1, 2))[:, None] + np.sum(b * b, axis=(1, 2))
    return _root(squares - 2 * most_overlap(cross_moments(a, b), up))


def group_distances(character: Character, pose: Pose, other: Pose, *, align: Align = "none") -> dict[str, FloatArray]:
    """(B,) metres for each group of the anatomy: how far its own joints move what they carry.

    An arm that only rides along on a bending torso has moved nothing. See `pose_distance`.
    """
    groups = () if character.anatomy is None else character.anatomy.groups
    return {name: pose_distance(character, pose, other, group=name, align=align) for name in groups}


def _group(character: Character, group: str) -> tuple[int, ...]:
    if character.anatomy is None:
        raise InputError(f"the anatomy of {character.name!r} is not known; it has no groups")
    return character.anatomy.group(group)


def _aligned(character: Character, first: MassPoints, second: MassPoints, align: Align) -> FloatArray:
    if align == "none":
        return first.apart(second)
    up = up_of(character) if align == "level" else None
    a, b = np.broadcast_arrays(first.centered(up), second.centered(up))
    moments = np.einsum("bni,bnj->bij", a, b)
    squares = np.sum(a * a, axis=(1, 2)) + np.sum(b * b, axis=(1, 2))
    return _root(squares - 2 * most_overlap(moments, up))


def _root(squares: FloatArray) -> FloatArray:
    """The root of what rounding may have put just below zero."""
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
