"""Pose distance: how far the mass of a body moves from one pose to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Pose
from mummer.errors import UnknownNameError
from mummer.ik.aligning import cross_moments, most_overlap
from mummer.ik.group_frames import group_points
from mummer.ik.mass_points import MassPoints, mass_points
from mummer.ik.world_state import WorldState

Align = Literal["none", "level", "full"]
ALIGNS: tuple[Align, ...] = ("none", "level", "full")
BLOCK = 2048
"""Poses that are compared at one go, so that long batches need little memory."""


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


def up_of(character: Character) -> FloatArray:
    """(3,) the unit direction away from the ground."""
    return np.array([0.0, 1.0, 0.0]) if character.anatomy is None else character.anatomy.up


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
