"""Joint limits: nothing that the engine does leads past them, or farther past than a motion is by itself."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character import Character, Limits, Pose, Skeleton, clamp
from mummer.clip.frames import Frames
from mummer.ik.rigid_body import RigidBody
from mummer.math import quaternion

SLACK = 1e-7
"""Radians; what is past its limits by no more is where it was."""


def hold_limits(body: Character, frames: Frames, given: Pose) -> BoolArray:
    """Turn back what is farther past its limits in ``frames`` than in ``given`` (T,), as far as it is there.

    Returns:
        (T, J) which joints were turned back.
    """
    if body.limits is None:
        return np.zeros(frames.rotations.shape[:2], bool)
    within, past = _past(body, frames.rotations)
    before = _past(body, given.rotations)[1]
    size, allowed = (np.linalg.norm(each, axis=-1) for each in (past, before))
    too_far = size > allowed + SLACK
    share = np.where(too_far, allowed / np.maximum(size, SLACK), 1.0)
    held = quaternion.multiply(within, quaternion.exp(share[..., None] * past))
    frames.rotations[too_far] = held[too_far]
    return np.asarray(too_far, bool)


def kept_past(body: Character, start: Pose, found: FloatArray) -> FloatArray:
    """(T, J, 4) rotations ``found`` from ``start`` as if it were within its limits, with what it was past them."""
    if body.limits is None:
        return found
    return quaternion.multiply(found, quaternion.exp(_past(body, start.rotations)[1]))


def held_joint(body: RigidBody, joint: int, rotations: FloatArray) -> FloatArray:
    """(T, 4) rotations of one joint against its parent, held in its limits."""
    limits, own = body.limits, slice(joint, joint + 1)
    alone = Limits(
        limits.kinds[own], limits.axes[own], limits.second_axes[own], limits.ranges[own], limits.second_ranges[own]
    )
    skeleton = Skeleton(("joint",), np.array([-1]), np.zeros((1, 3)), body.rest_rotations[own])
    return clamp(alone, skeleton, Pose(rotations[:, None], np.zeros((len(rotations), 3)))).rotations[:, 0]


def _past(body: Character, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(T, J, 4) rotations held in the limits, and (T, J, 3) rotation vectors of how far they were past them."""
    assert body.limits is not None
    within = clamp(body.limits, body.skeleton, Pose(rotations.copy(), np.zeros((len(rotations), 3)))).rotations
    apart = quaternion.multiply(quaternion.conjugate(within), rotations)
    return within, quaternion.log(np.where(apart[..., 3:] < 0, -apart, apart))
