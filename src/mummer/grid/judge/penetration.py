"""Penetration: whether the skin of one part of the body goes into another part."""

from __future__ import annotations

import numpy as np

from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.solids import deepest, map_from_world, solids_of

EVERY = 1.0 / 30.0
"""Seconds between looks: what goes through another part does so for longer."""
MOST = 95.0
"""Percent of the moments that must be within the threshold."""


def look(scene: Scene) -> Seen:
    """How much deeper than at rest skin is inside another part: 1 is as deep as the thinner of both is thick."""
    solids = solids_of(scene.body, scene.rest_world)
    if not np.any(solids.worth):
        return NOTHING
    rows = slice(None, None, scene.frames(EVERY))
    maps = map_from_world(solids, scene.rest_world, scene.world[rows])
    owners = scene.surface.owners
    found, who = deepest(solids, scene.skin[rows], owners, maps)
    frame, part = np.unravel_index(int(np.argmax(found)), found.shape)
    value = float(np.percentile(found.max(axis=1), MOST))
    if value <= 0:
        return Seen(0.0)
    mine, other = scene.part(int(owners[int(who[frame, part])])), int(solids.joint[part])
    return Seen(value, f"{mine} in {scene.at(other, int(frame) * scene.frames(EVERY))}")


JUDGE = Judge(
    "penetration", thresholds.PENETRATION, "× thickness",
    "Does the skin of each part stay out of the other parts?",
    look,
)  # fmt: skip
