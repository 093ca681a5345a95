"""What is held at the edge of its limits during a step: put there when it would leave, let go when drawn inwards."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, PIVOT
from mummer.ik.limit_scalars import nearest_in_ellipse
from mummer.ik.numeric.arguments import (
    ANGLE,
    EDGE,
    FIRST,
    FORCE,
    HELD,
    HIGH,
    KIND,
    LEAST,
    LOW,
    MOST,
    SECOND_HIGH,
    SECOND_LOW,
    STEP,
    STIFF,
    WISH,
    Body,
    Work,
)
from mummer.ik.numeric.metric import is_way
from mummer.ik.numeric.posing import dof_count
from mummer.kernels.linking import apart

EVER = 1e8
"""Radians or metres: no edge at all."""
THIN = 1e-12
LARGEST_TURN = 1.0
"""Radians that a joint turns in one step at most: slopes do not tell what lies farther on."""


@apart
def set_edges(body: Body, stance: FloatArray, work: Work) -> None:
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
            work.dofs, first + twist, stance[joint, ANGLE + twist], body.frames[joint, LOW], body.frames[joint, HIGH]
        )
        if kind == PIVOT:
            low, high = body.frames[joint, SECOND_LOW], body.frames[joint, SECOND_HIGH]
            set_range(work.dofs, first + 1, stance[joint, ANGLE + 1], low, high)
        for dof in range(first + (2 if kind == BALL else 0), first + dof_count(kind)):
            hold_again(work.dofs, dof)
        if kind == BALL:
            hold_swing_again(body, stance, work, joint, first)


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


def hold_swing_again(body: Body, stance: FloatArray, work: Work, joint: int, first: int) -> None:
    """Keep holding a ball's swing that is at the rim of its cone; measure all others along the limit's own axes."""
    nx, ny = work.normals[joint, 0], work.normals[joint, 1]
    turn_dense(work, first, nx, -ny)
    work.normals[joint, 0], work.normals[joint, 1] = 1.0, 0.0
    was_held = work.dofs[HELD, first] != 0.0
    work.dofs[HELD, first], work.dofs[HELD, first + 1] = 0.0, 0.0
    if was_held and how_far_out(body, joint, stance[joint, ANGLE], stance[joint, ANGLE + 1]) > 1.0 - 1e-7:
        hold_swing(body, stance, work, joint, stance[joint, ANGLE], stance[joint, ANGLE + 1])


def how_far_out(body: Body, joint: int, u: float, v: float) -> float:
    """One for a swing on the rim of a ball's cone, less inside."""
    x, y = u / max(body.frames[joint, SECOND_LOW], THIN), v / max(body.frames[joint, SECOND_HIGH], THIN)
    return x * x + y * y


@apart
def hold_swing(body: Body, stance: FloatArray, work: Work, joint: int, u: float, v: float) -> None:
    """Hold a ball's swing against the rim of its cone at (u, v): across the rim it is held, along it is not."""
    first = body.joints[joint, FIRST]
    wide, tall = max(body.frames[joint, SECOND_LOW], THIN), max(body.frames[joint, SECOND_HIGH], THIN)
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
    turn_dense(work, first, cosine, sine)
    work.normals[joint, 0], work.normals[joint, 1] = nx, ny
    work.dofs[HELD, first] = 1.0
    work.dofs[EDGE, first] = nx * (u - stance[joint, ANGLE]) + ny * (v - stance[joint, ANGLE + 1])


def turn_pair(table: FloatArray, first: int, column: int, cosine: float, sine: float) -> None:
    """Measure two neighbouring rows along directions that are turned."""
    a, b = table[first, column], table[first + 1, column]
    table[first, column], table[first + 1, column] = cosine * a + sine * b, cosine * b - sine * a


@apart
def turn_dense(work: Work, first: int, cosine: float, sine: float) -> None:
    """Measure a swing in the full metric along directions that are turned."""
    for which in range(2):
        for k in range(work.dense.shape[1]):
            a, b = work.dense[which, first, k], work.dense[which, first + 1, k]
            work.dense[which, first, k] = cosine * a + sine * b
            work.dense[which, first + 1, k] = cosine * b - sine * a
        for k in range(work.dense.shape[1]):
            a, b = work.dense[which, k, first], work.dense[which, k, first + 1]
            work.dense[which, k, first] = cosine * a + sine * b
            work.dense[which, k, first + 1] = cosine * b - sine * a


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
def hold_what_leaves(body: Body, stance: FloatArray, work: Work) -> int:
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
            u, v = stance[joint, ANGLE] + nx * a - ny * b, stance[joint, ANGLE + 1] + ny * a + nx * b
            if how_far_out(body, joint, u, v) > 1.0 + 1e-9:
                u, v = nearest_in_ellipse(u, v, body.frames[joint, SECOND_LOW], body.frames[joint, SECOND_HIGH])
                hold_swing(body, stance, work, joint, u, v)
                changed += 1
    return changed


@apart
def let_go(work: Work, share: float) -> int:
    """Let go of what the forces would draw inwards from its edge; how many were."""
    changed, dofs = 0, work.dofs
    for dof in range(dofs.shape[1]):
        if dofs[HELD, dof] != 0.0 and dofs[STEP, dof] == dofs[EDGE, dof]:
            slope = weighed(work, dof, share)
            for row in range(work.spans[dof, 0], work.spans[dof, 1]):
                slope -= work.slopes[dof, row] * work.rows[FORCE, row]
            if slope * dofs[HELD, dof] > 1e-9 * dofs[STIFF, dof]:
                dofs[HELD, dof] = 0.0
                changed += 1
    return changed


def weighed(work: Work, dof: int, share: float) -> float:
    """What a step is charged for leaving the wish, for one degree of freedom."""
    if work.dense.shape[1] == 0:
        return work.dofs[STIFF, dof] * (work.dofs[STEP, dof] - work.dofs[WISH, dof])
    total = 0.0
    for other in range(work.dense.shape[1]):
        total += work.dense[0, dof, other] * (work.dofs[STEP, other] - work.dofs[WISH, other])
    return total / share
