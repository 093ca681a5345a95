"""Where all joints of posed bodies are: what goals measure themselves on."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from mummer import kernels
from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, Pose
from mummer.ik.body_point import BodyPoint, Part, as_point, joint_of
from mummer.ik.rigid_body import RigidBody, rigid_body
from mummer.kernels import quaternions


class WorldState:
    """A batch of B poses of one body, and where they put its joints.

    Attributes:
        body: the body.
        pose: the poses, of shape (B,); a single pose counts as a batch of one.
    """

    def __init__(self, character: Character, pose: Pose) -> None:
        self.body: RigidBody = rigid_body(character)
        self.pose = as_batch(pose)

    def __len__(self) -> int:
        return len(self.pose)

    @cached_property
    def _world(self) -> tuple[FloatArray, FloatArray]:
        assert self.pose.root_translation is not None
        offsets = self.body.offsets_of(self.pose)
        local = offsets[0] if len(offsets) == 1 else offsets
        return kernels.fk_rigid(self.body.parents, self.pose.rotations, local, self.pose.root_translation)

    @property
    def positions(self) -> FloatArray:
        """(B, J, 3) of all joints, metres."""
        return self._world[0]

    @property
    def rotations(self) -> FloatArray:
        """(B, J, 4) world_from_joint of all joints."""
        return self._world[1]

    @cached_property
    def center_of_mass(self) -> FloatArray:
        """(B, 3) metres."""
        mass = self.body.mass
        centers = self.positions + quaternions.rotate(self.rotations, mass.centers)
        return np.asarray(np.einsum("j,bjk->bk", mass.masses / mass.total, centers))

    def point(self, part: Part) -> FloatArray:
        """(B, 3) where a point of the body is, metres."""
        joint, offset = joint_of(self.body.character, part), as_point(part).offset
        if not any(offset):
            return self.positions[:, joint]
        return self.positions[:, joint] + quaternions.rotate(self.rotations[:, joint], offset)

    def point_at(self, joint: int, place: FloatArray) -> BodyPoint:
        """The point that ``joint`` carries and that is at ``place`` (3,) in the first of the poses."""
        back = quaternions.conjugate(self.rotations[0, joint])
        x, y, z = quaternions.rotate(back, place - self.positions[0, joint]).tolist()
        return BodyPoint(joint, (x, y, z))

    def turn(self, part: Part) -> FloatArray:
        """(B, 4) world_from_joint of the joint that ``part`` stands for."""
        return self.rotations[:, joint_of(self.body.character, part)]


def as_batch(pose: Pose) -> Pose:
    """The pose as a batch of one, or the batch that it already is."""
    return pose if pose.shape else _indexed(pose, None)


def picked(mask: BoolArray, first: Pose, second: Pose) -> Pose:
    """The poses of ``first`` (B,) where ``mask`` (B,) says so, else those of ``second``."""
    parts = {}
    for name in ("rotations", "root_translation", "translations"):
        one, other = getattr(first, name), getattr(second, name)
        if one is not None and other is not None:
            parts[name] = np.where(mask.reshape(-1, *[1] * (one.ndim - 1)), one, other)
    return second.replace(**parts)


def first_of(pose: Pose) -> Pose:
    """The first pose of a batch (B,)."""
    return _indexed(pose, 0)


def _indexed(pose: Pose, index: Any) -> Pose:
    def at(values: Any) -> Any:
        return None if values is None else values[index]

    return Pose.unchecked(
        pose.rotations[index],
        at(pose.root_translation),
        at(pose.translations),
        at(pose.scales),
        at(pose.morphs),
    )
