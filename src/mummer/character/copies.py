"""Copies of a skeleton in one file, as clothes on armatures of their own have it."""

from __future__ import annotations

import re

import numpy as np

from mummer.character.derive import rest_positions, size_of
from mummer.character.skeleton import Skeleton

NUMBERED = re.compile(r"(#\d+|[._]\d{3})$")
"""The end of a name that tells it from others of the same name."""
SAME = 0.02
"""The part of the body's size within which two joints are in one place."""
MOSTLY = 0.5
"""The share of an armature's joints that must be copies for the whole to be one."""


def copies_in(skeleton: Skeleton) -> dict[int, int]:
    """Of each joint of an armature that copies joints of a larger one, the joint that it is a copy of.

    Joints of such an armature that are no copies go with the nearest above them that is.
    """
    if len(skeleton.roots) < 2:
        return {}
    places = rest_positions(skeleton)
    near = SAME * (size_of(places) or 1.0)
    trees = sorted(((root, *sorted(skeleton.descendants(root))) for root in skeleton.roots), key=lambda t: -len(t))
    known = {NUMBERED.sub("", skeleton.names[joint]): joint for joint in trees[0]}
    found: dict[int, int] = {}
    for tree in trees[1:]:
        twins = {joint: known.get(NUMBERED.sub("", skeleton.names[joint]), -1) for joint in tree}
        same = {joint: twin for joint, twin in twins.items()
                if twin >= 0 and float(np.linalg.norm(places[joint] - places[twin])) < near}  # fmt: skip
        if len(same) > 1 and len(same) > MOSTLY * len(tree):
            for joint in tree:
                above = found.get(int(skeleton.parents[joint]), trees[0][0])
                found[joint] = same.get(joint, above)
    return found
