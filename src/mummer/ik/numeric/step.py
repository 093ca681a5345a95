"""One step: the least costly move that meets what the rows lack, with no joint past its edge.

The step is ``wish + W Jᵀ (J W Jᵀ + C)⁻¹ (miss - J wish)``: J the slopes, W the inverse metric, C how much rows give
way, and wish the way back home. What would leave its limits is put on its edge and held there, one-sided rows are taken
in when they would be missed, and both are let go when the forces say so: the active set. Then it is solved again.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.limits import RANGE, SECOND_RANGE, nearest_in_ellipse
from mummer.ik.numeric import records as col
from mummer.ik.numeric.posing import dof_count, is_way
from mummer.ik.numeric.records import Body, Goals, Work
from mummer.ik.numeric.rows import is_one_sided
from mummer.kernels.cholesky import factor, solve_factored
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
        work.rows[col.GUESS, row] = lacking_after(work, row)
        work.rows[col.PUSH, row] = work.rows[col.FORCE, row]
    left = square_left(work)
    swing_back(body, work)
    return left


@apart
def square_left(work: Work) -> float:
    """The metric's square of what the step leaves of the way home."""
    total, dofs = 0.0, work.dofs
    for dof in range(dofs.shape[1]):
        left = dofs[col.PULL, dof] - dofs[col.STEP, dof]
        total += dofs[col.METRIC, dof] * left * left + dofs[col.BEND, dof] * dofs[col.STEP, dof] * dofs[col.STEP, dof]
    return total


@apart
def spread_slopes(work: Work) -> None:
    """Fill in the spread slopes, and the step as it would be without goals."""
    dofs = work.dofs
    for dof in range(dofs.shape[1]):
        inverse = 1.0 / dofs[col.STIFF, dof] if dofs[col.HELD, dof] == 0.0 else 0.0
        dofs[col.STEP, dof] = dofs[col.WISH, dof] if dofs[col.HELD, dof] == 0.0 else dofs[col.EDGE, dof]
        for row in range(work.spans[dof, 0], work.spans[dof, 1]):
            work.spread[dof, row] = inverse * work.slopes[dof, row]


@apart
def solve_once(work: Work) -> None:
    """The step for what is held and which rows are on just now."""
    slopes, spread, normal, rows = work.slopes, work.spread, work.normal, work.rows
    for row in range(rows.shape[1]):
        rows[col.GOAL_SIDE, row] = rows[col.SOUGHT, row]
        for column in range(row):
            normal[row, column] = 0.0
        normal[row, row] = rows[col.GIVE, row]
    for dof in range(slopes.shape[0]):
        base, first = work.dofs[col.STEP, dof], work.spans[dof, 0]
        for row in range(first, work.spans[dof, 1]):
            slope = slopes[dof, row]
            rows[col.GOAL_SIDE, row] -= slope * base
            for column in range(first, row + 1):
                normal[row, column] += slope * spread[dof, column]
    leave_out(normal, rows)
    factor(rows.shape[1], normal, 1e-14, 1e-300)
    solve_factored(rows.shape[1], normal, rows[col.GOAL_SIDE], rows[col.FORCE])
    add_forces(work)


def leave_out(normal: FloatArray, rows: FloatArray) -> None:
    """Have rows that are off pull with nothing, and the others as if there were none."""
    for row in range(rows.shape[1]):
        if rows[col.IS_ON, row] == 0.0:
            rows[col.GOAL_SIDE, row] = 0.0
            for other in range(rows.shape[1]):
                normal[row, other], normal[other, row] = 0.0, 0.0
            normal[row, row] = 1.0


def add_forces(work: Work) -> None:
    """Add to STEP what the forces of the rows do."""
    for dof in range(work.slopes.shape[0]):
        for row in range(work.spans[dof, 0], work.spans[dof, 1]):
            work.dofs[col.STEP, dof] += work.spread[dof, row] * work.rows[col.FORCE, row]


@apart
def correct_step(body: Body, work: Work) -> None:
    """Fill STEP with what makes up for the bend of the way: rows that are on lack AHEAD though slopes said GUESS."""
    rows = work.rows
    for row in range(rows.shape[1]):
        rows[col.GOAL_SIDE, row] = rows[col.IS_ON, row] * (rows[col.AHEAD, row] - rows[col.GUESS, row])
    solve_factored(rows.shape[1], work.normal, rows[col.GOAL_SIDE], rows[col.FORCE])
    for dof in range(work.dofs.shape[1]):
        work.dofs[col.STEP, dof] = 0.0
    add_forces(work)
    swing_back(body, work)


@apart
def switch_rows(goals: Goals, work: Work) -> int:
    """Take in one-sided rows that the step would miss, and leave out those that pull the wrong way; how many."""
    changed, rows = 0, work.rows
    for entry in range(goals.labels.shape[0]):
        if goals.labels[entry, col.ROWS] == 0 or not is_one_sided(goals.labels[entry, col.GOAL_KIND]):
            continue
        row = goals.labels[entry, col.ROW]
        if rows[col.IS_ON, row] != 0.0:
            if rows[col.FORCE, row] < 0.0:
                rows[col.IS_ON, row] = 0.0
                changed += 1
        elif lacking_after(work, row) > 1e-9:
            rows[col.IS_ON, row] = 1.0
            changed += 1
    return changed


def lacking_after(work: Work, row: int) -> float:
    """What a row will lack after the step, as far as slopes can tell."""
    left = work.rows[col.MISS, row]
    for dof in range(work.dofs.shape[1]):
        left -= work.slopes[dof, row] * work.dofs[col.STEP, dof]
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
        work.dofs[col.LEAST, dof], work.dofs[col.MOST, dof] = -reach, reach
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, kind = body.joints[joint, col.FIRST], body.joints[joint, col.KIND]
        if first < 0:
            continue
        if kind == FREE:
            for dof in range(first, first + 3):
                work.dofs[col.HELD, dof] = 0.0
            continue
        twist = 2 if kind == BALL else 0
        set_range(
            work.dofs,
            first + twist,
            work.stance[joint, col.ANGLE + twist],
            body.limits[joint, RANGE],
            body.limits[joint, RANGE + 1],
        )
        if kind == PIVOT:
            low, high = body.limits[joint, SECOND_RANGE], body.limits[joint, SECOND_RANGE + 1]
            set_range(work.dofs, first + 1, work.stance[joint, col.ANGLE + 1], low, high)
        for dof in range(first + (2 if kind == BALL else 0), first + dof_count(kind)):
            hold_again(work.dofs, dof)
        if kind == BALL:
            hold_swing_again(body, work, joint, first)


def set_range(dofs: FloatArray, dof: int, angle: float, low: float, high: float) -> None:
    """Let a step lead no farther than from ``low`` to ``high``."""
    dofs[col.LEAST, dof], dofs[col.MOST, dof] = (
        max(dofs[col.LEAST, dof], low - angle),
        min(dofs[col.MOST, dof], high - angle),
    )


def hold_again(dofs: FloatArray, dof: int) -> None:
    """Keep holding what is at its edge."""
    if dofs[col.HELD, dof] < 0.0 and dofs[col.LEAST, dof] > -1e-9:
        dofs[col.EDGE, dof] = dofs[col.LEAST, dof]
    elif dofs[col.HELD, dof] > 0.0 and dofs[col.MOST, dof] < 1e-9:
        dofs[col.EDGE, dof] = dofs[col.MOST, dof]
    else:
        dofs[col.HELD, dof] = 0.0


def hold_swing_again(body: Body, work: Work, joint: int, first: int) -> None:
    """Keep holding a ball's swing that is at the rim of its cone; measure all others along the limit's own axes."""
    work.normals[joint, 0], work.normals[joint, 1] = 1.0, 0.0
    was_held = work.dofs[col.HELD, first] != 0.0
    work.dofs[col.HELD, first], work.dofs[col.HELD, first + 1] = 0.0, 0.0
    if (
        was_held
        and how_far_out(body, joint, work.stance[joint, col.ANGLE], work.stance[joint, col.ANGLE + 1]) > 1.0 - 1e-7
    ):
        hold_swing(body, work, joint, work.stance[joint, col.ANGLE], work.stance[joint, col.ANGLE + 1])


def how_far_out(body: Body, joint: int, u: float, v: float) -> float:
    """One for a swing on the rim of a ball's cone, less inside."""
    x, y = u / max(body.limits[joint, SECOND_RANGE], THIN), v / max(body.limits[joint, SECOND_RANGE + 1], THIN)
    return x * x + y * y


@apart
def hold_swing(body: Body, work: Work, joint: int, u: float, v: float) -> None:
    """Hold a ball's swing against the rim of its cone at (u, v): across the rim it is held, along it is not."""
    first = body.joints[joint, col.FIRST]
    wide, tall = max(body.limits[joint, SECOND_RANGE], THIN), max(body.limits[joint, SECOND_RANGE + 1], THIN)
    nx, ny = u / (wide * wide), v / (tall * tall)
    size = math.sqrt(nx * nx + ny * ny)
    nx, ny = nx / size, ny / size
    cosine = work.normals[joint, 0] * nx + work.normals[joint, 1] * ny
    sine = work.normals[joint, 0] * ny - work.normals[joint, 1] * nx
    for row in range(work.slopes.shape[1]):
        turn_pair(work.slopes, first, row, cosine, sine)
    for part in range(col.WISH, col.STEP + 1):
        a, b = work.dofs[part, first], work.dofs[part, first + 1]
        work.dofs[part, first], work.dofs[part, first + 1] = cosine * a + sine * b, cosine * b - sine * a
    work.normals[joint, 0], work.normals[joint, 1] = nx, ny
    work.dofs[col.HELD, first] = 1.0
    work.dofs[col.EDGE, first] = nx * (u - work.stance[joint, col.ANGLE]) + ny * (v - work.stance[joint, col.ANGLE + 1])


def turn_pair(table: FloatArray, first: int, column: int, cosine: float, sine: float) -> None:
    """Measure two neighbouring rows along directions that are turned."""
    a, b = table[first, column], table[first + 1, column]
    table[first, column], table[first + 1, column] = cosine * a + sine * b, cosine * b - sine * a


@apart
def swing_back(body: Body, work: Work) -> None:
    """Turn the steps of swings from their own directions back to those of the limits."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first = body.joints[joint, col.FIRST]
        if first >= 0 and body.joints[joint, col.KIND] == BALL:
            nx, ny = work.normals[joint, 0], work.normals[joint, 1]
            a, b = work.dofs[col.STEP, first], work.dofs[col.STEP, first + 1]
            work.dofs[col.STEP, first], work.dofs[col.STEP, first + 1] = nx * a - ny * b, ny * a + nx * b


@apart
def hold_what_leaves(body: Body, work: Work) -> int:
    """Put what would leave its limits on its edge; how many did."""
    changed, dofs = 0, work.dofs
    for dof in range(dofs.shape[1]):
        if dofs[col.HELD, dof] == 0.0:
            if dofs[col.STEP, dof] < dofs[col.LEAST, dof] - 1e-12:
                dofs[col.HELD, dof], dofs[col.EDGE, dof] = -1.0, dofs[col.LEAST, dof]
                changed += 1
            elif dofs[col.STEP, dof] > dofs[col.MOST, dof] + 1e-12:
                dofs[col.HELD, dof], dofs[col.EDGE, dof] = 1.0, dofs[col.MOST, dof]
                changed += 1
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first = body.joints[joint, col.FIRST]
        if first >= 0 and body.joints[joint, col.KIND] == BALL and dofs[col.HELD, first] == 0.0:
            nx, ny = work.normals[joint, 0], work.normals[joint, 1]
            a, b = dofs[col.STEP, first], dofs[col.STEP, first + 1]
            u, v = work.stance[joint, col.ANGLE] + nx * a - ny * b, work.stance[joint, col.ANGLE + 1] + ny * a + nx * b
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
        if dofs[col.HELD, dof] != 0.0 and dofs[col.STEP, dof] == dofs[col.EDGE, dof]:
            slope = dofs[col.STIFF, dof] * (dofs[col.STEP, dof] - dofs[col.WISH, dof])
            for row in range(work.spans[dof, 0], work.spans[dof, 1]):
                slope -= work.slopes[dof, row] * work.rows[col.FORCE, row]
            if slope * dofs[col.HELD, dof] > 1e-9 * dofs[col.STIFF, dof]:
                dofs[col.HELD, dof] = 0.0
                changed += 1
    return changed
