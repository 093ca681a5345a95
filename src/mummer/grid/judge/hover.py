"""Hovering: bodies that hang in the air, and feet that stand above the ground."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.flight import hanging, lowest
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Foot, Scene, inner
from mummer.math import quaternion, transform

STILL = 0.02
"""How slow, in leg lengths a second, a foot is that stands."""
RESTS = 0.1
"""How slow, in sizes of the body a second, the lowest skin is of a body that stands: who swims or flies moves it."""
LONG = 0.15
"""Seconds to either side for which they are."""
HIGH = 0.05
"""How high, in leg lengths, a foot may be that is meant to stand: what is higher is held up."""
UPRIGHT = 0.5
"""The cosine of how far a foot that is meant to stand is tilted at most: one that lies on its side is not."""


def look(scene: Scene) -> Seen:
    """How high the body hangs, or a foot stands, above the ground, percent of the body's size."""
    if scene.is_high_at_rest:
        return NOTHING
    heights = np.where(_stands_in_the_air(scene), lowest(scene), 0.0)
    frame = int(np.argmax(heights))
    worst = Seen(100.0 * float(heights[frame]) / scene.size, f"all of the body at {_when(scene, frame)}")
    for foot in scene.feet:
        above = _standing(scene, foot)
        frame = int(np.argmax(above))
        seen = Seen(100.0 * float(above[frame]) / scene.size, scene.at(foot.joint, frame))
        worst = max(worst, seen, key=lambda each: each.value or 0.0)
    return worst


def _stands_in_the_air(scene: Scene) -> BoolArray:
    """(T,) whether nothing carries the body while its lowest skin is at rest."""
    point = scene.heights.argmin(axis=1)
    speeds = np.linalg.norm(np.gradient(scene.skin, scene.step, axis=0), axis=-1)
    slow = np.take_along_axis(speeds, point[:, None], axis=1)[:, 0] < RESTS * scene.size
    return inner(hanging(scene) & slow, scene.frames(LONG))


def _standing(scene: Scene, foot: Foot) -> FloatArray:
    """(T,) metres of a foot above the ground while it stands still near it; else 0."""
    speeds = np.linalg.norm(np.gradient(scene.skin[:, foot.sole], scene.step, axis=0), axis=-1).max(axis=1)
    low = scene.heights[:, foot.rows].min(axis=1) - max(0.0, float(scene.rest_heights[foot.rows].min()))
    stands = inner((speeds < STILL * foot.leg) & (low < HIGH * foot.leg) & _is_upright(scene, foot), scene.frames(LONG))
    return np.where(stands, np.maximum(low, 0.0), 0.0)


def _is_upright(scene: Scene, foot: Foot) -> BoolArray:
    """(T,) whether a foot has its sole below it."""
    turns = transform.decompose(scene.world[:, foot.joint])[1]
    at_rest = transform.decompose(scene.rest_world[foot.joint])[1]
    up = quaternion.rotate(turns, quaternion.rotate(quaternion.conjugate(at_rest), scene.up))
    return np.asarray(up @ scene.up > UPRIGHT)


def _when(scene: Scene, frame: int) -> str:
    return f"{scene.times[frame] - scene.times[0]:.2f} s"


JUDGE = Judge(
    "hover", thresholds.HOVER, "% of body",
    "Is who stands on the ground, and not above it?",
    look,
)  # fmt: skip
