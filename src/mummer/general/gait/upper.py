"""What the rest of a body does while its legs walk: chests turn against hips, arms hang and swing, heads look ahead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.gait.curves import Curves
from mummer.general.gait.ride import heading_rotations
from mummer.general.intent import Intent, Track
from mummer.general.physique import Physique
from mummer.ik.volume import volume_of
from mummer.kernels import quaternions

ARM_WEIGHT = 0.9
"""How much arms hang and swing; the rest is how they are held at rest."""
HEAD_WEIGHT = 0.7
LOOKS_AHEAD = 0.35
"""Seconds by which heads turn before bodies do."""
ASIDE = 0.14
"""How far hands hang from below the shoulder, in lengths of the arm."""
OUTSIDE = 0.3
"""How much farther they do for every other arm below, in the same."""
BESIDE = 0.95
"""How far hands hang outside of hips, in their width and that of the hand together: flesh gives."""
BEHIND = 0.35
"""How much less far arms swing behind than ahead."""
UPRIGHT = 0.5
"""A trunk is upright if it goes up by more than this part of its length."""


@dataclass(frozen=True, eq=False)
class Arm:
    """An arm that hangs from an upright body, in character space.

    Attributes:
        hand: the joint that is placed.
        shoulder: (3,) where the arm begins.
        length: metres along it.
        side: 1 left, -1 right.
        aside: metres that the hand hangs from below the shoulder.
    """

    hand: int
    shoulder: FloatArray
    length: float
    side: int
    aside: float


@lru_cache(maxsize=256)
def arms_of(physique: Physique) -> tuple[Arm, ...]:
    """The arms that hang free and swing: of bodies whose trunk is upright and whose hands are off the ground."""
    spine = physique.positions[list(physique.spine)]
    long = float(np.linalg.norm(spine[-1] - spine[0]))
    if len(spine) < 2 or spine[-1, 1] - spine[0, 1] < UPRIGHT * long:
        return ()
    feet = set(physique.anatomy.capabilities.get("foot", ()))
    found: dict[int, tuple[int, FloatArray, float]] = {}
    for hand in physique.anatomy.capabilities.get("grasper", ()):
        chain = _chain(physique, int(hand))
        # A collar bone goes along with the chest.
        places = physique.positions[chain[1:] if len(chain) > 3 else chain]
        length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
        if hand in feet or len(places) < 2 or places[0, 1] < 1.25 * length or abs(places[0, 0]) < 0.05 * length:
            continue
        # Of several hands on one arm that which is farthest out is placed, and the others go with it.
        if chain[0] not in found or length > found[chain[0]][2]:
            found[chain[0]] = (int(hand), places[0], length)
    return tuple(_arm(physique, *arm, [shoulder for _, shoulder, _ in found.values()]) for arm in found.values())


def _chain(physique: Physique, hand: int) -> list[int]:
    """The joints of an arm, from the first below the spine."""
    parents, chain = physique.character.skeleton.parents, [hand]
    while (above := int(parents[chain[-1]])) >= 0 and above != int(physique.limb_bases[hand]):
        chain.append(above)
    return chain[::-1]


def _arm(physique: Physique, hand: int, shoulder: FloatArray, length: float, shoulders: list[FloatArray]) -> Arm:
    """An arm that hangs outside of the hips and of the arms below it."""
    side = 1 if shoulder[0] > 0 else -1
    below = sum(bool(other[0] * side > 0 and other[1] < shoulder[1] - 0.01 * length) for other in shoulders)
    outside = _wide(physique, hand, shoulder, length) - abs(float(shoulder[0]))
    return Arm(hand, shoulder, length, side, max((ASIDE + OUTSIDE * below) * length, outside))


def _wide(physique: Physique, hand: int, shoulder: FloatArray, length: float) -> float:
    """Metres from the middle at which a hand is clear of hips and spine, at the height at which it hangs."""
    volume = volume_of(physique.character)
    middle = np.isin(volume.joints, [physique.root, *physique.spine])
    own = volume.radii[volume.joints == hand]
    if not np.any(middle) or not own.size:
        return 0.0
    joints, radii = volume.joints[middle], volume.radii[middle]
    ends = physique.positions[joints][:, None] + quaternions.rotate(
        physique.rotations[joints][:, None], volume.ends[middle]
    )
    near = np.abs(ends[..., 1] - (shoulder[1] - 0.8 * length)) < radii + 0.3 * length
    widths = np.abs(ends[..., 0]) + radii + float(own.mean())
    return BESIDE * float(np.max(widths, where=near, initial=0.0))


def swing_arms(
    physique: Physique, intent: Intent, swings: FloatArray, angles: FloatArray, folds: FloatArray, weights: FloatArray
) -> dict[int, Track]:
    """Where hands are, by joint, carried by the chest.

    Args:
        physique: the body.
        intent: with its root placed and its chest turned.
        swings: (T, 2) how far ahead the feet of the left and of the right are, -1 to 1.
        angles: (T,) radians that arms swing.
        folds: (T,) how far arms are bent, in parts of their length.
        weights: (T,) how much the body moves, 0 to 1.
    """
    places = {}
    for arm in arms_of(physique):
        # An arm goes with the leg of the other side.
        swing = swings[:, 1 if arm.side > 0 else 0]
        angle = angles * np.where(swing > 0, 1.0, 1 - BEHIND) * swing
        down = arm.length * (1 - folds)
        hand = arm.shoulder + np.stack(
            [
                np.full(len(swing), arm.side * arm.aside),
                -down * np.cos(angle),
                down * np.sin(angle) + 0.6 * folds * arm.length,
            ],
            axis=1,
        )
        origin, turned = intent.carrier(arm.hand)
        places[arm.hand] = Track(origin + quaternions.rotate(turned, hand), ARM_WEIGHT * weights)
    return places


def turn_chest(physique: Physique, turned: FloatArray, twists: FloatArray) -> dict[int, Track]:
    """How the last joint of the spine is turned, by joint; nothing for bodies that are not upright.

    Args:
        physique: the body.
        turned: (T, 4) world_from_character of the hips.
        twists: (T,) radians about up, against the hips.
    """
    if not arms_of(physique):
        return {}
    chest = physique.spine[-1]
    about = heading_rotations(twists)
    rotations = quaternions.multiply(quaternions.multiply(turned, about), physique.rotations[chest])
    return {chest: Track(rotations, np.ones(len(twists)))}


def turn_heads(physique: Physique, way: Curves, times: FloatArray) -> dict[int, Track]:
    """Heads that are level, and look where the body will go."""
    ahead = heading_rotations(way(times + LOOKS_AHEAD)[:, 2])
    weights = np.full(len(times), HEAD_WEIGHT)
    return {
        head: Track(quaternions.multiply(ahead, physique.rotations[head]), weights)
        for head in physique.anatomy.capabilities.get("head", ())
    }
