"""Swing a limb about the line from its hip to its tip, which moves neither, until the hip is within its limits."""

from __future__ import annotations

import math

from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.vectors import about, times
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three

STEPS, HALVINGS, ALLOWED = 32, 24, 1e-9
# What a turn costs beside an excess, so that of many that leave the same excess the smallest is taken.
TURNING = 0.02


def swivel_angle(base: int, table: Floats2, above_from_world: Four, world_from_hip: Four, toward: Three) -> float:
    """The smallest turn about ``toward``, radians, that brings the hip into its limits, or as near as any does.

    Args:
        base: the hip.
        table: of `joint_table`.
        above_from_world: the rotation of the world seen from the hip's parent.
        world_from_hip: how the hip is turned.
        toward: unit, from hip to tip, in the world.
    """
    best, least, ahead, behind = 0.0, math.inf, False, False
    for step in range(1, 2 * STEPS + 2):
        # Alternately to either side, ever farther; both sides of a step are looked at.
        angle = (step // 2) * math.pi / STEPS * (1.0 if step % 2 == 0 else -1.0)
        found = excess(base, table, above_from_world, world_from_hip, toward, angle)
        if found < ALLOWED:
            ahead, behind, found = ahead or step % 2 == 0, behind or step % 2 == 1, -1.0
        if found + TURNING * abs(angle) < least:
            best, least = angle, found + TURNING * abs(angle)
        if (ahead or behind) and step % 2 == 1:
            break
    if abs(best) < 1e-9 and (ahead or behind):
        return 0.0
    if not (ahead or behind):
        # The limits may allow a turn between two steps.
        best, inside = _least_excess(base, table, above_from_world, world_from_hip, toward, best, least)
        ahead, behind = best > 0.0, best < 0.0
        if not inside:
            return best
    return _nearer_edge(base, table, above_from_world, world_from_hip, toward, abs(best), ahead, behind)


def _nearer_edge(
    base: int, table: Floats2, above_from_world: Four, world_from_hip: Four, toward: Three, angle: float, ahead: bool,
    behind: bool,
) -> float:  # fmt: skip
    """The smaller of the turns to either side at which the limits begin to allow one."""
    nearest = math.inf
    for place in range(2):
        side = 1.0 - 2.0 * place
        if (ahead and place == 0) or (behind and place == 1):
            edge = _edge(base, table, above_from_world, world_from_hip, toward, side * angle)
            if abs(edge) < abs(nearest):
                nearest = edge
    return nearest


def _edge(
    base: int, table: Floats2, above_from_world: Four, world_from_hip: Four, toward: Three, inside: float
) -> float:
    """Where the limits begin to allow the turn, in the step before ``inside``, by halving."""
    outside = math.copysign(max(abs(inside) - math.pi / STEPS, 0.0), inside)
    for _ in range(HALVINGS):
        between = 0.5 * (outside + inside)
        if excess(base, table, above_from_world, world_from_hip, toward, between) < ALLOWED:
            inside = between
        else:
            outside = between
    return inside


def _least_excess(
    base: int, table: Floats2, above_from_world: Four, world_from_hip: Four, toward: Three, best: float, least: float
) -> tuple[float, bool]:
    """The turn near ``best`` that leaves the hip least past its limits, and whether it is within them."""
    step, side = 0.5 * math.pi / STEPS, 1.0
    for _ in range(2 * HALVINGS):
        angle = best + side * step
        found = excess(base, table, above_from_world, world_from_hip, toward, angle)
        if found < ALLOWED:
            return angle, True
        if found + TURNING * abs(angle) < least:
            best, least = angle, found + TURNING * abs(angle)
        elif side > 0.0:
            side = -1.0
        else:
            side, step = 1.0, 0.5 * step
    return best, False


def excess(
    base: int, table: Floats2, above_from_world: Four, world_from_hip: Four, toward: Three, angle: float
) -> float:
    """Radians by which the hip is past its limits when it is swung about ``toward`` by ``angle``."""
    turn = times(above_from_world, times(about(toward, angle), world_from_hip))
    held = hold_joint(base, table, turn)
    x, y, z = (
        turn[3] * held[0] - turn[0] * held[3] - turn[1] * held[2] + turn[2] * held[1],
        turn[3] * held[1] + turn[0] * held[2] - turn[1] * held[3] - turn[2] * held[0],
        turn[3] * held[2] - turn[0] * held[1] + turn[1] * held[0] - turn[2] * held[3],
    )
    return 2.0 * math.asin(min(math.sqrt(x * x + y * y + z * z), 1.0))
