"""One step: the least costly move that meets what the rows lack, with no joint past its edge.

The step is ``wish + W Jᵀ (J W Jᵀ + C)⁻¹ (miss - J wish)``: J the slopes, W the inverse metric, C how much rows give
way, and wish the way back home. What would leave its limits is put on its edge and held there, one-sided rows are taken
in when they would be missed, and both are let go when the forces say so; then the step is solved again.
"""

from __future__ import annotations

from mummer.arrays import FloatArray
from mummer.ik.numeric.arguments import (
    AHEAD,
    BEND,
    EDGE,
    FORCE,
    GIVE,
    GOAL_KIND,
    GOAL_SIDE,
    GUESS,
    HELD,
    IS_ON,
    METRIC,
    MISS,
    PULL,
    PUSH,
    ROW,
    ROWS,
    SOUGHT,
    STEP,
    STIFF,
    WISH,
    Body,
    Goals,
    Work,
)
from mummer.ik.numeric.edges import hold_what_leaves, let_go, swing_back
from mummer.ik.numeric.misses import is_one_sided
from mummer.ik.numeric.small_systems import factor, solve_factored
from mummer.kernels.linking import apart

PASSES = 12


@apart
def find_step(goals: Goals, body: Body, stance: FloatArray, work: Work, share: float) -> float:
    """Fill in STEP and GUESS; ``share`` is what damping leaves of the inverse metric.

    Returns:
        The metric's square of the way home that would be left after the step, and what bends in circles cost.
    """
    for _ in range(PASSES):
        if work.dense.shape[1] == 0:
            spread_diagonal(work)
        else:
            spread_full(work, share)
        solve_once(work)
        changed = hold_what_leaves(body, stance, work)
        changed += let_go(work, share)
        changed += switch_rows(goals, work)
        if changed == 0:
            break
    for row in range(work.rows.shape[1]):
        work.rows[GUESS, row] = lacking_after(work, row)
        work.rows[PUSH, row] = work.rows[FORCE, row]
    left = square_left(work)
    swing_back(body, work)
    return left


@apart
def square_left(work: Work) -> float:
    """The metric's square of what the step leaves of the way home."""
    total, dofs = 0.0, work.dofs
    for dof in range(dofs.shape[1]):
        left = dofs[PULL, dof] - dofs[STEP, dof]
        if work.dense.shape[1] == 0:
            total += dofs[METRIC, dof] * left * left + dofs[BEND, dof] * dofs[STEP, dof] * dofs[STEP, dof]
        else:
            for other in range(dofs.shape[1]):
                total += work.dense[0, dof, other] * left * (dofs[PULL, other] - dofs[STEP, other])
    return total


@apart
def spread_diagonal(work: Work) -> None:
    """Fill in the spread slopes, and the step as it would be without goals."""
    dofs = work.dofs
    for dof in range(dofs.shape[1]):
        inverse = 1.0 / dofs[STIFF, dof] if dofs[HELD, dof] == 0.0 else 0.0
        dofs[STEP, dof] = dofs[WISH, dof] if dofs[HELD, dof] == 0.0 else dofs[EDGE, dof]
        for row in range(work.spans[dof, 0], work.spans[dof, 1]):
            work.spread[dof, row] = inverse * work.slopes[dof, row]


@apart
def spread_full(work: Work, share: float) -> None:
    """The same for the full metric: holding one degree of freedom drags along what it is coupled with."""
    dofs, room = work.dofs, work.room
    count = dofs.shape[1]
    for row in range(count):
        dofs[STEP, row] = dofs[WISH, row]
        for column in range(count):
            room[row, column] = share * work.dense[1, row, column]
    for dof in range(count):
        if dofs[HELD, dof] != 0.0 and room[dof, dof] > 0.0:
            lacking = (dofs[EDGE, dof] - dofs[STEP, dof]) / room[dof, dof]
            for row in range(count):
                dofs[STEP, row] += lacking * room[row, dof]
            take_out(room, dof)
            dofs[STEP, dof] = dofs[EDGE, dof]
    for dof in range(count):
        for row in range(work.slopes.shape[1]):
            work.spread[dof, row] = 0.0
        for other in range(count):
            if room[dof, other] != 0.0:
                for row in range(work.slopes.shape[1]):
                    work.spread[dof, row] += room[dof, other] * work.slopes[other, row]


def take_out(room: FloatArray, dof: int) -> None:
    """Change an inverse metric to that of a body in which one degree of freedom is held."""
    count, size = room.shape[0], room[dof, dof]
    for row in range(count):
        if row != dof and room[row, dof] != 0.0:
            factor_of = room[row, dof] / size
            for column in range(count):
                if column != dof:
                    room[row, column] -= factor_of * room[dof, column]
    for row in range(count):
        room[row, dof], room[dof, row] = 0.0, 0.0


@apart
def solve_once(work: Work) -> None:
    """The step for what is held and which rows are on just now."""
    slopes, spread, normal, rows = work.slopes, work.spread, work.normal, work.rows
    is_full = work.dense.shape[1] > 0
    for row in range(rows.shape[1]):
        rows[GOAL_SIDE, row] = rows[SOUGHT, row]
        for column in range(row):
            normal[row, column] = 0.0
        normal[row, row] = rows[GIVE, row]
    for dof in range(slopes.shape[0]):
        base, first = work.dofs[STEP, dof], work.spans[dof, 0]
        for row in range(first, work.spans[dof, 1]):
            slope = slopes[dof, row]
            rows[GOAL_SIDE, row] -= slope * base
            # The full metric spreads each degree of freedom over all rows.
            for column in range(0 if is_full else first, row + 1):
                normal[row, column] += slope * spread[dof, column]
    factor(normal, rows)
    solve_factored(normal, rows)
    add_forces(work)


def add_forces(work: Work) -> None:
    """Add to STEP what the forces of the rows do."""
    is_full = work.dense.shape[1] > 0
    for dof in range(work.slopes.shape[0]):
        first, last = work.spans[dof, 0], work.spans[dof, 1]
        if is_full:
            first, last = 0, work.rows.shape[1]
        for row in range(first, last):
            work.dofs[STEP, dof] += work.spread[dof, row] * work.rows[FORCE, row]


@apart
def correct_step(body: Body, work: Work) -> None:
    """Fill STEP with what makes up for the bend of the way: rows that are on lack AHEAD though slopes said GUESS."""
    rows = work.rows
    for row in range(rows.shape[1]):
        rows[GOAL_SIDE, row] = rows[AHEAD, row] - rows[GUESS, row]
    solve_factored(work.normal, rows)
    for dof in range(work.dofs.shape[1]):
        work.dofs[STEP, dof] = 0.0
    add_forces(work)
    swing_back(body, work)


@apart
def switch_rows(goals: Goals, work: Work) -> int:
    """Take in one-sided rows that the step would miss, and leave out those that pull the wrong way; how many."""
    changed, rows = 0, work.rows
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, ROWS] == 0 or not is_one_sided(goals.labels[entry, GOAL_KIND]):
            continue
        row = goals.labels[entry, ROW]
        if rows[IS_ON, row] != 0.0:
            if rows[FORCE, row] < 0.0:
                rows[IS_ON, row] = 0.0
                changed += 1
        elif lacking_after(work, row) > 1e-9:
            rows[IS_ON, row] = 1.0
            changed += 1
    return changed


def lacking_after(work: Work, row: int) -> float:
    """What a row will lack after the step, as far as slopes can tell."""
    left = work.rows[MISS, row]
    for dof in range(work.dofs.shape[1]):
        left -= work.slopes[dof, row] * work.dofs[STEP, dof]
    return left
