"""Which joints of a body are the hip, knee and ankle of a limb, and which way its knee bends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.character.limits import HINGE
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

TWIST = re.compile(r"twist|roll", re.IGNORECASE)
SHORT = 1e-3
"""Joints nearer than this part of the body's height to the next one of a limb do not bend it."""
BENT = 0.05
"""A limb with a smaller sine of the angle at its knee does not show at rest which way it bends."""


@dataclass(frozen=True)
class LimbJoints:
    """The three joints of a limb that bends once.

    Attributes:
        base: what swings the limb: hip, shoulder.
        middle: what bends: knee, elbow.
        tip: what is placed: foot, hand.
    """

    base: int
    middle: int
    tip: int


@lru_cache(maxsize=256)
def rest_state(body: RigidBody) -> WorldState:
    """The body at rest."""
    return WorldState(body.character, Pose.rest(body.skeleton))


@lru_cache(maxsize=1024)
def find_limb(body: RigidBody, tip: int) -> LimbJoints | None:
    """The limb that ``tip`` ends: the two nearest joints above it that bend, or None if there are not two.

    Joints with no length to the next, and joints named for twisting alone, are passed over and stay as they are. A
    hinge cannot swing a limb, so a hinge above the middle is passed over as well.
    """
    positions = rest_state(body).positions[0]
    found: list[int] = [tip]
    joint = int(body.parents[tip])
    while joint >= 0 and len(found) < 3:
        apart = float(np.linalg.norm(positions[joint] - positions[found[-1]]))
        only_twists = TWIST.search(body.skeleton.names[joint]) is not None
        stiff = len(found) == 2 and body.limits.kinds[joint] == HINGE
        if apart > SHORT * body.height and not only_twists and not stiff:
            found.append(joint)
        joint = int(body.parents[joint])
    return LimbJoints(found[2], found[1], found[0]) if len(found) == 3 else None


@lru_cache(maxsize=1024)
def is_plain_limb(body: RigidBody, limb: LimbJoints) -> bool:
    """Whether nothing between the three joints bends, so that turning them is all that the limb can do."""
    between = [*_between(body, limb.middle, limb.base), *_between(body, limb.tip, limb.middle)]
    positions = rest_state(body).positions[0]
    for joint in between:
        ends = [limb.base, limb.middle, limb.tip]
        apart = min(float(np.linalg.norm(positions[joint] - positions[end])) for end in ends)
        if apart > SHORT * body.height and TWIST.search(body.skeleton.names[joint]) is None:
            return False
    return body.limits.kinds[limb.base] != HINGE


def _between(body: RigidBody, below: int, above: int) -> list[int]:
    found, joint = [], int(body.parents[below])
    while joint != above:
        found.append(joint)
        joint = int(body.parents[joint])
    return found


@lru_cache(maxsize=1024)
def preferred_axis(body: RigidBody, limb: LimbJoints) -> FloatArray:
    """(3,) the unit axis, in the base's frame, about which a straight limb bends.

    The axis of its bend at rest; for a limb that is straight at rest, the one by which knees of limbs that hang down
    go forward, and elbows of arms, wings and limbs held out to the side go back.
    """
    rest = rest_state(body)
    hip, knee, ankle = rest.positions[0, [limb.base, limb.middle, limb.tip]]
    upper, lower = _unit(knee - hip), _unit(ankle - knee)
    axis = np.cross(upper, lower)
    if np.linalg.norm(axis) < BENT:
        axis = np.cross(_bulge(body, limb, upper), upper)
    if np.linalg.norm(axis) < 1e-6:
        axis = quaternion.perpendicular(upper)
    return quaternion.rotate(quaternion.conjugate(rest.rotations[0, limb.base]), _unit(axis))


def _bulge(body: RigidBody, limb: LimbJoints, along: FloatArray) -> FloatArray:
    """(3,) in the world at rest: where the knee of a straight limb goes when it bends."""
    anatomy = body.character.anatomy
    front = np.array([0.0, 0.0, 1.0]) if anatomy is None else anatomy.front
    up = np.array([0.0, 1.0, 0.0]) if anatomy is None else anatomy.up
    kinds = {found.kind for found in (() if anatomy is None else anatomy.limbs) if limb.middle in found.joints}
    hangs = abs(float(along @ up)) > 0.7
    goes_back = bool(kinds & {"arm", "wing"}) or (not kinds and not hangs)
    return -front if goes_back else front


def _unit(vector: FloatArray) -> FloatArray:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
