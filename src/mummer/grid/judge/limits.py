"""Limits: whether joints stay within what they can do."""

from __future__ import annotations

import numpy as np

from mummer.character import violations
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.ik.rigid_body import rigid_body


def look(scene: Scene) -> Seen:
    """How far a joint turns beyond its limits, and farther than it does in the default pose; degrees."""
    limits = rigid_body(scene.body).limits
    if not np.any(limits.kinds):
        return NOTHING
    skeleton = scene.body.skeleton
    given = violations(limits, skeleton, scene.body.default_pose)
    beyond = np.degrees(violations(limits, skeleton, scene.pose) - given)
    frame, joint = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
    return Seen(max(0.0, float(beyond[frame, joint])), scene.at(int(joint), int(frame)))


JUDGE = Judge(
    "limits", 5.0, "degrees",
    "Do joints stay within what they can do?",
    "Limits of bodies are told to about five degrees; knees that bend backwards exceed them by far more.",
    look,
)  # fmt: skip
