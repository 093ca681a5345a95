"""Penetration: whether parts of the body go through one another."""

from __future__ import annotations

import numpy as np

from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.ik.volume import self_penetration

EVERY = 4
"""One in so many samples is looked at: what goes through another part does so for longer than 1/15 s."""
MOST = 95.0
"""Percent of the moments that must be within the threshold."""


def look(scene: Scene) -> Seen:
    """How much deeper parts are inside one another than at rest, percent of the body's size."""
    found = self_penetration(scene.body, scene.pose[::EVERY])
    if not len(found.pairs):
        return NOTHING
    at_rest = self_penetration(scene.body, scene.body.default_pose)
    deeper = np.maximum(found.depth - at_rest.depth, 0.0)
    frame, pair = np.unravel_index(int(np.argmax(deeper)), deeper.shape)
    value = 100.0 * float(np.percentile(deeper.max(axis=1), MOST)) / scene.size
    first, second = (scene.part(int(joint)) for joint in found.joints[pair])
    moment = scene.times[int(frame) * EVERY] - scene.times[0]
    return Seen(value, f"{first} in {second} at {moment:.2f} s")


JUDGE = Judge(
    "penetration", 3.0, "% of body",
    "Do parts of the body stay out of one another?",
    "Capsules miss the skin by up to two percent of the body, and touching flesh gives; deeper is seen.",
    look,
)  # fmt: skip
