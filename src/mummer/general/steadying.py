"""Bodies that stand turn and shift no farther than their legs let them, so that their feet stay on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.context import select
from mummer.general.feet import drop_needed, drop_room, lacking_drop, standing_shares
from mummer.general.intent import UP, Intent
from mummer.general.kept import kept
from mummer.general.physique import Physique
from mummer.general.track import Track
from mummer.kernels import quaternions

TRIED = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
"""Shares of what root and spine should do that are tried."""
UPRIGHT, LYING = 0.6, 1.1
"""Radians that the root tilts: up to the first a body stands on its feet, from the second on it lies, however far."""


def kept_standing(intent: Intent, feet: Sequence[int]) -> Intent:
    """The same with root and spine held back, and the root lowered, as far as the places of ``feet`` ask for it."""
    standing = standing_shares(intent, feet)
    steady = steadied(intent, feet, standing)
    return replace(steady, root_positions=steady.root_positions - drop_needed(steady, feet, standing))


def steadied(intent: Intent, feet: Sequence[int], standing: FloatArray) -> Intent:
    """The same with root and spine doing as much of what they should as lets legs reach the places of ``feet``.

    What would sink is lifted by the root no farther than legs reach; root and spine do less instead.

    Args:
        intent: what is wanted, feet with their places.
        feet: which stand.
        standing: (T, F) how much each of them stands, 0 to 1.
    """
    room = drop_room(intent.physique, feet)
    beyond = _beyond(intent, feet, standing, room)
    if not np.any(beyond > 0):
        return intent
    lowered = _lowered(intent)
    shares, worst, found = np.ones(len(intent)), beyond, beyond <= 0
    for last, share in pairwise(TRIED):
        before = worst
        worst = _beyond(_less(intent, np.full(len(intent), share), lowered), feet, standing, room)
        between = np.clip(before / np.maximum(before - worst, 1e-12), 0.0, 1.0)
        crosses = ~found & (worst <= 0)
        shares = np.where(crosses, last + (share - last) * between, shares)
        found |= crosses
    shares = np.where(found, shares, 0.0)
    lying = np.clip((_tilts(intent) - UPRIGHT) / (LYING - UPRIGHT), 0.0, 1.0)
    return _less(intent, shares + (1.0 - shares) * lying, lowered)


def _beyond(intent: Intent, feet: Sequence[int], standing: FloatArray, room: float) -> FloatArray:
    """(T,) metres that legs lack even when the root comes down as far as it may; below zero where they reach."""
    return np.max(lacking_drop(intent, feet) * standing, axis=1, initial=0.0) - room


def _less(intent: Intent, shares: FloatArray, lowered: FloatArray) -> Intent:
    """The same with the given shares (T,) of what root and spine do; less is lifted where less sinks."""
    physique = intent.physique
    rest = physique.positions[physique.root]
    away = intent.to_character(intent.root_positions) - rest
    away = away * np.stack([shares, np.ones(len(intent)), shares], axis=1)
    upright = quaternions.multiply(intent.stage_rotations, physique.rotations[physique.root])
    turns = {
        joint: Track(track.values, track.weights * shares) if joint in physique.spine else track
        for joint, track in intent.turns.items()
    }
    return replace(
        intent,
        root_positions=intent.to_world(rest + away),
        root_rotations=Track(intent.root_rotations, shares).at(upright),
        turns=turns,
        lift=None if intent.lift is None else np.maximum(intent.lift - (1.0 - shares) * lowered, 0.0),
    )


def _lowered(intent: Intent) -> FloatArray:
    """(T,) metres by which turning root and spine lowers what is lowered most of spine and heads."""
    physique = intent.physique
    up = quaternions.rotate(intent.stage_rotations, UP)
    root = np.vecdot(intent.root_positions - intent.stage_positions, up) - physique.positions[physique.root, 1]
    if intent.lift is not None:
        root = root + intent.lift
    lowest = np.zeros(len(intent))
    for joint in _ends(physique):
        height = np.vecdot(intent.carried(joint)[0] - intent.stage_positions, up)
        lowest = np.maximum(lowest, physique.positions[joint, 1] + root - height)
    return lowest


@kept
def _ends(physique: Physique) -> tuple[int, ...]:
    return tuple(sorted({*physique.spine, *select(physique, "head"), *select(physique, "mouth")}))


def _tilts(intent: Intent) -> FloatArray:
    """(T,) radians that the root is tilted from how it stands."""
    physique = intent.physique
    turned = quaternions.multiply(intent.root_rotations, quaternions.conjugate(physique.rotations[physique.root]))
    up = np.vecdot(quaternions.rotate(turned, UP), quaternions.rotate(intent.stage_rotations, UP))
    return np.asarray(np.arccos(np.clip(up, -1.0, 1.0)))
