"""Frozen parts: what should move and does not."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.intent import Intent
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.tracks import followed
from mummer.math import quaternion

LEAST = 0.03
"""How far, in lengths of its limb, a part must be asked to travel before stillness is a fault."""
LEAST_TURN = np.radians(10.0)
"""How far a part must be asked to turn before stillness is a fault."""
HARDLY = 1e-3
"""A body whose joints all stay within this many body lengths does not move at all."""


def look(scene: Scene) -> Seen:
    """How much of the wanted range of movement is missing, percent, for the stillest part that was asked to move."""
    spread = float(np.linalg.norm(np.ptp(scene.places, axis=0), axis=1).max()) / scene.size
    if spread < HARDLY and not _turns_at_all(scene):
        return Seen(100.0, "all of the body")
    return NOTHING if scene.intent is None else _stillest(scene, scene.intent)


def _turns_at_all(scene: Scene) -> bool:
    """Whether tips turn or the face changes, which moves no joint."""
    morphs = scene.pose.morphs
    if morphs is not None and np.ptp(morphs, axis=0).max(initial=0.0) > 0:
        return True
    turned = quaternion.angle_between(scene.pose.rotations, scene.pose.rotations[:1])
    return bool(np.max(turned, initial=0.0) > 0.01)


def _stillest(scene: Scene, intent: Intent) -> Seen:
    worst = Seen(0.0)
    for each in followed(scene):
        carried = intent.carried(each.joint)[0]
        asked, shown = _range(each.wanted - carried), _range(each.found - carried)
        if asked > LEAST * each.length:
            worst = max(worst, _still(scene, each.joint, asked, shown), key=_value)
    for joint, track in intent.turns.items():
        carried = intent.carried(joint)[1]
        asked = float(np.ptp(quaternion.angle_between(track.values, carried) * track.weights))
        shown = float(np.ptp(quaternion.angle_between(scene.state.rotations[:, joint], carried)))
        if asked > LEAST_TURN:
            worst = max(worst, _still(scene, joint, asked, shown), key=_value)
    return worst


def _still(scene: Scene, joint: int, asked: float, shown: float) -> Seen:
    return Seen(100.0 * max(0.0, 1.0 - shown / asked), scene.part(joint))


def _value(seen: Seen) -> float:
    return seen.value or 0.0


def _range(places: FloatArray) -> float:
    """Metres from corner to corner of the box that a track stays in."""
    return float(np.linalg.norm(np.ptp(places, axis=0)))


JUDGE = Judge(
    "frozen", 85.0, "% still",
    "Does everything move that should?",
    "A part that shows less than about a seventh of its movement reads as stuck, whatever the reason.",
    look,
)  # fmt: skip
