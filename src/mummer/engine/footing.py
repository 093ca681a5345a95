"""What a body stands on, and how.

Who walks on toes stands on these, and what a file calls a foot is one more joint of a leg. Who rests with straight legs
astride, as many rigs are bound, stands with feet below the hips.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mummer.character import Character, Limb, Pose
from mummer.engine.limbs import LOOSE
from mummer.general.gait.legs import Leg, legs_of
from mummer.general.physique import Physique, physique_of
from mummer.ik.limb_joints import find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.support import contact_points
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion

FLAT, LONG = 0.7, 0.1
"""Toes are flat whose joint is lower than this many times as long as what they stand on, and long enough to stand flat
from this part of the leg on."""
STRAIGHT, EASY = 0.97, float(np.radians(3.0))
"""Legs are straight that reach this part of their bones' length; radians to the side that they stand at ease."""


@kept
def gathered(character: Character) -> Character:
    """A body of two legs that rests with feet below its hips: straight legs that are astride are drawn in.

    Poses are not differences from rest, so those of the one are those of the other.
    """
    if character.anatomy is None:
        return character
    physique = physique_of(character)
    legs, skeleton = legs_of(physique), character.skeleton
    if sorted(leg.side for leg in legs) != [-1, 1]:
        return character
    rest, up = WorldState(character, Pose.rest(skeleton)), physique.anatomy.up
    turns, low = rest.rotations[0].copy(), []
    for leg in legs:
        limb = find_limb(rigid_body(character), leg.foot)
        hip, foot = physique.positions[[leg.hip if limb is None else limb.base, leg.foot]]
        across = float(np.arctan2(leg.side * (foot - hip)[0], (hip - foot)[1])) - EASY
        if limb is None or across <= 0.0 or np.linalg.norm(foot - hip) < STRAIGHT * leg.reach:
            return character
        turn = quaternion.from_axis_angle(physique.anatomy.front, -leg.side * across)
        swung = np.setdiff1d(skeleton.descendants(limb.base), skeleton.descendants(leg.foot))
        turns[swung] = quaternion.multiply(turn, turns[swung])
        hip, foot = rest.positions[0, [limb.base, leg.foot]]
        low.append(float((quaternion.rotate(turn, foot - hip) - (foot - hip)) @ up))
    above = np.where(skeleton.parents[:, None] >= 0, turns[skeleton.parents], quaternion.IDENTITY)
    places = skeleton.rest_translations.copy()
    places[skeleton.parents < 0] -= min(low) * up
    local = quaternion.multiply(quaternion.conjugate(above), turns)
    return character.replace(skeleton=replace(skeleton, rest_translations=places, rest_rotations=local))


@kept
def on_toes(character: Character) -> Character:
    """A body whose feet are what it stands on flat."""
    physique, anatomy = physique_of(character), character.anatomy
    if anatomy is None:
        return character
    found = {leg.foot: toe for leg in legs_of(physique) if (toe := _flat_toes(physique, leg)) is not None}
    if not found:
        return character
    toes = set(found.values())
    roles = {role: joint for role, joint in anatomy.roles.items() if joint not in toes}
    able = dict(anatomy.capabilities) | {"foot": tuple(found.get(foot, foot) for foot in anatomy.capabilities["foot"])}
    moved = {role: found.get(joint, joint) for role, joint in roles.items()}
    limbs = tuple(_longer(physique, limb, found) for limb in anatomy.limbs)
    return replace(character, anatomy=replace(anatomy, roles=moved, capabilities=able, limbs=limbs))


def _longer(physique: Physique, limb: Limb, found: Mapping[int, int]) -> Limb:
    """A leg down to what it stands on."""
    foot = next((joint for joint in limb.joints if joint in found), None)
    if limb.kind != "leg" or foot is None:
        return limb
    above = [found[foot]]
    while above[-1] not in limb.joints:
        above.append(int(physique.character.skeleton.parents[above[-1]]))
    return replace(limb, joints=(*limb.joints, *above[-2::-1]))


def _flat_toes(physique: Physique, leg: Leg) -> int | None:
    """The joint on which a leg stands flat, though not with its foot; None if there is none, or several.

    A horse has two joints between what is called its foot and its hoof.
    """
    toes = list(leg.toes) if leg.tilts > LOOSE else []
    while len(toes) == 1:
        if _is_flat(physique, toes[0], leg.length):
            return toes[0]
        toes = list(physique.character.skeleton.children[toes[0]])
    found = [toe for toe in toes if _is_flat(physique, toe, leg.length)]
    return found[0] if len(found) == 1 else None


def _is_flat(physique: Physique, toe: int, length: float) -> bool:
    rest = WorldState(physique.character, Pose.rest(physique.character.skeleton))
    corners = np.concatenate([rest.point(point) for point in contact_points(physique.character, toe)])
    long, low = float(np.ptp(corners @ physique.anatomy.front)), float((corners @ physique.anatomy.up).min())
    high = float(physique.positions[toe, 1]) + physique.anatomy.ground - low
    return long > LONG * length and high < FLAT * long
