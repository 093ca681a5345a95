"""Reach: whether parts are where they were wished to be, when they were."""

from __future__ import annotations

import numpy as np

from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.wished import Wished, wished

MOST = 95.0
"""Percent of the moments that must be within the threshold: a moment's miss in mid-swing is not seen."""
TOLD = 0.5
"""The share of a miss that a report must own up to."""
STRETCHED, MOSTLY = 0.95, 0.9
"""From which share of its length on a limb does not reach, and at which share of the moments that it misses."""


def look(scene: Scene) -> Seen:
    """How far a part is from where it was wished, percent of its limb's length."""
    found = [_missed(scene, each) for each in wished(scene)]
    return max(found, key=lambda seen: (not seen.reported, seen.value or 0.0), default=NOTHING)


def _missed(scene: Scene, each: Wished) -> Seen:
    misses = np.where(each.counts, np.linalg.norm(each.found - each.wanted, axis=1), 0.0)
    miss, frame = float(np.percentile(misses[each.counts], MOST)), int(np.argmax(misses))
    away = np.linalg.norm(each.wanted - scene.places[:, each.base], axis=1)
    beyond = misses > thresholds.REACH.most / 100.0 * each.length
    out_of_reach = float(np.mean(away[beyond] > STRETCHED * each.reach)) >= MOSTLY if np.any(beyond) else False
    told = each.wish.missed >= TOLD * miss
    return Seen(100.0 * miss / each.length, scene.at(each.wish.joint, frame), reported=out_of_reach and told)


JUDGE = Judge(
    "reach", thresholds.REACH, "% of limb",
    "Are hands, heads and feet where they were wished to be, or does the motion say that they cannot?",
    look,
)  # fmt: skip
