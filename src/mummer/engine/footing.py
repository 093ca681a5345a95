"""What a body stands on, and how.

Who walks on toes stands on these, and what a file calls a foot is one more joint of a leg. Who rests with straight legs
astride, as many rigs are bound, stands with feet below the hips.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Limb, Pose
from mummer.character.kinematics import local_rotations
from mummer.engine.limbs import LOOSE
from mummer.general.gait.legs import Leg, legs_of
from mummer.general.physique import Physique, physique_of
from mummer.ik.limb_joints import LimbJoints, find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.support import contact_points
from mummer.ik.world_state import WorldState
from mummer.kept import kept
from mummer.math import quaternion

FLAT, LONG = 0.7, 0.1
"""Toes are flat whose joint is lower than this many times as long as what they stand on, and long enough to stand flat
from this part of the leg on."""
STRAIGHT, STANDS = 0.97, 0.998
"""Legs are straight that reach this part of their bones' length; and how far those reach that stand at ease."""
ASIDE, BEHIND, AHEAD, LEANS = 0.05, 0.03, 0.02, 0.15
"""Parts of a leg's length that an ankle is outward of, behind and ahead of its hip at most as it stands at ease; and
from which on it is ahead or behind because the leg is meant to lean."""


@kept
def gathered(character: Character) -> Character:
    """A person who rests with feet below the hips, whichever way a file has bound straight legs.

    Poses are not differences from rest, so those of the one are those of the other. Limits are, and whose file has any
    rests as it does there.
    """
    given = character.limits
    if character.anatomy is None or character.anatomy.kind != "humanoid" or (given is not None and given.kinds.any()):
        return character
    physique, skeleton = physique_of(character), character.skeleton
    legs = legs_of(physique)
    if sorted(leg.side for leg in legs) != [-1, 1]:
        return character
    rest, up = WorldState(character, Pose.rest(skeleton)), physique.anatomy.up
    turns, drops = rest.rotations[0].copy(), []
    for leg in legs:
        limb = find_limb(rigid_body(character), leg.foot)
        wanted = None if limb is None else _at_ease(physique, leg, limb)
        if limb is None or wanted is None:
            return character
        hip, knee, ankle = rest.positions[0, list(limb.joints)]
        wanted = quaternion.rotate(physique.axes, wanted)
        unfolds = _unfolding(hip - knee, ankle - knee, float(np.linalg.norm(wanted)))
        straight = knee - hip + quaternion.rotate(unfolds, ankle - knee)
        swings = quaternion.between_vectors(straight, wanted)
        below = [skeleton.descendants(joint) for joint in limb.joints]
        turns[np.setdiff1d(below[1], below[2])] = quaternion.multiply(unfolds, turns[np.setdiff1d(below[1], below[2])])
        turns[np.setdiff1d(below[0], below[2])] = quaternion.multiply(swings, turns[np.setdiff1d(below[0], below[2])])
        drops.append(float((wanted - (ankle - hip)) @ up))
    if np.allclose(turns, rest.rotations[0], rtol=0.0, atol=1e-6):
        return character
    places = skeleton.rest_translations.copy()
    places[skeleton.parents < 0] -= min(drops) * up
    local = local_rotations(skeleton, turns)
    return character.replace(skeleton=replace(skeleton, rest_translations=places, rest_rotations=local))


def _at_ease(physique: Physique, leg: Leg, limb: LimbJoints) -> FloatArray | None:
    """(3,) from the hip of a straight leg to its ankle as it stands at ease; None of any other leg."""
    hip, knee, ankle = physique.positions[list(limb.joints)]
    bones = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))
    far = float(np.linalg.norm(ankle - hip))
    x, _, z = (ankle - hip) / max(far, 1e-9)
    if far < STRAIGHT * bones or abs(z) > LEANS or leg.tilts > LOOSE:
        return None
    x, z = leg.side * min(leg.side * x, ASIDE), float(np.clip(z, -BEHIND, AHEAD))
    return max(far, STANDS * bones) * np.array([x, -np.sqrt(1.0 - x * x - z * z), z])


def _unfolding(up: FloatArray, down: FloatArray, far: float) -> FloatArray:
    """(4,) the turn of a shank by which its ankle comes to be so far from the hip, of (3,) from the knee to both."""
    long, short = float(np.linalg.norm(up)), float(np.linalg.norm(down))
    axis, cosine = np.cross(up, down), float(up @ down) / (long * short)
    wanted = (long * long + short * short - far * far) / (2.0 * long * short)
    angle = float(np.arccos(np.clip(wanted, -1.0, 1.0)) - np.arccos(np.clip(cosine, -1.0, 1.0)))
    length = float(np.linalg.norm(axis))
    return quaternion.from_axis_angle(axis / length, angle) if length > 1e-9 else quaternion.IDENTITY.copy()


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
