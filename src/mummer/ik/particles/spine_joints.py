"""Which joints are the spine: told by the anatomy, else what leads from the root to where large parts branch off."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character import Anatomy
from mummer.ik.particles.stand import Stand
from mummer.ik.rigid_body import RigidBody

LARGE = 0.25
"""A branch without anatomy counts as one of the trunk if what hangs there is longer than this part of the height."""


def spine_joints(body: RigidBody, joints: IntArray, parents: IntArray, stand: Stand) -> BoolArray:
    """(n,) which of ``joints`` belong to the spine; whatever is above a spine joint does too.

    Args:
        body: the body.
        joints: (n,) of the skeleton, those with goals below them.
        parents: (n,) among these.
        stand: how the body stands.
    """
    anatomy = body.character.anatomy
    if anatomy is None:
        found = large_branches(parents, stand.positions[joints], LARGE * body.height)
    else:
        found = np.isin(joints, list(named_spine(anatomy)))
    found = found | (parents < 0)
    for place in range(len(joints) - 1, -1, -1):
        if found[place] and parents[place] >= 0:
            found[parents[place]] = True
    return found


def named_spine(anatomy: Anatomy) -> set[int]:
    """Spine, necks and heads of the skeleton."""
    found = {joint for kind in ("root", "spine", "head") for joint in anatomy.capabilities.get(kind, ())}
    return found.union(*(limb.joints for limb in anatomy.limbs if limb.kind == "neck"))


def large_branches(parents: IntArray, positions: FloatArray, least: float) -> BoolArray:
    """(n,) the joints with two or more children whose longest chains are at least ``least`` metres."""
    count = len(parents)
    reach, large = np.zeros(count), np.zeros(count, np.int64)
    for place in range(count - 1, 0, -1):
        parent = parents[place]
        if parent >= 0:
            whole = reach[place] + float(np.linalg.norm(positions[place] - positions[parent]))
            reach[parent] = max(reach[parent], whole)
            large[parent] += whole >= least
    return large >= 2
