"""The two-bone solution: how far a knee bends for its limb to be of a given length, and how the hip swings it there.

With the upper segment ``u`` and the lower one ``l`` seen in the knee's frame, and the knee turned about an axis ``a``
by ``θ``, the squared length from hip to ankle is ``u² + l² + 2 u·R(a, θ) l``, and ``u·R(a, θ) l`` is
``along + turning cos(θ − straight)``, whatever angle the axis makes with the segments. The hip then swings the limb
onto its target, keeping the plane that it bends in, or turning it towards a pole; a swivel about the line from hip to
target looks for what limits allow, and what they still take away is tried again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mummer.arrays import FloatArray
from mummer.character.limits import HINGE
from mummer.ik.limits import AXIS, KIND, RANGE, excess_angle, hold_joint
from mummer.kernels.scalars import Four, Three
from mummer.kernels.vectors import (
    about,
    angle_of,
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
    soft_limit,
    three,
    times,
    turned,
)

TRUSTED_BEND, TRUSTED_PULL = 0.5, 0.35
LEAST_BAND = 0.03
ROOM = math.radians(15.0)
"""A hinge that goes farther than this past straight could bend both ways."""
FAINT_POLE = 0.1
"""A pole within this of the line from hip to target, as a part of its distance, counts for less and less."""
LOST = 0.5
"""Radians past the hip's limits at which a target is given up."""
SWEEPS = 24
"""How often what limits took away is tried again."""
STEPS, HALVINGS, ALLOWED = 32, 24, 1e-9
TURNING = 0.02
"""What a swivel costs beside an excess, so that of many that leave the same excess the smallest is taken."""


class Bends(NamedTuple):
    """How far a knee bends.

    Attributes:
        straight: the angle of its axis at which it is straight, radians.
        side: 1 or -1, to which it bends.
        least: radians from straight.
        most: radians from straight.
    """

    straight: float
    side: float
    least: float
    most: float


class Limb(NamedTuple):
    """What stays of a limb while hip, knee and ankle turn; joints in between keep their rotations.

    Attributes:
        base, middle, tip: the joints.
        table: (J, WIDTH) of `joint_table`.
        hip: the base in the world, metres.
        world_from_above: the rotation of its parent.
        knee: the middle joint in the frame of the base.
        base_from_above: the rotation of its parent.
        ankle: the tip in the frame of the middle joint.
        middle_from_above: the rotation of its parent.
    """

    base: int
    middle: int
    tip: int
    table: FloatArray
    hip: Three
    world_from_above: Four
    knee: Three
    base_from_above: Four
    ankle: Three
    middle_from_above: Four


class Knee(NamedTuple):
    """How the middle joint bends.

    Attributes:
        zero: its rotation at angle zero, parent_from_joint.
        axis: unit, in its own frame.
        start: its angle now, radians.
        lower: from knee to ankle, in the knee's frame, metres.
    """

    zero: Four
    axis: Three
    start: float
    lower: Three


class Wish(NamedTuple):
    """Where an ankle is to be.

    Attributes:
        target: metres, in the world.
        pole: where the knee should point to, metres in the world, if ``has_pole``.
        has_pole: else the limb keeps the plane that it bends in.
    """

    target: Three
    pole: Three
    has_pole: bool


class How(NamedTuple):
    """How to reach.

    Attributes:
        softness: see `soft_band`.
        near: metres that count as met.
        hip_turns, knee_turns: whether these may.
    """

    softness: float
    near: float
    hip_turns: bool
    knee_turns: bool


def bend_plane(bent: Three, is_folded: bool, preferred: Three, trusted: float, pull: float) -> Three:
    """The axis about which a limb bends: that of its present bend, the straighter it is the more ``preferred``.

    Args:
        bent: from hip to knee × from knee to ankle, both unit.
        is_folded: whether it is folded beyond a right angle: the sine falls again, but the plane is well known.
        preferred: unit; outweighs a knee that is bent the wrong way by a little.
        trusted: the sine of the bend from which on the limb's own plane is trusted.
        pull: how much the preferred axis counts for a limb that is straight.
    """
    share = min(size(bent) / trusted, 1.0)
    more = 0.0 if is_folded else pull * (1.0 - share * share) ** 2
    return plus(bent, scaled(preferred, more))


def bend_axis(limb: Limb, lower: Three, base_from_middle: Four, preferred: Three) -> Three:
    """(3) the unit axis in the knee's frame that it bends about: that of its hinge, else that of its present bend.

    Args:
        limb: what stays.
        lower: from knee to ankle, in the knee's frame.
        base_from_middle: the knee's rotation seen from the hip.
        preferred: (3) unit, in the hip's frame.
    """
    if int(limb.table[limb.middle, KIND]) == HINGE:
        return three(limb.table, limb.middle, AXIS)
    thigh = direction(limb.knee, preferred)
    shin = direction(turned(base_from_middle, lower), thigh)
    plane = bend_plane(cross(thigh, shin), dot(thigh, shin) < 0.0, preferred, TRUSTED_BEND, TRUSTED_PULL)
    axis = direction(plane, preferred)
    return turned(back(base_from_middle), axis)


def reach_terms(upper: Three, lower: Three, axis: Three) -> Three:
    """``u² + l² + 2 along``, ``turning`` and ``straight``; see the head of this file.

    Args:
        upper: from hip to knee, in the knee's frame as it is at θ = 0.
        lower: from knee to ankle, in the knee's frame.
        axis: unit, in the knee's frame.
    """
    along = dot(upper, axis) * dot(lower, axis)
    cosine = dot(upper, lower) - along
    sine = dot(upper, cross(axis, lower))
    turning, straight = math.hypot(cosine, sine), math.atan2(sine, cosine)
    constant = dot(upper, upper) + dot(lower, lower) + 2.0 * along
    return constant, turning, straight


def bend_range(middle: int, table: FloatArray, straight: float) -> Bends:
    """How far a joint bends whose chain is straight at angle ``straight``.

    A hinge bends to the side where it has more room, or if it has much on both, to the side where it is at rest; its
    straight angle is given on the turn nearest to its range.
    """
    if int(table[middle, KIND]) != HINGE:
        return Bends(straight, 1.0, 0.0, math.pi)
    low, high = table[middle, RANGE], table[middle, RANGE + 1]
    center = 0.5 * (low + high)
    straight = center + (straight - center + math.pi) % (2.0 * math.pi) - math.pi
    up = high - straight >= straight - low
    if min(high - straight, straight - low) > ROOM and abs(straight) > ROOM:
        up = straight < 0.0
    if up:
        return Bends(straight, 1.0, max(low - straight, 0.0), min(high - straight, math.pi))
    return Bends(straight, -1.0, max(straight - high, 0.0), min(straight - low, math.pi))


def length_at(constant: float, turning: float, bend: float) -> float:
    """The length from hip to ankle when the knee is ``bend`` radians from straight."""
    return math.sqrt(max(constant + 2.0 * turning * math.cos(bend), 0.0))


def bend_for(constant: float, turning: float, length: float) -> float:
    """The bend in radians, 0 to π, at which the limb has ``length``, or the nearest that there is."""
    if turning < 1e-15:
        return 0.0
    return math.acos(min(max((length * length - constant) / (2.0 * turning), -1.0), 1.0))


def soft_length(length: float, shortest_length: float, longest: float, band: float) -> float:
    """``length`` held between the limb's shortest and longest, with no corner at the long end.

    In the last ``band`` metres of the reach the limb follows less and less and never quite gets straight: exact up to
    there, smooth in its first derivative, and ever nearer to ``longest``.
    """
    band = min(band, longest - shortest_length)
    return max(soft_limit(length, longest - band, longest), shortest_length)


def soft_band(now: float, longest: float, softness: float) -> float:
    """Metres before the end of the reach where it gets soft: ``softness`` of it, or less for a limb that is straighter.

    So a limb that is asked to stay where it is stays, to a third of a thousandth of its length.
    """
    widest = softness * longest
    return min(max(longest - now, LEAST_BAND * widest), widest)


def swing_onto(was: Three, end: Three, away: Three) -> Four:
    """The turn of a limb that ended at ``was`` and bent to end at ``end``, all from its hip, towards ``away``.

    First back to where the limb pointed, within the plane it bends in; then over to the target: so the plane is carried
    along without a twist.
    """
    return times(shortest(was, away), shortest(end, was))


def reach(limb: Limb, knee: Knee, hip_start: Four, wish: Wish, how: How) -> tuple[Four, Four]:
    """The rotations of hip and knee, parent_from_joint, within their limits, that bring the ankle to its target.

    ``hip_start`` is the rotation of the hip that its new one is to be near to.
    """
    upper, zero, axis, lower = limb.knee, knee.zero, knee.axis, knee.lower
    base_from_zero = times(limb.base_from_above, zero)
    constant, turning, straight = reach_terms(turned(back(base_from_zero), upper), lower, axis)
    bends, away = bend_range(limb.middle, limb.table, straight), minus(wish.target, limb.hip)
    start, longest = end_of(upper, base_from_zero, knee, knee.start), length_at(constant, turning, bends.least)
    band = soft_band(size(start), longest, how.softness)
    length = soft_length(size(away), length_at(constant, turning, bends.most), longest, band)
    angle = held_bend(bends, bend_for(constant, turning, length)) if how.knee_turns else knee.start

    hip_now = times(limb.world_from_above, hip_start)
    was = turned(hip_now, start)
    if size(was) < 1e-9 + 1e-6 * size(upper):
        was = turned(hip_now, upper)
    toward = direction(away, direction(was, (0.0, -1.0, 0.0)))
    goal = scaled(toward, length)
    world_from_hip = times(
        swing_onto(was, turned(hip_now, end_of(upper, base_from_zero, knee, angle)), toward), hip_now
    )
    if wish.has_pole:
        side = scaled(cross(toward, turned(times(world_from_hip, base_from_zero), axis)), bends.side)
        turn = pole_angle(toward, turned(world_from_hip, upper), side, minus(wish.pole, limb.hip))
        world_from_hip = times(about(toward, turn), world_from_hip)
    if how.hip_turns:
        world_from_hip = times(about(toward, swivel_angle(limb, world_from_hip, toward)), world_from_hip)

    hip_turn, knee_turn, eager = hip_start, times(zero, about(axis, angle)), 1.0
    for sweep in range(SWEEPS):
        if how.hip_turns:
            asked = times(back(limb.world_from_above), world_from_hip)
            hip_turn = hold_joint(limb.base, limb.table, asked)
            eager = eagerness(asked, hip_turn) if sweep == 0 else eager
        if how.knee_turns:
            knee_turn = hold_joint(limb.middle, limb.table, times(zero, about(axis, angle)))
        world_from_hip = times(limb.world_from_above, hip_turn)
        end = plus(upper, turned(times(limb.base_from_above, knee_turn), lower))
        if eager == 0.0 or size(minus(turned(world_from_hip, end), goal)) < how.near:
            break
        if how.knee_turns and (sweep > 0 or not how.hip_turns):
            seen = turned(back(times(world_from_hip, base_from_zero)), minus(goal, turned(world_from_hip, upper)))
            better = held_bend(bends, bends.side * (best_angle(seen, axis, lower) - bends.straight))
            angle += eager * (better - angle)
            end = end_of(upper, base_from_zero, knee, angle)
        world_from_hip = times(part_of(shortest(turned(world_from_hip, end), goal), eager), world_from_hip)
    return hip_turn, knee_turn


def eagerness(asked: Four, held: Four) -> float:
    """How far to go after what limits took away: 1 where they took little, 0 where they took more than `LOST`.

    Going after a target that is far outside the limits never gets there, and ends nowhere in particular.
    """
    lost = min(angle_of(times(back(asked), held)) / LOST, 1.0)
    return (1.0 - lost) ** 2 * (1.0 + 2.0 * lost)


def end_of(upper: Three, base_from_zero: Four, knee: Knee, angle: float) -> Three:
    """Where the ankle is, in the hip's frame, with the knee at ``angle``."""
    return plus(upper, turned(base_from_zero, turned(about(knee.axis, angle), knee.lower)))


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


def swivel_angle(limb: Limb, world_from_hip: Four, toward: Three) -> float:
    """The smallest turn about ``toward``, radians, that brings the hip into its limits, or as near as any does.

    A swivel about the line from hip to tip moves neither.
    """
    best, least, ahead, behind = 0.0, math.inf, False, False
    for step in range(1, 2 * STEPS + 2):
        # Alternately to either side, ever farther; both sides of a step are looked at.
        angle = (step // 2) * math.pi / STEPS * (1.0 if step % 2 == 0 else -1.0)
        found = swivel_excess(limb, world_from_hip, toward, angle)
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
        best, inside = _least_excess(limb, world_from_hip, toward, best, least)
        ahead, behind = best > 0.0, best < 0.0
        if not inside:
            return best
    nearest = math.inf
    for place in range(2):
        if (ahead and place == 0) or (behind and place == 1):
            edge = _edge(limb, world_from_hip, toward, (1.0 - 2.0 * place) * abs(best))
            nearest = edge if abs(edge) < abs(nearest) else nearest
    return nearest


def _edge(limb: Limb, world_from_hip: Four, toward: Three, inside: float) -> float:
    """Where the limits begin to allow the swivel, in the step before ``inside``, by halving."""
    outside = math.copysign(max(abs(inside) - math.pi / STEPS, 0.0), inside)
    for _ in range(HALVINGS):
        between = 0.5 * (outside + inside)
        if swivel_excess(limb, world_from_hip, toward, between) < ALLOWED:
            inside = between
        else:
            outside = between
    return inside


def _least_excess(limb: Limb, world_from_hip: Four, toward: Three, best: float, least: float) -> tuple[float, bool]:
    """The swivel near ``best`` that leaves the hip least past its limits, and whether it is within them."""
    step, side = 0.5 * math.pi / STEPS, 1.0
    for _ in range(2 * HALVINGS):
        angle = best + side * step
        found = swivel_excess(limb, world_from_hip, toward, angle)
        if found < ALLOWED:
            return angle, True
        if found + TURNING * abs(angle) < least:
            best, least = angle, found + TURNING * abs(angle)
        elif side > 0.0:
            side = -1.0
        else:
            side, step = 1.0, 0.5 * step
    return best, False


def swivel_excess(limb: Limb, world_from_hip: Four, toward: Three, angle: float) -> float:
    """Radians by which the hip is past its limits when it is swung about ``toward`` by ``angle``."""
    turn = times(back(limb.world_from_above), times(about(toward, angle), world_from_hip))
    return excess_angle(limb.base, limb.table, turn)
