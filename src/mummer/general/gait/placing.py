"""From feet to what is wanted of joints: soles placed, feet turned, toes bent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.general.gait.feet import Feet, foot_rotations
from mummer.general.gait.legs import Leg
from mummer.general.intent import Track
from mummer.general.physique import Physique
from mummer.kernels import quaternions

STRAIGHT, SOFT = 0.97, 0.02
"""No leg that stands is stretched beyond the first part of its length, and none in the air beyond both: the knee of a
leg that is drawn straight and bent again snaps, the more so the straighter it is."""


def place_feet(
    physique: Physique,
    legs: Sequence[Leg],
    feet: Feet,
    body: tuple[FloatArray, FloatArray],
    loose: BoolArray,
    places: dict[int, Track],
    turns: dict[int, Track],
    bends: dict[int, FloatArray],
) -> None:
    """Write what feet want into ``places``, ``turns`` and ``bends``, see `Intent`.

    Args:
        physique: the body.
        legs: its legs.
        feet: where their feet are at T moments.
        body: (T, 3) where the root is, and (T, 4) world_from_character of the body that it carries.
        loose: (L,) feet that are placed but not turned: their legs turn them.
        places: by joint; what is there of feet already is replaced.
        turns: the same of turns.
        bends: the same of bends.
    """
    rotations = foot_turns(physique, legs, feet, *body)
    contacts = feet.contacts - _beyond(physique, legs, feet, body, rotations, loose)
    rest, ones = physique.rotations, np.ones(len(feet.contacts))
    for index, leg in enumerate(legs):
        sole = quaternions.rotate(quaternions.conjugate(rest[leg.foot]), -leg.ankle)
        places[leg.foot] = Track(contacts[:, index], ones, sole)
        if not loose[index]:
            turns[leg.foot] = Track(quaternions.multiply(rotations[:, index], rest[leg.foot]), ones)
        for toe in leg.toes:
            bends[toe] = (feet.toes - feet.pitches)[:, index, None] * [1.0, 0.0, 0.0]


def _beyond(
    physique: Physique, legs: Sequence[Leg], feet: Feet, body: tuple[FloatArray, FloatArray], rotations: FloatArray,
    loose: BoolArray,
) -> FloatArray:  # fmt: skip
    """(T, L, 3) metres by which feet in the air are farther away than their knees stay bent."""
    hips = hips_of(physique, legs, *body)
    ankles = quaternions.rotate(rotations, np.array([leg.ankle for leg in legs]))
    away = feet.contacts + np.where(loose[:, None], 0.0, ankles) - hips
    reach = np.array([leg.farthest(free) for leg, free in zip(legs, loose.tolist(), strict=True)])
    far = np.linalg.norm(away, axis=-1) / reach
    over = np.maximum(far - STRAIGHT, 0.0)
    share = (over - SOFT * np.tanh(over / SOFT)) / np.maximum(far, 1e-9)
    return np.asarray(away * np.where(feet.planted, 0.0, share)[..., None])


def hips_of(physique: Physique, legs: Sequence[Leg], roots: FloatArray, turned: FloatArray) -> FloatArray:
    """(T, L, 3) where the joints are that swing the legs."""
    hips = np.array([leg.hip_place for leg in legs]) - physique.positions[physique.root]
    return np.asarray(roots[:, None] + quaternions.rotate(turned[:, None], hips))


def foot_turns(
    physique: Physique, legs: Sequence[Leg], feet: Feet, roots: FloatArray, turned: FloatArray
) -> FloatArray:
    """(T, L, 4) world from feet as they stand at rest; those that tilt or swivel go with their legs."""
    rotations = foot_rotations(feet)
    tilts = np.array([leg.tilts for leg in legs])
    swivels = np.array([leg.swivels for leg in legs]) * (1 - tilts)
    if not np.any(tilts) and not np.any(swivels):
        return rotations
    hips = np.array([leg.hip_place for leg in legs])
    contacts = np.array([leg.contact for leg in legs])
    now = roots[:, None] + quaternions.rotate(turned[:, None], hips - physique.positions[physique.root])
    rest, away = quaternions.rotate(feet.frames, hips - contacts), now - feet.contacts
    lean = quaternions.log(quaternions.between_vectors(rest, away)) * tilts[:, None]
    around = np.arctan2(away[..., 0], away[..., 2]) - np.arctan2(rest[..., 0], rest[..., 2])
    lean[..., 1] += swivels * ((around + np.pi) % (2 * np.pi) - np.pi)
    return quaternions.multiply(quaternions.exp(lean), rotations)
