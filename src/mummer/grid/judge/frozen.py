"""Frozen parts: what should move and does not."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.wished import FULLY, carried, wished
from mummer.math import quaternion, transform

LEAST = 0.03
"""How far, in lengths of its limb, a part must be wished to travel before stillness is a fault."""
LEAST_TURN = np.radians(10.0)
"""How far a part must be wished to turn before stillness is a fault."""
HARDLY = 1e-3
"""A body whose skin all stays within so many of its sizes does not move at all."""


def look(scene: Scene) -> Seen:
    """How much of the wished range of movement is missing, percent, for the stillest part that was wished to move."""
    spread = float(np.linalg.norm(np.ptp(scene.skin, axis=0), axis=1).max()) / scene.size
    morphs = scene.pose.morphs
    if spread < HARDLY and (morphs is None or not np.ptp(morphs, axis=0).max(initial=0.0) > 0):
        return Seen(100.0, "all of the body")
    worst = Seen(0.0)
    for each in wished(scene):
        asked, shown = (_range(carried(scene, places)[each.counts]) for places in (each.wanted, each.found))
        if asked > LEAST * each.length:
            worst = max(worst, _still(scene, each.wish.joint, asked, shown), key=lambda seen: seen.value or 0.0)
    for joint, asked, shown in _turned(scene):
        if asked > LEAST_TURN:
            worst = max(worst, _still(scene, joint, asked, shown), key=lambda seen: seen.value or 0.0)
    return worst


def _turned(scene: Scene) -> list[tuple[int, float, float]]:
    """Joints that were wished to turn, and by how much they should and do."""
    found = []
    for wish in scene.wishes:
        rows = np.flatnonzero(wish.weights >= FULLY)
        if wish.turns is None or not len(rows):
            continue
        nearest = np.clip(np.searchsorted(scene.times, wish.times[rows]), 0, len(scene.times) - 1)
        shown = transform.decompose(scene.world[nearest, wish.joint])[1]
        asked, seen = (float(quaternion.angle_between(turns, turns[:1]).max()) for turns in (wish.turns[rows], shown))
        found.append((wish.joint, asked, seen))
    return found


def _still(scene: Scene, joint: int, asked: float, shown: float) -> Seen:
    return Seen(100.0 * max(0.0, 1.0 - shown / asked), scene.part(joint))


def _range(places: FloatArray) -> float:
    """Metres from corner to corner of the box that a track stays in."""
    return float(np.linalg.norm(np.ptp(places, axis=0)))


JUDGE = Judge(
    "frozen", thresholds.FROZEN, "% still",
    "Does everything move that should?",
    look,
)  # fmt: skip
