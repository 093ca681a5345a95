"""Bodies and poses that the tests of the numerical solvers share."""

from __future__ import annotations

import numpy as np

import mummer as mm
from mummer import ik
from mummer.character import Ball, Character, Hinge, Limits, Mass, Pivot, Pose, Skeleton, clamp
from mummer.ik.rigid_body import rigid_body
from mummer.math import quaternion


def arm(*, limits: bool = True, bones: int = 3) -> Character:
    """A limb along x from a root that carries it: a ball, hinges and a pivot."""
    names = ("base", "shoulder", *(f"elbow_{place}" for place in range(bones - 2)), "wrist")
    offsets = [[0, 0, 0], [0, 1.0, 0], *[[0.4, 0, 0]] * (bones - 2), [0.4, 0, 0]]
    skeleton = Skeleton(names, list(range(-1, len(names) - 1)), offsets, name="arm")
    kinds = {1: Ball((1.0, 0, 0), (1.2, 0.9), -0.8, 0.8, (0, 1.0, 0))}
    kinds |= {place: Hinge((0, 1.0, 0), -2.4, 0.0) for place in range(2, len(names) - 1)}
    kinds[len(names) - 1] = Pivot((0, 1.0, 0), -1.0, 1.0, (0, 0, 1.0), -0.5, 0.5)
    return Character("arm", skeleton, limits=Limits.from_joints(len(names), kinds) if limits else None)


def random_poses(character: Character, rng: np.random.Generator, count: int, *, spread: float = 0.6) -> Pose:
    """Poses within the limits, the root moved and turned as well."""
    joints, body = len(character.skeleton), rigid_body(character)
    turns = quaternion.exp(spread * rng.normal(size=(count, joints, 3)))
    rotations = quaternion.multiply(character.skeleton.rest_rotations, turns)
    root = character.skeleton.rest_translations[0] + 0.2 * body.height * rng.uniform(-1, 1, (count, 3))
    return clamp(body.limits, character.skeleton, Pose(rotations, root))


def tips(character: Character) -> list[int]:
    """The ends of the limbs."""
    if character.anatomy is not None and character.anatomy.limbs:
        return [limb.tip for limb in character.anatomy.limbs]
    return [joint for joint in range(len(character.skeleton)) if not character.skeleton.children[joint]]


def place_goals(character: Character, poses: Pose, joints: list[int]) -> list[ik.Goal]:
    """Goals that ``poses`` meet."""
    state = ik.WorldState(character, poses)
    return [ik.Place(joint, at=state.positions[:, joint]) for joint in joints]


def two_point_masses() -> Character:
    """A shoulder on a root that carries a heavy hand at the end of a long light arm."""
    skeleton = Skeleton(("root", "shoulder", "hand"), [-1, 0, 1], [[0, 0, 0], [0, 1.0, 0], [0.6, 0, 0]])
    mass = Mass(np.array([1.0, 1.0, 4.0]), np.zeros((3, 3)), np.tile(1e-3 * np.eye(3), (3, 1, 1)))
    return Character("two", skeleton, mass=mass)


def adult() -> Character:
    return mm.zoo.body("adult")
