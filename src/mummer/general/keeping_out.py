"""Bodies stay out of themselves and out of the ground: parts that would not make way a little, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Pose
from mummer.clip import Frames
from mummer.general.clearance import underside_of
from mummer.general.intent import UP, Intent
from mummer.general.kept import kept
from mummer.general.making_way import ways_of
from mummer.general.making_way_loop import make_way
from mummer.general.physique import Physique
from mummer.ik.analytic.joint_table import joint_table
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume import volume_of
from mummer.ik.volume.pairs import Pairs, pairs_of
from mummer.ik.volume.placed import distances_of, placed_capsules
from mummer.ik.world_state import WorldState
from mummer.kernels.place import CPU
from mummer.math import quaternion

STEPS = 6
"""How often all that overlaps makes way; nothing is done once nothing overlaps."""
PRESSED = 0.25
"""Share of both radii that parts may be pressed into each other at most, beyond where they touch."""
LEAST = 0.025
"""Both radii count as at least this part of the body's size: fingers and toes are thinner than anybody sees."""
SOFT_GROUND = 0.012
"""Part of the body's size that what makes way may be pressed into the ground at most."""
NOTHING = 1e-4
"""Part of the body's size that nobody sees."""
FRAMES_A_PIECE = 16


@dataclass(frozen=True, eq=False)
class Contacts:
    """The pairs of capsules of which one can make way, by groups of capsules.

    Attributes:
        gathers: (C,) the group of each capsule.
        first, second: (P,) capsules.
        trims: (P, 2, 2) from where to where along the axes both count.
        gives: (P, 2) metres of overlap that count as touching, and how much deeper parts may be pressed at most.
        sides: (P, 3) unit, from the second to the first at rest, in the frame of the root.
        groups: (4 G,) pairs of groups, and where their pairs begin and end.
        count: of groups.
    """

    gathers: IntArray
    first: IntArray
    second: IntArray
    trims: FloatArray
    gives: FloatArray
    sides: FloatArray
    groups: IntArray
    count: int


def keep_out(intent: Intent, frames: Frames) -> FloatArray:
    """Turn limbs out of the ground and out of other parts, in place; each frame by itself.

    Where nothing overlaps nothing changes; how far parts make way is continuous in the pose. Feet that stand stay
    where they are: their legs swing about the line from hip to foot. Trunks and heads stay as they are.

    Args:
        intent: what is wanted at T moments.
        frames: the T poses, which are changed.

    Returns:
        (T,) metres by which the root should be higher for the rest of the body, which does not make way, to stay out
        of the ground.
    """
    physique = intent.physique
    volume = volume_of(physique.character)
    if not len(volume):
        return np.zeros(len(intent))
    body, contacts, underside = rigid_body(physique.character), contacts_of(physique), underside_of(physique)
    ways = ways_of(physique, tuple(sorted(intent.places)))
    count, joints = len(frames), len(physique)
    up = quaternion.rotate(intent.stage_rotations, UP)
    ground = np.concatenate([intent.stage_positions, up], axis=1)
    measures = np.array([physique.height, physique.root, SOFT_GROUND * physique.height])
    rotations, sunk = np.ascontiguousarray(frames.rotations), np.empty(count)
    CPU.run(
        make_way, count,
        body.parents.astype(np.int64), body.offsets[None], np.ascontiguousarray(frames.root), joint_table(body),
        ways.limbs, ways.is_end, ways.bases, ways.middles, ways.tips, ways.willing, ways.supple, ways.hinges,
        ways.planted, volume.joints, volume.ends, volume.radii, contacts.gathers, contacts.first, contacts.second,
        contacts.trims, contacts.gives, contacts.sides, contacts.groups, ground,
        underside.deepest + NOTHING * physique.height, underside.lifts.astype(np.float64), measures, STEPS, rotations,
        np.empty((count, joints, 3)), np.empty((count, joints, 4)), np.empty((count, len(volume), 2, 3)),
        np.empty((count, len(volume), 4)), np.empty((count, contacts.count, 4)), np.empty((count, joints, 4)),
        np.zeros((count, len(contacts.first) + 2 * len(volume), 4)), sunk,
        grain=FRAMES_A_PIECE,
    )  # fmt: skip
    frames.rotations = rotations
    return underside.eased(sunk)


def with_room(intent: Intent, before: Frames, after: Frames) -> Intent:
    """What is wanted, with places moved as far as their parts have made way.

    Args:
        intent: what is wanted at T moments.
        before: the T poses that do it.
        after: the same once `keep_out` changed them.
    """
    states = [WorldState(intent.physique.character, frames.to_pose()) for frames in (before, after)]
    places = dict(intent.places)
    for joint, track in places.items():
        offset = np.zeros(3) if track.offset is None else track.offset
        old, new = (
            state.positions[:, joint] + quaternion.rotate(state.rotations[:, joint], offset) for state in states
        )
        places[joint] = track._replace(values=track.values + (new - old))
    return replace(intent, places=places)


@kept
def contacts_of(physique: Physique) -> Contacts:
    """The pairs of capsules of a body that are kept apart."""
    pairs, volume = pairs_of(physique.character), volume_of(physique.character)
    limbs = ways_of(physique, ()).limbs[volume.joints]
    names, gathers = np.unique(pairs.limbs, return_inverse=True)
    ends = np.sort(np.stack([gathers[pairs.first], gathers[pairs.second]]), axis=0)
    movable = (limbs[pairs.first] >= 0) | (limbs[pairs.second] >= 0)
    movable &= (limbs[pairs.first] != limbs[pairs.second]) | (limbs[pairs.first] < 0)
    rows = np.flatnonzero(movable)
    rows = rows[np.lexsort((ends[1, rows], ends[0, rows]))]
    starts = np.flatnonzero(np.any(np.diff(ends[:, rows], axis=1, prepend=-1) != 0, axis=0))
    stops = np.append(starts[1:], len(rows))[: len(starts)]
    groups = np.stack([*ends[:, rows[starts]], starts, stops], axis=1)
    return Contacts(
        locked(gathers, np.int64), locked(pairs.first[rows], np.int64), locked(pairs.second[rows], np.int64),
        locked(pairs.trims[rows]), locked(_gives(physique, pairs)[rows]), locked(_sides(physique, pairs)[rows]),
        locked(groups.reshape(-1), np.int64), len(names),
    )  # fmt: skip


def _gives(physique: Physique, pairs: Pairs) -> FloatArray:
    """(P, 2) metres at which pairs touch, and that they may be pressed deeper."""
    thick = volume_of(physique.character).radii.mean(axis=1)
    both = np.maximum(thick[pairs.first] + thick[pairs.second], LEAST * physique.height)
    return np.stack([pairs.gives, PRESSED * both], axis=1)


def _sides(physique: Physique, pairs: Pairs) -> FloatArray:
    """(P, 3) from the second to the first at rest, in the frame of the root."""
    rest = WorldState(physique.character, Pose.rest(physique.character.skeleton))
    placed = placed_capsules(volume_of(physique.character), rest)
    normals = distances_of(placed, placed, pairs.first, pairs.second, pairs.trims)[2][0]
    return quaternion.rotate(quaternion.conjugate(rest.rotations[0, physique.root]), normals)
