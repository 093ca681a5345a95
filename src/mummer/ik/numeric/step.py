"""One step: the least costly move that meets what the rows lack, with no joint past its edge.

The step is ``wish + W Jᵀ (J W Jᵀ + C)⁻¹ (miss - J wish)``: J the slopes, W the inverse metric, C how much rows give
way, and wish the way back home. What would leave its limits is put on its edge and held there, one-sided rows are taken
in when they would be missed, and both are let go when the forces say so: the active set. Then it is solved again.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.limits import (
    RANGE,
    SECOND_RANGE,
    nearest_in_ellipse,
)
from mummer.ik.numeric.posing import dof_count, is_way
from mummer.ik.numeric.records import (
    AHEAD,
    ANGLE,
    BEND,
    EDGE,
    FIRST,
    FORCE,
    GIVE,
    GOAL_KIND,
    GOAL_SIDE,
    GUESS,
    HELD,
    IS_ON,
    KIND,
    LEAST,
    METRIC,
    MISS,
    MOST,
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
from mummer.ik.numeric.rows import is_one_sided
from mummer.kernels.linking import apart

PASSES = 12


@apart
def find_step(goals: Goals, body: Body, work: Work) -> float:
    """Fill in STEP and GUESS.

    Returns:
        The metric's square of the way home that would be left after the step, and what bends in circles cost.
    """
    for _ in range(PASSES):
        spread_slopes(work)
        solve_once(work)
        changed = hold_what_leaves(body, work)
        changed += let_go(work)
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
        total += dofs[METRIC, dof] * left * left + dofs[BEND, dof] * dofs[STEP, dof] * dofs[STEP, dof]
    return total


@apart
def spread_slopes(work: Work) -> None:
    """Fill in the spread slopes, and the step as it would be without goals."""
    dofs = work.dofs
    for dof in range(dofs.shape[1]):
        inverse = 1.0 / dofs[STIFF, dof] if dofs[HELD, dof] == 0.0 else 0.0
        dofs[STEP, dof] = dofs[WISH, dof] if dofs[HELD, dof] == 0.0 else dofs[EDGE, dof]
        for row in range(work.spans[dof, 0], work.spans[dof, 1]):
            work.spread[dof, row] = inverse * work.slopes[dof, row]


@apart
def solve_once(work: Work) -> None:
    """The step for what is held and which rows are on just now."""
    slopes, spread, normal, rows = work.slopes, work.spread, work.normal, work.rows
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
            for column in range(first, row + 1):
                normal[row, column] += slope * spread[dof, column]
    factor(normal, rows)
    solve_factored(normal, rows)
    add_forces(work)


def add_forces(work: Work) -> None:
    """Add to STEP what the forces of the rows do."""
    for dof in range(work.slopes.shape[0]):
        for row in range(work.spans[dof, 0], work.spans[dof, 1]):
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


EVER = 1e8
"""Radians or metres: no edge at all."""
THIN = 1e-12
LARGEST_TURN = 1.0
"""Radians that a joint turns in one step at most: slopes do not tell what lies farther on."""


@apart
def set_edges(body: Body, work: Work) -> None:
    """Fill in how far each degree of freedom may go, and hold again what was held before and still is at its edge."""
    for dof in range(work.dofs.shape[1]):
        reach = EVER if is_way(body, dof) else LARGEST_TURN
        work.dofs[LEAST, dof], work.dofs[MOST, dof] = -reach, reach
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, kind = body.joints[joint, FIRST], body.joints[joint, KIND]
        if first < 0:
            continue
        if kind == FREE:
            for dof in range(first, first + 3):
                work.dofs[HELD, dof] = 0.0
            continue
        twist = 2 if kind == BALL else 0
        set_range(
            work.dofs,
            first + twist,
            work.stance[joint, ANGLE + twist],
            body.limits[joint, RANGE],
            body.limits[joint, RANGE + 1],
        )
        if kind == PIVOT:
            low, high = body.limits[joint, SECOND_RANGE], body.limits[joint, SECOND_RANGE + 1]
            set_range(work.dofs, first + 1, work.stance[joint, ANGLE + 1], low, high)
        for dof in range(first + (2 if kind == BALL else 0), first + dof_count(kind)):
            hold_again(work.dofs, dof)
        if kind == BALL:
            hold_swing_again(body, work, joint, first)


def set_range(dofs: FloatArray, dof: int, angle: float, low: float, high: float) -> None:
    """Let a step lead no farther than from ``low`` to ``high``."""
    dofs[LEAST, dof], dofs[MOST, dof] = max(dofs[LEAST, dof], low - angle), min(dofs[MOST, dof], high - angle)


def hold_again(dofs: FloatArray, dof: int) -> None:
    """Keep holding what is at its edge."""
    if dofs[HELD, dof] < 0.0 and dofs[LEAST, dof] > -1e-9:
        dofs[EDGE, dof] = dofs[LEAST, dof]
    elif dofs[HELD, dof] > 0.0 and dofs[MOST, dof] < 1e-9:
        dofs[EDGE, dof] = dofs[MOST, dof]
    else:
        dofs[HELD, dof] = 0.0


def hold_swing_again(body: Body, work: Work, joint: int, first: int) -> None:
    """Keep holding a ball's swing that is at the rim of its cone; measure all others along the limit's own axes."""
    work.normals[joint, 0], work.normals[joint, 1] = 1.0, 0.0
    was_held = work.dofs[HELD, first] != 0.0
    work.dofs[HELD, first], work.dofs[HELD, first + 1] = 0.0, 0.0
    if was_held and how_far_out(body, joint, work.stance[joint, ANGLE], work.stance[joint, ANGLE + 1]) > 1.0 - 1e-7:
        hold_swing(body, work, joint, work.stance[joint, ANGLE], work.stance[joint, ANGLE + 1])


def how_far_out(body: Body, joint: int, u: float, v: float) -> float:
    """One for a swing on the rim of a ball's cone, less inside."""
    x, y = u / max(body.limits[joint, SECOND_RANGE], THIN), v / max(body.limits[joint, SECOND_RANGE + 1], THIN)
    return x * x + y * y


@apart
def hold_swing(body: Body, work: Work, joint: int, u: float, v: float) -> None:
    """Hold a ball's swing against the rim of its cone at (u, v): across the rim it is held, along it is not."""
    first = body.joints[joint, FIRST]
    wide, tall = max(body.limits[joint, SECOND_RANGE], THIN), max(body.limits[joint, SECOND_RANGE + 1], THIN)
    nx, ny = u / (wide * wide), v / (tall * tall)
    size = math.sqrt(nx * nx + ny * ny)
    nx, ny = nx / size, ny / size
    cosine = work.normals[joint, 0] * nx + work.normals[joint, 1] * ny
    sine = work.normals[joint, 0] * ny - work.normals[joint, 1] * nx
    for row in range(work.slopes.shape[1]):
        turn_pair(work.slopes, first, row, cosine, sine)
    for part in range(WISH, STEP + 1):
        a, b = work.dofs[part, first], work.dofs[part, first + 1]
        work.dofs[part, first], work.dofs[part, first + 1] = cosine * a + sine * b, cosine * b - sine * a
    work.normals[joint, 0], work.normals[joint, 1] = nx, ny
    work.dofs[HELD, first] = 1.0
    work.dofs[EDGE, first] = nx * (u - work.stance[joint, ANGLE]) + ny * (v - work.stance[joint, ANGLE + 1])


def turn_pair(table: FloatArray, first: int, column: int, cosine: float, sine: float) -> None:
    """Measure two neighbouring rows along directions that are turned."""
    a, b = table[first, column], table[first + 1, column]
    table[first, column], table[first + 1, column] = cosine * a + sine * b, cosine * b - sine * a


@apart
def swing_back(body: Body, work: Work) -> None:
    """Turn the steps of swings from their own directions back to those of the limits."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first = body.joints[joint, FIRST]
        if first >= 0 and body.joints[joint, KIND] == BALL:
            nx, ny = work.normals[joint, 0], work.normals[joint, 1]
            a, b = work.dofs[STEP, first], work.dofs[STEP, first + 1]
            work.dofs[STEP, first], work.dofs[STEP, first + 1] = nx * a - ny * b, ny * a + nx * b


@apart
def hold_what_leaves(body: Body, work: Work) -> int:
    """Put what would leave its limits on its edge; how many did."""
    changed, dofs = 0, work.dofs
    for dof in range(dofs.shape[1]):
        if dofs[HELD, dof] == 0.0:
            if dofs[STEP, dof] < dofs[LEAST, dof] - 1e-12:
                dofs[HELD, dof], dofs[EDGE, dof] = -1.0, dofs[LEAST, dof]
                changed += 1
            elif dofs[STEP, dof] > dofs[MOST, dof] + 1e-12:
                dofs[HELD, dof], dofs[EDGE, dof] = 1.0, dofs[MOST, dof]
                changed += 1
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first = body.joints[joint, FIRST]
        if first >= 0 and body.joints[joint, KIND] == BALL and dofs[HELD, first] == 0.0:
            nx, ny = work.normals[joint, 0], work.normals[joint, 1]
            a, b = dofs[STEP, first], dofs[STEP, first + 1]
            u, v = work.stance[joint, ANGLE] + nx * a - ny * b, work.stance[joint, ANGLE + 1] + ny * a + nx * b
            if how_far_out(body, joint, u, v) > 1.0 + 1e-9:
                u, v = nearest_in_ellipse(u, v, body.limits[joint, SECOND_RANGE], body.limits[joint, SECOND_RANGE + 1])
                hold_swing(body, work, joint, u, v)
                changed += 1
    return changed


@apart
def let_go(work: Work) -> int:
    """Let go of what the forces would draw inwards from its edge; how many were."""
    changed, dofs = 0, work.dofs
    for dof in range(dofs.shape[1]):
        if dofs[HELD, dof] != 0.0 and dofs[STEP, dof] == dofs[EDGE, dof]:
            slope = dofs[STIFF, dof] * (dofs[STEP, dof] - dofs[WISH, dof])
            for row in range(work.spans[dof, 0], work.spans[dof, 1]):
                slope -= work.slopes[dof, row] * work.rows[FORCE, row]
            if slope * dofs[HELD, dof] > 1e-9 * dofs[STIFF, dof]:
                dofs[HELD, dof] = 0.0
                changed += 1
    return changed


@apart
def factor(matrix: FloatArray, rows: FloatArray) -> None:
    """Replace the lower half of ``matrix`` (R, R) by its Cholesky factor; rows that are not on are left out.

    A diagonal that rounding made too small is lifted; each beside what it was itself, for rows that count for little
    have diagonals beyond compare.
    """
    count = matrix.shape[0]
    for row in range(count):
        if rows[IS_ON, row] == 0.0:
            continue
        floor = 1e-14 * matrix[row, row] + 1e-300
        for column in range(row + 1):
            if rows[IS_ON, column] == 0.0:
                matrix[row, column] = 0.0
                continue
            total = matrix[row, column]
            for k in range(column):
                total -= matrix[row, k] * matrix[column, k]
            if row == column:
                matrix[row, row] = math.sqrt(max(total, floor))
            else:
                matrix[row, column] = total / matrix[column, column]


@apart
def solve_factored(matrix: FloatArray, rows: FloatArray) -> None:
    """Fill FORCE so that the factored matrix times it is GOAL_SIDE; zero for rows that are off."""
    count = matrix.shape[0]
    for row in range(count):
        rows[FORCE, row] = 0.0
        if rows[IS_ON, row] != 0.0:
            total = rows[GOAL_SIDE, row]
            for k in range(row):
                total -= matrix[row, k] * rows[FORCE, k]
            rows[FORCE, row] = total / matrix[row, row]
    for back in range(count):
        row = count - 1 - back
        if rows[IS_ON, row] != 0.0:
            rows[FORCE, row] /= matrix[row, row]
            for k in range(row):
                rows[FORCE, k] -= matrix[row, k] * rows[FORCE, row]
