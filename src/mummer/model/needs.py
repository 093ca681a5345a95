"""Needs: how much an action needs each group of its body, where others want it too."""

from __future__ import annotations

import numpy as np

from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.clip.displacement import reach_of
from mummer.ik.body_point import joint_of
from mummer.ik.pose_distance import group_distances
from mummer.model.action import Action

LOOKS = 13
"""Moments at which a motion is looked at to see what it moves."""
GOES = 0.1
"""Body heights that a root has to move for somebody to go somewhere, over the ground or off it."""


def goes(clip: Clip) -> bool:
    """Whether a motion takes its body somewhere, over the ground or off it."""
    root = clip.sample(np.linspace(clip.start, clip.end, LOOKS)).root_translation
    assert root is not None
    return float(np.linalg.norm(root - root[0], axis=1).max()) > GOES * clip.anatomy.height


def needs_by_group(action: Action) -> dict[str, tuple[float, bool]]:
    """By group its importance, 0 to 100, and whether the action is about it.

    As much as it moves the group, measured in the group's reach, against the one that it moves most; it is about what
    its hard goals are about, and of who goes somewhere, about the root and the legs.
    """
    clip, groups = action.rough, action.rough.anatomy.groups
    poses = clip.sample(np.linspace(clip.start, clip.end, LOOKS))
    far = group_distances(clip.body, poses[0], poses, align="level")
    moved = {name: float(far[name].max()) / reach_of(clip.body, groups[name]) for name in groups}
    most = max([*moved.values(), 1e-6])
    feet = {foot.heel for foot in known_feet(clip.body)}
    owner = {joint: name for name, joints in groups.items() for joint in joints}
    about = {owner[joint_of(clip.body, part)] for goal in action.invariants if goal.is_hard for part in goal.points
             if joint_of(clip.body, part) not in feet and owner[joint_of(clip.body, part)] not in
             {owner[heel] for heel in feet}}  # fmt: skip
    if goes(clip):
        about |= {owner[0], *(owner[heel] for heel in feet)}
    return {name: (100.0, True) if name in about else (min(100.0 * moved[name] / most, 100.0), False)
            for name in groups}  # fmt: skip
