"""Bodies stay out of themselves and out of the ground: parts that would not make way a little, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.arrays import FloatArray, IntArray, locked
from mummer.character import Pose
from mummer.clip import Frames
from mummer.general.clearance import underside_of
from mummer.general.finding_contacts import find_contacts
from mummer.general.intent import UP, Intent
from mummer.general.kept import kept
from mummer.general.making_way import Ways, ways_of
from mummer.general.making_way_loop import ENOUGH, make_way
from mummer.general.parting import FARTHER, WIDTH
from mummer.general.physique import Physique
from mummer.ik.analytic.joint_table import joint_table
from mummer.ik.rigid_body import rigid_body
from mummer.ik.volume import volume_of
from mummer.ik.volume.pairs import Pairs, pairs_of
from mummer.ik.volume.placed import distances_of, placed_capsules
from mummer.ik.world_state import WorldState
from mummer.kernels import quaternions
from mummer.kernels.place import CPU

STEPS = 8
"""How often all that overlaps makes way; nothing is done once nothing overlaps."""
PRESSED = 0.25
"""Share of both radii that parts may be pressed into each other at most, beyond where they touch."""
LEAST = 0.025
"""Both radii count as at least this part of the body's size: fingers and toes are thinner than anybody sees."""
SOFT_GROUND = 0.012
"""Part of the body's size that what makes way may be pressed into the ground at most."""
NOTHING = 1e-4
"""Part of the body's size that nobody sees."""
MOST_PAIRS = 1024
"""So many pairs that come near each other at once are looked at."""
FRAMES_AT_ONCE, FRAMES_A_PIECE = 64, 16
"""So many fit into a cache; and a thread takes so many at a time."""


@dataclass(frozen=True, eq=False)
class Contacts:
    """The pairs of capsules of which one can make way, by groups of capsules.

    Attributes:
        parents: (J,) of the skeleton.
        limbs: (J,) the limb of each joint, -1 for the trunk.
        deepest: (C,) metres that each capsule may be below the ground.
        lifts: (C,) one for capsules that lift the whole body, else zero.
        gathers: (C,) the group of each capsule: those of a part, with its fingers or toes.
        first, second: (P,) capsules.
        trims: (P, 2, 2) from where to where along the axes both count.
        gives: (P, 3) metres of overlap that count as touching, how much deeper parts may be pressed at most, and how
            much deeper they are before they make way at all.
        sides: (P, 3) unit, from the second to the first at rest, in the frame of the root.
        bundles: (P,) the pair of limbs, or of a limb and a piece of the trunk, that each pair is of.
        groups: (4 G,) pairs of groups, and where their pairs begin and end.
        count: of groups.
    """

    parents: IntArray
    limbs: IntArray
    deepest: FloatArray
    lifts: FloatArray
    gathers: IntArray
    first: IntArray
    second: IntArray
    trims: FloatArray
    gives: FloatArray
    sides: FloatArray
    bundles: IntArray
    groups: IntArray
    count: int


def keep_out(intent: Intent, frames: Frames) -> FloatArray:
    """Turn limbs out of the ground and out of other parts, in place; each frame by itself.

    Where nothing overlaps nothing changes; how far parts make way is continuous in the pose. Feet that stand stay
    where they are: their legs swing about the line from hip to foot. Trunks stay as they are, and heads make way for
    trunks and other heads alone.

    Args:
        intent: what is wanted at T moments.
        frames: the T poses, which are changed.

    Returns:
        (T,) metres by which the root should be higher for the rest of the body, which does not make way, to stay out
        of the ground.
    """
    physique = intent.physique
    if not len(volume_of(physique.character)):
        return np.zeros(len(intent))
    up = quaternions.rotate(intent.stage_rotations, UP)
    ground = np.concatenate([intent.stage_positions, up], axis=1)
    sunk, touches = _found(physique, frames, ground)
    rows = np.flatnonzero(touches)
    if len(rows):
        _make_way(physique, ways_of(physique, tuple(sorted(intent.places))), frames, ground, rows)
    return underside_of(physique).eased(sunk)


def _found(physique: Physique, frames: Frames, ground: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(T,) metres that what lifts the body is sunk, and (T,) whether anything must make way."""
    body, volume, contacts = rigid_body(physique.character), volume_of(physique.character), contacts_of(physique)
    count, sunk, touches = len(frames), np.empty(len(frames)), np.empty(len(frames))
    room, stirs = _room(physique, min(count, FRAMES_AT_ONCE)), _stirring(physique, np.array([SOFT_GROUND]))
    for start in range(0, count, FRAMES_AT_ONCE):
        some = slice(start, start + FRAMES_AT_ONCE)
        CPU.run(
            find_contacts, len(sunk[some]), contacts.parents, body.offsets[None], frames.root[some],
            frames.rotations[some], contacts.limbs, volume.joints, volume.ends, volume.radii, contacts.gathers,
            contacts.first, contacts.second, contacts.trims, contacts.gives, contacts.groups, ground[some],
            contacts.deepest, contacts.lifts, stirs, *room, sunk[some], touches[some],
            grain=FRAMES_A_PIECE,
        )  # fmt: skip
    return sunk, touches


def _room(physique: Physique, count: int) -> tuple[FloatArray, ...]:
    """Room for the joints and capsules of so many frames."""
    joints, capsules = len(physique), len(volume_of(physique.character))
    shapes = ((joints, 3), (joints, 4), (capsules, 2, 3), (capsules, 4), (contacts_of(physique).count, 4))
    return tuple(np.empty((count, *shape)) for shape in shapes)


def _make_way(physique: Physique, ways: Ways, frames: Frames, ground: FloatArray, rows: IntArray) -> None:
    """Turn what must make way at some frames, in place."""
    body, volume, contacts = rigid_body(physique.character), volume_of(physique.character), contacts_of(physique)
    measures = np.array([physique.height, physique.root, SOFT_GROUND * physique.height])
    count = min(len(rows), FRAMES_AT_ONCE)
    room = *_room(physique, count), *_notes(contacts, count)
    for start in range(0, len(rows), FRAMES_AT_ONCE):
        some = rows[start : start + FRAMES_AT_ONCE]
        rotations = frames.rotations[some]
        CPU.run(
            make_way, len(some), contacts.parents, body.offsets[None], frames.root[some], joint_table(body),
            ways.limbs, ways.necks, ways.is_end, ways.bases, ways.middles, ways.tips, ways.willing, ways.supple,
            ways.hinges, ways.planted, volume.joints, volume.ends, volume.radii, contacts.gathers, contacts.first,
            contacts.second, contacts.trims, contacts.gives, contacts.sides, contacts.bundles, contacts.groups,
            ground[some], contacts.deepest, measures, STEPS, rotations, *room,
            grain=FRAMES_A_PIECE,
        )  # fmt: skip
        frames.rotations[some] = rotations


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
            state.positions[:, joint] + quaternions.rotate(state.rotations[:, joint], offset) for state in states
        )
        places[joint] = track._replace(values=track.values + (new - old))
    return replace(intent, places=places)


@kept
def contacts_of(physique: Physique) -> Contacts:
    """The pairs of capsules of a body that are kept apart."""
    pairs, volume = pairs_of(physique.character), volume_of(physique.character)
    underside, parts = underside_of(physique), _parts(physique)
    names, gathers = np.unique(parts[volume.joints], return_inverse=True)
    rows = _movable(physique, pairs)
    ends = np.sort(np.stack([gathers[pairs.first[rows]], gathers[pairs.second[rows]]]), axis=0)
    order = np.lexsort((ends[1], ends[0]))
    rows, ends = rows[order], ends[:, order]
    starts = np.flatnonzero(np.any(np.diff(ends, axis=1, prepend=-1) != 0, axis=0))
    stops = np.append(starts[1:], len(rows))[: len(starts)]
    groups = np.stack([*ends[:, starts], starts, stops], axis=1)
    pieces = _pieces(physique)[volume.joints]
    one, two = pieces[pairs.first[rows]], pieces[pairs.second[rows]]
    # Of each pair of limbs the same one is always first, so that their pairs can agree on a way.
    swapped = one > two
    first, second = np.where(swapped, [pairs.second[rows], pairs.first[rows]], [pairs.first[rows], pairs.second[rows]])
    trims = np.where(swapped[:, None, None], pairs.trims[rows][:, ::-1], pairs.trims[rows])
    sides = np.where(swapped[:, None], -1.0, 1.0) * _sides(physique, pairs)[rows]
    both = np.minimum(one, two) * (len(physique) + 1) + np.maximum(one, two)
    bundles = np.unique(both, return_inverse=True)[1]
    return Contacts(
        locked(physique.character.skeleton.parents, np.int64), ways_of(physique, ()).limbs,
        locked(underside.deepest + NOTHING * physique.height), locked(underside.lifts, np.float64),
        locked(gathers, np.int64), locked(first, np.int64), locked(second, np.int64), locked(trims),
        locked(_gives(physique, pairs)[rows]), locked(sides), locked(bundles, np.int64),
        locked(groups.reshape(-1), np.int64), len(names),
    )  # fmt: skip


def _movable(physique: Physique, pairs: Pairs) -> IntArray:
    """The pairs of which one can make way for the other."""
    joints, ways = volume_of(physique.character).joints, ways_of(physique, ())
    limbs, necks = ([each[joints[side]] for side in (pairs.first, pairs.second)] for each in (ways.limbs, ways.necks))
    by_limb = ((limbs[0] >= 0) | (limbs[1] >= 0)) & (limbs[0] != limbs[1])
    by_neck = (limbs[0] < 0) & (limbs[1] < 0) & (necks[0] != necks[1])
    return np.flatnonzero(by_limb | by_neck)


def _pieces(physique: Physique) -> IntArray:
    """(J,) the first joint of the limb that each joint is of; of a head, its neck and all on it; else the joint."""
    ways, found = ways_of(physique, ()), np.arange(len(physique))
    whole = np.maximum(ways.limbs, ways.necks)
    for joint, parent in enumerate(physique.character.skeleton.parents):
        if parent >= 0 and whole[joint] >= 0 and whole[joint] == whole[parent]:
            found[joint] = found[parent]
    return found


def _notes(contacts: Contacts, count: int) -> tuple[FloatArray, ...]:
    """Room for what is noted in so many frames: of joints, of pairs, of limbs and of the ends of capsules."""
    bundles = int(contacts.bundles.max(initial=-1)) + 1
    shapes = ((len(contacts.parents), 4), (min(len(contacts.first), MOST_PAIRS), WIDTH), (bundles, 4))
    return tuple(np.empty((count, *shape)) for shape in (*shapes, (2 * len(contacts.gathers), 3)))


def _parts(physique: Physique) -> IntArray:
    """(J,) the joint itself, or for fingers and toes the hand or foot that carries them."""
    digits = set(physique.anatomy.capabilities.get("digit", ()))
    digits |= {joint for limb in physique.anatomy.limbs if limb.kind in ("finger", "toe") for joint in limb.joints}
    found = np.arange(len(physique))
    for joint, parent in enumerate(physique.character.skeleton.parents):
        if joint in digits and parent >= 0:
            found[joint] = found[parent]
    return found


def _gives(physique: Physique, pairs: Pairs) -> FloatArray:
    """(P, 3) see `Contacts`."""
    thick = volume_of(physique.character).radii.mean(axis=1)
    both = np.maximum(thick[pairs.first] + thick[pairs.second], LEAST * physique.height)
    least = _stirring(physique, PRESSED * both / physique.height) / FARTHER
    return np.stack([pairs.gives, PRESSED * both, least], axis=1)


def _stirring(physique: Physique, softness: FloatArray) -> FloatArray:
    """Metres of depth from which on parts make way that are so soft, as parts of the body's size: see `beyond`."""
    low, high = np.zeros_like(softness), softness + ENOUGH
    for _ in range(40):
        middle = (low + high) / 2
        is_less = middle - softness * (1 - np.exp(-middle / softness)) < ENOUGH
        low, high = np.where(is_less, middle, low), np.where(is_less, high, middle)
    return np.asarray(low * physique.height)


def _sides(physique: Physique, pairs: Pairs) -> FloatArray:
    """(P, 3) from the second to the first at rest, in the frame of the root."""
    rest = WorldState(physique.character, Pose.rest(physique.character.skeleton))
    placed = placed_capsules(volume_of(physique.character), rest)
    normals = distances_of(placed, placed, pairs.first, pairs.second, pairs.trims)[2][0]
    return quaternions.rotate(quaternions.conjugate(rest.rotations[0, physique.root]), normals)
