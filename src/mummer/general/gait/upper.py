"""What the rest of a body does while its legs walk: chests turn against hips, arms hang and swing, heads look ahead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limits import HINGE
from mummer.general.gait.curves import Curves, spans
from mummer.general.gait.ride import heading_rotations
from mummer.general.intent import Intent, Track, at_rest
from mummer.general.physique import Physique
from mummer.general.solving import solve_intent
from mummer.ik.volume import volume_of
from mummer.ik.world_state import WorldState
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
AHEAD = 0.6
"""How far ahead hands come as arms bend, beside how much nearer to the shoulder."""
BRANCHING = 0.6
"""How far arms with several hands swing, beside others."""
FOLDS = np.array([0.0, 0.1, 0.2, 0.3, 0.4])
"""How far arms are tried to be bent, in parts of their length."""
TRIED_ANGLES = np.array([-0.3, 0.2, 0.7])
"""How far they are tried to swing, radians."""
MISSED = 0.06
"""A place counts as reached if the hand misses it by less, in lengths of the arm."""
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
        folds: the least and the most that it is bent, in parts of its length: elbows may neither stretch nor fold.
    """

    hand: int
    shoulder: FloatArray
    length: float
    side: int
    aside: float
    folds: tuple[float, float] = (0.0, 1.0)


@lru_cache(maxsize=256)
def arms_of(physique: Physique) -> tuple[Arm, ...]:
    """The arms that hang free and swing: of bodies whose trunk is upright and whose hands are off the ground."""
    arms = _hanging(physique)
    return _tried(physique, arms) if arms else ()


def _tried(physique: Physique, arms: tuple[Arm, ...]) -> tuple[Arm, ...]:
    """The same arms with how far they bend, found by trying: behind, below and ahead of their shoulders."""
    folds, angles = (axis.ravel() for axis in np.meshgrid(FOLDS, TRIED_ANGLES, indexing="ij"))
    intent = at_rest(physique, np.arange(len(folds), dtype=float))
    places = {}
    for arm in arms:
        hands = physique.origin + quaternions.rotate(physique.axes, _hands(arm, angles, folds))
        places[arm.hand] = Track(hands, np.ones(len(folds)))
    state = WorldState(physique.character, solve_intent(replace(intent, places=places)).to_pose())
    found = []
    for arm in arms:
        missed = np.linalg.norm(state.positions[:, arm.hand] - places[arm.hand].values, axis=1) / arm.length
        found.append(replace(arm, folds=_bent(missed.reshape(len(FOLDS), -1).max(axis=1))))
    return tuple(found)


def _bent(missed: FloatArray) -> tuple[float, float]:
    """From and to which of ``FOLDS`` an arm is bent that misses its places by so much at each."""
    best = int(np.argmin(missed))
    reached = missed < MISSED
    reached[best] = True
    first, last = next((first, last) for first, last in spans(reached) if first <= best <= last)
    return float(FOLDS[first]) if first else 0.0, float(FOLDS[last]) if last < len(FOLDS) - 1 else 1.0


def _hanging(physique: Physique) -> tuple[Arm, ...]:
    if not _is_upright(physique):
        return ()
    feet = set(physique.anatomy.capabilities.get("foot", ()))
    found: dict[int, list[tuple[int, FloatArray, float]]] = {}
    for hand in physique.anatomy.capabilities.get("grasper", ()):
        chain = _chain(physique, int(hand))
        # A collar bone goes along with the chest.
        places = physique.positions[chain[1:] if len(chain) > 3 else chain]
        length = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
        if hand in feet or len(places) < 2 or places[0, 1] < 1.25 * length or abs(places[0, 0]) < 0.05 * length:
            continue
        found.setdefault(chain[0], []).append((int(hand), places[0], length))
    shoulders = [arms[0][1] for arms in found.values()]
    return tuple(_arm(physique, *arms[0], shoulders) for arms in found.values() if len(arms) == 1)


@lru_cache(maxsize=256)
def branching_arms_of(physique: Physique) -> tuple[tuple[int, int], ...]:
    """Arms with several hands: the joint that turns all of them, and their side, 1 left, -1 right."""
    hands: dict[int, list[list[int]]] = {}
    for hand in physique.anatomy.capabilities.get("grasper", ()) if _is_upright(physique) else ():
        chain = _chain(physique, int(hand))
        hands.setdefault(chain[0], []).append(chain)
    kinds, found = physique.character.limits.kinds if physique.character.limits is not None else None, []
    for chains in hands.values():
        shared = [joint for joint in chains[0] if all(joint in chain for chain in chains)]
        turning = [joint for joint in shared if kinds is None or kinds[joint] != HINGE]
        side = int(np.sign(physique.positions[chains[0][0], 0]))
        if len(chains) > 1 and turning and side:
            found.append((turning[-1], side))
    return tuple(found)


def _is_upright(physique: Physique) -> bool:
    spine = physique.positions[list(physique.spine)]
    long = float(np.linalg.norm(spine[-1] - spine[0]))
    return bool(len(spine) > 1 and spine[-1, 1] - spine[0, 1] >= UPRIGHT * long)


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
        angle = _angles(arm.side, swings, angles)
        origin, turned = intent.carrier(arm.hand)
        hand = _hands(arm, angle, np.clip(folds, *arm.folds))
        places[arm.hand] = Track(origin + quaternions.rotate(turned, hand), ARM_WEIGHT * weights)
    return places


def swing_branches(
    physique: Physique, intent: Intent, swings: FloatArray, angles: FloatArray, weights: FloatArray
) -> dict[int, Track]:
    """How arms with several hands are turned, by joint; see `swing_arms`. They swing as they are held at rest."""
    turns = {}
    for joint, side in branching_arms_of(physique):
        angle = BRANCHING * weights * _angles(side, swings, angles)
        about = quaternions.exp(angle[:, None] * [-1.0, 0.0, 0.0])
        turned = quaternions.multiply(intent.carrier(joint)[1], about)
        turns[joint] = Track(quaternions.multiply(turned, physique.rotations[joint]), np.ones(len(angle)))
    return turns


def _angles(side: int, swings: FloatArray, angles: FloatArray) -> FloatArray:
    """(T,) radians that the arm of a side is ahead: an arm goes with the leg of the other side."""
    swing = swings[:, 1 if side > 0 else 0]
    return np.asarray(angles * np.where(swing > 0, 1.0, 1 - BEHIND) * swing)


def _hands(arm: Arm, angles: FloatArray, folds: FloatArray) -> FloatArray:
    """(T, 3) where a hand is that swings by so many radians and is bent by such parts, in character space."""
    down, aside = arm.length * (1 - folds), np.full(len(angles), arm.side * arm.aside)
    ahead = down * np.sin(angles) + AHEAD * folds * arm.length
    return np.asarray(arm.shoulder + np.stack([aside, -down * np.cos(angles), ahead], axis=1))


def turn_chest(physique: Physique, turned: FloatArray, twists: FloatArray) -> dict[int, Track]:
    """How the last joint of the spine is turned, by joint; nothing for bodies that are not upright.

    Args:
        physique: the body.
        turned: (T, 4) world_from_character of the hips.
        twists: (T,) radians about up, against the hips.
    """
    if not arms_of(physique) and not branching_arms_of(physique):
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
