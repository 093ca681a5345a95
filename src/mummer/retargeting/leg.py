"""Legs as retargeting sees them: hip, knee, ankle, and the two points of the sole that touch the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Skeleton
from mummer.math import quaternion
from mummer.math.vectors import rejection

HEEL_BACK = 0.35
"""How far behind the ankle the heel is, as a share of the way from ankle to ball over the ground."""


@dataclass(frozen=True, eq=False)
class Leg:
    """One leg that stands on the ground.

    Attributes:
        name: what both bodies call it: ``left_leg``, ``front_left_leg``, or the limb's own name.
        upper, lower, foot: the joints at hip, knee and ankle.
        ball: the joint at the ball of the foot; the foot itself where there are no toes.
        ball_point, heel_point: (3,) the ball, and the point of the sole behind the ankle, in the foot's frame, metres.
        ball_height: metres from the ground to the ball at rest.
        length: metres from hip to ankle along the leg.
        toes: the joint at the ball if it bends toes that reach further, else -1.
        tips: (2, 3) the tips of the toes on either side in the frame of the ball, metres.
        tip_heights: (2,) metres from the ground to the tips at rest.
        is_stiff: whether a heel hangs from the ball too, and would be turned into the ground with toes that bend.
    """

    name: str
    upper: int
    lower: int
    foot: int
    ball: int
    ball_point: FloatArray
    heel_point: FloatArray
    ball_height: float
    length: float
    toes: int
    tips: FloatArray
    tip_heights: FloatArray
    is_stiff: bool


def legs_of(skeleton: Skeleton, anatomy: Anatomy, places: FloatArray, turns: FloatArray) -> tuple[Leg, ...]:
    """The legs of a body, feet that hang from elsewhere (``detached`` ones) included.

    Args:
        skeleton: the body's joints.
        anatomy: what they are.
        places: (J, 3) at rest, metres.
        turns: (J, 4) world_from_joint at rest.
    """
    found: dict[str, Leg] = {}
    roles = _by_roles(anatomy)
    feet = {foot for _, _, foot in roles.values()}
    limbs = {name: joints for name, joints in _by_limbs(anatomy).items() if joints[-1] not in feet}
    for name, joints in (limbs | roles).items():
        upper, lower, foot = joints
        ball = _ball(skeleton, anatomy, name, foot, places)
        length = float(np.linalg.norm(places[lower] - places[upper]) + np.linalg.norm(places[foot] - places[lower]))
        if length > 1e-9:
            sole = _sole(anatomy, places[foot], places[ball], turns[foot])
            toes, tips, heights, is_stiff = _tips(skeleton, anatomy, foot, ball, places, turns)
            found[name] = Leg(name, upper, lower, foot, ball, *sole, length, toes, tips, heights, is_stiff)
    return tuple(found.values())


def _by_roles(anatomy: Anatomy) -> dict[str, tuple[int, int, int]]:
    found = {}
    for role, foot in anatomy.roles.items():
        if not role.endswith("_foot"):
            continue
        where = role.removesuffix("_foot")
        for upper, lower in ((f"{where}_upper_leg", f"{where}_lower_leg"), (f"{where}_upper", f"{where}_lower")):
            if upper in anatomy.roles and lower in anatomy.roles:
                found[f"{where}_leg"] = (anatomy.roles[upper], anatomy.roles[lower], foot)
    return found


def _by_limbs(anatomy: Anatomy) -> dict[str, tuple[int, int, int]]:
    """Legs that have no roles of their own, as those of insects: the foot and the two joints above it."""
    feet, found = set(anatomy.capabilities.get("foot", ())), {}
    for limb in anatomy.limbs:
        if limb.kind != "leg" or len(limb.joints) < 3:
            continue
        place = next((place for place, joint in enumerate(limb.joints) if joint in feet), len(limb.joints) - 1)
        if place >= 2:
            found[limb.name] = (limb.joints[place - 2], limb.joints[place - 1], limb.joints[place])
    return found


def _ball(skeleton: Skeleton, anatomy: Anatomy, name: str, foot: int, places: FloatArray) -> int:
    toes = anatomy.roles.get(f"{name.removesuffix('_leg')}_toes")
    if toes is not None and float(np.linalg.norm(places[toes] - places[foot])) > 1e-6:
        return toes
    below = [joint for joint in skeleton.children[foot] if _is_ahead(anatomy.up, places[joint] - places[foot])]
    if not below:
        return foot
    # The toe that points where the body faces, of several.
    return max(below, key=lambda joint: float((places[joint] - places[foot]) @ anatomy.front))


def _is_ahead(up: FloatArray, away: FloatArray) -> bool:
    """Whether what hangs from an ankle can be a ball: some way off, and not above it as what steers a foot may be."""
    return float(np.linalg.norm(away)) > 1e-6 and float(away @ up) < 0.4 * float(np.linalg.norm(away))


def _sole(
    anatomy: Anatomy, ankle: FloatArray, ball: FloatArray, turn: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """The ball and the point on the ground behind the ankle, in the foot's frame, and how high the ball is, at rest."""
    up, along = anatomy.up, ball - ankle
    heel = ankle - HEEL_BACK * rejection(along, up)
    heel = heel + min(anatomy.ground - float(heel @ up), 0.0) * up
    points = quaternion.rotate(quaternion.conjugate(turn), np.stack([along, heel - ankle]))
    return points[0], points[1], max(float(ball @ up) - anatomy.ground, 0.0)


def _tips(
    skeleton: Skeleton, anatomy: Anatomy, foot: int, ball: int, places: FloatArray, turns: FloatArray
) -> tuple[int, FloatArray, FloatArray, bool]:
    """The joint that bends the toes, or -1; the two tips farthest apart in its frame; how high they are at rest.

    The last says whether toes must not bend, because a heel hangs from the ball too.
    """
    along = rejection(places[ball] - places[foot], anatomy.up)
    below = [joint for joint in skeleton.descendants(ball) if joint != ball]
    is_behind = any((places[joint] - places[ball]) @ along < -1e-3 * (along @ along) for joint in below)
    if ball == foot or skeleton.parents[ball] != foot or not below or is_behind:
        return -1, np.zeros((2, 3)), np.zeros(2), is_behind and ball != foot

    def farthest(place: FloatArray) -> int:
        return max(below, key=lambda joint: float(np.linalg.norm(places[joint] - place)))

    # Of a row of toes the outermost two, which are not the longest.
    other = farthest(places[farthest(places[ball])])
    tips = places[[farthest(places[other]), other]]
    away = quaternion.rotate(quaternion.conjugate(turns[ball]), tips - places[ball])
    return ball, away, np.maximum(tips @ anatomy.up - anatomy.ground, 0.0), False
