"""One step: the least costly move that meets what the rows lack, with no joint past its edge.

The step is ``wish + W Jᵀ (J W Jᵀ + C)⁻¹ (miss − J wish)``: J the slopes, W the inverse of the metric, C how much the rows
give way, and wish the way back home. What would leave its limits is put on its edge and held there, one-sided rows are
taken in when they would be missed, and both are let go when the forces say so; then the step is solved again.
"""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.character.limits import BALL, FREE, HINGE, PIVOT
from mummer.ik.numeric.arguments import Body, Entries, Stance, Work
from mummer.ik.numeric.limit_scalars import nearest_in_ellipse
from mummer.ik.numeric.misses import is_inequality
from mummer.ik.numeric.small_systems import factor, solve_factored

PASSES = 12
EVER = 1e8
"""Radians or metres: no edge at all."""
RIM = 1.0 - 1e-7


def set_edges(body: Body, stance: Stance, work: Work) -> None:
    """Fill in how far each degree of freedom may go from here, and hold none."""
    low, high, angles = work.low, work.high, stance.angles
    for dof in range(low.shape[0]):
        low[dof], high[dof] = -EVER, EVER
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, kind = body.first[joint], body.kinds[joint]
        if first < 0 or kind == FREE:
            continue
        twist = 2 if kind == BALL else 0
        low[first + twist] = body.ranges[joint, 0] - angles[joint, twist]
        high[first + twist] = body.ranges[joint, 1] - angles[joint, twist]
        if kind == PIVOT:
            low[first + 1] = body.second_ranges[joint, 0] - angles[joint, 1]
            high[first + 1] = body.second_ranges[joint, 1] - angles[joint, 1]


def hold_again(body: Body, stance: Stance, work: Work) -> None:
    """Begin with what was held at the end of the step before, where it still is at its edge."""
    held, edge = work.held, work.edge
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first, kind = body.first[joint], body.kinds[joint]
        if first < 0 or kind == FREE:
            continue
        if kind == BALL:
            work.normals[joint, 0], work.normals[joint, 1] = 1.0, 0.0
            if held[first] != 0:
                held[first] = 0
                u, v = stance.angles[joint, 0], stance.angles[joint, 1]
                wide, tall = max(body.second_ranges[joint, 0], 1e-12), max(body.second_ranges[joint, 1], 1e-12)
                if (u / wide) * (u / wide) + (v / tall) * (v / tall) > RIM:
                    hold_swing(body, stance, work, joint, first, u, v)
            held[first + 1] = 0
        for dof in range(first, first + (1 if kind == HINGE else 2 if kind == PIVOT else 3)):
            if kind == BALL and dof < first + 2:
                continue
            if held[dof] < 0 and work.low[dof] > -1e-9:
                edge[dof] = work.low[dof]
            elif held[dof] > 0 and work.high[dof] < 1e-9:
                edge[dof] = work.high[dof]
            else:
                held[dof] = 0


def hold_swing(body: Body, stance: Stance, work: Work, joint: int, first: int, u: float, v: float) -> None:
    """Hold a ball's swing against the rim of its cone at (u, v): across the rim it is held, along it is not."""
    wide, tall = max(body.second_ranges[joint, 0], 1e-12), max(body.second_ranges[joint, 1], 1e-12)
    nx, ny = u / (wide * wide), v / (tall * tall)
    size = math.sqrt(nx * nx + ny * ny)
    turn_swing(work, joint, first, nx / size, ny / size)
    work.held[first] = 1
    away_u, away_v = u - stance.angles[joint, 0], v - stance.angles[joint, 1]
    work.edge[first] = (nx * away_u + ny * away_v) / size


def turn_swing(work: Work, joint: int, first: int, nx: float, ny: float) -> None:
    """Measure a ball's swing along the unit direction (nx, ny) and across it."""
    old_x, old_y = work.normals[joint, 0], work.normals[joint, 1]
    cosine, sine = old_x * nx + old_y * ny, old_x * ny - old_y * nx
    work.normals[joint, 0], work.normals[joint, 1] = nx, ny
    for row in range(work.slopes.shape[1]):
        a, b = work.slopes[first, row], work.slopes[first + 1, row]
        work.slopes[first, row], work.slopes[first + 1, row] = cosine * a + sine * b, cosine * b - sine * a
    a, b = work.wish[first], work.wish[first + 1]
    work.wish[first], work.wish[first + 1] = cosine * a + sine * b, cosine * b - sine * a
    a, b = work.pull[first], work.pull[first + 1]
    work.pull[first], work.pull[first + 1] = cosine * a + sine * b, cosine * b - sine * a
    a, b = work.step[first], work.step[first + 1]
    work.step[first], work.step[first + 1] = cosine * a + sine * b, cosine * b - sine * a


def swing_back(body: Body, work: Work) -> None:
    """Turn the steps of swings from their own directions back to those of the limits."""
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first = body.first[joint]
        if first >= 0 and body.kinds[joint] == BALL:
            nx, ny = work.normals[joint, 0], work.normals[joint, 1]
            a, b = work.step[first], work.step[first + 1]
            work.step[first], work.step[first + 1] = nx * a - ny * b, ny * a + nx * b


def find_step(entries: Entries, body: Body, stance: Stance, work: Work, share: float) -> None:
    """Fill ``work.step``; ``share`` is what damping leaves of the inverse metric."""
    for _ in range(PASSES):
        solve_once(work, share)
        changed = hold_what_leaves(body, stance, work)
        changed += let_go(work, share)
        changed += switch_rows(entries, work)
        if changed == 0:
            break
    swing_back(body, work)


def solve_once(work: Work, share: float) -> None:
    """The step for what is held and which rows are on just now."""
    slopes, spread, normal, on = work.slopes, work.spread, work.normal, work.on
    dofs, rows = slopes.shape
    normal[:, :] = 0.0
    for row in range(rows):
        work.rest[row] = work.miss[row]
        normal[row, row] = work.give[row]
    for dof in range(dofs):
        inverse = share / work.metric[dof] if work.held[dof] == 0 else 0.0
        base = work.wish[dof] if work.held[dof] == 0 else work.edge[dof]
        work.step[dof] = base
        for row in range(rows):
            slope = slopes[dof, row]
            if slope != 0.0 and on[row] != 0:
                work.rest[row] -= slope * base
                weighed = slope * inverse
                spread[dof, row] = weighed
                for column in range(row + 1):
                    normal[row, column] += weighed * slopes[dof, column]
            else:
                spread[dof, row] = 0.0
    largest = 0.0
    for row in range(rows):
        largest = max(largest, normal[row, row])
    factor(normal, on, 1e-14 * largest + 1e-300)
    solve_factored(normal, on, work.rest, work.force)
    for dof in range(dofs):
        if work.held[dof] == 0:
            for row in range(rows):
                work.step[dof] += spread[dof, row] * work.force[row]


def hold_what_leaves(body: Body, stance: Stance, work: Work) -> int:
    """Put what would leave its limits on its edge; how many did."""
    changed = 0
    for dof in range(work.step.shape[0]):
        if work.held[dof] == 0:
            if work.step[dof] < work.low[dof] - 1e-12:
                work.held[dof], work.edge[dof] = -1, work.low[dof]
                changed += 1
            elif work.step[dof] > work.high[dof] + 1e-12:
                work.held[dof], work.edge[dof] = 1, work.high[dof]
                changed += 1
    for place in range(body.used.shape[0]):
        joint = body.used[place]
        first = body.first[joint]
        if first >= 0 and body.kinds[joint] == BALL and work.held[first] == 0:
            nx, ny = work.normals[joint, 0], work.normals[joint, 1]
            a, b = work.step[first], work.step[first + 1]
            u, v = stance.angles[joint, 0] + nx * a - ny * b, stance.angles[joint, 1] + ny * a + nx * b
            wide, tall = max(body.second_ranges[joint, 0], 1e-12), max(body.second_ranges[joint, 1], 1e-12)
            if (u / wide) * (u / wide) + (v / tall) * (v / tall) > 1.0 + 1e-9:
                u, v = nearest_in_ellipse(u, v, wide, tall)
                hold_swing(body, stance, work, joint, first, u, v)
                changed += 1
    return changed


def let_go(work: Work, share: float) -> int:
    """Let go of what the forces would draw inwards from its edge; how many were."""
    changed = 0
    for dof in range(work.step.shape[0]):
        if work.held[dof] != 0 and work.step[dof] == work.edge[dof]:
            slope = work.metric[dof] / share * (work.step[dof] - work.wish[dof])
            for row in range(work.force.shape[0]):
                slope -= work.slopes[dof, row] * work.force[row]
            if slope * work.held[dof] > 1e-9 * work.metric[dof] / share:
                work.held[dof] = 0
                changed += 1
    return changed


def switch_rows(entries: Entries, work: Work) -> int:
    """Take in one-sided rows that the step would miss, and leave out those that pull the wrong way; how many."""
    changed = 0
    for entry in range(entries.kinds.shape[0]):
        if entries.rows[entry] == 0 or not is_inequality(entries.kinds[entry]):
            continue
        row = entries.row[entry]
        if work.on[row] != 0:
            if work.force[row] < 0.0:
                work.on[row] = 0
                changed += 1
        elif lacking(work, row) > 1e-9:
            work.on[row] = 1
            changed += 1
    return changed


def lacking(work: Work, row: int) -> float:
    """What a row will lack after the step, as far as slopes can tell."""
    left = work.miss[row]
    for dof in range(work.step.shape[0]):
        left -= work.slopes[dof, row] * work.step[dof]
    return left


def largest_turn(body: Body, step: FloatArray) -> float:
    """The largest turn about one axis in ``step``, radians."""
    largest = 0.0
    for dof in range(step.shape[0]):
        if body.travel[body.owner[dof]] < 0 or dof < body.travel[body.owner[dof]]:
            largest = max(largest, abs(step[dof]))
    return largest
