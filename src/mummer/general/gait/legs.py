"""The legs of a body: what they hang on, how far they reach, and what of them touches the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.character.limits import HINGE, PIVOT
from mummer.general.physique import Physique
from mummer.ik.body_point import BodyPoint, joint_of
from mummer.ik.limb_joints import find_limb
from mummer.ik.rigid_body import rigid_body
from mummer.ik.support import contact_points
from mummer.ik.volume.skin_points import skin_at_rest
from mummer.kept import kept
from mummer.kernels import quaternions

FLAT, POINTED = 0.7, 1.6
"""A foot whose joint is less than ``FLAT`` soles above the ground stands flat; above ``POINTED`` it tilts freely."""
HANGING = 0.35
"""A foot that is farther above the ground at rest than this part of its leg does not walk."""
LOW, HIGH = 0.12, 0.25
"""The same in parts of the leg: bird and horse walk on their toes, and what is called their foot is tall."""
UPRIGHT, SPRAWLING = 0.4, 1.2
"""A leg is upright if its foot is less than this many hip heights beside the hip, and sprawls above the other."""
CLAWED = 0.5
"""What both tilts and swivels more than this is a claw, whatever hangs on it."""
BESIDE = 0.1
"""Parts of a body's longest side within which the end of a leg belongs to a handle."""
BEGINS = 1e-3
"""Parts of a body's longest side that toes begin ahead of their foot at least."""
MIDDLE = 0.06
"""Legs whose feet are nearer to the middle plane than this part of their reach are on neither side."""


@dataclass(frozen=True, eq=False)
class Leg:
    """One foot and the limb that it is on, at rest in character space, metres.

    Attributes:
        foot: the joint that is placed.
        hip: the joint where the limb leaves the spine.
        girdle: the joint of the spine that it hangs on.
        side: 1 left, -1 right, 0 in the middle.
        reach: along the bones from the joint that swings the leg to the foot.
        sole_reach: the same to where the foot touches the ground, if the foot is not turned against its shank.
        more: metres that both are longer if the leg bends at more than one knee, all of them straight.
        length: from the hip straight to where the foot touches the ground.
        contact: (3,) the place on the ground that bears the foot, the ball of a flat one.
        ankle: (3,) from there to the foot joint.
        hip_place: (3,) where the joint is that swings the leg: the hip, or one below it.
        heel: (3,) from the contact to the rear end of the sole; zero for a pointed foot.
        tip: (3,) from the contact to what a foot turns about as its heel rises: where its toes begin, or its front end.
        sole: (3,) from the contact to the rear and front end of what is on the ground, metres ahead; half its width.
        tilts: 0 for a foot that stands flat, 1 for one that tilts with its leg, as hooves and claws do.
        swivels: 0 for a foot that keeps its direction while it stands, 1 for one that turns with its leg, as those of
            sprawling legs do.
        toes: joints that stay on the ground while the heel rises.
    """

    foot: int
    hip: int
    girdle: int
    side: int
    reach: float
    sole_reach: float
    more: float
    length: float
    contact: FloatArray
    ankle: FloatArray
    hip_place: FloatArray
    heel: FloatArray
    tip: FloatArray
    sole: FloatArray
    tilts: float
    swivels: float
    toes: tuple[int, ...]

    def farthest(self, loose: bool) -> float:
        """Metres from its hip that its sole can be, if its foot is turned by it, or else its ankle."""
        return self.more + (self.sole_reach if loose else self.reach)


@kept
def legs_of(physique: Physique) -> tuple[Leg, ...]:
    """The legs of a body that reach the ground at rest; hindmost first, left before right."""
    named = physique.anatomy.capabilities.get("foot", ())
    feet = sorted({joint for foot in named if (joint := _real_foot(physique, foot)) is not None})
    legs = [leg for foot in feet if (leg := _leg(physique, foot)) is not None]
    depth = 0.02 * physique.height
    return tuple(sorted(legs, key=lambda leg: (round(leg.contact[2] / depth), -leg.side, leg.foot)))


def _real_foot(physique: Physique, foot: int) -> int | None:
    """The joint that is the foot: where a handle is called one, as in animators' rigs, the end of the leg beside it.

    A handle does not hang on the body but on what carries the body.
    """
    body = (physique.root, *physique.spine)
    if int(physique.limb_bases[foot]) in body:
        return foot
    parents = physique.character.skeleton.parents
    ends = [j for j in range(len(physique)) if int(physique.limb_bases[j]) in body and not np.any(parents == j)]
    away = np.linalg.norm(physique.positions[ends] - physique.positions[foot], axis=1)
    return ends[int(np.argmin(away))] if len(ends) and away.min() < BESIDE * physique.height else None


def _leg(physique: Physique, foot: int) -> Leg | None:
    chain = _chain(physique, foot)
    if len(chain) < 2:
        return None
    limb = find_limb(rigid_body(physique.character), foot)
    joints = [limb.base, limb.middle, limb.tip] if limb is not None and limb.base in chain else list(chain)
    places = physique.positions[joints]
    reach = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
    sole = _sole(physique, foot)
    toes, ball = _toes(physique, foot)
    low = float(sole[:, 1].min())
    heel, front = float(sole[:, 2].min()), float(sole[:, 2].max())
    middle = sole.mean(axis=0)
    height = float(physique.positions[foot, 1]) - low
    tilts = _ramp(height / max(front - heel, 1e-9), FLAT, POINTED)
    tilts = max(tilts, _ramp(height / (height + reach), LOW, HIGH))
    # A foot rolls over its ball, where the toes begin; a flat one without toes over a place a third from its front.
    swivels = _ramp(abs(float(places[0][0] - middle[0])) / max(float(places[0][1]), 1e-9), UPRIGHT, SPRAWLING)
    if min(tilts, swivels) > CLAWED:
        toes, ball = (), None
    along = (1 - tilts) * (heel + 0.7 * (front - heel)) + tilts * middle[2] if ball is None else ball[1]
    along = float(np.clip(along, heel, front))
    contact = np.array([middle[0], 0.0, along])
    above, ahead = (0.0, front) if ball is None else (ball[0] - low, ball[1])
    turns_about = np.array([0.0, above, ahead - along]) * (1 - tilts)
    if reach <= 0 or abs(low) > HANGING * reach:
        return None
    return Leg(
        foot=foot,
        hip=chain[0],
        girdle=int(physique.limb_bases[foot]),
        side=0 if abs(contact[0]) < MIDDLE * reach else int(np.sign(contact[0])),
        reach=reach,
        sole_reach=float(
            np.linalg.norm(np.diff(places[:-1], axis=0), axis=1).sum()
            + np.linalg.norm(places[-2] - contact - [0.0, low, 0.0])
        ),
        more=_more(physique, chain, joints, reach),
        length=max(float(np.linalg.norm(places[0] - contact)), 0.3 * reach),
        contact=locked(contact),
        ankle=locked(physique.positions[foot] - [contact[0], low, contact[2]]),
        hip_place=locked(places[0]),
        heel=locked(np.array([0.0, 0.0, (heel - along) * (1 - tilts)])),
        tip=locked(turns_about),
        sole=locked(np.array([heel - along, front - along, 0.5 * np.ptp(sole[:, 0])])),
        tilts=tilts,
        swivels=swivels,
        toes=toes,
    )


def _more(physique: Physique, chain: tuple[int, ...], joints: list[int], reach: float) -> float:
    """Metres that a leg is longer along all of its bones than along the joints that begin it, if several bend."""
    below = list(chain[chain.index(joints[0]) :])
    kinds = rigid_body(physique.character).limits.kinds
    if sum(bool(kinds[joint] in (HINGE, PIVOT)) for joint in below[1:-1]) < 2:
        return 0.0
    along = np.linalg.norm(np.diff(physique.positions[below], axis=0), axis=1).sum()
    return max(float(along) - reach, 0.0)


def _chain(physique: Physique, foot: int) -> tuple[int, ...]:
    """The joints from the first below the spine down to ``foot``."""
    parents = physique.character.skeleton.parents
    found, base = [foot], int(physique.limb_bases[foot])
    while (above := int(parents[found[-1]])) not in (base, -1):
        found.append(above)
    return tuple(found[::-1])


def _sole(physique: Physique, foot: int) -> FloatArray:
    """(N, 3) corners of what touches the ground, in character space."""
    points = contact_points(physique.character, foot)
    return np.array([_in_character(physique, point) for point in points])


def _in_character(physique: Physique, point: BodyPoint) -> FloatArray:
    joint = joint_of(physique.character, point)
    return physique.positions[joint] + quaternions.rotate(physique.rotations[joint], np.asarray(point.offset))


def _toes(physique: Physique, foot: int) -> tuple[tuple[int, ...], FloatArray | None]:
    """The joints just below a foot that point ahead, and (2,) how high and how far ahead they begin.

    Where there is skin, what carries none marks the end of a foot and is no toe.
    """
    skeleton, skin = physique.character.skeleton, skin_at_rest(physique.character)
    below = [int(joint) for joint in np.flatnonzero(skeleton.parents == foot)]
    if len(skin):
        below = [joint for joint in below if np.isin(skin.joints, skeleton.descendants(joint)).any()]
    begins = physique.positions[foot, 2] + BEGINS * physique.height
    ahead = [joint for joint in below if physique.positions[joint, 2] > begins]
    if not ahead:
        return (), None
    return tuple(ahead), np.median(physique.positions[ahead, 1:], axis=0)


def _ramp(value: float, start: float, end: float) -> float:
    return float(np.clip((value - start) / (end - start), 0.0, 1.0))
