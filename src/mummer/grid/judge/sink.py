"""Sinking: whether any skin goes into the ground."""

from __future__ import annotations

import numpy as np

from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import Judge, Seen
from mummer.grid.judge.scene import Scene


def look(scene: Scene) -> Seen:
    """How deep skin goes into the ground, beyond where it is at rest, percent of the body's size."""
    depths = np.minimum(scene.rest_heights, 0.0) - scene.heights
    frame, point = np.unravel_index(int(np.argmax(depths)), depths.shape)
    value = 100.0 * max(0.0, float(depths[frame, point])) / scene.size
    return Seen(value, scene.at(int(scene.surface.owners[point]), int(frame)))


JUDGE = Judge(
    "sink", thresholds.SINK, "% of body",
    "Does the skin stay above the ground?",
    look,
)  # fmt: skip
