"""Which joints the solver moves, in an order and with the numbers that suit the kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.ik.particles.limit_numbers import limit_numbers
from mummer.ik.particles.spine_joints import spine_joints
from mummer.ik.particles.stand import Stand
from mummer.ik.particles.tasks import Task
from mummer.ik.rigid_body import RigidBody

SPINE_FREEDOM = 0.5


@dataclass(frozen=True, eq=False)
class JointLayout:
    """The n joints that have goals below them, parents first; the root is the first of them.

    Attributes:
        joints: (n,) of the skeleton.
        parents: (n,) among these.
        offsets: (n, 3) in the parent's frame, metres.
        rest_positions, rest_rotations: (n, 3) and (n, 4) in the body's space.
        rest_local: (n, 4) parent_from_joint of the stand.
        limit_kinds: (n,)
        limits: (n, WIDTH) see `limit_numbers`.
        limit_rest: (n, 4) parent_from_joint that limits are measured from.
        freedom: (n,) how readily each joint turns in corrections; zero for those that must not.
        is_spine: (n,) which belong to the spine.
    """

    joints: IntArray
    parents: IntArray
    offsets: FloatArray
    rest_positions: FloatArray
    rest_rotations: FloatArray
    rest_local: FloatArray
    limit_kinds: IntArray
    limits: FloatArray
    limit_rest: FloatArray
    freedom: FloatArray
    is_spine: BoolArray

    def __len__(self) -> int:
        return len(self.joints)

    def place_of(self, joint: int) -> int:
        """Where among these ``joint`` of the skeleton is."""
        return int(np.searchsorted(self.joints, joint))


def joint_layout(body: RigidBody, stand: Stand, tasks: list[Task], movable: BoolArray) -> JointLayout:
    """The layout of the joints above the joints of ``tasks``."""
    joints = np.array(sorted({0}.union(*(joints_above(body.parents, task.joint) for task in tasks))))
    places = {joint: place for place, joint in enumerate(joints.tolist())}
    parents = np.array([places.get(int(body.parents[joint]), -1) for joint in joints])
    is_spine = spine_joints(body, joints, parents, stand)
    freedom = np.where(movable[joints], np.where(is_spine, SPINE_FREEDOM, 1.0), 0.0)
    return JointLayout(
        joints,
        parents,
        stand.offsets[joints],
        stand.positions[joints],
        stand.rotations[joints],
        stand.local[joints],
        body.limits.kinds[joints].astype(np.int64),
        limit_numbers(body.limits, joints),
        body.rest_rotations[joints],
        freedom,
        is_spine,
    )


def joints_above(parents: IntArray, joint: int) -> set[int]:
    """``joint`` and all joints above it."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = int(parents[joint])
    return found
