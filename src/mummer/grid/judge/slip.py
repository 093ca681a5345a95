"""Slipping: whether soles that are on the ground stay where they are."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Foot, Scene, inner

RISES = 0.25
"""How fast, in leg lengths a second, a point may rise or sink that is on the ground."""
EDGE = 0.05
"""Seconds at both ends of a contact that do not count: a foot rolls on and off."""
FRAME = 1.0 / 60.0
"""Seconds over which a slide is measured."""
MOST = 98.0
"""Percent of the moments of a contact that must be within the threshold."""


def look(scene: Scene) -> Seen:
    """How far a sole slides in 1/60 s while it is on the ground, percent of its leg's length."""
    worst = NOTHING
    for foot in scene.feet if len(scene.times) > 2 * scene.frames(FRAME) else ():
        slides, down = _slides(scene, foot)
        down = inner(down, scene.frames(EDGE))
        if np.any(down):
            value = 100.0 * float(np.percentile(slides[down], MOST)) / foot.leg
            if worst.value is None or value > worst.value:
                worst = Seen(value, scene.at(foot.joint, int(np.argmax(np.where(down, slides, 0.0)))))
    return worst


def _slides(scene: Scene, foot: Foot) -> tuple[FloatArray, BoolArray]:
    """(T,) metres in 1/60 s of the slowest point of a sole that is down, and whether any is."""
    places = scene.skin[:, foot.sole]
    step = scene.frames(FRAME)
    moves = np.gradient(places, axis=0) * step
    rises = moves @ scene.up
    slides = np.linalg.norm(moves - rises[..., None] * scene.up, axis=-1)
    low = scene.heights[:, foot.sole] <= max(0.0, float(scene.rest_heights[foot.rows].min())) + foot.near
    down = low & (np.abs(rises) <= RISES * foot.leg * step * scene.step)
    return np.where(down, slides, np.inf).min(axis=1), np.asarray(down.any(axis=1))


JUDGE = Judge(
    "slip", thresholds.SLIP, "% of leg a frame",
    "Do soles that are on the ground stay where they are?",
    look,
)  # fmt: skip
