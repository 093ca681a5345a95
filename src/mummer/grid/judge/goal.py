"""Goals: whether parts are where they were wanted, when they could be."""

from __future__ import annotations

import numpy as np

from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.tracks import followed, reachable

MOST = 95.0
"""Percent of the moments that must be within the threshold: a moment's miss in mid-swing is not seen."""


def look(scene: Scene) -> Seen:
    """The farthest that a part misses its goal, percent of its limb's length."""
    worst = NOTHING
    for each in followed(scene):
        counts = each.counts & reachable(scene, each)
        if not np.any(counts):
            continue
        misses = np.where(counts, np.linalg.norm(each.found - each.wanted, axis=1), 0.0)
        value = 100.0 * float(np.percentile(misses[counts], MOST)) / each.length
        if worst.value is None or value > worst.value:
            worst = Seen(value, scene.at(each.joint, int(np.argmax(misses))))
    return worst


JUDGE = Judge(
    "goal", 10.0, "% of limb",
    "Are hands, heads and feet where they were wanted, whenever they could reach?",
    "A tenth of an arm is a hand's breadth: what is held or touched still looks held or touched.",
    look,
)  # fmt: skip
