"""Limits of bodies that tell none: by what their parts are, and as they are bent at rest.

Files of rigs hardly ever hold limits. A knee folds the way that it is bent at rest, and does not fold the other way.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, JointLimit, Limb, Limits
from mummer.character.limit_presets import preset_limit
from mummer.clip.standing import front_of
from mummer.ik.limb_joints import LimbJoints, find_limb, preferred_axis, rest_state
from mummer.ik.rigid_body import rigid_body
from mummer.kept import kept
from mummer.math import quaternion

BENT = float(np.radians(15.0))
"""A joint between hip and foot, or shoulder and hand, that is bent more than this at rest folds as a knee does."""
SHOWN = 0.12
"""The sine of a bend at rest from which on it shows the axis."""
LEVEL = 0.5
"""The sine of the angle from upright of toes that lie on the ground, from which on they bend about a level axis."""
ACROSS = 0.5
"""How far to the side the axis of an elbow points, as a cosine."""
TALL = 0.2
"""How high a foot is, in heights of what swings its leg, from which on the leg bends there as well."""
OF_TIPS = {"leg": ("hip", "knee", "ankle", "toe"), "arm": ("shoulder", "elbow", "wrist", "finger")}
"""What swings a limb, what folds it, what it ends with, and what is beyond that."""
ELSEWHERE = {
    "wing": ("wing", "wing_fold"),
    **{kind: (kind, kind) for kind in ("tail", "ear", "fin", "antenna", "finger", "toe")},
}
"""What the first joint of any other limb is, and what all others are."""


@kept
def limited(character: Character) -> Character:
    """A body with limits: itself if it has any, or nobody knows its parts."""
    given = character.limits
    if character.anatomy is None or (given is not None and np.any(given.kinds)):
        return character
    return replace(character, limits=presumed_limits(character))


def presumed_limits(character: Character) -> Limits:
    """Limits by the parts that an anatomy names; what is in none is free."""
    anatomy, found = character.anatomy, dict[int, JointLimit]()
    if anatomy is None:
        return Limits.from_joints(len(character.skeleton), found)
    line = [joint for joint in anatomy.capabilities.get("spine", ()) if joint not in anatomy.capabilities["root"]]
    for place, joint in enumerate(line):
        found[joint] = _limit(character, joint, "spine", line[place + 1] if place + 1 < len(line) else None)
    tips = {*anatomy.capabilities.get("foot", ()), *anatomy.capabilities.get("grasper", ())}
    for limb in anatomy.limbs:
        presets = _presets(character, limb, tips)
        for place, joint in enumerate(limb.joints):
            below = limb.joints[place + 1] if place + 1 < len(limb.joints) else None
            if joint not in found and presets[place] is not None:
                found[joint] = _limit(character, joint, str(presets[place]), below, _fold(character, limb, joint, tips))
    return Limits.from_joints(len(character.skeleton), found)


def _presets(character: Character, limb: Limb, tips: set[int]) -> list[str | None]:
    """What each joint of a limb is, None for what nobody knows."""
    if limb.kind == "neck":
        heads = character.anatomy.capabilities.get("head", ()) if character.anatomy is not None else ()
        return ["head" if joint in heads else "neck" for joint in limb.joints]
    tip = next((joint for joint in limb.joints if joint in tips), None)
    folding = None if tip is None else find_limb(rigid_body(character), tip)
    if limb.kind not in OF_TIPS or folding is None or folding.base not in limb.joints:
        swings, folds = ELSEWHERE.get(limb.kind, (None, None))
        return [swings, *[folds] * (len(limb.joints) - 1)]
    swings, folds, ends, beyond = OF_TIPS[limb.kind]
    first, last, found = limb.joints.index(folding.base), limb.joints.index(folding.tip), list[str | None]()
    wrist = _wrist(character, limb, folding)
    if limb.kind == "leg" and any(_is_tall(character, joint, folding) for joint in _between(limb, folding)):
        # What stands on its toes turns on them as far as its leg leans.
        ends = "hock"
    for place, joint in enumerate(limb.joints):
        bends = joint in (folding.middle, wrist) or (first < place < last and _bent(character, limb, place) > BENT)
        known = folds if bends else {folding.base: swings, folding.tip: ends}.get(joint)
        if bends and not _is_tall(character, joint, folding):
            known = beyond
        elif wrist is not None and joint == folding.middle:
            known = "elbow_of_leg"
        found.append("shoulder_blade" if place < first else beyond if place > last else known)
    return found


def _bent(character: Character, limb: Limb, place: int) -> float:
    """Radians by which a limb is bent at rest at one of its joints."""
    above, at, below = rest_state(rigid_body(character)).positions[0][list(limb.joints[place - 1 : place + 2])]
    return float(np.arctan2(np.linalg.norm(np.cross(at - above, below - at)), (at - above) @ (below - at)))


def _wrist(character: Character, limb: Limb, folding: LimbJoints) -> int | None:
    """The joint of a foreleg, below an elbow that points back, at which it folds back as a knee does; None of others.

    Horses call it their knee. What is named a hand or a foot begins there.
    """
    anatomy, body = character.anatomy, rigid_body(character)
    if limb.kind != "leg" or anatomy is None:
        return None
    rest = rest_state(body)
    elbow = quaternion.rotate(rest.rotations[0, folding.base], preferred_axis(body, folding))
    below = limb.joints[limb.joints.index(folding.middle) + 1]
    return below if float(elbow @ anatomy.left) < -ACROSS and _is_tall(character, below, folding) else None


def _between(limb: Limb, folding: LimbJoints) -> tuple[int, ...]:
    """The joints between what folds a limb and its tip."""
    return limb.joints[limb.joints.index(folding.middle) + 1 : limb.joints.index(folding.tip)]


def _is_tall(character: Character, joint: int, folding: LimbJoints) -> bool:
    """Whether a joint is well above the ground at rest; of arms and where nobody knows the ground, any is."""
    anatomy, places = character.anatomy, rest_state(rigid_body(character)).positions[0]
    if anatomy is None or not any(limb.kind == "leg" and joint in limb.joints for limb in anatomy.limbs):
        return True
    high, base = (float(places[each] @ anatomy.up) - anatomy.ground for each in (joint, folding.base))
    return high > TALL * base


def _fold(character: Character, limb: Limb, joint: int, tips: set[int]) -> FloatArray | None:
    """(3,) the axis about which a limb is known to fold there, in the world at rest; None where its bend shows it.

    What swings a limb does so above all in the plane in which this folds: from a pelvis to a thigh it is bent aside.
    """
    body = rigid_body(character)
    tip = next((joint for joint in limb.joints if joint in tips), None)
    folding = None if tip is None else find_limb(body, tip)
    if folding is None or folding.base not in limb.joints:
        return None
    axis = quaternion.rotate(rest_state(body).rotations[0, folding.base], preferred_axis(body, folding))
    if joint == _wrist(character, limb, folding):
        return -axis
    return axis if joint in (folding.base, folding.middle) else None


def _limit(
    character: Character, joint: int, preset: str, below: int | None, fold: FloatArray | None = None
) -> JointLimit:
    """A joint's limit, in its own frame."""
    body = rigid_body(character)
    rest, above = rest_state(body), int(body.parents[joint])
    places, children = rest.positions[0], np.flatnonzero(body.parents == joint)
    before = _unit(places[joint] - places[above] if above >= 0 else np.zeros(3), body.height)
    on = places[[below]] if below is not None else places[children]
    along = _unit(on.mean(axis=0) - places[joint], body.height) if len(on) else before
    axis = _across(before, along, front_of(character)) if fold is None else fold
    if preset == "toe" and character.anatomy is not None:
        # Toes bend up, however their bones slope.
        level = np.cross(along, character.anatomy.up)
        axis = level / np.linalg.norm(level) if np.linalg.norm(level) > LEVEL else axis
    bent = float(np.arctan2(np.cross(before, along) @ axis, before @ along))
    back = quaternion.conjugate(rest.rotations[0, joint])
    return preset_limit(preset, _vector(quaternion.rotate(back, along)), _vector(quaternion.rotate(back, axis)), bent)


def _across(before: FloatArray, along: FloatArray, ahead: FloatArray) -> FloatArray:
    """(3,) the unit axis square to a joint's piece about which it is bent at rest, or would be bent ahead."""
    for way, toward in ((before, along), (along, ahead), (along, np.array([0.0, 1.0, 0.0]))):
        axis = np.cross(way, toward)
        length = float(np.linalg.norm(axis))
        if length > SHOWN:
            return np.asarray(axis / length)
    return quaternion.perpendicular(along)


def _unit(way: FloatArray, height: float) -> FloatArray:
    """(3,) a direction; down where there is none."""
    length = float(np.linalg.norm(way))
    return np.asarray(way / length) if length > 1e-6 * height else np.array([0.0, -1.0, 0.0])


def _vector(axis: FloatArray) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in axis)
    return x, y, z
