"""A judge of live motion: it sees the poses that were written and the ground below them, and nothing of the engine.

Feet are points of the skin (or joints, of bodies without one) that are lowest at rest. A foot stands while some point
of it is near the ground and hardly moves, or while it stays near the ground for long; then its slowest point must stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mummer.character import Character, Pose
from mummer.character.deform import deform
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

GRAVITY = 9.81
MOST_CHANGE = 1.0
"""How much the velocity of a joint may change in 1/60 s, in roots of (gravity times the body's longest side): fifteen
of 25 recordings of people who walk, run, dance, throw and sit down never change more, nine of the others up to 2."""
BAR = 0.002
"""Parts of a leg that a standing foot may slide in 1/60 s."""
LOW, SLOW = 0.012, 0.012
"""A point is on the ground below so many legs above it; it may stand if it goes less than so many legs in 1/60 s."""
ROLLING, GRAZING = 0.05, 0.12
"""Seconds at both ends of a stand in which a foot rolls on and off; the same of one that is low but fast."""
SOLE = 0.02
"""Heights of the body above the lowest point of a foot up to which it is its sole."""


@dataclass(frozen=True)
class Sole:
    """P points below one foot: which joint carries each, where it is in that joint's space, and metres of the leg."""

    joints: np.ndarray
    offsets: np.ndarray
    leg: float

    def places(self, state: WorldState) -> np.ndarray:
        """(T, P, 3) metres in the world."""
        return state.positions[:, self.joints] + quaternion.rotate(state.rotations[:, self.joints], self.offsets)


def soles_of(character: Character) -> list[Sole]:
    """The soles of all feet that touch the ground at rest."""
    rest = WorldState(character, Pose.rest(character.skeleton))
    return list(_soles(character, rest))


def _soles(character: Character, rest: WorldState) -> Iterator[Sole]:
    anatomy, parents = character.anatomy, character.skeleton.parents
    assert anatomy is not None
    bent = deform(character, Pose.rest(character.skeleton), with_normals=False)
    skin = np.concatenate([np.zeros((0, 3)), *(np.asarray(mesh.positions, np.float64) for mesh in bent)])
    owners = [np.zeros(0, np.int64)]
    for mesh in character.meshes:
        most = np.argmax(mesh.skin.weights, axis=1)
        owners.append(mesh.skin.joints[mesh.skin.indices[np.arange(len(most)), most]].astype(np.int64))
    owner = np.concatenate(owners)
    for limb in anatomy.limbs:
        feet = [joint for joint in anatomy.capabilities.get("foot", ()) if joint in limb.joints]
        if limb.kind != "leg" or not feet:
            continue
        below = {feet[0]}
        below |= {joint for joint in range(len(parents)) if _hangs_from(joint, feet[0], parents)}
        own = np.flatnonzero(np.isin(owner, list(below)))
        points, joints = (skin[own], owner[own]) if len(own) else (rest.positions[0, [*below]], np.array([*below]))
        heights = points @ anatomy.up - anatomy.ground
        low = heights < heights.min() + SOLE * anatomy.height
        points, joints = points[low], joints[low]
        back = quaternion.conjugate(rest.rotations[0, joints])
        offsets = quaternion.rotate(back, points - rest.positions[0, joints])
        leg = float(np.linalg.norm(points.mean(axis=0) - rest.positions[0, limb.joints[0]]))
        if heights.min() < LOW * leg:
            yield Sole(joints, offsets, leg)


def _hangs_from(joint: int, foot: int, parents: np.ndarray) -> bool:
    while joint >= 0 and joint != foot:
        joint = int(parents[joint])
    return joint == foot


def slips(character: Character, poses: Pose, grounds: np.ndarray, rate: float) -> np.ndarray:
    """(T - 1, F) how far each foot slides in 1/60 s while it stands, parts of its leg; nan while it does not stand.

    Args:
        character: who.
        poses: T of them.
        grounds: (T, 3) height at the origin, and rise a metre along x and z.
        rate: poses a second.
    """
    state = WorldState(character, poses)
    found = [np.zeros((len(grounds) - 1, 0))]
    for sole in soles_of(character):
        places = sole.places(state)
        level = grounds[:, :1] + grounds[:, 1:2] * places[..., 0] + grounds[:, 2:] * places[..., 2]
        low = places[..., 1] - level < LOW * sole.leg
        low, moved = low[1:] & low[:-1], np.diff(places, axis=0)[..., [0, 2]] * rate / 60.0 / sole.leg
        gone = np.where(low, np.linalg.norm(moved, axis=-1), np.inf).min(axis=1)
        # A foot may turn on the spot, about a place between the points that are looked at.
        middle = (moved * low[..., None]).sum(axis=1) / np.maximum(low.sum(axis=1), 1)[:, None]
        gone = np.minimum(gone, np.where(low.any(axis=1), np.linalg.norm(middle, axis=-1), np.inf))
        stands = _within(gone < SLOW, round(ROLLING * rate)) | _within(np.isfinite(gone), round(GRAZING * rate))
        found.append(np.where(stands & np.isfinite(gone), gone, np.nan)[:, None])
    return np.concatenate(found, axis=1)


def _within(held: np.ndarray, edge: int) -> np.ndarray:
    """(T,) the moments farther than ``edge`` from the ends of what is held."""
    padded = np.pad(held, edge)
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * edge + 1).all(axis=1)


def changes(character: Character, poses: Pose, rate: float) -> np.ndarray:
    """(T - 2, J) how much the velocities of joints change in 1/60 s, in roots of (gravity times the longest side)."""
    places = WorldState(character, poses).positions
    rest = WorldState(character, Pose.rest(character.skeleton)).positions[0]
    size = float(np.ptp(rest, axis=0).max())
    bent = np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1)
    return bent * rate * rate / 60.0 / np.sqrt(GRAVITY * size)
