"""Step after step downhill: what a stance costs, and how to lessen it until nothing more can be gained.

The cost of a stance is half the metric's square of the way from home, plus the strength of each hard entry times how
far it is missed, plus half the stiffness of each soft entry times the square of its miss. A hard entry pulls with the
same force however far its target is: it is met when its strength suffices, and out of reach it stretches the body no
harder than from nearby, which is why no limb trembles. Entries that gave way pull a little more the farther they are
missed: where they pull against each other they share what is lacking, and the least cost is in one place.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE
from mummer.ik.numeric.arguments import (
    AHEAD,
    ANGLE,
    BEND,
    FIRST,
    GIVE,
    GOAL_KIND,
    GUESS,
    HARD,
    HELD,
    IS_ON,
    KIND,
    LOCAL,
    METRIC,
    MISS,
    OFFSET,
    PARENT,
    PULL,
    PUSH,
    ROW,
    ROWS,
    SOUGHT,
    STEP,
    STIFF,
    STRENGTH,
    TRAVEL,
    WEIGHT,
    WISH,
    Body,
    Goals,
    Work,
)
from mummer.ik.numeric.edges import set_edges
from mummer.ik.numeric.metric import gather_mass
from mummer.ik.numeric.misses import is_about_mass, is_one_sided, measure, miss_size, near_enough
from mummer.ik.numeric.posing import dof_count, place_joints, take_step, write_columns
from mummer.ik.numeric.slopes import write_slopes
from mummer.ik.numeric.stepping import correct_step, find_step
from mummer.ik.numeric.turns import four, inverse, logarithm, product, put_three
from mummer.kernels.linking import apart

FIRST_DAMPING, LEAST_DAMPING = 150.0, 0.1
"""Of the first step, which leads farthest and sees least, and of the first after a step that failed."""
DULL, VERY_DULL, PATIENCE = 1e-9, 1e-6, 4
"""A descent ends after so many steps that gain no more than a part of the cost: less with the hard entries met."""
FAR = 1e3
"""Times the size of a step that counts as none: beyond that, a longer way from home excuses no longer last step."""
HOPELESS = 1e12
"""The damping at which no step can be found any more."""


@apart
def write_pull(body: Body, stance: FloatArray, home: FloatArray, dofs: FloatArray) -> None:
    """Fill in PULL: the way from here back home."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, travel, kind = body.joints[joint, FIRST], body.joints[joint, TRAVEL], body.joints[joint, KIND]
        if travel >= 0:
            for axis in range(3):
                dofs[PULL, travel + axis] = home[joint, OFFSET + axis] - stance[joint, OFFSET + axis]
        if first < 0:
            continue
        if kind == FREE:
            back = logarithm(product(inverse(four(stance, joint, LOCAL)), four(home, joint, LOCAL)))
            put_three(dofs, PULL, first, back)
        else:
            for column in range(dof_count(kind)):
                dofs[PULL, first + column] = home[joint, ANGLE + column] - stance[joint, ANGLE + column]


@apart
def square(work: Work, part: int) -> float:
    """The metric's square of one row of ``work.dofs``."""
    total, dofs = 0.0, work.dofs
    for dof in range(dofs.shape[1]):
        if work.dense.shape[1] == 0:
            total += dofs[METRIC, dof] * dofs[part, dof] * dofs[part, dof]
        else:
            for other in range(dofs.shape[1]):
                total += work.dense[0, dof, other] * dofs[part, dof] * dofs[part, other]
    return total


def sharpness(goals: Goals, entry: int, size: float) -> float:
    """What a hard entry that is missed by ``size`` pulls with, for each metre and each unit of its strength."""
    near = near_enough(goals, entry)
    answer = 1.0 / math.sqrt(size * size + near * near)
    if goals.labels[entry, HARD] > 1:
        answer += 1.0 / math.sqrt(size * size + goals.blur * goals.blur)
    return answer


@apart
def cost_of_misses(goals: Goals, rows: FloatArray, part: int) -> float:
    """The part of the cost that comes from the goals."""
    total = 0.0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, ROWS] == 0:
            continue
        size = miss_size(goals, entry, rows, part)
        if goals.labels[entry, HARD] == 0:
            total += 0.5 * goals.values[entry, WEIGHT] * goals.stiffness * size * size
            continue
        near = near_enough(goals, entry)
        lacking = math.sqrt(size * size + near * near) - near
        if goals.labels[entry, HARD] > 1:
            lacking += math.sqrt(size * size + goals.blur * goals.blur) - goals.blur
        total += goals.values[entry, STRENGTH] * lacking
    return total


@apart
def set_rows(goals: Goals, work: Work) -> None:
    """How much each row gives way, what a step seeks of it, and whether it takes part."""
    for entry in range(goals.labels.shape[0]):
        row, count, hard = goals.labels[entry, ROW], goals.labels[entry, ROWS], goals.labels[entry, HARD]
        if count == 0:
            continue
        size = miss_size(goals, entry, work.rows, MISS)
        # Slopes do not tell what lies far off, so that what is far is sought by strides, with the same force.
        part = min(1.0, goals.stride / max(size, 1e-12))
        if hard == 0:
            give = part / (goals.values[entry, WEIGHT] * goals.stiffness)
        else:
            give = part / (goals.values[entry, STRENGTH] * sharpness(goals, entry, size))
            give += goals.damping * min(goals.damping, size)
        for place in range(row, row + count):
            work.rows[GIVE, place], work.rows[IS_ON, place] = give, 1.0
            work.rows[SOUGHT, place] = part * work.rows[MISS, place]
        if is_one_sided(goals.labels[entry, GOAL_KIND]) and work.rows[MISS, row] <= 0.0:
            work.rows[IS_ON, row], work.rows[SOUGHT, row] = 0.0, work.rows[MISS, row]


@apart
def note_pushes(goals: Goals, work: Work, share: float) -> None:
    """Bring PUSH from what damping made of it to what the rows would pull with at rest.

    All by one part, so that what pulls against each other still does: by what damping left, or the whole where an entry
    pulls with all its strength, for that is no work of damping.
    """
    scale = share
    for entry in range(goals.labels.shape[0]):
        total = 0.0
        for place in range(goals.labels[entry, ROW], goals.labels[entry, ROW] + goals.labels[entry, ROWS]):
            total += work.rows[PUSH, place] * work.rows[PUSH, place]
        if goals.labels[entry, HARD] != 0:
            scale = max(scale, min(1.0, math.sqrt(total) / goals.values[entry, STRENGTH]))
    for row in range(work.rows.shape[1]):
        work.rows[PUSH, row] *= scale


@apart
def set_stiffness(body: Body, work: Work, share: float) -> None:
    """Fill in STIFF and WISH from METRIC, BEND and PULL."""
    dofs = work.dofs
    for dof in range(dofs.shape[1]):
        if work.dense.shape[1] > 0 or dofs[BEND, dof] < 0.0:
            dofs[BEND, dof] = 0.0
    for place in range(body.used.shape[0]):
        first = body.joints[body.used[place], FIRST]
        if first >= 0 and body.joints[body.used[place], KIND] == BALL:
            # One value for both parts of a swing, so that they may be measured along any two directions.
            larger = max(dofs[BEND, first], dofs[BEND, first + 1])
            dofs[BEND, first], dofs[BEND, first + 1] = larger, larger
    for dof in range(dofs.shape[1]):
        dofs[STIFF, dof] = dofs[METRIC, dof] / share + dofs[BEND, dof]
        dofs[WISH, dof] = dofs[PULL, dof] * dofs[METRIC, dof] / dofs[STIFF, dof]


@apart
def look(goals: Goals, body: Body, stance: FloatArray, world: FloatArray, work: Work) -> None:
    """Fill in where joints are, the centre of mass if goals speak of it, and what each row lacks ahead."""
    place_joints(body, stance, world, body.used)
    for entry in range(goals.labels.shape[0]):
        if is_about_mass(goals.labels[entry, GOAL_KIND]):
            find_center(body, world, work)
            break
    measure(goals, body, stance, world, work)


@apart
def find_center(body: Body, world: FloatArray, work: Work) -> None:
    """Fill in what hangs from each joint, and the centre of mass."""
    gather_mass(body, world, work.carried)
    total = 0.0
    put_three(work.lever, 3, 0, (0.0, 0.0, 0.0))
    for joint in range(body.joints.shape[0]):
        if body.joints[joint, PARENT] < 0:
            total += work.carried[joint, 0]
            for axis in range(3):
                work.lever[3, axis] += work.carried[joint, 1 + axis]
    for axis in range(3):
        work.lever[3, axis] /= total


def keep_ahead(rows: FloatArray) -> None:
    """Take what rows lack ahead as what they lack here."""
    for row in range(rows.shape[1]):
        rows[MISS, row] = rows[AHEAD, row]


def copy_stance(source: FloatArray, target: FloatArray) -> None:
    """Make ``target`` stand as ``source`` does."""
    for joint in range(source.shape[0]):
        for part in range(10):
            target[joint, part] = source[joint, part]


@apart
def are_met(goals: Goals, rows: FloatArray) -> bool:
    """Whether all hard entries are met."""
    for entry in range(goals.labels.shape[0]):
        is_hard = goals.labels[entry, ROWS] != 0 and goals.labels[entry, HARD] == 1
        if is_hard and miss_size(goals, entry, rows, MISS) > near_enough(goals, entry):
            return False
    return True


@apart
def advance(goals: Goals, body: Body, stance: FloatArray, world: FloatArray, work: Work, damping: float) -> float:
    """Take the next step; what it should bring the cost down to. STEP is left as it was before it was corrected."""
    share = 1.0 / (1.0 + damping)
    write_columns(body, stance, world)
    write_slopes(goals, body, world, work)
    set_stiffness(body, work, share)
    set_rows(goals, work)
    set_edges(body, stance, work)
    left = find_step(goals, body, stance, work, share)
    note_pushes(goals, work, share)
    take_step(body, stance, work.dofs)
    return 0.5 * left + cost_of_misses(goals, work.rows, GUESS)


@apart
def descend(
    goals: Goals,
    body: Body,
    home: FloatArray,
    stance: FloatArray,
    saved: FloatArray,
    world: FloatArray,
    work: Work,
    still: float,
    settle: float,
    most: int,
) -> int:
    """Step downhill from ``stance`` until little is gained or ``most`` steps are taken; the number of steps.

    The row MISS is left as it is at the end. A step shorter than ``still`` by the metric changes nothing worth having.
    """
    for dof in range(work.dofs.shape[1]):
        work.dofs[HELD, dof] = 0.0
    for row in range(work.rows.shape[1]):
        work.rows[PUSH, row] = 0.0
    damping, growth, cost, promised, steps, size, dull = FIRST_DAMPING, 2.0, math.inf, math.inf, 0, math.inf, 0
    while True:
        look(goals, body, stance, world, work)
        write_pull(body, stance, home, work.dofs)
        new_cost = 0.5 * square(work, PULL) + cost_of_misses(goals, work.rows, AHEAD)
        if new_cost < cost:
            gained, promise = cost - new_cost, cost - promised
            cost = new_cost
            keep_ahead(work.rows)
            copy_stance(stance, saved)
            met = are_met(goals, work.rows)
            dull = dull + 1 if gained <= (DULL if met else VERY_DULL) * cost else 0
            way = min(math.sqrt(square(work, PULL)), FAR * still)
            settled = settle >= 1.0 or size <= max(still, settle * way)
            if (settled and met) or dull >= PATIENCE or size <= 0.1 * still:
                return steps
            if steps > 0:
                damping, growth = damping * damping_factor(gained, promise), 2.0
        else:
            copy_stance(saved, stance)
            damping, growth = max(damping, LEAST_DAMPING) * growth, growth * 2.0
            if damping > HOPELESS:
                return steps
            look(goals, body, stance, world, work)
            write_pull(body, stance, home, work.dofs)
        if steps >= most:
            return steps
        steps += 1
        promised = advance(goals, body, stance, world, work, damping)
        # What damping held back does not count as come to rest.
        size = math.sqrt(square(work, STEP)) * (1.0 + damping)
        look(goals, body, stance, world, work)
        correct_step(body, work)
        take_step(body, stance, work.dofs)


def damping_factor(gained: float, promise: float) -> float:
    """By what to change the damping after a step that gained so much of what it promised."""
    if promise <= 0.0:
        return 1.0
    off = 2.0 * gained / promise - 1.0
    return min(max(1.0 - off * off * off, 0.1), 2.0)
