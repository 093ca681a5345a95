"""Hold a pose within joint limits, and tell how far it is outside them."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character.limit_ball import clamp_ball
from mummer.character.limit_hinge import clamp_hinge
from mummer.character.limit_pivot import clamp_pivot
from mummer.character.limits import BALL, FREE, HINGE, PIVOT, Limits
from mummer.character.pose import Pose
from mummer.character.skeleton import Skeleton
from mummer.errors import InputError
from mummer.math import quaternion


def clamp(limits: Limits, skeleton: Skeleton, pose: Pose) -> Pose:
    """The pose with every joint turned back into its limits.

    A joint inside its limits keeps its rotation, clamping twice is clamping once, and a small change of the pose
    makes a small change of the result, also where a joint is turned right round.

    Args:
        limits: of the same skeleton.
        skeleton: the body.
        pose: one pose or a batch.

    Raises:
        InputError: if the three are not for the same number of joints.
    """
    return pose.replace(rotations=_clamped(limits, skeleton, pose))


def violations(limits: Limits, skeleton: Skeleton, pose: Pose) -> FloatArray:
    """(..., J) radians by which `clamp` would turn each joint; 0 for a joint inside its limits."""
    return quaternion.angle_between(pose.rotations, _clamped(limits, skeleton, pose))


def _clamped(limits: Limits, skeleton: Skeleton, pose: Pose) -> FloatArray:
    """(..., J, 4) the rotations after clamping."""
    if not len(limits) == len(skeleton) == pose.joint_count:
        raise InputError(
            f"limits are for {len(limits)} joints, the pose for {pose.joint_count}; "
            f"skeleton {skeleton.name!r} has {len(skeleton)}"
        )
    return hold(limits, skeleton.rest_rotations, pose.rotations)


def hold(limits: Limits, rest: FloatArray, rotations: FloatArray) -> FloatArray:
    """(..., n, 4) the rotations of n joints turned back into their limits, beside those at rest (n, 4)."""
    limited = np.flatnonzero(limits.kinds != FREE)
    delta = quaternion.multiply(quaternion.conjugate(rest[limited]), rotations[..., limited, :])
    held = np.empty_like(delta)
    for kind in (HINGE, PIVOT, BALL):
        places = np.flatnonzero(limits.kinds[limited] == kind)
        if len(places):
            held[..., places, :] = _clamp_kind(kind, limits, limited[places], delta[..., places, :])
    found = rotations.copy()
    found[..., limited, :] = quaternion.same_hemisphere(
        quaternion.multiply(rest[limited], held), rotations[..., limited, :]
    )
    return found


def _clamp_kind(kind: int, limits: Limits, joints: IntArray, delta: FloatArray) -> FloatArray:
    """(..., n, 4) ``delta`` of the n ``joints``, which are all of one kind, held in their limits."""
    axis, angles = limits.axes[joints], limits.ranges[joints]
    if kind == HINGE:
        return clamp_hinge(delta, axis, angles)
    second_axis, second = limits.second_axes[joints], limits.second_ranges[joints]
    if kind == PIVOT:
        return clamp_pivot(delta, axis, second_axis, angles, second)
    return clamp_ball(delta, axis, second_axis, angles, second)
