"""Which joints of a body are the hip, knee and ankle of a limb, and which way its knee bends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.character.limits import BALL, FREE, HINGE
from mummer.ik.rigid_body import RigidBody
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

TWIST = re.compile(r"twist|roll", re.IGNORECASE)
SHORT = 1e-3
"""Joints nearer than this part of the body's height to the next one of a limb do not bend it."""
STUB = 0.25
"""A piece shorter than this part of the next one above is a stub."""
BENT, CLEARLY_BENT = 0.02, 0.26
"""Sines of the angle at a knee: below the first a limb does not show at rest which way it bends; between the two it may
be a little past straight."""
LOW = 0.25
"""A limb that hangs down to this part of the height is a leg, where no anatomy says."""


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

    @property
    def joints(self) -> tuple[int, int, int]:
        """Base, middle and tip."""
        return (self.base, self.middle, self.tip)


@lru_cache(maxsize=256)
def rest_state(body: RigidBody) -> WorldState:
    """The body at rest."""
    return WorldState(body.character, Pose.rest(body.skeleton))


@lru_cache(maxsize=1024)
def find_limb(body: RigidBody, tip: int) -> LimbJoints | None:
    """The limb that ``tip`` ends: the two nearest joints above it that bend, or None if there are not two.

    Joints with no length to the next, joints named for twisting alone, and joints that are much nearer to the tip than
    to the next one above are passed over and stay as they are. A hinge cannot swing a limb, so a hinge above the
    middle is passed over as well.
    """
    above = _bending_above(body, tip)
    named = _named_above(body, tip, above)
    return _limb_of(body, tip, named) or _limb_of(body, tip, above)


def _limb_of(body: RigidBody, tip: int, above: list[int]) -> LimbJoints | None:
    """The limb that ends in ``tip`` with two of the joints ``above`` it, nearest first."""
    joints = [tip, *above]
    places = rest_state(body).positions[0][joints]
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    # A wrist next to a hand is no elbow: the piece below a middle joint is no mere stub beside the one above it.
    middle = 1
    while middle + 1 < len(joints) and steps[middle - 1] < STUB * steps[middle]:
        middle += 1
    for base in joints[middle + 1 :]:
        if body.limits.kinds[base] != HINGE:
            return LimbJoints(base, joints[middle], tip)
    return None


def _named_above(body: RigidBody, tip: int, above: list[int]) -> list[int]:
    """Those of the joints above that have a role in the same limb: a rig may cut a shin in two, an anatomy does not."""
    anatomy = body.character.anatomy
    limbs = () if anatomy is None else [limb for limb in anatomy.limbs if tip in limb.joints]
    if anatomy is None or not limbs:
        return []
    roles = set(anatomy.roles.values())
    return [joint for joint in above if joint in roles and joint in limbs[0].joints]


def _bending_above(body: RigidBody, tip: int) -> list[int]:
    """The joints above ``tip`` that are no mere twists and stand apart from the one below, nearest first."""
    positions = rest_state(body).positions[0]
    found, last, joint = [], tip, int(body.parents[tip])
    while joint >= 0:
        apart = float(np.linalg.norm(positions[joint] - positions[last]))
        if apart > SHORT * body.height and TWIST.search(body.skeleton.names[joint]) is None:
            found.append(joint)
            last = joint
        joint = int(body.parents[joint])
    return found


@lru_cache(maxsize=1024)
def is_plain_limb(body: RigidBody, limb: LimbJoints) -> bool:
    """Whether the limb is one that the closed form serves fully.

    Its base turns every way, its middle is a hinge or free, and nothing in between bends.
    """
    between = [*_between(body, limb.middle, limb.base), *_between(body, limb.tip, limb.middle)]
    positions = rest_state(body).positions[0]
    for joint in between:
        apart = min(float(np.linalg.norm(positions[joint] - positions[end])) for end in limb.joints)
        if apart > SHORT * body.height and TWIST.search(body.skeleton.names[joint]) is None:
            return False
    kinds = body.limits.kinds
    return bool(kinds[limb.base] in (FREE, BALL) and kinds[limb.middle] in (FREE, HINGE))


def _between(body: RigidBody, below: int, above: int) -> list[int]:
    found, joint = [], int(body.parents[below])
    while joint != above:
        found.append(joint)
        joint = int(body.parents[joint])
    return found


@lru_cache(maxsize=1024)
def preferred_axis(body: RigidBody, limb: LimbJoints) -> FloatArray:
    """(3,) the unit axis, in the base's frame, about which a straight limb bends.

    The axis of its bend at rest; for a limb that is straight at rest, or nearly so the wrong way, the one by which
    knees of legs go forward, and elbows of arms, wings and limbs held out to the side go back.
    """
    rest = rest_state(body)
    hip, knee, ankle = rest.positions[0, list(limb.joints)]
    upper, lower = _unit(knee - hip), _unit(ankle - knee)
    bent, usual = np.cross(upper, lower), np.cross(_bulge(body, limb, upper), upper)
    axis, sine = bent, float(np.linalg.norm(bent))
    if sine < BENT or (sine < CLEARLY_BENT and float(bent @ usual) < 0):
        axis = usual
    if np.linalg.norm(axis) < 1e-6:
        axis = quaternion.perpendicular(upper)
    return quaternion.rotate(quaternion.conjugate(rest.rotations[0, limb.base]), _unit(axis))


def _bulge(body: RigidBody, limb: LimbJoints, along: FloatArray) -> FloatArray:
    """(3,) in the world at rest: where the knee of a straight limb goes when it bends."""
    anatomy = body.character.anatomy
    if anatomy is not None:
        kinds = {found.kind for found in anatomy.limbs if limb.middle in found.joints}
        return np.asarray(-anatomy.front if kinds & {"arm", "wing"} else anatomy.front)
    places, up = rest_state(body).positions[0], np.array([0.0, 1.0, 0.0])
    low = places[limb.tip, 1] - places[:, 1].min() < LOW * np.ptp(places[:, 1])
    front = np.array([0.0, 0.0, 1.0])
    if not (low and abs(float(along @ up)) > 0.7):
        return -front
    # Where a foot has toes, they tell where forward is.
    toes = places[body.parents == limb.tip] - places[limb.tip]
    ahead = (toes * [1.0, 0.0, 1.0]).sum(axis=0)
    return _unit(ahead) if np.linalg.norm(ahead) > SHORT * body.height else front


def _unit(vector: FloatArray) -> FloatArray:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
