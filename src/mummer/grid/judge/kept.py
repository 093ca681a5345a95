"""Motion kept: whether the movement that was wished for is the one that shows."""

from __future__ import annotations

import numpy as np

from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.wished import Wished, carried, wished

STILL = 0.02
"""Movement smaller than this, in limb lengths, is no movement that could be lost."""


def look(scene: Scene) -> Seen:
    """The share of the wished movement that the body does not show, percent, for the part that loses most."""
    worst = NOTHING
    for each in wished(scene):
        lost = _lost(scene, each)
        if lost is not None and (worst.value is None or lost > worst.value):
            worst = Seen(lost, scene.part(each.wish.joint))
    return worst


def _lost(scene: Scene, each: Wished) -> float | None:
    """How much of the movement about its mean is missing; percent of its size."""
    wanted, found = (carried(scene, places)[each.counts] for places in (each.wanted, each.found))
    wanted, found = wanted - wanted.mean(axis=0), found - found.mean(axis=0)
    asked = float(np.sqrt(np.mean(np.sum(wanted**2, axis=1))))
    if asked < STILL * each.length:
        return None
    return 100.0 * float(np.sqrt(np.mean(np.sum((found - wanted) ** 2, axis=1)))) / asked


JUDGE = Judge(
    "kept", thresholds.KEPT, "% lost",
    "Is the movement that was wished for the movement that shows?",
    look,
)  # fmt: skip
