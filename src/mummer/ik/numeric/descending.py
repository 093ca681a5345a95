"""Step after step downhill: what a stance costs, and how to lessen it until nothing more can be gained.

The cost of a stance is half the metric's square of the way from home, plus the strength of each hard entry times how
far it is missed, plus half the stiffness of each soft entry times the square of its miss. A hard entry pulls with the
same force however far its target is: it is met exactly when its strength suffices, and out of reach it stretches the
body no harder than from nearby, which is why no limb trembles.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import FREE
from mummer.ik.goal_table import MASS_HALF_SPACE, MASS_PLACE
from mummer.ik.numeric.arguments import Body, Entries, Masses, Scales, Stance, Work, World
from mummer.ik.numeric.metric import gather_mass
from mummer.ik.numeric.misses import is_inequality, measure, miss_size
from mummer.ik.numeric.posing import dof_count, place_joints, take_step
from mummer.ik.numeric.slopes import write_slopes
from mummer.ik.numeric.stepping import find_step, hold_again, largest_turn, set_edges
from mummer.ik.numeric.turns import from_to

LARGEST_TURN = 1.0
"""Radians that a joint turns in one step at most: slopes do not tell what lies farther on."""


def write_pull(body: Body, stance: Stance, home: Stance, work: Work) -> None:
    """Fill ``work.pull``: the way from here back home, for each degree of freedom."""
    pull = work.pull
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, travel = body.first[joint], body.travel[joint]
        if travel >= 0:
            for axis in range(3):
                pull[travel + axis] = home.offsets[joint, axis] - stance.offsets[joint, axis]
        if first < 0:
            continue
        if body.kinds[joint] == FREE:
            own, back = stance.local, home.local
            # In the joint's own frame: what must follow the joint's turn to lead home.
            x, y, z = from_to(
                -own[joint, 0], -own[joint, 1], -own[joint, 2], own[joint, 3],
                -back[joint, 0], -back[joint, 1], -back[joint, 2], back[joint, 3],
            )  # fmt: skip
            pull[first], pull[first + 1], pull[first + 2] = -x, -y, -z
        else:
            for column in range(dof_count(body.kinds[joint])):
                pull[first + column] = home.angles[joint, column] - stance.angles[joint, column]


def cost_of(entries: Entries, work: Work, scales: Scales, ahead: bool) -> float:
    """What a stance costs, of which ``work.pull`` and the misses are known; ``ahead`` reads those after the step."""
    total = 0.0
    for dof in range(work.pull.shape[0]):
        total += 0.5 * work.metric[dof] * work.pull[dof] * work.pull[dof]
    return total + cost_of_misses(entries, work, scales, ahead)


def cost_of_misses(entries: Entries, work: Work, scales: Scales, ahead: bool) -> float:
    """The part of the cost that comes from the goals."""
    total = 0.0
    miss = work.ahead if ahead else work.miss
    for entry in range(entries.kinds.shape[0]):
        if entries.rows[entry] == 0:
            continue
        size = miss_size(entries, entry, miss)
        if entries.hard[entry] != 0:
            total += work.strength[entry] * size
        else:
            total += 0.5 * entries.weights[entry] * scales.stiffness * size * size
    return total


def set_give(entries: Entries, work: Work, scales: Scales) -> None:
    """How much each row gives way, and which rows take part."""
    for entry in range(entries.kinds.shape[0]):
        row, count = entries.row[entry], entries.rows[entry]
        if count == 0:
            continue
        if entries.hard[entry] != 0:
            give = max(miss_size(entries, entry, work.miss), 1e-3 * scales.near) / work.strength[entry]
        else:
            give = 1.0 / (entries.weights[entry] * scales.stiffness)
        for place in range(row, row + count):
            work.give[place] = give
            work.on[place] = 1
        if is_inequality(entries.kinds[entry]):
            work.on[row] = 1 if work.miss[row] > 0.0 else 0


def look(entries: Entries, body: Body, masses: Masses, stance: Stance, world: World, work: Work, speaks: bool) -> None:
    """Fill in where joints are and ``work.ahead``; ``speaks`` says whether a goal is about the centre of mass."""
    place_joints(body, stance, world, body.used)
    if speaks:
        gather_mass(body, masses, world, work.carried)
        total = 0.0
        work.center[:] = 0.0
        for joint in range(body.parents.shape[0]):
            if body.parents[joint] < 0:
                total += work.carried[joint, 0]
                for axis in range(3):
                    work.center[axis] += work.carried[joint, 1 + axis]
        for axis in range(3):
            work.center[axis] /= total
    measure(entries, body, stance, world, work.center, work.ahead)


def speaks_of_mass(entries: Entries) -> bool:
    """Whether an entry is about the centre of mass."""
    for entry in range(entries.kinds.shape[0]):
        if entries.kinds[entry] == MASS_PLACE or entries.kinds[entry] == MASS_HALF_SPACE:
            return True
    return False


def copy_stance(body: Body, source: Stance, target: Stance) -> None:
    """Make ``target`` stand as ``source`` does."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        for part in range(4):
            target.local[joint, part] = source.local[joint, part]
        for part in range(3):
            target.angles[joint, part] = source.angles[joint, part]
            target.offsets[joint, part] = source.offsets[joint, part]


def worst_hard(entries: Entries, miss: FloatArray) -> float:
    """The largest miss of a hard entry, metres."""
    worst = 0.0
    for entry in range(entries.kinds.shape[0]):
        if entries.rows[entry] != 0 and entries.hard[entry] != 0:
            worst = max(worst, miss_size(entries, entry, miss))
    return worst


def descend(
    entries: Entries,
    body: Body,
    masses: Masses,
    home: Stance,
    stance: Stance,
    saved: Stance,
    world: World,
    work: Work,
    scales: Scales,
    most: int,
) -> int:
    """Step downhill from ``stance`` until little is gained or ``most`` steps are taken; the number of steps.

    ``work.miss`` is left as it is at the end.
    """
    speaks = speaks_of_mass(entries)
    work.held[:] = 0
    work.on[:] = 1
    damping, growth = 0.0, 2.0
    cost, steps, looked, size = math.inf, 0, False, math.inf
    while True:
        look(entries, body, masses, stance, world, work, speaks)
        write_pull(body, stance, home, work)
        new_cost = cost_of(entries, work, scales, True)
        if not looked or new_cost < cost:
            gained = cost - new_cost
            cost = new_cost
            work.miss[:] = work.ahead
            copy_stance(body, stance, saved)
            if looked:
                damping, growth = (0.0 if damping < 1e-3 else damping * 0.25), 2.0
                met = worst_hard(entries, work.miss) <= scales.near
                if met and size <= scales.still or gained <= 1e-12 * cost:
                    return steps
            looked = True
            write_slopes(entries, body, world, work.carried, work.lever, work.slopes)
        else:
            copy_stance(body, saved, stance)
            write_pull(body, stance, home, work)
            damping, growth = max(damping * growth, 0.1), growth * 2.0
            if damping > 1e12:
                return steps
            # The slopes were measured for swings along other directions; they must be taken anew.
            place_joints(body, stance, world, body.used)
            if speaks:
                gather_mass(body, masses, world, work.carried)
            write_slopes(entries, body, world, work.carried, work.lever, work.slopes)
        if steps >= most:
            return steps
        steps += 1
        share = 1.0 / (1.0 + damping)
        for dof in range(work.pull.shape[0]):
            work.wish[dof] = share * work.pull[dof]
        set_give(entries, work, scales)
        set_edges(body, stance, work)
        hold_again(body, stance, work)
        find_step(entries, body, stance, work, share)
        cut = min(1.0, LARGEST_TURN / max(largest_turn(body, work.step), 1e-12))
        size = 0.0
        for dof in range(work.step.shape[0]):
            size += work.metric[dof] * work.step[dof] * work.step[dof]
        size = cut * math.sqrt(size)
        take_step(body, stance, work.step, cut)
