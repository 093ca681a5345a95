"""Aims that let go of a target behind the body gently instead of snapping round."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose
from mummer.clip.standing import Standing, front_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def softened_directions(state: WorldState, away: FloatArray, comfortable: float, furthest: float) -> FloatArray:
    """(B, 3) unit vectors towards ``away``, drawn back to the front where that is too far round.

    Args:
        state: the posed body; its front turns with its root.
        away: (B, 3) from the eye to the target, metres.
        comfortable: radians from the front up to which nothing is drawn back.
        furthest: radians that are never passed; see `Aim`.
    """
    front = body_front(state)
    length = np.linalg.norm(away, axis=-1, keepdims=True)
    # A target in the eye itself has no direction: look ahead.
    direction = np.where(length > 1e-9, away / np.maximum(length, 1e-9), front)
    if comfortable >= math.pi:
        return direction
    across = direction - front * np.vecdot(front, direction)[..., None]
    sine = np.linalg.norm(across, axis=-1, keepdims=True)
    side = np.where(sine > 1e-9, across / np.maximum(sine, 1e-9), quaternion.perpendicular(front))
    turned = soft_angle(np.arctan2(sine, np.vecdot(front, direction)[..., None]), comfortable, furthest)
    return np.asarray(np.cos(turned) * front + np.sin(turned) * side)


def soft_angle(angle: FloatArray, comfortable: float, furthest: float) -> FloatArray:
    """``angle`` in radians from the front, bent to end at the front again for a target right behind.

    Equal up to ``comfortable``; then a smooth hump that stays below ``furthest`` and comes back to zero at half a
    circle, where left and right meet. With no room for a hump it holds at ``comfortable`` before it comes back.
    """
    span = math.pi - comfortable
    if span <= 0:
        return angle
    u = np.clip((angle - comfortable) / span, 0.0, 1.0)
    # A cubic from (comfortable, slope 1) to (0, slope 0), whose hump is held below the limit.
    hump = comfortable * (1 + 2 * u) * (1 - u) ** 2 + span * u * (1 - u) ** 2
    held = comfortable + (furthest - comfortable) * np.tanh(
        np.maximum(hump - comfortable, 0.0) / max(furthest - comfortable, 1e-9)
    )
    return np.where(angle <= comfortable, angle, np.where(hump > comfortable, held, hump))


def body_front(state: WorldState) -> FloatArray:
    """(B, 3) unit vectors: where the front of the body points, as its hips are turned.

    Files hold the same motion in the hips or in joints above them: what hangs there says nothing.
    """
    body = state.body.character
    rest, hips = WorldState(body, Pose.rest(body.skeleton)), Standing.of(body).joint
    turned = quaternion.multiply(state.rotations[:, hips], quaternion.conjugate(rest.rotations[:, hips]))
    return quaternion.rotate(turned, front_of(body))
