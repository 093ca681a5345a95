"""Limits: whether joints stay within what they can do."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import violations
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.math import quaternion, transform

BENT = np.radians(10.0)
"""How far a knee must be bent at rest to tell which way it bends."""
KNEE = 2
"""The place of the foot in a leg whose last joint before it is a knee: horses have fetlocks there, which bend both
ways."""


def look(scene: Scene) -> Seen:
    """How far a joint turns beyond its limits, and farther than it does at rest; degrees.

    Of bodies that come without limits it is how far knees bend backwards.
    """
    limits, skeleton = scene.body.limits, scene.body.skeleton
    if limits is None or not np.any(limits.kinds):
        return _backwards(scene)
    given = violations(limits, skeleton, scene.rest_pose)
    beyond = np.degrees(violations(limits, skeleton, scene.pose) - given)
    frame, joint = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
    return Seen(max(0.0, float(beyond[frame, joint])), scene.at(int(joint), int(frame)))


def _backwards(scene: Scene) -> Seen:
    worst, anatomy = NOTHING, scene.body.anatomy
    for limb in () if anatomy is None else anatomy.limbs:
        if limb.kind != "leg" or limb.joints[KNEE : KNEE + 1] not in [(foot.joint,) for foot in scene.feet]:
            continue
        above, joint, below = limb.joints[: KNEE + 1]
        rest = _bend(scene.rest_world[None], above, joint, below)[0]
        bent = float(np.linalg.norm(rest))
        if bent < BENT:
            continue
        back = np.degrees(-(_bend(scene.world, above, joint, below) @ rest) / bent)
        frame = int(np.argmax(back))
        if worst.value is None or back[frame] > worst.value:
            worst = Seen(max(0.0, float(back[frame])), scene.at(joint, frame))
    return worst


def _bend(world: FloatArray, above: int, joint: int, below: int) -> FloatArray:
    """(T, 3) how a joint is bent, as a rotation vector in the frame of the one above, radians."""
    upper = world[:, joint, :, 3] - world[:, above, :, 3]
    lower = world[:, below, :, 3] - world[:, joint, :, 3]
    axis = np.cross(upper, lower)
    sine, cosine = np.linalg.norm(axis, axis=-1), np.sum(upper * lower, axis=-1)
    vector = axis / np.maximum(sine, 1e-12)[:, None] * np.arctan2(sine, cosine)[:, None]
    turn = transform.decompose(world[:, above])[1]
    return quaternion.rotate(quaternion.conjugate(turn), vector)


JUDGE = Judge(
    "limits", thresholds.LIMITS, "degrees",
    "Do joints stay within what they can do?",
    look,
)  # fmt: skip
