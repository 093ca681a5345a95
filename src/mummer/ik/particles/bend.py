"""Which way a straight limb gives when its goal comes nearer: as its hinges can, else towards the front."""

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


def bend_of(layout: JointLayout, rest: FloatArray, way: list[int], anatomy: Anatomy | None) -> FloatArray:
    """(3,) unit in the body's space, or zeros for a limb that is bent at rest.

    Args:
        layout: the joints.
        rest: (m, 3) of all particles.
        way: the particles of the limb, outwards.
        anatomy: where the front is.
    """
    points = rest[way]
    chord = points[-1] - points[0]
    size = float(np.linalg.norm(chord))
    if len(way) < 3 or not size > 0:
        return np.zeros(3)
    along = chord / size
    out = (points - points[0]) - ((points - points[0]) @ along)[:, None] * along
    if np.linalg.norm(out, axis=1).max() > BENT * size:
        return np.zeros(3)
    wanted = hinge_bend(layout, points, way)
    if not np.linalg.norm(wanted) > 1e-6:
        wanted = np.array([0.0, 0.0, 1.0]) if anatomy is None else np.asarray(anatomy.front)
    wanted = wanted - (wanted @ along) * along
    if not np.linalg.norm(wanted) > 1e-3:
        wanted = quaternion.perpendicular(along)
    return np.asarray(wanted / np.linalg.norm(wanted))


def hinge_bend(layout: JointLayout, points: FloatArray, way: list[int]) -> FloatArray:
    """(3,) where hinges between the ends of ``way`` go when they turn towards the middle of their range."""
    total = np.zeros(3)
    for place, joint in list(enumerate(way))[1:-1]:
        if joint < len(layout) and layout.limit_kinds[joint] == HINGE:
            axis = quaternion.rotate(layout.rest_rotations[joint], layout.limits[joint, AXIS : AXIS + 3])
            total -= np.sign(layout.limits[joint, MIDDLE]) * np.cross(axis, points[-1] - points[place])
    return total
