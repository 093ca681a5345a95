"""Step after step downhill: what a stance costs, how to lessen it, new beginnings, and goals that give way.

The cost of a stance is half the metric's square of the way from home, plus the strength of each hard entry times how
far it is missed, plus half the stiffness of each soft entry times the square of its miss. A hard entry pulls with the
same force however far its target is: it is met when its strength suffices, and out of reach it stretches the body no
harder than from nearby, which is why no limb trembles. Entries that gave way pull a little more the farther they are
missed: where they pull against each other they share what is lacking, and the least cost is in one place.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.goal_table import PLACE
from mummer.ik.limits import RANGE, SECOND_RANGE, allowed_angles
from mummer.ik.numeric import records as col
from mummer.ik.numeric.posing import (
    bend,
    copy_stance,
    diagonal_metric,
    dof_count,
    equal_metric,
    gather_mass,
    place_joints,
    take_step,
    write_columns,
)
from mummer.ik.numeric.records import Body, Goals, Work
from mummer.ik.numeric.rows import is_about_mass, is_one_sided, measure, miss_size, near_enough, write_slopes
from mummer.ik.numeric.step import correct_step, find_step, set_edges
from mummer.kernels.linking import apart
from mummer.kernels.vectors import (
    back,
    exponential,
    four,
    logarithm,
    minus,
    plus,
    put_four,
    put_three,
    scaled,
    size,
    three,
    times,
    unit_rotation,
)

DIAGONAL, EQUAL = 0, 1
"""The kinds of metric: by the mass that a joint carries, as if it were the only one that turns; all alike."""
STRONG = 1e3
"""How much stronger hard entries pull than what draws a body home can ever do."""


@apart
def set_strengths(goals: Goals, work: Work) -> None:
    """Fill in what each hard entry may pull with: far more than any other need of the body."""
    soft, far, labels = 0.0, goals.how.height, goals.labels
    for entry in range(labels.shape[0]):
        if labels[entry, col.ROWS] != 0:
            size = miss_size(goals, entry, work.rows, col.MISS)
            goals.values[entry, col.ASKED] = size
            far = max(far, size)
            if labels[entry, col.HARD] == 0:
                soft += goals.values[entry, col.WEIGHT] * (size + 0.1 * goals.how.height)
    for entry in range(labels.shape[0]):
        if labels[entry, col.ROWS] == 0:
            continue
        ease = 0.0
        for row in range(labels[entry, col.ROW], labels[entry, col.ROW] + labels[entry, col.ROWS]):
            for dof in range(work.dofs.shape[1]):
                ease += work.slopes[dof, row] * work.slopes[dof, row] / work.dofs[col.METRIC, dof]
        ease = max(ease / labels[entry, col.ROWS], 1e-12)
        goals.values[entry, col.STRENGTH] = STRONG * far / ease + 1e2 * goals.how.stiffness * soft


@apart
def prepare(goals: Goals, body: Body, work: Work, pulls: FloatArray) -> None:
    """Fill in the metric at home, and the strengths of the goals at the start."""
    how = goals.how
    place_joints(body, work.home, work.world, body.every)
    write_columns(body, work.home, work.world)
    gather_mass(body, work.world, work.carried)
    if how.metric == EQUAL:
        equal_metric(body, pulls, how.height, work)
    else:
        diagonal_metric(body, pulls, how.restitution, work)
    if how.is_home == 0:
        place_joints(body, work.stance, work.world, body.every)
        write_columns(body, work.stance, work.world)
    look(goals, body, work)
    keep_ahead(work.rows)
    write_slopes(goals, body, work)
    set_strengths(goals, work)


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
        joints, joint = body.joints, body.used[place]
        kind, first, travel = joints[joint, col.KIND], joints[joint, col.FIRST], joints[joint, col.TRAVEL]
        if travel >= 0:
            put_three(dofs, col.PULL, travel, minus(three(home, joint, col.OFFSET), three(stance, joint, col.OFFSET)))
        if first < 0:
            continue
        if kind == FREE:
            way = logarithm(times(back(four(stance, joint, col.LOCAL)), four(home, joint, col.LOCAL)))
            put_three(dofs, col.PULL, first, way)
        else:
            for column in range(dof_count(kind)):
                dofs[col.PULL, first + column] = home[joint, col.ANGLE + column] - stance[joint, col.ANGLE + column]


@apart
def square(work: Work, part: int) -> float:
    """The metric's square of one row of ``work.dofs``."""
    total, dofs = 0.0, work.dofs
    for dof in range(dofs.shape[1]):
        total += dofs[col.METRIC, dof] * dofs[part, dof] * dofs[part, dof]
    return total


def sharpness(goals: Goals, entry: int, size: float) -> float:
    """What a hard entry that is missed by ``size`` pulls with, for each metre and each unit of its strength."""
    near = near_enough(goals, entry)
    answer = 1.0 / math.sqrt(size * size + near * near)
    if goals.labels[entry, col.HARD] > 1:
        answer += 1.0 / math.sqrt(size * size + goals.how.blur * goals.how.blur)
    return answer


@apart
def cost_of_misses(goals: Goals, rows: FloatArray, part: int) -> float:
    """The part of the cost that comes from the goals."""
    total = 0.0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, col.ROWS] == 0:
            continue
        missed = miss_size(goals, entry, rows, part)
        if goals.labels[entry, col.HARD] == 0:
            total += 0.5 * goals.values[entry, col.WEIGHT] * goals.how.stiffness * missed * missed
            continue
        near = near_enough(goals, entry)
        lacking = math.sqrt(missed * missed + near * near) - near
        if goals.labels[entry, col.HARD] > 1:
            lacking += math.sqrt(missed * missed + goals.how.blur * goals.how.blur) - goals.how.blur
        total += goals.values[entry, col.STRENGTH] * lacking
    return total


@apart
def set_rows(goals: Goals, work: Work) -> None:
    """How much each row gives way, what a step seeks of it, and whether it takes part."""
    for entry in range(goals.labels.shape[0]):
        row, count, hard = goals.labels[entry, col.ROW], goals.labels[entry, col.ROWS], goals.labels[entry, col.HARD]
        if count == 0:
            continue
        missed = miss_size(goals, entry, work.rows, col.MISS)
        # Slopes do not tell what lies far off, so that what is far is sought by strides, with the same force.
        part = min(1.0, goals.how.stride / max(missed, 1e-12))
        if hard == 0:
            give = part / (goals.values[entry, col.WEIGHT] * goals.how.stiffness)
        else:
            give = part / (goals.values[entry, col.STRENGTH] * sharpness(goals, entry, missed))
            give += goals.how.damping * min(goals.how.damping, missed)
        for place in range(row, row + count):
            work.rows[col.GIVE, place], work.rows[col.IS_ON, place] = give, 1.0
            work.rows[col.SOUGHT, place] = part * work.rows[col.MISS, place]
        if is_one_sided(goals.labels[entry, col.GOAL_KIND]) and work.rows[col.MISS, row] <= 0.0:
            work.rows[col.IS_ON, row], work.rows[col.SOUGHT, row] = 0.0, work.rows[col.MISS, row]


@apart
def note_pushes(goals: Goals, work: Work, share: float) -> None:
    """Bring PUSH from what damping made of it to what the rows would pull with at rest.

    All by one part, so that what pulls against each other still does: by what damping left, or the whole where an entry
    pulls with all its strength, for that is no work of damping.
    """
    scale = share
    for entry in range(goals.labels.shape[0]):
        total = 0.0
        for place in range(goals.labels[entry, col.ROW], goals.labels[entry, col.ROW] + goals.labels[entry, col.ROWS]):
            total += work.rows[col.PUSH, place] * work.rows[col.PUSH, place]
        if goals.labels[entry, col.HARD] != 0:
            scale = max(scale, min(1.0, math.sqrt(total) / goals.values[entry, col.STRENGTH]))
    for row in range(work.rows.shape[1]):
        work.rows[col.PUSH, row] *= scale


@apart
def set_stiffness(body: Body, work: Work, share: float) -> None:
    """Fill in STIFF and WISH from METRIC, BEND and PULL."""
    dofs = work.dofs
    for dof in range(dofs.shape[1]):
        dofs[col.BEND, dof] = max(dofs[col.BEND, dof], 0.0)
    for place in range(body.used.shape[0]):
        first = body.joints[body.used[place], col.FIRST]
        if first >= 0 and body.joints[body.used[place], col.KIND] == BALL:
            # One value for both parts of a swing, so that they may be measured along any two directions.
            larger = max(dofs[col.BEND, first], dofs[col.BEND, first + 1])
            dofs[col.BEND, first], dofs[col.BEND, first + 1] = larger, larger
    for dof in range(dofs.shape[1]):
        dofs[col.STIFF, dof] = dofs[col.METRIC, dof] / share + dofs[col.BEND, dof]
        dofs[col.WISH, dof] = dofs[col.PULL, dof] * dofs[col.METRIC, dof] / dofs[col.STIFF, dof]


@apart
def look(goals: Goals, body: Body, work: Work) -> None:
    """Fill in where joints are, the centre of mass if goals speak of it, and what each row lacks ahead."""
    place_joints(body, work.stance, work.world, body.used)
    for entry in range(goals.labels.shape[0]):
        if is_about_mass(goals.labels[entry, col.GOAL_KIND]):
            find_center(body, work)
            break
    measure(goals, body, work)


@apart
def find_center(body: Body, work: Work) -> None:
    """Fill in what hangs from each joint, and the centre of mass."""
    gather_mass(body, work.world, work.carried)
    total, first = 0.0, (0.0, 0.0, 0.0)
    for joint in range(body.joints.shape[0]):
        if body.joints[joint, col.PARENT] < 0:
            total, first = total + work.carried[joint, 0], plus(first, three(work.carried, joint, 1))
    put_three(work.lever, 3, 0, scaled(first, 1.0 / total))


def keep_ahead(rows: FloatArray) -> None:
    """Take what rows lack ahead as what they lack here."""
    for row in range(rows.shape[1]):
        rows[col.MISS, row] = rows[col.AHEAD, row]


@apart
def are_met(goals: Goals, rows: FloatArray) -> bool:
    """Whether all hard entries are met."""
    for entry in range(goals.labels.shape[0]):
        is_hard = goals.labels[entry, col.ROWS] != 0 and goals.labels[entry, col.HARD] == 1
        if is_hard and miss_size(goals, entry, rows, col.MISS) > near_enough(goals, entry):
            return False
    return True


@apart
def advance(goals: Goals, body: Body, work: Work, damping: float) -> float:
    """Take the next step; what it should bring the cost down to. STEP is left as it was before it was corrected."""
    share = 1.0 / (1.0 + damping)
    write_columns(body, work.stance, work.world)
    write_slopes(goals, body, work)
    set_stiffness(body, work, share)
    set_rows(goals, work)
    set_edges(body, work)
    left = find_step(goals, body, work)
    note_pushes(goals, work, share)
    take_step(body, work.stance, work.dofs)
    return 0.5 * left + cost_of_misses(goals, work.rows, col.GUESS)


@apart
def descend(goals: Goals, body: Body, work: Work, home: FloatArray, settle: float, most: int) -> int:
    """Step downhill from ``stance`` until little is gained or ``most`` steps are taken; the number of steps.

    The row MISS is left as it is at the end.
    """
    for dof in range(work.dofs.shape[1]):
        work.dofs[col.HELD, dof] = 0.0
    for row in range(work.rows.shape[1]):
        work.rows[col.PUSH, row] = 0.0
    damping, growth, cost, promised, steps, size, dull = FIRST_DAMPING, 2.0, math.inf, math.inf, 0, math.inf, 0
    while True:
        look(goals, body, work)
        write_pull(body, work.stance, home, work.dofs)
        new_cost = 0.5 * square(work, col.PULL) + cost_of_misses(goals, work.rows, col.AHEAD)
        if new_cost < cost:
            gained, promise = cost - new_cost, cost - promised
            cost = new_cost
            keep_ahead(work.rows)
            copy_stance(work.stance, work.saved)
            met = are_met(goals, work.rows)
            dull = dull + 1 if gained <= (DULL if met else VERY_DULL) * cost else 0
            way = min(math.sqrt(square(work, col.PULL)), FAR * goals.how.still)
            settled = settle >= 1.0 or size <= max(goals.how.still, settle * way)
            if (settled and met) or dull >= PATIENCE or size <= 0.1 * goals.how.still:
                return steps
            if steps > 0:
                damping, growth = damping * damping_factor(gained, promise), 2.0
        else:
            copy_stance(work.saved, work.stance)
            damping, growth = max(damping, LEAST_DAMPING) * growth, growth * 2.0
            if damping > HOPELESS:
                return steps
            look(goals, body, work)
            write_pull(body, work.stance, home, work.dofs)
        if steps >= most:
            return steps
        steps += 1
        promised = advance(goals, body, work, damping)
        # What damping held back does not count as come to rest.
        size = math.sqrt(square(work, col.STEP)) * (1.0 + damping)
        look(goals, body, work)
        correct_step(body, work)
        take_step(body, work.stance, work.dofs)


def damping_factor(gained: float, promise: float) -> float:
    """By what to change the damping after a step that gained so much of what it promised."""
    if promise <= 0.0:
        return 1.0
    off = 2.0 * gained / promise - 1.0
    return min(max(1.0 - off * off * off, 0.1), 2.0)


NUDGE = 0.2
"""Radians by which the first new beginning bends joints towards the middle of their ranges: for straight limbs."""
WIDE = 2.0
"""Radians to either side of home within which a joint without limits is tried."""
MEEK = 0.3
"""What is left of the strength of a hard entry that gives way to others."""
AFAR = 4.0
"""Strides from which on a body is brought near its goals before anything else."""
ATTEMPT_STEPS = 80
"""Steps of a new beginning at most."""
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
def begin_anew(goals: Goals, body: Body, work: Work, attempt: int) -> None:
    """Put ``stance`` somewhere else: the first time bent a little from where it is, then farther and farther off."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        if body.joints[joint, col.FIRST] < 0:
            continue
        if body.joints[joint, col.KIND] == FREE:
            turn_anew(work.home, work.stance, joint, attempt, body.joints[joint, col.PARENT] < 0)
        else:
            bend_anew(body, work.home, work.stance, joint, attempt)
    if attempt > 1:
        look(goals, body, work)
        for place in range(body.used.shape[0]):
            joint = body.used[place]
            if body.joints[joint, col.TRAVEL] >= 0:
                bring_root(goals, body, work, joint, 0.0)


@apart
def turn_anew(home: FloatArray, stance: FloatArray, joint: int, attempt: int, is_root: bool) -> None:
    """Turn a joint without limits."""
    reach = 2.0 * NUDGE if attempt == 1 else 1.0
    x, y, z = chance(attempt, 3 * joint), chance(attempt, 3 * joint + 1), chance(attempt, 3 * joint + 2)
    way = scaled(minus((x, y, z), (0.5, 0.5, 0.5)), reach)
    if is_root:
        # A body turns round rather than over.
        way = (0.1 * way[0], (0.0 if attempt < 3 else 4.0 * way[1]), 0.1 * way[2])
    source = four(stance if attempt == 1 else home, joint, col.LOCAL)
    put_four(stance, joint, col.LOCAL, unit_rotation(times(source, exponential(way))))


@apart
def bend_anew(body: Body, home: FloatArray, stance: FloatArray, joint: int, attempt: int) -> None:
    """Bend a joint with limits."""
    limits, kind = body.limits, body.joints[joint, col.KIND]
    for column in range(dof_count(kind)):
        low, high = limits[joint, RANGE], limits[joint, RANGE + 1]
        if kind == PIVOT and column == 1:
            low, high = limits[joint, SECOND_RANGE], limits[joint, SECOND_RANGE + 1]
        elif kind == BALL and column < 2:
            high = limits[joint, SECOND_RANGE + column]
            low = -high
        low, high = max(low, home[joint, col.ANGLE + column] - WIDE), min(high, home[joint, col.ANGLE + column] + WIDE)
        if attempt == 1:
            away = 0.5 * (low + high) - stance[joint, col.ANGLE + column]
            stance[joint, col.ANGLE + column] += min(max(away, -NUDGE), NUDGE)
        else:
            share = 0.5 if attempt == 2 else 0.1 + 0.8 * chance(attempt, 3 * joint + column)
            stance[joint, col.ANGLE + column] = low + share * (high - low)
    bend(body, stance, joint, allowed_angles(joint, limits, three(stance, joint, col.ANGLE)))


@apart
def bring_root(goals: Goals, body: Body, work: Work, root: int, slack: float) -> None:
    """Move a root so that the places asked of its body are missed, in the middle, by no more than ``slack``."""
    count, way = 0, (0.0, 0.0, 0.0)
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, col.ROWS] != 3 or goals.labels[entry, col.GOAL_KIND] != PLACE:
            continue
        joint = goals.labels[entry, col.JOINT]
        while body.joints[joint, col.PARENT] >= 0:
            joint = body.joints[joint, col.PARENT]
        if joint == root:
            way = plus(way, three(work.rows, col.AHEAD, goals.labels[entry, col.ROW]))
            count += 1
    far = size(way)
    if far > slack * count:
        moved = scaled(way, (1.0 - slack * count / far) / count)
        put_three(work.stance, root, col.OFFSET, plus(three(work.stance, root, col.OFFSET), moved))


@apart
def come_near(goals: Goals, body: Body, work: Work) -> None:
    """Bring bodies that may travel to where they are asked for from afar: what is nearer is left to the descent."""
    for place in range(body.used.shape[0]):
        if body.joints[body.used[place], col.TRAVEL] >= 0:
            bring_root(goals, body, work, body.used[place], AFAR * goals.how.stride)


def reach_between(body: Body, stance: FloatArray, first: int, second: int) -> float:
    """Metres along the bones from one joint to another; infinite if they are not of one body."""
    total = 0.0
    while first != second:
        if first < second:
            first, second = second, first
        # The later joint cannot stand above the other.
        total += size(three(stance, first, col.OFFSET))
        first = body.joints[first, col.PARENT]
        if first < 0:
            return 1e30
    return total


def is_hard_place(goals: Goals, entry: int) -> bool:
    """Whether an entry asks for a whole place and has not given way."""
    labels = goals.labels
    return labels[entry, col.HARD] == 1 and labels[entry, col.ROWS] == 3 and labels[entry, col.GOAL_KIND] == PLACE


@apart
def beyond_reach(goals: Goals, body: Body, stance: FloatArray, world: FloatArray) -> int:
    """A hard place that certainly cannot be met, -1 for none: too far from what stays, or from another hard place.

    Of two places too far from each other it is the one that asks for more.
    """
    labels, values = goals.labels, goals.values
    for entry in range(labels.shape[0]):
        if not is_hard_place(goals, entry):
            continue
        target, own = three(values, entry, col.TARGET), size(three(values, entry, col.POINT)) + goals.how.near
        top = highest_movable(body, labels[entry, col.JOINT])
        if top >= 0:
            far = size(minus(target, three(world, top, col.PLACE_AT)))
            if far > reach_between(body, stance, labels[entry, col.JOINT], top) + own:
                return entry
        for other in range(entry):
            if is_hard_place(goals, other):
                reach = reach_between(body, stance, labels[entry, col.JOINT], labels[other, col.JOINT]) + own
                reach += size(three(values, other, col.POINT)) + goals.how.near
                if size(minus(target, three(values, other, col.TARGET))) > reach:
                    return entry if values[entry, col.ASKED] >= values[other, col.ASKED] else other
    return -1


def highest_movable(body: Body, joint: int) -> int:
    """The highest that may turn of ``joint`` and those above it: it stays where it is. -1 if a root travels."""
    top = joint
    while joint >= 0:
        if body.joints[joint, col.TRAVEL] >= 0:
            return -1
        if body.joints[joint, col.FIRST] >= 0:
            top = joint
        joint = body.joints[joint, col.PARENT]
    return top


@apart
def soften(goals: Goals, guilty: int) -> None:
    """Let a hard entry give way to the others; one that is alone is sought with less force as well."""
    hard = 0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, col.ROWS] != 0 and goals.labels[entry, col.HARD] != 0:
            hard += 1
    goals.labels[guilty, col.HARD] = 2 if hard > 1 else 3
    goals.values[guilty, col.STRENGTH] *= MEEK


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
        if goals.labels[entry, col.ROWS] != 0 and goals.labels[entry, col.HARD] == 1:
            size = miss_size(goals, entry, rows, col.MISS)
            guilt = size * (size + goals.values[entry, col.ASKED])
            if size > near_enough(goals, entry) and guilt > largest:
                guilty, largest = entry, guilt
    return guilty


@apart
def all_missed(goals: Goals, rows: FloatArray) -> float:
    """How far all hard entries together are missed, metres."""
    total = 0.0
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, col.ROWS] != 0 and goals.labels[entry, col.HARD] == 1:
            total += miss_size(goals, entry, rows, col.MISS)
    return total


@apart
def stiffen(goals: Goals) -> None:
    """Let hard entries pull harder."""
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, col.HARD] == 1:
            goals.values[entry, col.STRENGTH] *= STIFFER


@apart
def seek(goals: Goals, body: Body, work: Work) -> int:
    """Bend the body until all hard entries are met, or those that stand in the way have given way; the steps taken.

    First from where it is. Then from new beginnings: each time the goals are sought from there alone, and only when
    they are met with the way home in mind; what does not meet them is given up for the first result. When the same
    misses come up again and again, or nothing is left to try, the guiltiest gives way, and the next.
    """
    home, first, begun, found, how = work.home, work.first, work.begun, work.found, goals.how
    phase, attempt, steps, again, least, is_stiff = FIRST_TRY, 0, 0, 0, 0.0, False
    while True:
        if phase == ANEW:
            steps += descend(goals, body, work, begun, 1.0, ATTEMPT_STEPS)
        else:
            steps += descend(goals, body, work, home, how.settle, how.steps)
        if are_met(goals, work.rows):
            if phase != ANEW:
                return steps
            phase = SETTLING
            copy_stance(work.stance, found)
            continue
        missed = all_missed(goals, work.rows)
        if phase != ANEW and not is_stiff and missed < CLOSE * goals.how.stride:
            is_stiff = True
            stiffen(goals)
            continue
        if phase == FIRST_TRY:
            copy_stance(work.stance, first)
            least = missed
            phase = ANEW if how.attempts > 0 else YIELDING
        elif phase == ANEW:
            attempt += 1
            if missed < (1.0 - ALIKE) * least:
                least, again = missed, 0
            elif attempt > NEARBY and missed < (1.0 + ALIKE) * least:
                again += 1
        if phase == SETTLING or (phase == ANEW and (attempt > how.attempts or again >= OFTEN)):
            copy_stance(found if phase == SETTLING else first, work.stance)
            look(goals, body, work)
            keep_ahead(work.rows)
            if phase == SETTLING:
                return steps
            phase = YIELDING
        if phase == ANEW:
            if attempt > 0:
                copy_stance(first, work.stance)
                begin_anew(goals, body, work, attempt)
            copy_stance(work.stance, begun)
        else:
            soften(goals, guiltiest(goals, work.rows))
