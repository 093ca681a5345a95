"""The pose in which a body is looked at: its rest, unless that is no pose of a body at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, world_matrices

ONE_WAY = 0.8
"""Where the bones of a branching body all point one way by this much, its rest is only a way to write lengths."""


def other_poses(character: Character, *, most: int = 6) -> Iterator[FloatArray]:
    """(J, 3, 4) world_from_joint of the poses that came with a body beside its rest: default, then recorded ones."""
    skeleton = character.skeleton
    yield world_matrices(skeleton, character.default_pose)
    for recording in character.recordings[:1]:
        poses = recording.sample(np.linspace(recording.start, recording.end, most))
        yield from world_matrices(skeleton, poses)


def is_one_way(positions: FloatArray, parents: tuple[int, ...]) -> bool:
    """Whether a body that branches has all its bones pointing the same way, as files without a rest pose have it."""
    above = np.array([parent if parent >= 0 else joint for joint, parent in enumerate(parents)])
    bones = positions - positions[above]
    total = float(np.linalg.norm(bones, axis=1).sum())
    forks = np.bincount(above[np.array(parents) >= 0], minlength=len(parents)) if len(parents) > 1 else np.zeros(1)
    return total > 0 and int((forks > 1).sum()) >= 2 and float(np.linalg.norm(bones.sum(axis=0))) > ONE_WAY * total


def rest_of(character: Character) -> FloatArray:
    """(J, 3, 4) world_from_joint at rest."""
    return world_matrices(character.skeleton, Pose.rest(character.skeleton))
