"""Where parts point: one frame for each joint that means the same on every rig."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.general.context_limbs import chain_to
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.kept import kept
from mummer.math import quaternion

AHEAD = np.array([0.0, 0.0, 1.0])
FACING = ("head", "mouth", "jaw", "eye", "foot", "root", "spine")
"""Parts that point where the body faces; all others point outward along their limb."""
FLAT = 0.4
"""A hand has a back if its knuckles stray from a plane by less than this part of its width."""
SIDED = 0.35
"""Cosine up to which the plane of a hand does not tell its back from its palm."""
VERTICAL = 0.98
"""Cosine from which a part points straight up or down."""


@kept
def part_frames(physique: Physique) -> FloatArray:
    """(J, 4) character_from_part of all joints at rest: z where the part points, y up as far as that allows.

    Heads, mouths, eyes, feet, root and spine point ahead with the body. What hangs on a limb (hands, tails, wings,
    antennae) points along the last bone; the y of a hand is its back, where three or more fingers show it. Of a part
    that points straight up or down, y is the side of the body that the limb is on, as if it had been lowered from
    there; for a limb in the middle, ahead below and behind above.
    """
    facing = {joint for name in FACING for joint in physique.anatomy.capabilities.get(name, ())} | {physique.root}
    directions = np.array([AHEAD if joint in facing else _outward(physique, joint) for joint in range(len(physique))])
    hints = np.array([_up(physique, joint, way) for joint, way in enumerate(directions)])
    for hand in physique.anatomy.capabilities.get("grasper", ()):
        hints[hand] = back_of_hand(physique, hand, hints[hand])
    return locked(quaternion.look_rotation(directions, hints))


def _outward(physique: Physique, joint: int) -> FloatArray:
    """(3,) along the bone that ends in ``joint``; ahead for what is nowhere off its parent."""
    chain = chain_to(physique, joint)
    if len(chain) == 1:
        parent = int(rigid_body(physique.character).parents[joint])
        chain = [parent, joint] if parent >= 0 else chain
    for above in chain[-2::-1]:
        way = physique.positions[joint] - physique.positions[above]
        if np.linalg.norm(way) > 1e-4 * physique.height:
            return np.asarray(way / np.linalg.norm(way))
    return AHEAD


def _up(physique: Physique, joint: int, way: FloatArray) -> FloatArray:
    """(3,) what should be above for a part that points along ``way``."""
    if abs(way[1]) < VERTICAL:
        return np.array([0.0, 1.0, 0.0])
    side = physique.positions[joint, 0]
    if abs(side) > 0.02 * physique.height:
        return np.array([np.sign(side) * -np.sign(way[1]), 0.0, 0.0])
    return -np.sign(way[1]) * AHEAD


def back_of_hand(physique: Physique, hand: int, hint: FloatArray) -> FloatArray:
    """(3,) out of the back of a hand: across the plane of wrist and knuckles, on the side of ``hint``.

    The hint itself where fewer than three fingers, or fingers all around, make no plane.
    """
    parents = rigid_body(physique.character).parents
    fingers = [limb.base for limb in physique.anatomy.limbs if limb.kind == "finger"]
    knuckles = [joint for joint in fingers if hand in (parents[joint], parents[parents[joint]])]
    if len(knuckles) < 3:
        return hint
    points = physique.positions[[hand, *knuckles]]
    _, extents, axes = np.linalg.svd(points - points.mean(axis=0))
    if extents[2] > FLAT * extents[1]:
        return hint
    side = float(axes[2] @ hint)
    return axes[2] * np.sign(side) if abs(side) > SIDED else hint
