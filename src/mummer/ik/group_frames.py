"""The joints of a body group seen from the frames that the group hangs from: what its own muscles did."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.errors import InputError
from mummer.ik.mass_points import MassPoints, framed_points
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def group_points(state: WorldState, group: str) -> tuple[MassPoints, bool]:
    """The mass of one group of the anatomy seen from where the group hangs, and whether it holds a root.

    Each connected piece of the group is seen in the frame of the joint above it; a piece with a
    root of the skeleton is seen in the world.
    """
    anatomy = state.body.character.anatomy
    if anatomy is None:
        raise InputError(f"the anatomy of {state.body.character.name!r} is not known; it has no groups")
    joints = np.sort(np.asarray(anatomy.group(group), np.int64))
    hangs = hanging_from(state.body.parents, joints)
    positions, rotations = state.positions[:, joints].copy(), state.rotations[:, joints].copy()
    for frame in np.unique(hangs[hangs >= 0]).tolist():
        own = hangs == frame
        positions[:, own], rotations[:, own] = _seen_from(state, frame, positions[:, own], rotations[:, own])
    return framed_points(state.body, joints, positions, rotations), bool(np.any(hangs < 0))


def hanging_from(parents: IntArray, joints: IntArray) -> IntArray:
    """(N,) for each of a group's sorted joints the nearest joint above it outside the group; -1 where there is none."""
    above: dict[int, int] = {}
    for joint in joints.tolist():
        parent = int(parents[joint])
        above[joint] = above.get(parent, parent)
    return np.array([above[joint] for joint in joints.tolist()], np.int64)


def _seen_from(
    state: WorldState, frame: int, positions: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    frame_from_world = quaternion.conjugate(state.rotations[:, frame])[:, None]
    away = positions - state.positions[:, frame, None]
    return quaternion.rotate(frame_from_world, away), quaternion.multiply(frame_from_world, rotations)
