"""Segments: the straight pieces of a body between two roles, by which two bodies are compared."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character
from mummer.character.derive import rest_positions

LIMBS: tuple[tuple[str, ...], ...] = (
    *((f"{side}_upper_arm", f"{side}_forearm", f"{side}_hand") for side in ("left", "right")),
    *((f"{side}_upper_leg", f"{side}_lower_leg", f"{side}_foot") for side in ("left", "right")),
    *(
        (f"{end}_{side}_upper", f"{end}_{side}_lower", f"{end}_{side}_foot")
        for end in ("front", "middle", "hind")
        for side in ("left", "right")
    ),
)
"""Roles along limbs. The foot is left out on purpose: a sole lies flat whatever the slope from ankle to toes."""
TRUNK: tuple[tuple[str, str], ...] = (("hips", "neck"), ("neck", "head"))
END_EFFECTORS = ("head", "left_hand", "right_hand", "left_foot", "right_foot",
                 "front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot")  # fmt: skip
SHORT = 0.01
"""Segments shorter than this share of the body's size have no direction worth speaking of."""


def segments_of(body: Character) -> dict[str, tuple[int, int]]:
    """The segments of a body by the role they start at: joint indices of start and end."""
    if body.anatomy is None:
        return {}
    places = rest_positions(body.skeleton)
    least = SHORT * float(np.ptp(places, axis=0).max())
    found = {}
    for start, end in (*TRUNK, *(pair for limb in LIMBS for pair in pairwise(limb))):
        pair = _pair(body.anatomy, start, end)
        if pair is not None and np.linalg.norm(places[pair[1]] - places[pair[0]]) > least:
            found[start] = pair
    return found


def _pair(anatomy: Anatomy, start: str, end: str) -> tuple[int, int] | None:
    if start in anatomy.roles and end in anatomy.roles:
        return anatomy.roles[start], anatomy.roles[end]
    return None


def directions(places: FloatArray, pair: tuple[int, int]) -> FloatArray:
    """(T, 3) unit vectors along a segment, from (T, J, 3) places."""
    along = places[:, pair[1]] - places[:, pair[0]]
    return np.asarray(along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12))


def angles_between(first: FloatArray, second: FloatArray) -> FloatArray:
    """(...,) degrees between unit vectors (..., 3), exact near 0 and 180 too."""
    across = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.asarray(np.degrees(np.arctan2(across, np.sum(first * second, axis=-1))))


def shared_roles(first: Character, second: Character) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The joints of two bodies that have the same roles, in the same order; none where an anatomy is not known."""
    if first.anatomy is None or second.anatomy is None:
        return (), ()
    both = [role for role in first.anatomy.roles if role in second.anatomy.roles]
    return tuple(first.anatomy.roles[role] for role in both), tuple(second.anatomy.roles[role] for role in both)
