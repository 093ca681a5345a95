"""The body's help: root and spine lean together, by damped least squares, to where limbs do not reach alone."""

from __future__ import annotations

import math

from mummer.general.posing.columns import CLOSE, FOLLOW, HELP, MISSED, ROOT_RANGE, ROOT_STIFFNESS, WEIGHT
from mummer.general.posing.turns import held, turned_on
from mummer.ik.analytic.segments import rotation_of, seen_from, write_rotation
from mummer.ik.analytic.vectors import cross, direction, dot, plus, scaled, size
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Three

# A turn in one step is no larger than this, radians.
LARGEST_TURN = 0.6
# The part of what would help that is done at once: what limits forbid anyway must not be overdone.
WILLING = 0.7
# How much the misses of earlier rounds tell where a chain must not be pulled to, beside what it misses now.
KEPT = 0.2


@apart
def lean(
    frame: int, joints: Parents, stiffness: Floats1, carries: Floats2, chains: Floats2, asked: Floats3,
    settings: Floats2, parents: Parents, table: Floats2, offsets: Floats3, left: Output3, rotations: Output3,
    roots: Output2, spent: Output2, system: Output3, spots: Output3,
) -> bool:  # fmt: skip
    """Shift the root and turn the joints of the core so that tips come nearer to their places; whether any needed it.

    A step is the smallest beside which the misses that remain are small; steps add up only while something misses.

    Args:
        frame: which row of the arrays of frames.
        joints: (U,) the joints that lean.
        stiffness: (U,) square metres: how unwilling each is.
        carries: (N, U) one where a joint carries a chain.
        chains: (N, CHAIN)
        asked: (T, N, ASKED)
        settings: (1, SETTINGS)
        parents: (J,)
        table: of `joint_table`.
        offsets: (1, J, 3)
        left: (T, N, 9) of each tip what is left of its way, where it is, and what was left in earlier rounds together;
            metres in the world.
        rotations: (T, J, 4)
        roots: (T, 3)
        spent: (T, 3) how far the root should have been shifted so far.
        system: (T, 4 + 3 U, 4 + 3 U) scratch.
        spots: (T, U, 3) scratch.
    """
    count = 3 + 3 * joints.shape[0]
    needed = False
    for chain in range(chains.shape[0]):
        if chains[chain, HELP] > 0.0 and size(miss_of(frame, chain, left)) > settings[0, CLOSE]:
            needed = True
    if not needed:
        return False
    for row in range(count):
        for column in range(count + 1):
            system[frame, row, column] = 0.0
        system[frame, row, row] = settings[0, ROOT_STIFFNESS] if row < 3 else stiffness[(row - 3) // 3]
    for unknown in range(joints.shape[0]):
        place, _ = seen_from(frame, joints[unknown], -1, parents, offsets, roots, rotations)
        for part in range(3):
            spots[frame, unknown, part] = place[part]
    for chain in range(chains.shape[0]):
        strength = urge(frame, chain, chains, asked, settings, left)
        if strength > 0.0:
            add_chain(frame, chain, strength, chains[chain, FOLLOW], carries, left, system, spots)
    for chain in range(chains.shape[0]):
        for part in range(3):
            left[frame, chain, 6 + part] += left[frame, chain, part]
    solve(frame, count, system)
    for row in range(count):
        system[frame, row, count] *= WILLING
    before = saturation(frame, spent, settings[0, ROOT_RANGE])
    for part in range(3):
        roots[frame, part] -= before * spent[frame, part]
        spent[frame, part] += system[frame, part, count]
    after = saturation(frame, spent, settings[0, ROOT_RANGE])
    for part in range(3):
        roots[frame, part] += after * spent[frame, part]
    # Children first: a turn in the world of a joint is known while those above it are still as they were.
    for back in range(joints.shape[0]):
        unknown = joints.shape[0] - 1 - back
        joint, row = joints[unknown], 3 + 3 * unknown
        turn = (system[frame, row, count], system[frame, row + 1, count], system[frame, row + 2, count])
        largest = size(turn)
        if largest > LARGEST_TURN:
            turn = scaled(turn, LARGEST_TURN / largest)
        _, above = seen_from(frame, joint, -1, parents, offsets, roots, rotations)
        write_rotation(
            frame, joint, held(joint, table, turned_on(above, rotation_of(frame, joint, rotations), turn)), rotations
        )
    return True


def saturation(frame: int, spent: Floats2, most: float) -> float:
    """The part of the root's shift that is done: nearly all of a small one, and never more than ``most`` metres."""
    square = spent[frame, 0] ** 2 + spent[frame, 1] ** 2 + spent[frame, 2] ** 2
    return 1.0 / math.sqrt(1.0 + square / (most * most))


def urge(frame: int, chain: int, chains: Floats2, asked: Floats3, settings: Floats2, left: Floats3) -> float:
    """How much a chain asks for help: nothing for a small miss, and smoothly all that it is worth for a large one.

    What has missed in an earlier round still counts, so that others do not pull it away again.
    """
    now, before = miss_of(frame, chain, left), missed_before(frame, chain, left)
    miss = math.sqrt(dot(now, now) + dot(before, before))
    share = (miss - settings[0, CLOSE]) / (settings[0, MISSED] - settings[0, CLOSE])
    share = min(max(share, 0.0), 1.0)
    return chains[chain, HELP] * min(asked[frame, chain, WEIGHT], 1.0) * share * share * (3.0 - 2.0 * share)


def miss_of(frame: int, chain: int, left: Floats3) -> Three:
    """What is left of the way of a tip."""
    return left[frame, chain, 0], left[frame, chain, 1], left[frame, chain, 2]


def missed_before(frame: int, chain: int, left: Floats3) -> Three:
    """What was left of it in earlier rounds, all together."""
    return left[frame, chain, 6], left[frame, chain, 7], left[frame, chain, 8]


def add_chain(
    frame: int, chain: int, strength: float, follow: float, carries: Floats2, left: Floats3, system: Output3,
    spots: Floats3,
) -> None:  # fmt: skip
    """Add what one chain asks for to the system: to be moved along its miss, and no matter how across it.

    A limb that is straight, or held by its limits, swings by itself across its miss; its row, in the last row of the
    system while it is needed, says how far each part of the core moves it along.
    """
    unknowns = carries.shape[1]
    count = 3 + 3 * unknowns
    now = miss_of(frame, chain, left)
    along = direction(plus(now, scaled(missed_before(frame, chain, left), KEPT)), (0.0, 1.0, 0.0))
    miss = dot(now, along)
    for part in range(3):
        system[frame, count, part] = follow * along[part]
    for unknown in range(unknowns):
        gain = (0.0, 0.0, 0.0)
        if carries[chain, unknown] > 0.0:
            gain = cross(arm_of(frame, chain, unknown, left, spots), along)
        for part in range(3):
            system[frame, count, 3 + 3 * unknown + part] = gain[part]
    for row in range(count):
        gained = strength * system[frame, count, row]
        if gained == 0.0:
            continue
        system[frame, row, count] += gained * miss
        for column in range(row + 1):
            system[frame, row, column] += gained * system[frame, count, column]


def arm_of(frame: int, chain: int, unknown: int, left: Floats3, spots: Floats3) -> Three:
    """From a joint of the core to the tip of a chain."""
    return (
        left[frame, chain, 3] - spots[frame, unknown, 0],
        left[frame, chain, 4] - spots[frame, unknown, 1],
        left[frame, chain, 5] - spots[frame, unknown, 2],
    )


def solve(frame: int, count: int, system: Output3) -> None:
    """Replace the last column by the solution; the lower half of the matrix is what counts."""
    for row in range(count):
        for column in range(row + 1):
            total = system[frame, row, column]
            for k in range(column):
                total -= system[frame, row, k] * system[frame, column, k]
            if row == column:
                system[frame, row, row] = math.sqrt(max(total, 1e-30))
            else:
                system[frame, row, column] = total / system[frame, column, column]
    for row in range(count):
        total = system[frame, row, count]
        for k in range(row):
            total -= system[frame, row, k] * system[frame, k, count]
        system[frame, row, count] = total / system[frame, row, row]
    for back in range(count):
        row = count - 1 - back
        total = system[frame, row, count]
        for k in range(row + 1, count):
            total -= system[frame, k, row] * system[frame, k, count]
        system[frame, row, count] = total / system[frame, row, row]
