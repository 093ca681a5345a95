"""The direction by way of which a limb is turned to its goal: opposite to it lies the only place where it may twist."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy
from mummer.character.limits import BALL, FREE
from mummer.ik.particles.joint_layout import JointLayout
from mummer.ik.particles.limit_numbers import SECOND_HIGH, SECOND_LOW

NARROW = 2.6
"""Radians: a joint that swings no farther keeps away from the opposite of its rest, which then is its pole."""
FORWARD, OUTWARD = 0.7, 0.4


def pole_of(layout: JointLayout, root: int, rest: FloatArray, anatomy: Anatomy | None) -> FloatArray:
    """(3,) unit in the body's space.

    Args:
        layout: the joints.
        root: the joint where the limb turns.
        rest: (3,) where it points at rest.
        anatomy: where the front and the sides are.
    """
    size = float(np.linalg.norm(rest))
    if not size > 0:
        return np.array([0.0, 0.0, 1.0])
    along = rest / size
    if is_narrow(layout, root):
        return np.asarray(along)
    front = np.array([0.0, 0.0, 1.0]) if anatomy is None else np.asarray(anatomy.front)
    left = np.array([1.0, 0.0, 0.0]) if anatomy is None else anatomy.left
    middle = layout.rest_positions[0]
    side = np.sign(np.round(float((layout.rest_positions[root] + rest - middle) @ left) / size, 3))
    pole = along + FORWARD * front + OUTWARD * side * left
    return np.asarray(pole / np.linalg.norm(pole)) if np.linalg.norm(pole) > 0.3 else np.asarray(along)


def is_narrow(layout: JointLayout, root: int) -> bool:
    """Whether the limits of a joint keep it well away from the opposite of where it points at rest."""
    if root >= len(layout) or layout.limit_kinds[root] == FREE:
        return False
    if layout.limit_kinds[root] == BALL:
        return bool(max(layout.limits[root, SECOND_LOW], layout.limits[root, SECOND_HIGH]) < NARROW)
    return True
