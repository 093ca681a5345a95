"""The best turn of one joint for several goals at once: one step of cyclic coordinate descent, in a kernel.

Every goal is written as arrows from the joint that ought to lie on other arrows: from the joint to the point that is
placed and to its target, or axes of a joint that is to be turned. The sum of ``weight · a bᵀ`` over these pairs, a
matrix of nine numbers, tells all that a turn of the joint can do for them.
"""

from __future__ import annotations

import math

from mummer.character.limits import HINGE
from mummer.ik.analytic.hold import hinge_angle, hold_joint
from mummer.ik.analytic.joint_table import AXIS, KIND, RANGE, REST
from mummer.ik.analytic.vectors import about, back, direction, size, times, turned
from mummer.kernels.arguments import Floats2
from mummer.kernels.scalars import Four, Nine, Three


def paired(sums: Nine, weight: float, a: Three, b: Three) -> Nine:
    """``sums`` with the pair of arrows ``a`` and ``b`` added."""
    x, y, z = weight * a[0], weight * a[1], weight * a[2]
    return (
        sums[0] + x * b[0], sums[1] + x * b[1], sums[2] + x * b[2],
        sums[3] + y * b[0], sums[4] + y * b[1], sums[5] + y * b[2],
        sums[6] + z * b[0], sums[7] + z * b[1], sums[8] + z * b[2],
    )  # fmt: skip


def torque(sums: Nine) -> Three:
    """The sum of ``weight · a × b``: the axis about which turning helps most."""
    return sums[5] - sums[7], sums[6] - sums[2], sums[1] - sums[3]


def gain(sums: Nine, turn: Four) -> float:
    """The sum of ``weight · (turned a)·b``: the larger, the nearer the arrows are."""
    first = turned(turn, (1.0, 0.0, 0.0))
    second = turned(turn, (0.0, 1.0, 0.0))
    third = turned(turn, (0.0, 0.0, 1.0))
    return (
        sums[0] * first[0] + sums[1] * first[1] + sums[2] * first[2]
        + sums[3] * second[0] + sums[4] * second[1] + sums[5] * second[2]
        + sums[6] * third[0] + sums[7] * third[1] + sums[8] * third[2]
    )  # fmt: skip


def best_turn(joint: int, table: Floats2, world_from_above: Four, rotation: Four, sums: Nine) -> Four:
    """The joint's new rotation, parent_from_joint, within its limits; never one that is worse than the present.

    Args:
        joint: which row of the table.
        table: of `joint_table`.
        world_from_above: the rotation of the joint's parent.
        rotation: parent_from_joint now.
        sums: of the arrows, in the world.
    """
    if int(table[joint, KIND]) == HINGE:
        found = _best_hinge(joint, table, world_from_above, rotation, sums)
    else:
        found = _best_swing(joint, table, world_from_above, rotation, sums)
    change = times(times(world_from_above, times(found, back(rotation))), back(world_from_above))
    stays = sums[0] + sums[4] + sums[8]
    return found if gain(sums, change) > stays else rotation


def _best_swing(joint: int, table: Floats2, world_from_above: Four, rotation: Four, sums: Nine) -> Four:
    axis = torque(sums)
    pull = size(axis)
    if pull < 1e-15:
        return rotation
    axis = direction(axis, axis)
    angle = math.atan2(pull, sums[0] + sums[4] + sums[8] - _along(sums, axis))
    in_parent = turned(back(world_from_above), axis)
    return hold_joint(joint, table, times(about(in_parent, angle), rotation))


def _best_hinge(joint: int, table: Floats2, world_from_above: Four, rotation: Four, sums: Nine) -> Four:
    rest = (table[joint, REST], table[joint, REST + 1], table[joint, REST + 2], table[joint, REST + 3])
    own = (table[joint, AXIS], table[joint, AXIS + 1], table[joint, AXIS + 2])
    axis = turned(times(world_from_above, rest), own)
    turning = torque(sums)
    sine = turning[0] * axis[0] + turning[1] * axis[1] + turning[2] * axis[2]
    cosine = sums[0] + sums[4] + sums[8] - _along(sums, axis)
    now, low, high = hinge_angle(joint, table, rotation), table[joint, RANGE], table[joint, RANGE + 1]
    angle = now + math.atan2(sine, cosine)
    center = 0.5 * (low + high)
    angle = center + (angle - center + math.pi) % (2.0 * math.pi) - math.pi
    if angle < low or angle > high:
        at_low = cosine * math.cos(low - now) + sine * math.sin(low - now)
        at_high = cosine * math.cos(high - now) + sine * math.sin(high - now)
        angle = low if at_low > at_high else high
    return times(rest, about(own, angle))


def _along(sums: Nine, axis: Three) -> float:
    """What no turn about ``axis`` changes: the part of the arrows along it."""
    return (
        axis[0] * (sums[0] * axis[0] + sums[1] * axis[1] + sums[2] * axis[2])
        + axis[1] * (sums[3] * axis[0] + sums[4] * axis[1] + sums[5] * axis[2])
        + axis[2] * (sums[6] * axis[0] + sums[7] * axis[1] + sums[8] * axis[2])
    )
