"""Bend a knee and swing a hip so that the ankle comes to a place, for one limb and one frame, in a kernel."""

from __future__ import annotations

import math
from typing import NamedTuple

from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.knee import Bends, bend_for, bend_range, length_at, reach_terms, soft_band, soft_length
from mummer.ik.analytic.segments import Segments
from mummer.ik.analytic.swivel import swivel_angle
from mummer.ik.analytic.vectors import (
    about,
    back,
    cross,
    direction,
    dot,
    minus,
    part_of,
    plus,
    scaled,
    shortest,
    size,
    times,
    turned,
)
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Three


class Knee(NamedTuple):
    """How the middle joint bends.

    Attributes:
        zero: its rotation at angle zero, parent_from_joint.
        axis: unit, in its own frame.
        start: its angle now, radians.
    """

    zero: Four
    axis: Three
    start: float


class Reach(NamedTuple):
    """How to reach.

    Attributes:
        softness: see `soft_length`.
        near: metres that count as met.
        sweeps: how often what limits took away is tried again.
    """

    softness: float
    near: float
    sweeps: int


# A pole within this of the line from hip to target, as a part of its distance, counts for less and less.
FAINT_POLE = 0.1
# Radians past the hip's limits at which a target is given up.
LOST = 0.5


def reach(
    base: int, middle: int, table: Floats2, segments: Segments, lower: Three, knee: Knee, hip_start: Four,
    target: Three, pole: Three, has_pole: bool, hip_turns: bool, knee_turns: bool, how: Reach,
) -> tuple[Four, Four]:  # fmt: skip
    """The rotations of hip and knee, parent_from_joint, within their limits, that bring the ankle to ``target``.

    Args:
        base: the hip.
        middle: the knee.
        table: of `joint_table`.
        segments: what stays.
        lower: from knee to ankle, in the knee's frame.
        knee: how the knee bends.
        hip_start: the rotation of the hip that its new one is to be near to.
        target: metres, in the world.
        pole: where the knee should point to, metres in the world, if ``has_pole``.
        has_pole: else the limb keeps the plane that it bends in.
        hip_turns: whether the hip may.
        knee_turns: whether the knee may.
        how: softness and the like.
    """
    hip, world_from_above, upper = segments.hip, segments.world_from_above, segments.knee
    zero, axis = knee.zero, knee.axis
    base_from_zero = times(segments.base_from_above, zero)
    constant, turning, straight = reach_terms(turned(back(base_from_zero), upper), lower, axis)
    bends = bend_range(middle, table, straight)
    away = minus(target, hip)
    start, longest = end_of(upper, base_from_zero, axis, knee.start, lower), length_at(constant, turning, bends.least)
    band = soft_band(size(start), longest, how.softness)
    length = soft_length(size(away), length_at(constant, turning, bends.most), longest, band)
    angle = knee.start
    if knee_turns:
        angle = held_bend(bends, bend_for(constant, turning, length))

    hip_now = times(world_from_above, hip_start)
    was = turned(hip_now, start)
    if size(was) < 1e-9 + 1e-6 * size(upper):
        was = turned(hip_now, upper)
    toward = direction(away, direction(was, (0.0, -1.0, 0.0)))
    goal = scaled(toward, length)
    end = end_of(upper, base_from_zero, axis, angle, lower)
    # First back to where the limb pointed, within the plane it bends in; then over to the target: so the plane is
    # carried along without a twist.
    world_from_hip = times(times(shortest(was, toward), shortest(turned(hip_now, end), was)), hip_now)
    if has_pole:
        side = scaled(cross(toward, turned(times(world_from_hip, base_from_zero), axis)), bends.side)
        turn = pole_angle(toward, turned(world_from_hip, upper), side, minus(pole, hip))
        world_from_hip = times(about(toward, turn), world_from_hip)
    if hip_turns:
        swivel = swivel_angle(base, table, back(world_from_above), world_from_hip, toward)
        world_from_hip = times(about(toward, swivel), world_from_hip)

    hip_turn, knee_turn, eager = hip_start, times(zero, about(axis, angle)), 1.0
    for sweep in range(how.sweeps):
        if hip_turns:
            asked = times(back(world_from_above), world_from_hip)
            hip_turn = hold_joint(base, table, asked)
            eager = eagerness(asked, hip_turn) if sweep == 0 else eager
        if knee_turns:
            knee_turn = hold_joint(middle, table, times(zero, about(axis, angle)))
        world_from_hip = times(world_from_above, hip_turn)
        end = plus(upper, turned(times(segments.base_from_above, knee_turn), lower))
        if eager == 0.0 or size(minus(turned(world_from_hip, end), goal)) < how.near:
            break
        if knee_turns and (sweep > 0 or not hip_turns):
            seen = turned(back(times(world_from_hip, base_from_zero)), minus(goal, turned(world_from_hip, upper)))
            better = held_bend(bends, bends.side * (best_angle(seen, axis, lower) - bends.straight))
            angle += eager * (better - angle)
            end = end_of(upper, base_from_zero, axis, angle, lower)
        world_from_hip = times(part_of(shortest(turned(world_from_hip, end), goal), eager), world_from_hip)
    return hip_turn, knee_turn


def eagerness(asked: Four, held: Four) -> float:
    """How far to go after what limits took away: 1 where they took little, 0 where they took more than `LOST`.

    Going after a target that is far outside the limits never gets there, and ends nowhere in particular.
    """
    apart = times(back(asked), held)
    lost = 2.0 * math.atan2(size((apart[0], apart[1], apart[2])), abs(apart[3])) / LOST
    return (1.0 - min(lost, 1.0)) ** 2 * (1.0 + 2.0 * min(lost, 1.0))


def end_of(upper: Three, base_from_zero: Four, axis: Three, angle: float, lower: Three) -> Three:
    """Where the ankle is, in the hip's frame, with the knee at ``angle``."""
    return plus(upper, turned(base_from_zero, turned(about(axis, angle), lower)))


def held_bend(bends: Bends, bend: float) -> float:
    """The knee's angle for a bend from straight, in radians, after holding the bend in its range on the circle."""
    center = 0.5 * (bends.least + bends.most)
    on_circle = center + (bend - center + math.pi) % (2.0 * math.pi) - math.pi
    return bends.straight + bends.side * min(max(on_circle, bends.least), bends.most)


def best_angle(seen: Three, axis: Three, lower: Three) -> float:
    """The turn about ``axis`` that brings ``lower`` nearest to the direction of ``seen``, radians."""
    along = dot(seen, axis) * dot(lower, axis)
    return math.atan2(dot(seen, cross(axis, lower)), dot(seen, lower) - along)


def pole_angle(toward: Three, knee: Three, side: Three, pole: Three) -> float:
    """How far to turn about ``toward`` for the knee to point to the pole, radians.

    Args:
        toward: unit, from hip to target.
        knee: from hip to knee.
        side: unit, to where the knee would go if it were bent a little; what a straight limb goes by.
        pole: from hip to pole.
    """
    out = plus(minus(knee, scaled(toward, dot(knee, toward))), scaled(side, 0.02 * size(knee)))
    wanted = minus(pole, scaled(toward, dot(pole, toward)))
    known = min(size(wanted) / max(FAINT_POLE * size(pole), 1e-12), 1.0)
    angle = math.atan2(dot(toward, cross(out, wanted)), dot(out, wanted))
    return angle * known * known * (3.0 - 2.0 * known)
