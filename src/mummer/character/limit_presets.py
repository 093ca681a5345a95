"""How far joints turn, by the kind of part they are in."""

from __future__ import annotations

from math import radians

from mummer.character.limits import Ball, Hinge, JointLimit, Pivot, Vector

HINGES = {
    "elbow": (-3.0, 148.0),
    "knee": (-3.0, 145.0),
    "elbow_of_leg": (-3.0, 121.0),
    "ankle_hinge": (-40.0, 50.0),
    "toe": (-35.0, 60.0),
    "finger": (-6.0, 100.0),
    "jaw": (-2.0, 42.0),
    "ear": (-30.0, 30.0),
}
"""Degrees from straight (elbow, knee, finger: fold) or from rest (the others); a trunk is behind the elbow of a leg."""
FOLDS = ("elbow", "knee", "elbow_of_leg", "finger")
ROOM = radians(12.0)
"""What a joint folds on at least from rest, however far it is folded there."""
CLEARLY_FOLDED = radians(15.0)
"""A joint that is folded more than this at rest shows which way it folds."""
PIVOTS = {
    "wrist": ((-70.0, 80.0), (-25.0, 35.0)),
    "ankle": ((-50.0, 45.0), (-25.0, 25.0)),
    "knuckle": ((-20.0, 90.0), (-18.0, 18.0)),
    "eye": ((-35.0, 35.0), (-45.0, 45.0)),
}
"""Degrees about the hinge axis, and about the axis across it."""
BALLS = {
    "spine": (25.0, 20.0, 20.0),
    "neck": (45.0, 35.0, 45.0),
    "head": (40.0, 35.0, 60.0),
    "shoulder_blade": (18.0, 25.0, 15.0),
    "shoulder": (105.0, 105.0, 90.0),
    "hip": (100.0, 55.0, 45.0),
    "hock": (120.0, 30.0, 30.0),
    "tail": (40.0, 40.0, 20.0),
    "wing": (80.0, 70.0, 50.0),
    "wing_fold": (160.0, 160.0, 60.0),
    "thumb": (35.0, 40.0, 25.0),
    "fin": (50.0, 50.0, 30.0),
    "antenna": (50.0, 50.0, 20.0),
}
"""Degrees of swing about the fold axis and about the axis across it, and of twist each way."""


def preset_limit(preset: str, along: Vector, axis: Vector, bent: float) -> JointLimit:
    """The limit of a joint of a kind, in its own frame.

    Args:
        preset: a key of `HINGES`, `PIVOTS` or `BALLS`.
        along: unit, the way on from the joint at rest.
        axis: unit, across that: a positive turn about it folds.
        bent: radians by which it is folded at rest; counts for those of `FOLDS`.
    """
    if preset in HINGES:
        low, high = radians(HINGES[preset][0]), radians(HINGES[preset][1])
        if preset not in FOLDS:
            return Hinge(axis, min(low, 0.0), max(high, 0.0))
        if bent < -CLEARLY_FOLDED:
            # The chain bends one way as a whole and this joint the other: what it is folded to at rest decides.
            axis, bent = (-axis[0], -axis[1], -axis[2]), -bent
        return Hinge(axis, min(low - bent, 0.0), max(high - bent, ROOM))
    if preset in PIVOTS:
        (low, high), (second_low, second_high) = PIVOTS[preset]
        return Pivot(axis, radians(low), radians(high), _cross(along, axis), radians(second_low), radians(second_high))
    first, second, twist = BALLS[preset]
    return Ball(along, (radians(first), radians(second)), -radians(twist), radians(twist), axis)


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
