"""Motion kept: whether the movement that was asked for is the one that shows."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.tracks import Followed, followed
from mummer.math import quaternion

STILL = 0.02
"""Movement smaller than this, in limb lengths, is no movement that could be lost."""


def look(scene: Scene) -> Seen:
    """The share of the wanted movement that the body does not show, percent, for the part that loses most."""
    worst = NOTHING
    for each in followed(scene):
        lost = _lost(scene, each)
        if lost is not None and (worst.value is None or lost > worst.value):
            worst = Seen(lost, scene.part(each.joint))
    return worst


def _lost(scene: Scene, each: Followed) -> float | None:
    """How much of the movement about its mean, seen from the stage, is missing; percent of its size."""
    wanted, found = (_on_stage(scene, places)[each.counts] for places in (each.wanted, each.found))
    wanted, found = wanted - wanted.mean(axis=0), found - found.mean(axis=0)
    asked = float(np.sqrt(np.mean(np.sum(wanted**2, axis=1))))
    if asked < STILL * each.length:
        return None
    return 100.0 * float(np.sqrt(np.mean(np.sum((found - wanted) ** 2, axis=1)))) / asked


def _on_stage(scene: Scene, places: FloatArray) -> FloatArray:
    """(T, 3) places in character space, where travelling over the ground does not count as moving."""
    assert scene.intent is not None
    turned = quaternion.conjugate(scene.intent.stage_rotations)
    return quaternion.rotate(turned, places - scene.intent.stage_positions)


JUDGE = Judge(
    "kept", 60.0, "% lost",
    "Is the movement that was asked for the movement that shows?",
    "Limits and short limbs may take from a movement; a wave or a nod is still read when half of it shows.",
    look,
)  # fmt: skip
