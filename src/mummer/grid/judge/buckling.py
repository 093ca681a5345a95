"""Buckling: spines that kink in one place or fold like an accordion instead of bending as a whole."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.math import quaternion

KINK = np.radians(90.0)
"""The most that a spine may bend at one joint, beyond how it is bent at rest."""
ZIGZAG = np.radians(45.0)
"""The most that two neighbours may bend against each other."""


def look(scene: Scene) -> Seen:
    """How far the spine is bent beyond what is allowed at one joint, or between two: 1 is as far as it may."""
    spine = _chain(scene)
    if len(spine) < 2:
        return NOTHING
    bends = _bends(scene, spine)
    angles = np.linalg.norm(bends, axis=-1)
    badness = angles / KINK
    for place, above in _neighbours(scene, spine):
        smaller = np.minimum(angles[:, place], angles[:, above])
        larger = np.maximum(np.maximum(angles[:, place], angles[:, above]), 1e-12)
        against = -np.sum(bends[:, place] * bends[:, above], axis=-1) / larger
        badness[:, place] = np.maximum(badness[:, place], np.minimum(against, smaller) / ZIGZAG)
    frame, worst = np.unravel_index(int(np.argmax(badness)), badness.shape)
    return Seen(float(badness[frame, worst]), scene.at(spine[int(worst)], int(frame)))


def _chain(scene: Scene) -> list[int]:
    """The joints of the spine that have one of the spine above them, root first."""
    spine = set(scene.physique.spine)
    return [joint for joint in sorted(spine) if int(scene.body.skeleton.parents[joint]) in spine]


def _neighbours(scene: Scene, spine: list[int]) -> list[tuple[int, int]]:
    """Places in ``spine`` of joints and of those right above them; a spine may branch."""
    places = {joint: place for place, joint in enumerate(spine)}
    parents = [int(scene.body.skeleton.parents[joint]) for joint in spine]
    return [(place, places[parent]) for place, parent in enumerate(parents) if parent in places]


def _bends(scene: Scene, spine: list[int]) -> FloatArray:
    """(T, n, 3) rotation vectors from rest of each joint against the one above, in world axes of the rest pose.

    Twist along the spine is left out: a body that looks behind it does not buckle.
    """
    rest = scene.body.default_pose.rotations[spine]
    turned = quaternion.log(quaternion.multiply(scene.pose.rotations[:, spine], quaternion.conjugate(rest)))
    above = [int(scene.body.skeleton.parents[joint]) for joint in spine]
    vectors = quaternion.rotate(scene.rest.rotations[0, above], turned)
    along = scene.rest.positions[0, spine] - scene.rest.positions[0, above]
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    return np.asarray(vectors - np.sum(vectors * along, axis=-1, keepdims=True) * along)


JUDGE = Judge(
    "buckling", 1.0, "× allowed",
    "Does the spine bend as a whole?",
    "90 degrees at one joint is a fold, and neighbours bent by 45 degrees against each other are a zigzag; 93 % of 28"
    " captured and hand-made motions stay below.",
    look,
)  # fmt: skip
