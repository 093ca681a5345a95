"""The cure for nearly straight chains: fold the chain to the length of the way to its target before descending.

In a straight chain every joint sees tip and target in nearly the same direction, so that turning one joint at a time
hardly helps. Folding all knees alike until the chain is as long as the target is far, and swinging the whole onto
the target, is what the two-bone solver does in closed form, here for chains of any length.
"""

from __future__ import annotations

from mummer.character.limits import FREE, HINGE
from mummer.ik.analytic import joint_table as columns
from mummer.ik.analytic.ccd_entries import AT, JOINT, POINT, goal_of, vector
from mummer.ik.analytic.hold import hinge_angle, hold_joint
from mummer.ik.analytic.segments import rotation_of, write_rotation
from mummer.ik.analytic.vectors import (
    about,
    across,
    back,
    cross,
    direction,
    minus,
    plus,
    shortest,
    size,
    times,
    turned,
)
from mummer.kernels.arguments import Floats2, Floats3, Output3, Parents
from mummer.kernels.scalars import Four, Three

# A chain is nearly straight above this part of its length; folds are found by so many halvings of so many radians.
STRAIGHT, HALVINGS, MOST = 0.9, 20, 2.6
# Chains of at least so many joints can fold in a wave.
WAVY = 5
# The sine of the angle between a chain and the way to its target, below which descent alone gets stuck.
ASIDE = 0.26
KIND, AXIS, RANGE = columns.KIND, columns.AXIS, columns.RANGE


def fold_chain(
    frame: int, entry: int, parents: Parents, table: Floats2, offsets: Floats3, entries: Floats2, affects: Floats2,
    targets: Floats3, places: Floats3, turns: Floats3, ends: Floats3, rotations: Output3,
) -> bool:  # fmt: skip
    """Fold the chain of a place and swing it onto its target, if it is nearly straight and the target is nearer.

    Args:
        frame: which row of the arrays of frames.
        entry: which place.
        parents: (J,)
        table: of `joint_table`.
        offsets: (1, J, 3) or (B, J, 3).
        entries: (N, ENTRY)
        affects: (J, N) one where a joint may turn for an entry.
        targets: (B, N, 4)
        places: (B, J, 3) joints in the world.
        turns: (B, J, 4) world_from_joint.
        ends: (B, N, END)
        rotations: (B, J, 4) parent_from_joint; changed.

    Returns:
        Whether anything was changed.
    """
    tip, point = int(entries[entry, JOINT]), vector(entries, entry, POINT)
    top = _top_of(entry, tip, parents, affects)
    if top < 0 or top == tip:
        return False
    at = (ends[frame, entry, AT], ends[frame, entry, AT + 1], ends[frame, entry, AT + 2])
    world_from_top = rotation_of(frame, top, turns)
    center = (places[frame, top, 0], places[frame, top, 1], places[frame, top, 2])
    chord, wanted = minus(at, center), minus(goal_of(frame, entry, entries, targets, at), center)
    total = _length(frame, tip, top, point, parents, offsets)
    if size(chord) < STRAIGHT * total or size(wanted) > 0.999 * size(chord):
        return False
    aside, hinged = cross(chord, wanted), _has_hinge(entry, tip, top, parents, table, affects)
    # A chain of balls bends well towards what is aside; knees do not.
    if not hinged and size(aside) > ASIDE * size(chord) * size(wanted):
        return False
    axis = direction(aside, across(chord))
    # What a top with limits could not swing back, a wave need not: it leaves the chain where it pointed.
    wave = 0.0 if hinged or int(table[top, KIND]) == FREE or tip - top < WAVY else total
    low, high, end = 0.0, MOST, chord
    for _ in range(HALVINGS):
        bend = 0.5 * (low + high)
        end = _end_at(
            frame, entry, tip, top, point, bend, axis, hinged, wave, parents, table, offsets, affects, turns, rotations
        )
        if size(end) > size(wanted):
            low = bend
        else:
            high = bend
    joint, along = tip, size(point)
    while joint != top:
        if affects[joint, entry] > 0.0 and along > 0.0:
            bend = side_at(along, wave) * high
            write_rotation(frame, joint, _bent(frame, joint, bend, axis, hinged, table, turns, rotations), rotations)
        along += _step(frame, joint, offsets)
        joint = parents[joint]
    above = times(world_from_top, back(rotation_of(frame, top, rotations)))
    swung = times(shortest(turned(world_from_top, end), wanted), world_from_top)
    write_rotation(frame, top, hold_joint(top, table, times(back(above), swung)), rotations)
    return True


def _top_of(entry: int, tip: int, parents: Parents, affects: Floats2) -> int:
    """The highest joint that may turn for this entry and for no other, or -1."""
    top, joint = -1, tip
    while joint >= 0:
        shared = False
        for other in range(affects.shape[1]):
            shared = shared or (other != entry and affects[joint, other] > 0.0)
        if shared:
            break
        if affects[joint, entry] > 0.0:
            top = joint
        joint = parents[joint]
    return top


def _length(frame: int, tip: int, top: int, point: Three, parents: Parents, offsets: Floats3) -> float:
    """Metres along the chain."""
    total, joint = size(point), tip
    while joint != top:
        total += _step(frame, joint, offsets)
        joint = parents[joint]
    return total


def _step(frame: int, joint: int, offsets: Floats3) -> float:
    """Metres from a joint's parent to the joint."""
    row = frame if offsets.shape[0] > 1 else 0
    return size((offsets[row, joint, 0], offsets[row, joint, 1], offsets[row, joint, 2]))


def side_at(along: float, wave: float) -> float:
    """To which side a joint bends, so many metres before the end of a chain of length ``wave``; 0 is for no wave."""
    return -1.0 if wave > 0.0 and abs(along - 0.5 * wave) > 0.25 * wave else 1.0


def _has_hinge(entry: int, tip: int, top: int, parents: Parents, table: Floats2, affects: Floats2) -> bool:
    joint, found = parents[tip], False
    while joint != top:
        found = found or (affects[joint, entry] > 0.0 and int(table[joint, KIND]) == HINGE)
        joint = parents[joint]
    return found


def _end_at(
    frame: int, entry: int, tip: int, top: int, point: Three, bend: float, axis: Three, hinged: bool, wave: float,
    parents: Parents, table: Floats2, offsets: Floats3, affects: Floats2, turns: Floats3, rotations: Floats3,
) -> Three:  # fmt: skip
    """Where the end of the chain is, in the frame of its top, with every joint in between bent by ``bend`` more."""
    row = frame if offsets.shape[0] > 1 else 0
    end, joint, along = point, tip, size(point)
    while joint != top:
        rotation = rotation_of(frame, joint, rotations)
        if affects[joint, entry] > 0.0 and along > 0.0:
            rotation = _bent(frame, joint, side_at(along, wave) * bend, axis, hinged, table, turns, rotations)
        end = plus((offsets[row, joint, 0], offsets[row, joint, 1], offsets[row, joint, 2]), turned(rotation, end))
        along += _step(frame, joint, offsets)
        joint = parents[joint]
    return end


def _bent(
    frame: int, joint: int, bend: float, axis: Three, hinged: bool, table: Floats2, turns: Floats3, rotations: Floats3
) -> Four:
    """The rotation of a joint that is bent by ``bend`` radians more.

    Hinges bend to where they have room; other joints about ``axis`` in the world, unless there are hinges to do it.
    """
    rotation = rotation_of(frame, joint, rotations)
    own, change = turned(back(rotation_of(frame, joint, turns)), axis), 0.0 if hinged else bend
    if int(table[joint, KIND]) == HINGE:
        now, low, high = hinge_angle(joint, table, rotation), table[joint, RANGE], table[joint, RANGE + 1]
        change = min(bend, high - now) if high - now >= now - low else -min(bend, now - low)
        own = (table[joint, AXIS], table[joint, AXIS + 1], table[joint, AXIS + 2])
    return hold_joint(joint, table, times(rotation, about(own, change)))
