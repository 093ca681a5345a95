"""Cyclic coordinate descent of one frame, in a kernel: from the tips inwards, each joint is turned as best it can."""

from __future__ import annotations

from mummer.ik.analytic.ccd_entries import AT, JOINT, KIND, POINT, TURN, add_arrows, missed, vector
from mummer.ik.analytic.ccd_fold import fold_chain
from mummer.ik.analytic.ccd_turn import best_turn
from mummer.ik.analytic.segments import offset_of, rotation_of, write_rotation
from mummer.ik.analytic.vectors import NO_TURN, back, minus, plus, times, turned
from mummer.ik.goal_table import PLACE
from mummer.kernels.arguments import Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.scalars import Four, Three

# The columns of the settings: most sweeps; metres and radians that count as met; metres that a turn counts for beside
# a place; whether nearly straight chains are folded first.
SWEEPS, NEAR, NEAR_ANGLE, LEVER, FOLDS, SETTINGS = 0, 1, 2, 3, 4, 5


@kernel
def descend(
    frame: int, needed: Parents, parents: Parents, table: Floats2, offsets: Floats3, roots: Floats2,
    entries: Floats2, affects: Floats2, targets: Floats3, weights: Floats2, settings: Floats2,
    places: Output3, turns: Output3, ends: Output3, rotations: Output3, sweeps: Output2,
) -> None:  # fmt: skip
    """One item is one frame.

    Args:
        frame: which one.
        needed: the joints above the entries, parents first.
        parents: (J,)
        table: (J, WIDTH) of `joint_table`.
        offsets: (1, J, 3) or (B, J, 3).
        roots: (B, 3)
        entries: (N, ENTRY) see `ccd_entries`.
        affects: (J, N) one where a joint may turn for an entry.
        targets: (B, N, 4) of `GoalTable`.
        weights: (B, N)
        settings: (1, SETTINGS)
        places: (B, J, 3) room to work: joints in the world.
        turns: (B, J, 4) room to work: world_from_joint.
        ends: (B, N, END) room to work.
        rotations: (B, J, 4) parent_from_joint; changed.
        sweeps: (B, 1) how many were made.
    """
    count, done, may_fold = 0, False, settings[0, FOLDS] > 0.0
    while True:
        locate(frame, needed, parents, offsets, roots, entries, rotations, places, turns, ends)
        if done or count >= int(settings[0, SWEEPS]) or all_met(frame, entries, targets, weights, settings, ends):
            break
        folded = False
        for entry in range(entries.shape[0] if may_fold else 0):
            if int(entries[entry, KIND]) == PLACE and weights[frame, entry] > 0.0:
                folded = fold_chain(
                    frame, entry, parents, table, offsets, entries, affects, targets, places, turns, ends, rotations
                ) or folded  # fmt: skip
        may_fold = False
        count += 1
        if not folded:
            done = sweep_once(
                frame, needed, parents, table, entries, affects, targets, weights, settings, places, turns, ends,
                rotations,
            )  # fmt: skip
    sweeps[frame, 0] = count


def sweep_once(
    frame: int, needed: Parents, parents: Parents, table: Floats2, entries: Floats2, affects: Floats2,
    targets: Floats3, weights: Floats2, settings: Floats2, places: Floats3, turns: Floats3, ends: Output3,
    rotations: Output3,
) -> bool:  # fmt: skip
    """Turn every joint once, tips first; whether all is met. Joints not yet turned stay where `locate` found them."""
    for place in range(needed.shape[0] - 1, -1, -1):
        joint = needed[place]
        sums, found = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), False
        center = (places[frame, joint, 0], places[frame, joint, 1], places[frame, joint, 2])
        for entry in range(entries.shape[0]):
            if affects[joint, entry] > 0.0 and weights[frame, entry] > 0.0:
                found = True
                sums = add_arrows(
                    sums, frame, entry, entries, targets, weights[frame, entry], settings[0, LEVER],
                    end_at(frame, entry, ends), end_turn(frame, entry, ends), center,
                )  # fmt: skip
        if found:
            above = NO_TURN if parents[joint] < 0 else rotation_of(frame, parents[joint], turns)
            rotation = rotation_of(frame, joint, rotations)
            new = best_turn(joint, table, above, rotation, sums)
            carry(frame, joint, times(times(above, times(new, back(rotation))), back(above)), center, affects, ends)
            write_rotation(frame, joint, new, rotations)
            if all_met(frame, entries, targets, weights, settings, ends):
                return True
    return False


def carry(frame: int, joint: int, turn: Four, center: Three, affects: Floats2, ends: Output3) -> None:
    """Move the ends that hang on a joint along with its turn in the world."""
    for entry in range(ends.shape[1]):
        if affects[joint, entry] > 0.0:
            at = plus(center, turned(turn, minus(end_at(frame, entry, ends), center)))
            write_end(frame, entry, at, times(turn, end_turn(frame, entry, ends)), ends)


def all_met(frame: int, entries: Floats2, targets: Floats3, weights: Floats2, settings: Floats2, ends: Floats3) -> bool:
    """Whether every entry that counts is met."""
    for entry in range(entries.shape[0]):
        if weights[frame, entry] > 0.0:
            allowed = settings[0, NEAR] if int(entries[entry, KIND]) == PLACE else settings[0, NEAR_ANGLE]
            at, turn = end_at(frame, entry, ends), end_turn(frame, entry, ends)
            if missed(frame, entry, entries, targets, at, turn) > allowed:
                return False
    return True


def locate(
    frame: int, needed: Parents, parents: Parents, offsets: Floats3, roots: Floats2, entries: Floats2,
    rotations: Floats3, places: Output3, turns: Output3, ends: Output3,
) -> None:  # fmt: skip
    """Find where joints and the points of the entries are."""
    for place in range(needed.shape[0]):
        joint = needed[place]
        at, turn = offset_of(frame, joint, offsets, roots), rotation_of(frame, joint, rotations)
        parent = parents[joint]
        if parent >= 0:
            above = rotation_of(frame, parent, turns)
            center = (places[frame, parent, 0], places[frame, parent, 1], places[frame, parent, 2])
            at, turn = plus(center, turned(above, at)), times(above, turn)
        for part in range(3):
            places[frame, joint, part] = at[part]
        for part in range(4):
            turns[frame, joint, part] = turn[part]
    for entry in range(entries.shape[0]):
        joint = int(entries[entry, JOINT])
        turn = rotation_of(frame, joint, turns)
        center = (places[frame, joint, 0], places[frame, joint, 1], places[frame, joint, 2])
        write_end(frame, entry, plus(center, turned(turn, vector(entries, entry, POINT))), turn, ends)


def end_at(frame: int, entry: int, ends: Floats3) -> Three:
    """Where the point of an entry is."""
    return ends[frame, entry, AT], ends[frame, entry, AT + 1], ends[frame, entry, AT + 2]


def end_turn(frame: int, entry: int, ends: Floats3) -> Four:
    """How the joint of an entry is turned in the world."""
    x, y, z = ends[frame, entry, TURN], ends[frame, entry, TURN + 1], ends[frame, entry, TURN + 2]
    return x, y, z, ends[frame, entry, TURN + 3]


def write_end(frame: int, entry: int, at: Three, turn: Four, ends: Output3) -> None:
    """Note where the point of an entry is and how its joint is turned."""
    for part in range(3):
        ends[frame, entry, AT + part] = at[part]
    for part in range(4):
        ends[frame, entry, TURN + part] = turn[part]
