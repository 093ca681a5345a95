"""Twist: parts that spin about their own length, suddenly or too far."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.math import quaternion
from mummer.math.swing_twist import twist_angle

FRAME = 1.0 / 60.0
SUDDEN = np.radians(35.0)
"""Radians in 1/60 s that are the most a part may twist: 2,100 degrees a second, which no forearm does."""
FARTHEST = np.pi
"""Radians from rest that are the most: beyond half a turn skin is wrung."""
SHORT = 0.01
"""Bones shorter than this share of the body have no length to twist about."""
FOLDED = -0.9
"""The cosine of a swing beyond which it cannot be told which way a part is twisted."""


def look(scene: Scene) -> Seen:
    """How far twists are beyond what is allowed: 1 is as sudden or as far as a part may twist."""
    joints, axes = _bones(scene)
    if not len(joints) or len(scene.times) < 2:
        return NOTHING
    rest = scene.rest_pose.rotations[joints]
    turned = quaternion.multiply(quaternion.conjugate(rest), scene.pose.rotations[:, joints])
    twists = np.unwrap(twist_angle(turned, axes), axis=0)
    sudden = np.abs(np.diff(twists, axis=0, prepend=twists[:1])) * (FRAME / scene.step) / SUDDEN
    sudden[_is_folded(turned, axes)] = 0.0
    badness = np.maximum(sudden, np.abs(twists) / FARTHEST)
    frame, place = np.unravel_index(int(np.argmax(badness)), badness.shape)
    return Seen(float(badness[frame, place]), scene.at(int(joints[place]), int(frame)))


def _bones(scene: Scene) -> tuple[IntArray, FloatArray]:
    """(n,) joints that carry a bone, the root aside, and (n, 3) where it points, in the joint's frame."""
    skeleton, places = scene.body.skeleton, scene.rest_world[:, :, 3]
    root = scene.trunk[0]
    above = {root, *skeleton.ancestors(root)}
    joints, axes = [], []
    for joint in range(len(skeleton)):
        below = list(skeleton.children[joint])
        if joint in above or not below:
            continue
        along = skeleton.rest_translations[below].mean(axis=0)
        if np.linalg.norm(places[below].mean(axis=0) - places[joint]) > SHORT * scene.size:
            joints.append(joint)
            axes.append(along / np.linalg.norm(along))
    return np.array(joints, int), np.array(axes).reshape(-1, 3)


def _is_folded(turned: FloatArray, axes: FloatArray) -> BoolArray:
    """(T, n) whether the bone points nearly opposite to rest now, or did so a sample before."""
    folded = np.sum(quaternion.rotate(turned, axes) * axes, axis=-1) < FOLDED
    return np.asarray(folded | np.roll(folded, 1, axis=0))


JUDGE = Judge(
    "twist", thresholds.TWIST, "× allowed",
    "Do parts keep from spinning about their own length?",
    look,
)  # fmt: skip
