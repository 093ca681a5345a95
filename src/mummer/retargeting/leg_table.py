"""The table of legs: what the inner loops must know of each pair of legs, worked out once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.math import quaternion
from mummer.math.vectors import rejection
from mummer.retargeting import columns
from mummer.retargeting.build import Build
from mummer.retargeting.leg import Leg

NEAR = 0.032
"""The height above the floor, in leg lengths, up to which a foot follows the source's exactly."""
ANYWHERE = 100.0
"""The same for legs that follow a foot alone."""
SOFT = 0.004
"""How deep tips of toes may sink before the toes bend, in leg lengths."""
ROLL = 0.2
"""The slope of a foot, as a share of its length, at which heel or ball alone counts as standing."""
MOST_PITCH = 3.0
"""How many times steeper, or less steep, a foot of another length is pitched at most."""


@dataclass(frozen=True, eq=False)
class LegPair:
    """A leg of the target and the leg of the source that it follows.

    Attributes:
        source, target: the legs.
        by_foot: whether only the foot is followed, and the leg bends as it must: for one that sprawls and one that
            does not.
    """

    source: Leg
    target: Leg
    by_foot: bool = False


@dataclass(frozen=True, eq=False)
class Sole:
    """What of a foot stands on the ground.

    Attributes:
        ball, heel: (3,) in the frame of the foot, metres.
        ball_height: metres from the ground to the ball at rest.
    """

    ball: FloatArray
    heel: FloatArray
    ball_height: float


def leg_row(
    source: Build, target: Build, pair: LegPair, scale: float, source_from_target: FloatArray
) -> tuple[list[int], FloatArray]:
    """The whole numbers and the numbers of one leg, as `mummer.retargeting.columns` has them.

    Args:
        source: the body that the motion is of.
        target: the body that it is put onto.
        pair: the leg in both.
        scale: metres of the target for a metre of the source.
        source_from_target: (4,) turns the frame of the target's foot into that of the source's.
    """
    mine, theirs = pair.target, pair.source
    parents = target.skeleton.parents
    is_attached = mine.lower in target.skeleton.ancestors(mine.foot)
    ints = [
        mine.upper, mine.lower, mine.foot, int(parents[mine.upper]), int(parents[mine.lower]),
        int(parents[mine.foot]) if is_attached else -1, theirs.foot, mine.toes,
    ]  # fmt: skip
    sole, other = soles_of(source, target, pair, scale, source_from_target)
    # Between the two, so that both ways agree on when a foot rolls.
    length = float(np.sqrt(np.linalg.norm(other.ball - other.heel) * np.linalg.norm(sole.ball - sole.heel) / scale))
    numbers = np.zeros(columns.LEG_FLOATS)
    parts: dict[int, FloatArray | list[float]] = {
        columns.BALL_S: other.ball,
        columns.HEEL_S: other.heel,
        columns.BALL_T: sole.ball,
        columns.HEEL_T: sole.heel,
        columns.HINGE: _hinge(target, mine),
        columns.ANKLE: _seen_from(target, mine.lower, mine.foot),
        columns.ROLL: [ROLL * length],
        columns.BALL_HIGH: [other.ball_height],
        columns.BALL_LIFT: [sole.ball_height - scale * other.ball_height],
        columns.NEAR: [(ANYWHERE if pair.by_foot else NEAR) * theirs.length],
        columns.TIPS: mine.tips.ravel(),
        columns.TIPS_REST: mine.tip_heights,
        columns.SOFT: [SOFT * mine.length],
        columns.SIDE: _side(target, mine),
    }
    for column, values in parts.items():
        numbers[column : column + len(values)] = values
    return ints, numbers


def soles_of(
    source: Build, target: Build, pair: LegPair, scale: float, source_from_target: FloatArray
) -> tuple[Sole, Sole]:
    """The soles of the target and of the source. A foot without a ball has one where the other's would be.

    Where neither has one, both are followed by the point below the ankle.
    """
    mine, theirs = pair.target, pair.source
    if mine.ball == mine.foot and theirs.ball == theirs.foot:
        return Sole(mine.heel_point, mine.heel_point, 0.0), Sole(theirs.heel_point, theirs.heel_point, 0.0)
    if mine.ball == mine.foot:
        other = _own(theirs)
        return _borrowed(target, mine, other, scale, quaternion.conjugate(source_from_target)), other
    if theirs.ball == theirs.foot:
        return _own(mine), _borrowed(source, theirs, _own(mine), 1.0 / scale, source_from_target)
    return _own(mine), _own(theirs)


def foot_pitch(target: Build, pair: LegPair, row: FloatArray, scale: float) -> tuple[float, FloatArray]:
    """How much more a foot of another length pitches, for its heel to come as high, and (3,) where it points at rest.

    Args:
        target: the body.
        pair: the leg.
        row: its numbers, see `leg_row`.
        scale: metres of the target for a metre of the source.
    """
    up = quaternion.rotate(quaternion.conjugate(target.turns[pair.target.foot]), target.anatomy.up)
    ball, heel, other_ball, other_heel = (
        row[column : column + 3] for column in (columns.BALL_T, columns.HEEL_T, columns.BALL_S, columns.HEEL_S)
    )
    ahead = rejection(ball, up)
    mine, theirs = float(np.linalg.norm(ball - heel)), scale * float(np.linalg.norm(other_ball - other_heel))
    if min(mine, theirs, float(np.linalg.norm(ahead))) < 1e-9:
        return 0.0, np.zeros(3)
    factor = min(max(theirs / mine, 1.0 / MOST_PITCH), MOST_PITCH)
    return factor - 1.0, ahead / np.linalg.norm(ahead)


def _own(leg: Leg) -> Sole:
    return Sole(leg.ball_point, leg.heel_point, leg.ball_height)


def _borrowed(body: Build, leg: Leg, other: Sole, scale: float, foot_from_other: FloatArray) -> Sole:
    """The sole of another foot below this one: as long for its leg, and as high above this body's ground."""
    up = quaternion.rotate(quaternion.conjugate(body.turns[leg.foot]), body.anatomy.up)
    ankle = float(body.places[leg.foot] @ body.anatomy.up) - body.anatomy.ground
    height = scale * other.ball_height
    ball, heel = scale * quaternion.rotate(foot_from_other, np.stack([other.ball, other.heel]))
    return Sole(ball + (height - ankle - ball @ up) * up, heel - (ankle + heel @ up) * up, height)


def _seen_from(body: Build, joint: int, other: int) -> FloatArray:
    """(3,) where ``other`` is at rest in the frame of ``joint``, metres."""
    return quaternion.rotate(quaternion.conjugate(body.turns[joint]), body.places[other] - body.places[joint])


def _side(body: Build, leg: Leg) -> FloatArray:
    """(3,) the axis that toes bend upwards about, in their own frame; zero where none bend."""
    if leg.toes < 0:
        return np.zeros(3)
    up = quaternion.rotate(quaternion.conjugate(body.turns[leg.toes]), body.anatomy.up)
    side = np.cross(leg.tips.sum(axis=0), up)
    return np.asarray(side / max(float(np.linalg.norm(side)), 1e-12))


def _hinge(body: Build, leg: Leg) -> FloatArray:
    """(3,) the axis in the hip's frame that the knee bends about: as it is bent at rest, else as a knee does."""
    thigh, shin = (body.places[b] - body.places[a] for a, b in ((leg.upper, leg.lower), (leg.lower, leg.foot)))
    bent = np.cross(thigh, shin) / max(float(np.linalg.norm(thigh) * np.linalg.norm(shin)), 1e-12)
    knee = -body.anatomy.left if leg.name.startswith("front") else body.anatomy.left
    axis = bent if np.linalg.norm(bent) > 0.2 else bent + 0.2 * knee
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    return quaternion.rotate(quaternion.conjugate(body.turns[leg.upper]), axis)
