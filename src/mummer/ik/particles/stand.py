"""How the body stands when nothing is asked of it: the pose that every answer departs from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState


@dataclass(frozen=True, eq=False)
class Stand:
    """A pose of reference and where it puts the joints.

    Attributes:
        local: (J, 4) parent_from_joint.
        positions: (J, 3) metres, in the body's space: the world, with the root as in this pose.
        rotations: (J, 4) world_from_joint.
        offsets: (J, 3) from parents to joints in the parents' frames, metres.
    """

    local: FloatArray
    positions: FloatArray
    rotations: FloatArray
    offsets: FloatArray

    @property
    def root_position(self) -> FloatArray:
        """(3,) metres."""
        return np.asarray(self.positions[0])

    @property
    def root_rotation(self) -> FloatArray:
        """(4,) world_from_joint."""
        return np.asarray(self.rotations[0])


def stand_of(body: RigidBody, pose: Pose | None = None, lengths: Pose | None = None) -> Stand:
    """The stand of ``body``.

    Args:
        body: the body.
        pose: how it is turned and where its root is; at rest if None.
        lengths: a pose whose translations and scales say how far joints are from their parents; as at rest if None.
    """
    turned = Pose.rest(body.skeleton) if pose is None else pose
    given = turned if lengths is None else lengths
    whole = given.replace(rotations=turned.rotations, root_translation=turned.root_translation, morphs=None)
    state = WorldState(body.character, whole)
    return Stand(state.pose.rotations[0], state.positions[0], state.rotations[0], body.offsets_of(whole)[0])
