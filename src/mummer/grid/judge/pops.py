"""Pops: skin that jumps."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import uniform_filter1d

from mummer.arrays import FloatArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene

FRAME = 1.0 / 60.0
"""Seconds over which a jump is measured."""
AROUND = 0.12
"""Seconds to either side that tell how lively the motion is just there."""
LIVELY = 2.0
"""How many times as lively as their mean a moment may be before the rest of it counts."""
POINTS = 400
"""Points of the skin that are looked at."""


def look(scene: Scene) -> Seen:
    """The largest jump of a point of the skin, percent of the body's size: what it moves beyond where it was going.

    Sudden changes of velocity count as far as they exceed those of the moments around them: a jump stands alone, a
    swift movement does not.
    """
    step = scene.frames(FRAME)
    if len(scene.times) < 4 * step + 1:
        return NOTHING
    rows = np.arange(0, len(scene.surface), -(-len(scene.surface) // POINTS))
    places = scene.skin[:, rows]
    if scene.closes:
        # What repeats is seen to jump from its end to its start too; the last sample is the first again.
        places = np.concatenate([places, places[1 : 2 * step + 1]])
    turns = np.linalg.norm(places[2 * step :] - 2 * places[step:-step] + places[: -2 * step], axis=-1)
    beyond = turns - LIVELY * _usual(turns, 2 * step, scene.frames(AROUND))
    frame, place = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
    moment = min(int(frame) + step, len(scene.times) - 1)
    value = 100.0 * max(0.0, float(beyond[frame, place])) / scene.size
    return Seen(value, scene.at(int(scene.surface.owners[rows[place]]), moment))


def _usual(turns: FloatArray, near: int, around: int) -> FloatArray:
    """(T, n) the mean of the samples around each, without those nearer than a jump is long."""
    wide, narrow = 2 * around + 1, 2 * near + 1
    all_of_it, middle = (uniform_filter1d(turns, width, axis=0, mode="reflect") for width in (wide, narrow))
    return np.asarray((wide * all_of_it - narrow * middle) / (wide - narrow))


JUDGE = Judge(
    "pops", thresholds.POPS, "% of body",
    "Does all skin move without jumps?",
    look,
)  # fmt: skip
