"""New beginnings for a descent that ended short of its goals, and goals that give way when all cannot be met."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character.limits import FREE
from mummer.ik.goal_table import PLACE
from mummer.ik.numeric.arguments import (
    AHEAD,
    ANGLE,
    ASKED,
    FIRST,
    GOAL_KIND,
    HARD,
    HIGH,
    JOINT,
    KIND,
    LOCAL,
    LOW,
    MISS,
    OFFSET,
    PARENT,
    PLACE_AT,
    POINT,
    ROW,
    ROWS,
    SECOND_HIGH,
    SECOND_LOW,
    STRENGTH,
    TARGET,
    TRAVEL,
    Body,
    Goals,
    Work,
)
from mummer.ik.numeric.descending import are_met, copy_stance, descend, keep_ahead, look
from mummer.ik.numeric.joint_angles import write_local
from mummer.ik.numeric.misses import miss_size, near_enough
from mummer.ik.numeric.posing import dof_count, hold_in_limits
from mummer.ik.numeric.turns import exponential, four, length, minus, product, put_four, renormalized, three
from mummer.ik.numeric.unowned import unowned
from mummer.kernels.linking import apart

NUDGE = 0.2
"""Radians by which the first new beginning bends joints towards the middle of their ranges: for straight limbs."""
WIDE = 2.0
"""Radians to either side of home within which a joint without limits is tried."""
MEEK = 0.3
"""What is left of the strength of a hard entry that gives way to others."""
AFAR = 4.0
"""Strides from which on a body is brought near its goals before anything else."""
ALIKE, OFTEN, NEARBY = 0.02, 4, 2
"""New beginnings that end with misses alike so often show that there is nothing better; the first few are too near."""
STIFFER, CLOSE = 30.0, 0.1
"""By how much more hard entries pull, once, when all together are missed by no more than this part of a stride."""
FIRST_TRY, ANEW, SETTLING, YIELDING = 0, 1, 2, 3
"""What `seek` is at."""


def chance(attempt: int, number: int) -> float:
    """A number from 0 to 1 that looks random and is always the same."""
    mixed = (attempt * 7919 + number * 104729 + 12345) % 2147483647
    for _ in range(3):
        mixed = (mixed * 48271) % 2147483647
    return mixed / 2147483647.0


@apart
def begin_anew(
    goals: Goals, body: Body, home: FloatArray, stance: FloatArray, world: FloatArray, work: Work, attempt: int
) -> None:
    """Put ``stance`` somewhere else: the first time bent a little from where it is, then farther and farther off."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        if body.joints[joint, FIRST] < 0:
            continue
        if body.joints[joint, KIND] == FREE:
            turn_anew(home, stance, joint, attempt, body.joints[joint, PARENT] < 0)
        else:
            bend_anew(body, home, stance, joint, attempt)
    if attempt > 1:
        look(goals, body, stance, world, work)
        for place in range(body.used.shape[0]):
            joint = body.used[place]
            if body.joints[joint, TRAVEL] >= 0:
                bring_root(goals, body, stance, work, joint, 0.0)


@apart
def turn_anew(home: FloatArray, stance: FloatArray, joint: int, attempt: int, is_root: bool) -> None:
    """Turn a joint without limits."""
    reach = NUDGE if attempt == 1 else 0.5
    x, y, z = (
        chance(attempt, 3 * joint) - 0.5,
        chance(attempt, 3 * joint + 1) - 0.5,
        chance(attempt, 3 * joint + 2) - 0.5,
    )
    if is_root:
        # A body turns round rather than over.
        x, y, z = 0.1 * x, (0.0 if attempt < 3 else 4.0 * y), 0.1 * z
    source = four(stance if attempt == 1 else home, joint, LOCAL)
    turned = product(source, exponential((2.0 * reach * x, 2.0 * reach * y, 2.0 * reach * z)))
    put_four(stance, joint, LOCAL, renormalized(turned))


@apart
def bend_anew(body: Body, home: FloatArray, stance: FloatArray, joint: int, attempt: int) -> None:
    """Bend a joint with limits."""
    frames, kind = body.frames, body.joints[joint, KIND]
    for column in range(dof_count(kind)):
        low, high = frames[joint, LOW], frames[joint, HIGH]
        if kind == 2 and column == 1:
            low, high = frames[joint, SECOND_LOW], frames[joint, SECOND_HIGH]
        elif kind == 3 and column < 2:
            high = frames[joint, SECOND_LOW + column]
            low = -high
        low, high = max(low, home[joint, ANGLE + column] - WIDE), min(high, home[joint, ANGLE + column] + WIDE)
        if attempt == 1:
            away = 0.5 * (low + high) - stance[joint, ANGLE + column]
            stance[joint, ANGLE + column] += min(max(away, -NUDGE), NUDGE)
        else:
            share = 0.5 if attempt == 2 else 0.1 + 0.8 * chance(attempt, 3 * joint + column)
            stance[joint, ANGLE + column] = low + share * (high - low)
    hold_in_limits(body, stance, joint)
    write_local(body, stance, joint)


@apart
def bring_root(goals: Goals, body: Body, stance: FloatArray, work: Work, root: int, slack: float) -> None:
    """Move a root so that the places asked of its body are missed, in the middle, by no more than ``slack``."""
    count = 0
    x, y, z = 0.0, 0.0, 0.0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, ROWS] != 3 or goals.labels[entry, GOAL_KIND] != PLACE:
            continue
        joint = goals.labels[entry, JOINT]
        while body.joints[joint, PARENT] >= 0:
            joint = body.joints[joint, PARENT]
        if joint == root:
            row = goals.labels[entry, ROW]
            x, y, z = x + work.rows[AHEAD, row], y + work.rows[AHEAD, row + 1], z + work.rows[AHEAD, row + 2]
            count += 1
    far = length((x, y, z))
    if far > slack * count:
        part = (1.0 - slack * count / far) / count
        stance[root, OFFSET] += part * x
        stance[root, OFFSET + 1] += part * y
        stance[root, OFFSET + 2] += part * z


@apart
def come_near(goals: Goals, body: Body, stance: FloatArray, work: Work) -> None:
    """Bring bodies that may travel to where they are asked for from afar: what is nearer is left to the descent."""
    for place in range(body.used.shape[0]):
        if body.joints[body.used[place], TRAVEL] >= 0:
            bring_root(goals, body, stance, work, body.used[place], AFAR * goals.stride)


def reach_between(body: Body, stance: FloatArray, first: int, second: int) -> float:
    """Metres along the bones from one joint to another; infinite if they are not of one body."""
    total = 0.0
    while first != second:
        if first < second:
            first, second = second, first
        # The later joint cannot stand above the other.
        total += length(three(stance, first, OFFSET))
        first = body.joints[first, PARENT]
        if first < 0:
            return 1e30
    return total


def is_hard_place(goals: Goals, entry: int) -> bool:
    """Whether an entry asks for a whole place and has not given way."""
    labels = goals.labels
    return labels[entry, HARD] == 1 and labels[entry, ROWS] == 3 and labels[entry, GOAL_KIND] == PLACE


@apart
def beyond_reach(goals: Goals, body: Body, stance: FloatArray, world: FloatArray) -> int:
    """A hard place that certainly cannot be met, -1 for none: too far from what stays, or from another hard place.

    Of two places too far from each other it is the one that asks for more.
    """
    labels, values = goals.labels, goals.values
    for entry in range(labels.shape[0]):
        if not is_hard_place(goals, entry):
            continue
        target, own = three(values, entry, TARGET), length(three(values, entry, POINT)) + goals.near
        top = highest_movable(body, labels[entry, JOINT])
        if top >= 0:
            far = length(minus(target, three(world, top, PLACE_AT)))
            if far > reach_between(body, stance, labels[entry, JOINT], top) + own:
                return entry
        for other in range(entry):
            if is_hard_place(goals, other):
                reach = reach_between(body, stance, labels[entry, JOINT], labels[other, JOINT]) + own
                reach += length(three(values, other, POINT)) + goals.near
                if length(minus(target, three(values, other, TARGET))) > reach:
                    return entry if values[entry, ASKED] >= values[other, ASKED] else other
    return -1


def highest_movable(body: Body, joint: int) -> int:
    """The highest that may turn of ``joint`` and those above it: it stays where it is. -1 if a root travels."""
    top = joint
    while joint >= 0:
        if body.joints[joint, TRAVEL] >= 0:
            return -1
        if body.joints[joint, FIRST] >= 0:
            top = joint
        joint = body.joints[joint, PARENT]
    return top


@apart
def soften(goals: Goals, guilty: int) -> None:
    """Let a hard entry give way to the others; one that is alone is sought with less force as well."""
    hard = 0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, ROWS] != 0 and goals.labels[entry, HARD] != 0:
            hard += 1
    goals.labels[guilty, HARD] = 2 if hard > 1 else 3
    goals.values[guilty, STRENGTH] *= MEEK


@apart
def spare_the_impossible(goals: Goals, body: Body, stance: FloatArray, world: FloatArray) -> None:
    """Let give way what certainly cannot be met, before time is lost on it."""
    while True:
        guilty = beyond_reach(goals, body, stance, world)
        if guilty < 0:
            return
        soften(goals, guilty)


@apart
def guiltiest(goals: Goals, rows: FloatArray) -> int:
    """The hard entry that asked for much and is missed by much; -1 if all are met."""
    guilty, largest = -1, 0.0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, ROWS] != 0 and goals.labels[entry, HARD] == 1:
            size = miss_size(goals, entry, rows, MISS)
            guilt = size * (size + goals.values[entry, ASKED])
            if size > near_enough(goals, entry) and guilt > largest:
                guilty, largest = entry, guilt
    return guilty


@apart
def all_missed(goals: Goals, rows: FloatArray) -> float:
    """How far all hard entries together are missed, metres."""
    total = 0.0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, ROWS] != 0 and goals.labels[entry, HARD] == 1:
            total += miss_size(goals, entry, rows, MISS)
    return total


@apart
def stiffen(goals: Goals) -> None:
    """Let hard entries pull harder."""
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, HARD] == 1:
            goals.values[entry, STRENGTH] *= STIFFER


@apart
def seek(
    goals: Goals,
    body: Body,
    home: FloatArray,
    stance: FloatArray,
    saved: FloatArray,
    world: FloatArray,
    work: Work,
    still: float,
    counts: IntArray,
) -> int:
    """Bend the body until all hard entries are met, or those that stand in the way have given way; the steps taken.

    First from where it is. Then from new beginnings: each time the goals are sought from there alone, and only when
    they are met with the way home in mind; what does not meet them is given up for the first result. When the same
    misses come up again and again, or nothing is left to try, the guiltiest gives way, and the next.
    """
    kept = np.zeros((3, stance.shape[0], 10))
    first, begun, found = unowned(kept[0]), unowned(kept[1]), unowned(kept[2])
    phase, attempt, steps, again, least, is_stiff = FIRST_TRY, 0, 0, 0, 0.0, False
    while True:
        if phase == ANEW:
            steps += descend(goals, body, begun, stance, saved, world, work, still, 1.0, counts[3])
        else:
            steps += descend(goals, body, home, stance, saved, world, work, still, goals.settle, counts[0])
        if are_met(goals, work.rows):
            if phase != ANEW:
                return steps + 0 * kept.shape[0]
            phase = SETTLING
            copy_stance(stance, found)
            continue
        missed = all_missed(goals, work.rows)
        if phase != ANEW and not is_stiff and missed < CLOSE * goals.stride:
            is_stiff = True
            stiffen(goals)
            continue
        if phase == FIRST_TRY:
            copy_stance(stance, first)
            least = missed
            phase = ANEW if counts[2] > 0 else YIELDING
        elif phase == ANEW:
            attempt += 1
            if missed < (1.0 - ALIKE) * least:
                least, again = missed, 0
            elif attempt > NEARBY and missed < (1.0 + ALIKE) * least:
                again += 1
        if phase == SETTLING or (phase == ANEW and (attempt > counts[2] or again >= OFTEN)):
            copy_stance(found if phase == SETTLING else first, stance)
            look(goals, body, stance, world, work)
            keep_ahead(work.rows)
            if phase == SETTLING:
                return steps + 0 * kept.shape[0]
            phase = YIELDING
        if phase == ANEW:
            if attempt > 0:
                copy_stance(first, stance)
                begin_anew(goals, body, home, stance, world, work, attempt)
            copy_stance(stance, begun)
        else:
            soften(goals, guiltiest(goals, work.rows))
