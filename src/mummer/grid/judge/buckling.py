"""Buckling: spines that kink in one place or fold like an accordion instead of bending as a whole."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.math import quaternion, transform

KINK = np.radians(90.0)
"""The most that a spine may bend at one joint, beyond how it is bent at rest."""
ZIGZAG = np.radians(45.0)
"""The most that two neighbours may bend against each other."""


def look(scene: Scene) -> Seen:
    """How far the spine is bent beyond what is allowed at one joint, or between two: 1 is as far as it may."""
    parents, trunk = scene.body.skeleton.parents, set(scene.trunk)
    spine = [joint for joint in scene.trunk if int(parents[joint]) in trunk]
    if len(spine) < 2:
        return NOTHING
    bends = _bends(scene, spine)
    angles = np.linalg.norm(bends, axis=-1)
    badness = angles / KINK
    for place, joint in enumerate(spine):
        if int(parents[joint]) in spine:
            above = spine.index(int(parents[joint]))
            larger = np.maximum(np.maximum(angles[:, place], angles[:, above]), 1e-12)
            against = -np.sum(bends[:, place] * bends[:, above], axis=-1) / larger
            badness[:, place] = np.maximum(badness[:, place], against / ZIGZAG)
    frame, worst = np.unravel_index(int(np.argmax(badness)), badness.shape)
    return Seen(float(badness[frame, worst]), scene.at(spine[int(worst)], int(frame)))


def _bends(scene: Scene, spine: list[int]) -> FloatArray:
    """(T, n, 3) rotation vectors from rest of each joint against the one above, in world axes of the rest pose.

    Twist along the spine is left out: a body that looks behind it does not buckle.
    """
    above = [int(scene.body.skeleton.parents[joint]) for joint in spine]
    rest = scene.rest_pose.rotations[spine]
    turned = quaternion.log(quaternion.multiply(scene.pose.rotations[:, spine], quaternion.conjugate(rest)))
    vectors = quaternion.rotate(transform.decompose(scene.rest_world[above])[1], turned)
    along = scene.rest_world[spine, :, 3] - scene.rest_world[above, :, 3]
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    return np.asarray(vectors - np.sum(vectors * along, axis=-1, keepdims=True) * along)


JUDGE = Judge(
    "buckling", thresholds.BUCKLING, "× allowed",
    "Does the spine bend as a whole?",
    look,
)  # fmt: skip
