"""Which way a limb gives when its goal comes nearer: each joint as its own hinge can, else towards the front."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy
from mummer.character.limits import HINGE
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.limit_numbers import AXIS, MIDDLE
from mummer.math import quaternion

BENT = 0.04
"""A limb that stands out from its own chord by this part of its length needs no telling."""


def bends_of(layout: JointLayout, rest: FloatArray, way: list[int], anatomy: Anatomy | None) -> FloatArray:
    """(k - 1, 3) in the body's space, how far each particle after the first moves out, as a part of the reach.

    Zeros for a limb that is bent at rest, and for the end of any limb.

    Args:
        layout: the joints.
        rest: (m, 3) of all particles.
        way: k particles of the limb, outwards.
        anatomy: where the front is.
    """
    points = rest[way]
    found = np.zeros((len(way) - 1, 3))
    chord = points[-1] - points[0]
    size = float(np.linalg.norm(chord))
    if len(way) < 3 or not size > 0:
        return found
    along = chord / size
    if np.linalg.norm(across(points - points[0], along), axis=1).max() > BENT * size:
        return found
    hinges = np.array([hinge_bend(layout, points, way, place) for place in range(1, len(way) - 1)])
    if not np.any(hinges):
        front = np.array([0.0, 0.0, 1.0]) if anatomy is None else np.asarray(anatomy.front)
        hinges[:] = front if np.linalg.norm(across(front, along)) > 1e-3 else quaternion.perpendicular(along)
    ways = across(hinges, along)
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    steps = np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))
    share = (steps / steps[-1])[:-1, None]
    found[:-1] = 2 * share * (1 - share) * ways / np.where(lengths > 1e-6, lengths, np.inf)
    return found


def across(vectors: FloatArray, along: FloatArray) -> FloatArray:
    """(..., 3) the parts of ``vectors`` (..., 3) at right angles to the unit vector ``along``."""
    return np.asarray(vectors - (vectors @ along)[..., None] * along)


def hinge_bend(layout: JointLayout, points: FloatArray, way: list[int], place: int) -> FloatArray:
    """(3,) where a hinge on the way goes when it turns towards the middle of its range and the ends stay in line."""
    joint = way[place]
    if joint >= len(layout) or layout.limit_kinds[joint] != HINGE:
        return np.zeros(3)
    axis = quaternion.rotate(layout.rest_rotations[joint], layout.limits[joint, AXIS : AXIS + 3])
    return np.asarray(-np.sign(layout.limits[joint, MIDDLE]) * np.cross(axis, points[place + 1] - points[place]))
