"""Penetration: whether parts of the body go through one another."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.ik.volume import self_penetration, volume_of

EVERY = 4
"""One in so many samples is looked at: what goes through another part does so for longer than 1/15 s."""
MOST = 95.0
"""Percent of the moments that must be within the threshold."""
DEEP = 0.6
"""The most that two parts may be inside each other, as a share of both their radii; at 1 their middles meet."""
SMALL = 0.015
"""Overlaps up to this share of the body are no fault whatever the parts: fingers and toes are thinner than that."""


def look(scene: Scene) -> Seen:
    """How much deeper than at rest parts are inside one another: 1 is as deep as they may be."""
    found = self_penetration(scene.body, scene.pose[::EVERY])
    if not len(found.pairs):
        return NOTHING
    at_rest = self_penetration(scene.body, scene.body.default_pose)
    deeper = np.maximum(found.depth - at_rest.depth, 0.0) / _allowed(scene, found.pairs)
    frame, pair = np.unravel_index(int(np.argmax(deeper)), deeper.shape)
    first, second = (scene.part(int(joint)) for joint in found.joints[pair])
    moment = scene.times[int(frame) * EVERY] - scene.times[0]
    value = float(np.percentile(deeper.max(axis=1), MOST))
    return Seen(value, f"{first} in {second} at {moment:.2f} s" if value > 0 else "")


def _allowed(scene: Scene, pairs: IntArray) -> FloatArray:
    """(P,) metres that the capsules of each pair may be inside each other."""
    thick = volume_of(scene.body).radii.mean(axis=1)
    return np.maximum(DEEP * thick[pairs].sum(axis=1), SMALL * scene.size)


JUDGE = Judge(
    "penetration", 1.0, "× allowed",
    "Do parts of the body stay out of one another?",
    "Parts that touch overlap by a share of their radii, since flesh gives and capsules are fatter than skin; from six"
    " tenths on one is taken to pass through the other. Of 31 captured and hand-made motions 87 % stay below.",
    look,
)  # fmt: skip
