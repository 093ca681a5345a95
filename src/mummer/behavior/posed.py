"""A body while layers bend it: rotations that may be written, and where they put the joints."""

from __future__ import annotations

import numpy as np

from mummer import kernels
from mummer.arrays import FloatArray
from mummer.character import Character, Pose
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import back, four, put_four, three, times, unit_rotation


class Posed:
    """One pose that is being made.

    Attributes:
        character: whose; the body put together where parts of it hang elsewhere.
        rotations: (J, 4) parent_from_joint; write by `turn` and `bend`.
        root: (3,) where the first joint is.
        morphs: (M,) weights.
    """

    def __init__(self, character: Character, rotations: FloatArray, root: FloatArray, morphs: FloatArray) -> None:
        self.character, self.rotations, self.root, self.morphs = character, rotations, root, morphs
        body = rigid_body(character)
        self._parents, self._offsets = body.parents, body.offsets
        self._world: tuple[FloatArray, FloatArray] | None = None

    @classmethod
    def at_rest(cls, character: Character) -> Posed:
        """The rest pose."""
        pose = Pose.rest(character.skeleton)
        assert pose.root_translation is not None
        return cls(character, pose.rotations.copy(), pose.root_translation.copy(), np.zeros(len(character.morph_names)))

    def copy(self) -> Posed:
        """The same pose, to be bent on its own."""
        return Posed(self.character, self.rotations.copy(), self.root.copy(), self.morphs.copy())

    @property
    def world(self) -> tuple[FloatArray, FloatArray]:
        """(J, 3) where joints are, and (J, 4) world_from_joint."""
        if self._world is None:
            self._world = kernels.fk_rigid(self._parents, self.rotations, self._offsets, self.root)
        return self._world

    def place(self, joint: int) -> Three:
        """Where a joint is in the world."""
        x, y, z = self.world[0][joint].tolist()
        return x, y, z

    def facing(self, joint: int) -> Four:
        """World_from_joint."""
        x, y, z, w = self.world[1][joint].tolist()
        return x, y, z, w

    def turn(self, joint: int, by: Four) -> None:
        """Turn a joint, with all that hangs from it, on by a rotation in the world."""
        above = int(self._parents[joint])
        local = four(self.rotations, joint, 0)
        if above >= 0:
            outer = self.facing(above)
            by = times(times(back(outer), by), outer)
        put_four(self.rotations, joint, 0, unit_rotation(times(by, local)))
        self._world = None

    def bend(self, joint: int, by: Four) -> None:
        """Turn a joint on in its own frame."""
        put_four(self.rotations, joint, 0, unit_rotation(times(four(self.rotations, joint, 0), by)))
        self._world = None

    def move(self, by: Three) -> None:
        """Move the whole body, metres."""
        self.root = self.root + np.array(by)
        self._world = None

    def changed(self) -> None:
        """Called after rotations were written to."""
        self._world = None

    def to_pose(self) -> Pose:
        """The pose as it is now."""
        return Pose(self.rotations.copy(), self.root.copy(), morphs=self.morphs.copy() if len(self.morphs) else None)


def row(values: FloatArray) -> Three:
    """(3,) numbers as a tuple."""
    return three(values[None], 0, 0)
