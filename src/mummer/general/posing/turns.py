"""Turning joints on by small turns in the world, and small systems of equations, for kernels."""

from __future__ import annotations

import math

from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.joint_table import REST
from mummer.ik.analytic.vectors import NO_TURN, about, back, part_of, scaled, times, unit_rotation
from mummer.kernels.arguments import Floats2
from mummer.kernels.linking import apart
from mummer.kernels.scalars import Four, Three

# Radians from rest beyond which a wanted rotation is drawn back.
FARTHEST = 1.6
COSINE = math.cos(0.5 * FARTHEST)


@apart
def held(joint: int, table: Floats2, rotation: Four) -> Four:
    """See `hold_joint`; compiled once for all that hold joints here."""
    return hold_joint(joint, table, rotation)


def eased(joint: int, table: Floats2, rotation: Four) -> Four:
    """A rotation parent_from_joint, drawn back to rest the more the nearer it is to the opposite of rest.

    Limits would hold what is far beyond them now on one side and now on the other.
    """
    rest = (table[joint, REST], table[joint, REST + 1], table[joint, REST + 2], table[joint, REST + 3])
    delta = times(back(rest), rotation)
    if abs(delta[3]) >= COSINE:
        return rotation
    size = math.sqrt(delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2])
    angle = 2.0 * math.atan2(size, abs(delta[3]))
    share = (math.pi - angle) / (math.pi - FARTHEST) * FARTHEST / angle
    return times(rest, part_of(delta, share))


def rotated_by(vector: Three) -> Four:
    """The rotation about ``vector`` by its length in radians."""
    angle = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    if angle < 1e-9:
        return unit_rotation((0.5 * vector[0], 0.5 * vector[1], 0.5 * vector[2], NO_TURN[3]))
    return about(scaled(vector, 1.0 / angle), angle)


def turned_on(above: Four, local: Four, vector: Three) -> Four:
    """A joint's rotation parent_from_joint turned on by a rotation vector in the world.

    Args:
        above: world_from_parent.
        local: parent_from_joint.
        vector: radians, in the world.
    """
    return times(times(back(above), times(rotated_by(vector), above)), local)


def solved3(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float, side: Three) -> Three:
    """The solution of a symmetric, positive definite system of three equations."""
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    d, e, f = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    inverse = 1.0 / (xx * a + xy * b + xz * c)
    x, y, z = side
    return (
        inverse * (a * x + b * y + c * z),
        inverse * (b * x + d * y + e * z),
        inverse * (c * x + e * y + f * z),
    )


def limited(vector: Three, most: float) -> Three:
    """``vector``, or the part of it of length ``most`` where it is longer."""
    length = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
    return scaled(vector, most / length) if length > most else vector
