"""Plain limbs for tests: a hip, a knee and an ankle under a root, with and without limits."""

from __future__ import annotations

import numpy as np

from mummer.character import Character, Limits, Pose, Skeleton
from mummer.character.limits import Ball, Hinge, JointLimit
from mummer.math import quaternion

HIP = np.array([0.1, 1.0, 0.0])
UP = 1.0


def from_hip(x: float, y: float, z: float) -> np.ndarray:
    """(3,) a place so far from the hip, metres."""
    return HIP + np.array([x, y, z])


def leg(
    *,
    thigh: float = 0.4,
    shin: float = 0.35,
    bend: float = 0.0,
    limits: dict[str, JointLimit] | None = None,
    twist_joints: bool = False,
) -> Character:
    """A leg that hangs from (0, 1, 0), its knee bent by ``bend`` radians at rest so that it points to +Z."""
    names, parents, offsets = ["root"], [-1], [[0.0, UP, 0.0]]

    def add(name: str, parent: str, *offset: float) -> None:
        parents.append(names.index(parent))
        names.append(name)
        offsets.append(list(offset))

    add("hip", "root", 0.1, 0.0, 0.0)
    add("knee", "hip", 0.0, -thigh, 0.0)
    if twist_joints:
        names[-1] = "thigh_twist"
        offsets[-1] = [0.0, -thigh / 2, 0.0]
        add("knee", "thigh_twist", 0.0, -thigh / 2, 0.0)
        add("joint_without_length", "knee", 0.0, 0.0, 0.0)
    add("ankle", names[-1], 0.0, -shin, 0.0)
    add("toes", "ankle", 0.0, 0.0, 0.1)
    rotations = np.tile(quaternion.IDENTITY, (len(names), 1))
    rotations[names.index("knee")] = quaternion.from_axis_angle([1.0, 0, 0], bend)
    skeleton = Skeleton(names, parents, np.array(offsets), rotations, np.ones((len(names), 3)), name="leg")
    found = {names.index(name): limit for name, limit in (limits or {}).items()}
    return Character("leg", skeleton, limits=Limits.from_joints(len(names), found) if limits else None)


def human_limits(bend: float = 0.0) -> dict[str, JointLimit]:
    """A knee that goes three degrees past straight and a hip like a person's."""
    low, high = np.radians(-3.0) - bend, np.radians(145.0) - bend
    hip = Ball((0.0, -1.0, 0.0), (1.75, 0.96), -0.8, 0.8, (1.0, 0.0, 0.0))
    return {"knee": Hinge((1.0, 0.0, 0.0), float(low), float(high)), "hip": hip}


def bent(character: Character, **degrees: float) -> Pose:
    """The rest pose with joints turned about their own x axes."""
    rotations = np.array(character.skeleton.rest_rotations)
    for name, angle in degrees.items():
        joint = character.skeleton.index(name)
        turn = quaternion.from_axis_angle([1.0, 0, 0], np.radians(angle))
        rotations[joint] = quaternion.multiply(rotations[joint], turn)
    return Pose.rest(character.skeleton).replace(rotations=rotations)
