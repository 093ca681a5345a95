"""Twist: parts that spin about their own length, suddenly or too far."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import RATE, Scene
from mummer.math import quaternion
from mummer.math.swing_twist import twist_angle

SUDDEN = np.radians(35.0)
"""Radians in 1/60 s that are the most a part may twist: 2,100 degrees a second, which no forearm does."""
FARTHEST = np.pi
"""Radians from rest that are the most: beyond half a turn skin is wrung."""
SHORT = 0.01
"""Bones shorter than this share of the body have no length to twist about."""


def look(scene: Scene) -> Seen:
    """How far twists are beyond what is allowed: 1 is as sudden or as far as a part may twist."""
    joints, axes = _bones(scene)
    if not len(joints) or len(scene.times) < 2:
        return NOTHING
    rest = scene.body.default_pose.rotations[joints]
    turned = quaternion.multiply(quaternion.conjugate(rest), scene.pose.rotations[:, joints])
    twists = np.unwrap(twist_angle(turned, axes), axis=0)
    sudden = np.abs(np.diff(twists, axis=0, prepend=twists[:1])) / (scene.step * RATE) / SUDDEN
    # A swing by half a circle hides which way a part is twisted, so a step there tells nothing.
    sudden[_is_folded(turned, axes)] = 0.0
    badness = np.maximum(sudden, np.abs(twists) / FARTHEST)
    frame, place = np.unravel_index(int(np.argmax(badness)), badness.shape)
    return Seen(float(badness[frame, place]), scene.at(int(joints[place]), int(frame)))


def _bones(scene: Scene) -> tuple[FloatArray, FloatArray]:
    """(n,) joints that carry a bone, the root aside, and (n, 3) where it points, in the joint's frame."""
    skeleton, root = scene.body.skeleton, scene.physique.root
    above = {root, *skeleton.ancestors(root)}
    joints, axes = [], []
    for joint in range(len(skeleton)):
        below = skeleton.children[joint]
        along = skeleton.rest_translations[list(below)].mean(axis=0) if below else np.zeros(3)
        if joint not in above and np.linalg.norm(along) > SHORT * scene.size:
            joints.append(joint)
            axes.append(along / np.linalg.norm(along))
    return np.array(joints, int), np.array(axes).reshape(-1, 3)


def _is_folded(turned: FloatArray, axes: FloatArray) -> FloatArray:
    """(T, n) whether the bone points nearly opposite to rest now, or did so a sample before."""
    folded = np.sum(quaternion.rotate(turned, axes) * axes, axis=-1) < -0.9
    return np.asarray(folded | np.roll(folded, 1, axis=0))


JUDGE = Judge(
    "twist", 1.0, "× allowed",
    "Do parts keep from spinning about their own length?",
    "More than 35 degrees in 1/60 s is a flip rather than a movement; beyond half a turn skin looks wrung. Of 29"
    " captured and hand-made motions 79 % stay below.",
    look,
)  # fmt: skip
