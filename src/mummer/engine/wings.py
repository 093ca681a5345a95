"""Wings of bodies that stand on legs: folded along the flanks until an animation asks something of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mummer.arrays import FloatArray, locked
from mummer.engine.scalars import bend_of, held, write_bend
from mummer.engine.tables import integers
from mummer.general.gait.legs import legs_of
from mummer.general.physique import Physique
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume import volume_of
from mummer.kernels.arguments import Floats2, Parents
from mummer.kernels.vectors import four, mixed, times
from mummer.math import quaternion

if TYPE_CHECKING:
    from mummer.engine.body import Body
    from mummer.engine.state import Actors, Goals

BACK, FORTH, TRAIL = np.radians(75.0), np.radians(-60.0), np.radians(85.0)
"""How far the three parts of a folded wing point back of straight aside: above and below the elbow, and the rest."""
DROOP, ROLLS = 0.15, tuple(np.radians([60.0, 45.0, 30.0, 15.0, 0.0]))
"""How far each points down, and how far the wing is rolled onto the flank: as far as it stays out of the ground."""


FEATHERS = 0.45
"""Lengths of a wing up to which what hangs beside its chain is feathers, and beyond which it is ribs."""


class Wings(NamedTuple):
    """The W joints of wings that fold, parents first.

    Attributes:
        joint: (W,) which.
        folded: (W, 4) how they are bent when folded.
        wing: (W,) the number of the wing that each is of.
    """

    joint: Parents
    folded: Floats2
    wing: Parents


def wings_table(physique: Physique, taken: frozenset[int], limits: FloatArray) -> Wings:
    """The wings of a body with legs, those aside that carry or reach for something.

    It takes three joints to fold. Feathers with joints of their own trail along the flank; ribs would lie in one
    another, so that wings that have them stay as they were bound.
    """
    rows: list[tuple[int, FloatArray, int]] = []
    if legs_of(physique):
        for number, limb in enumerate(limb for limb in physique.anatomy.limbs if limb.kind == "wing"):
            joints = physique.character.skeleton.descendants(limb.joints[0])
            if len(joints) >= 3 and not taken.intersection(joints) and _beside(physique, limb.joints) < FEATHERS:
                options = (_folded(physique, limb.joints, joints, limits, roll) for roll in ROLLS)
                bends = max(options, key=lambda bends: min(_lowest(physique, joints, bends), 0.0))
                rows += [(joint, bend, number) for joint, bend in zip(joints, bends, strict=True)]
    rows.sort(key=lambda row: row[0])
    return Wings(
        integers([row[0] for row in rows]),
        locked(np.array([row[1] for row in rows], np.float64).reshape(-1, 4)),
        integers([row[2] for row in rows]),
    )


def _folded(
    physique: Physique, chain: Sequence[int], joints: Sequence[int], limits: FloatArray, roll: float
) -> FloatArray:
    """(n, 4) bends of the joints of a wing that fold it: its chain like a Z, its end along the flank."""
    places, parents = physique.positions, rigid_body(physique.character).parents
    side = np.sign(places[chain[-1], 0] - places[chain[0], 0]) or 1.0
    ends = {one: places[two] for one, two in pairwise(chain)}
    along = np.cumsum([0.0, *(float(np.linalg.norm(ends[one] - places[one])) for one in chain[:-1])])
    third = {joint: min(int(3.0 * far / max(along[-1], 1e-9)), 2) for joint, far in zip(chain, along, strict=True)}
    rolled = quaternion.from_axis_angle(np.array([0.0, 0.0, 1.0]), -side * roll)
    turns: dict[int, FloatArray] = {}
    bends = []
    for joint in joints:
        below = [each for each in joints if parents[each] == joint]
        end = ends.get(joint, places[below[0]] if below else 2.0 * places[joint] - places[parents[joint]])
        way, back = end - places[joint], (BACK, FORTH, TRAIL)[third.get(joint, 2)]
        wanted = np.array([side * np.cos(back), -DROOP, -np.sin(back)])
        above, bend = turns.get(int(parents[joint]), quaternion.IDENTITY), quaternion.IDENTITY
        if np.linalg.norm(way) > 1e-9:
            turn = quaternion.multiply(rolled, quaternion.between_vectors(way, wanted))
            bend = np.array(held(joint, limits, tuple(quaternion.multiply(quaternion.conjugate(above), turn))))
        turns[joint] = quaternion.multiply(above, bend)
        bends.append(bend)
    return np.array(bends)


def _beside(physique: Physique, chain: Sequence[int]) -> float:
    """How far what hangs beside the chain of a wing reaches from it, in lengths of the wing."""
    volume, parents, far = volume_of(physique.character), rigid_body(physique.character).parents, 0.0
    length = float(np.linalg.norm(np.diff(physique.positions[list(chain)], axis=0), axis=1).sum())
    for joint in set(physique.character.skeleton.descendants(chain[0])) - set(chain):
        holder = joint
        while holder not in chain:
            holder = int(parents[holder])
        own = volume.joints == joint
        ends = physique.positions[joint] + quaternion.rotate(physique.rotations[joint], volume.ends[own].reshape(-1, 3))
        places = np.vstack([physique.positions[joint], ends]) - physique.positions[holder]
        far = max(far, float(np.linalg.norm(places, axis=1).max()))
    return far / max(length, 1e-9)


def _lowest(physique: Physique, joints: Sequence[int], bends: FloatArray) -> float:
    """How high over the ground the skin of a wing is at its lowest, metres, bent so on a body that stands at rest."""
    parents, volume = rigid_body(physique.character).parents, volume_of(physique.character)
    turns, places = {int(parents[joints[0]]): quaternion.IDENTITY}, dict[int, FloatArray]()
    for joint, bend in zip(joints, bends, strict=True):
        above = int(parents[joint])
        bone = physique.positions[joint] - physique.positions[above]
        places[joint] = places.get(above, physique.positions[above]) + quaternion.rotate(turns[above], bone)
        turns[joint] = quaternion.multiply(turns[above], bend)
    lowest = np.inf
    for joint, ends, radius in zip(volume.joints.tolist(), volume.ends, volume.radii, strict=True):
        if joint in places:
            turn = quaternion.multiply(turns[joint], physique.rotations[joint])
            points = places[joint] + quaternion.rotate(turn, ends)
            lowest = min(lowest, float(np.min(points[:, 1] - radius)))
    return lowest


def fold(actor: int, number: int, playing: bool, body: Body, actors: Actors, goals: Goals) -> None:
    """Bend a joint of a wing as it is folded, as far as nothing is asked of any joint of that wing."""
    wings, asked = body.wings, 0.0
    joint = wings.joint[number]
    for other in range(wings.joint.shape[0] if playing else 0):
        if wings.wing[other] == wings.wing[number]:
            asked = max(asked, goals.turns[actor, wings.joint[other], 4], goals.bends[actor, wings.joint[other], 4])
    if asked < 1.0:
        bend = mixed((0.0, 0.0, 0.0, 1.0), four(wings.folded, number, 0), 1.0 - asked)
        bend = held(joint, body.frame.limits, times(bend, bend_of(actor, joint, actors.bends)))
        write_bend(actor, joint, bend, actors.bends)
