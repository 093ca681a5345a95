"""How far feet may go, found by trying: bones, joint limits, solver and all."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from mummer.arrays import BoolArray, FloatArray, locked
from mummer.general.gait.comfort import ALONG, DIRECTIONS, Comfort
from mummer.general.gait.feet import Feet, foot_rotations
from mummer.general.gait.legs import Leg, legs_of
from mummer.general.gait.placing import place_feet
from mummer.general.intent import at_rest
from mummer.general.physique import Physique
from mummer.general.solving import solve_intent
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.math import quaternion

SHARES = np.array([0.12, 0.24, 0.36, 0.48, 0.6, 0.74, 0.88])
"""Distances that are tried, in parts of the leg."""
RISES = (0.0, 0.1, 0.2)
"""How much higher than at rest a body is tried to walk, in leg lengths."""
SINKS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
"""How much lower than at rest a body is tried to be, in leg lengths."""
LIFTS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)
"""How high feet are tried to be lifted, in leg lengths."""
LIFTED = 0.004
"""A height counts as reached if the foot misses it by less, in leg lengths."""
SHY = 3.0
"""How much more room a rise of one leg length must give to be worth it."""
ROLL_AHEAD, ROLL_BEHIND = 0.35, 0.7
"""How much farther feet go by rolling, in lengths from heel to ball."""
OUTWARDS = (0.15, 0.3)
"""How far outwards legs without room are tried, in leg lengths."""
CROWDED = 0.6
"""Legs without room go less far than this from behind to ahead, in the same."""
SUNK = 0.4
"""Part of its height at rest that the joint of a foot keeps above the ground."""
ROLLED, ROLLED_BEHIND, ROLLED_DROP = 0.7, 0.3, 0.05
"""Feet are tried to roll by so many radians, so many leg lengths behind, with hips so many lower."""
ROLLS = 0.006
"""A foot rolls if what it turns about stays within so many leg lengths meanwhile."""
SWIVELS = 0.05
"""A foot that swivels more than this does not roll."""
KNEES = 0.06
"""How far above the ground knees stay, in leg lengths."""
DROPS = (0.02, 0.05, 0.09)
"""How far hips are lowered for it, in leg lengths."""
LEAST = 0.06
AHEAD, BEHIND = 2, 6
TURNED_BY_LEG = 0.5
"""A foot without toes that tilts or swivels more than this is turned by its leg alone, as claws and hooves are."""
CRAMPED, EASED = 0.35, 1.3
"""A foot is let loose if it goes less than this many leg lengths otherwise, and then so much farther."""
MISSED = 0.0006
"""A place counts as reached if the foot misses it by less, in leg lengths."""
KEPT = 0.86
"""Of what is reached, this much counts as comfortable."""


@lru_cache(maxsize=256)
def comfort_of(physique: Physique) -> Comfort:
    """The comfort of a body, tried once: its feet all around, at several heights of its hips.

    Claws and hooves are turned by their legs. Feet with toes, and flat ones, are kept along the ground, unless their
    legs cannot do that and step.
    """
    legs = legs_of(physique)
    clawed = np.array([not leg.toes and max(leg.tilts, leg.swivels) > TURNED_BY_LEG for leg in legs])
    tried = [_tried(physique, legs, clawed, rise) for rise in RISES]
    # To walk as high as at rest is best, unless legs get much more room.
    best = max(tried, key=lambda comfort: _worst(comfort) / (1 + abs(comfort.rise) * SHY))
    return _widened(physique, legs, best)


def _worst(comfort: Comfort) -> float:
    """How far the most cramped foot goes, ahead or behind, metres."""
    return float(np.minimum(comfort.ranges[:, AHEAD], comfort.ranges[:, BEHIND]).min())


def _tried(physique: Physique, legs: tuple[Leg, ...], clawed: BoolArray, rise: float) -> Comfort:
    """The comfort of a body that walks so much higher than it rests."""
    lengths = np.array([leg.length for leg in legs])
    kept = _ranges(physique, legs, clawed, rise)
    if np.all(clawed):
        return _comfort(physique, legs, kept, rise, clawed, np.zeros((len(legs), 2)))
    free = _ranges(physique, legs, np.ones(len(legs), bool), rise)
    ahead = np.minimum(kept[:, AHEAD], kept[:, BEHIND])
    loose = clawed | ((ahead < CRAMPED * lengths) & (np.minimum(free[:, AHEAD], free[:, BEHIND]) > EASED * ahead))
    return _comfort(physique, legs, np.where(loose[:, None], free, kept), rise, loose, np.zeros((len(legs), 2)))


def _comfort(
    physique: Physique, legs: tuple[Leg, ...], ranges: FloatArray, rise: float, loose: BoolArray, homes: FloatArray
) -> Comfort:
    """The comfort of feet that go so far from their homes."""
    lifts = _lifts(physique, legs, loose, homes)
    lifts_at_rest = _lifts(physique, legs, loose, 0 * homes) if np.any(homes) else lifts
    sinks = _sinks(physique, legs, loose, homes)
    return Comfort(locked(ranges), rise, sinks, lifts, lifts_at_rest, locked(homes), locked(loose, bool))


def _widened(physique: Physique, legs: tuple[Leg, ...], comfort: Comfort) -> Comfort:
    """The same, with legs that have little room where they rest set down farther out where they have more."""
    lengths, sides = np.array([leg.length for leg in legs]), np.array([leg.side for leg in legs])
    cramped = _rooms(comfort.ranges) < CROWDED * lengths
    if not np.any(cramped & (sides != 0)):
        return comfort
    ranges, homes, most = comfort.ranges.copy(), comfort.homes.copy(), _rooms(comfort.ranges)
    for out in OUTWARDS:
        moved = np.where(cramped, out * sides * lengths, 0.0)[:, None] * [1.0, 0.0]
        found = _ranges(physique, legs, comfort.loose, comfort.rise, moved)
        better = cramped & (_rooms(found) / (1 + SHY * out) > most)
        most = np.where(better, _rooms(found) / (1 + SHY * out), most)
        ranges[better], homes[better] = found[better], moved[better]
    return _comfort(physique, legs, ranges, comfort.rise, comfort.loose, homes)


def _rooms(ranges: FloatArray) -> FloatArray:
    """(L,) metres that each foot goes from as far behind as it may to as far ahead."""
    return np.asarray(ranges[:, AHEAD] + ranges[:, BEHIND])


def _sinks(physique: Physique, legs: tuple[Leg, ...], loose: BoolArray, homes: FloatArray) -> FloatArray:
    """(L,) how far the body can be lowered with each foot in its place, in leg lengths."""
    lengths, still = np.array([leg.length for leg in legs]), np.zeros((1, len(legs), 3))
    still[..., [0, 2]] += homes
    missed = np.concatenate([_missed(physique, legs, loose, still, drop) for drop in SINKS]) / lengths
    reached = np.logical_and.accumulate(missed < MISSED, axis=0).sum(axis=0)
    return locked(np.array([0.0, *SINKS])[reached])


def _lifts(physique: Physique, legs: tuple[Leg, ...], loose: BoolArray, homes: FloatArray) -> FloatArray:
    """(L, len(ALONG)) how high each foot can be lifted behind, in and ahead of its place, in leg lengths."""
    lengths, heights = np.array([leg.length for leg in legs]), np.array([0.0, *LIFTS])
    ways = ALONG[:, None, None] * [0.0, 0.0, 1.0] + heights[:, None] * [0.0, 1.0, 0.0]
    moved = ways.reshape(-1, 1, 3) * lengths[:, None]
    moved[..., [0, 2]] += homes
    missed = (_missed(physique, legs, loose, moved, 0.0) / lengths).reshape(len(ALONG), len(heights), len(legs))
    # Far out a leg reaches the ground only once hips are lower.
    begun = np.maximum.accumulate(missed < LIFTED, axis=1)
    ended = np.logical_or.accumulate(begun & (missed >= LIFTED), axis=1)
    highest = np.where(begun & ~ended, heights[:, None], 0.0).max(axis=1)
    # Where it never does, it is as if it were as near as it can.
    for row in sorted(range(len(ALONG)), key=lambda row: abs(float(ALONG[row])))[1:]:
        inner = row - int(np.sign(ALONG[row]))
        highest[row] = np.where(begun[row, -1], highest[row], highest[inner])
    return locked(highest.T)


def _ranges(
    physique: Physique, legs: tuple[Leg, ...], loose: BoolArray, rise: float, homes: FloatArray | None = None
) -> FloatArray:
    """(L, DIRECTIONS) metres that feet go from their places, moved by ``homes`` (L, 2), with ease."""
    lengths = np.array([leg.length for leg in legs])
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    compass = np.stack([np.cos(angles), np.zeros(DIRECTIONS), np.sin(angles)], axis=1)
    moved = (compass[:, None] * SHARES[:, None])[:, :, None] * lengths[:, None]
    if homes is not None:
        moved[..., [0, 2]] += homes
    ranges = np.zeros((len(legs), DIRECTIONS))
    for drop in DROPS:
        missed = _missed(physique, legs, loose, moved.reshape(-1, len(legs), 3), drop - rise) / lengths
        reached = np.logical_and.accumulate(missed.reshape(DIRECTIONS, len(SHARES), -1) < MISSED, axis=1)
        far = np.concatenate([[LEAST], SHARES])[reached.sum(axis=1)]
        ranges = np.maximum(ranges, KEPT * far.T * lengths[:, None])
    # These were tried with flat soles. A foot that rolls over heel and ball goes farther, most of all behind.
    rolls = np.array([abs(float(leg.heel[2])) for leg in legs])[:, None]
    return ranges + rolls * (ROLL_AHEAD * np.maximum(compass[:, 2], 0) + ROLL_BEHIND * np.maximum(-compass[:, 2], 0))


def _missed(
    physique: Physique, legs: tuple[Leg, ...], loose: BoolArray, moved: FloatArray, drop: float,
    pitches: FloatArray | None = None,
) -> FloatArray:  # fmt: skip
    """(T, L) metres by which soles miss their places, moved by (T, L, 3) from rest; by which tips do, if heels rise."""
    count, lengths = len(moved), np.array([leg.length for leg in legs])
    flat, still = np.zeros((count, len(legs))), np.tile(quaternion.IDENTITY, (count, len(legs), 1))
    rolled = flat if pitches is None else flat + pitches[:, None]
    feet = Feet(np.array([leg.contact for leg in legs]) + moved, still, rolled, flat, flat == 0, flat, flat, flat)
    upright = np.tile(quaternion.IDENTITY, (count, 1))
    intent = at_rest(physique, np.arange(count, dtype=float), np.zeros((count, 3)), upright)
    roots = intent.root_positions - [0.0, drop * float(lengths.mean()), 0.0]
    places, turns = dict(intent.places), dict(intent.turns)
    place_feet(physique, legs, feet, (roots, upright), loose, places, turns, {})
    posed = solve_intent(replace(intent, root_positions=roots, places=places, turns=turns))
    state = WorldState(physique.character, posed.to_pose())
    if pitches is not None:
        tips = np.array([leg.tip for leg in legs])
        wanted = feet.contacts + quaternions.rotate(foot_rotations(feet), tips)
        return np.asarray(np.linalg.norm(soles_of(physique, legs, state, tips) - wanted, axis=-1))
    missed = np.linalg.norm(soles_of(physique, legs, state) - feet.contacts, axis=-1)
    # To stand with a foot or a knee in the ground is to miss it.
    feet_joints, parents = [leg.foot for leg in legs], physique.character.skeleton.parents
    heights = state.positions[:, feet_joints, 1] - SUNK * np.array([leg.ankle[1] for leg in legs])
    knees = state.positions[:, parents[feet_joints], 1] - KNEES * lengths
    sunk = -np.minimum(np.minimum(heights, knees), 0.0)
    return np.asarray(missed + sunk)


@lru_cache(maxsize=256)
def rolling_legs(physique: Physique) -> tuple[Leg, ...]:
    """The legs of a body as they walk: feet that legs turn, or whose ankles do not let heels rise, do not roll."""
    legs, loose = legs_of(physique), comfort_of(physique).loose
    lengths, tips = np.array([leg.length for leg in legs]), np.array([leg.tip for leg in legs])
    shares = np.linspace(0.2, 1.0, 5)
    up = quaternions.exp(shares[:, None, None] * ROLLED * np.array([1.0, 0.0, 0.0]) * np.ones((1, len(legs), 1)))
    behind = -ROLLED_BEHIND * shares[:, None, None] * lengths[:, None] * [0.0, 0.0, 1.0]
    turned = _missed(physique, legs, loose, behind + tips - quaternions.rotate(up, tips), ROLLED_DROP, shares * ROLLED)
    # All or none: what walks with one foot rolling and the other not limps.
    stays = ~loose & bool(np.all((turned.max(axis=0) < ROLLS * lengths) | loose))
    # What turns with its leg while it stands turns about one place, whether its heel is up or not.
    stays &= np.array([leg.swivels < SWIVELS for leg in legs])
    flat = locked(np.zeros(3))
    return tuple(
        leg if stays[row] else replace(leg, tip=flat, heel=flat if loose[row] else leg.heel)
        for row, leg in enumerate(legs)
    )


def soles_of(
    physique: Physique, legs: tuple[Leg, ...], state: WorldState, points: FloatArray | None = None
) -> FloatArray:
    """(T, L, 3) where the soles of a posed body are, or points (L, 3) from there, metres in the world."""
    found = []
    for row, leg in enumerate(legs):
        point = -leg.ankle if points is None else points[row] - leg.ankle
        sole = quaternions.rotate(quaternions.conjugate(physique.rotations[leg.foot]), point)
        found.append(state.positions[:, leg.foot] + quaternions.rotate(state.rotations[:, leg.foot], sole))
    return np.stack(found, axis=1)
