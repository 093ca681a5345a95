"""How a body stands: at rest if it stands there, else as its own motion shows it.

Files that hold only a motion often rest in the middle of a step, or with every joint in one line. Nothing can be told
of soles and fronts from that; but somewhere in the motion each foot lies flat. Where joints are all there is, feet may
rest turned about their own length, which nobody sees until they have soles: these are laid flat as well.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Anatomy, Character, Skeleton
from mummer.character.derive import rest_positions
from mummer.character.kinematics import local_rotations
from mummer.clip.clip import Clip
from mummer.clip.sampled import Sampled
from mummer.kernels import fk_rigid
from mummer.math import quaternion
from mummer.math.vectors import rejection
from mummer.measure.watched import places_at

MOST = 240
"""Frames of a body's motions that are looked at."""
TILTED = 0.6
"""Radians that a body's own up may be off an axis of the world for the axis to be meant."""
UNEVEN = 0.08
"""How much higher one foot may be than the other, in leg lengths, for a body to stand."""
LOWEST = 0.1
"""The share of the frames, those in which a foot is lowest, in which it is taken to stand."""
ROLLED, STEADY = 0.07, 0.15
"""Radians from which on a foot that stands is rolled at rest, and that half of these frames may differ by."""
SIDES = ("left", "right")


def stood(character: Character, motion: Clip | None = None) -> Character:
    """The body resting as it stands: itself if it does, with up as the world has it.

    Poses are not differences from rest, so motions of the one are motions of the other.

    Args:
        character: a body with an anatomy; its recordings are looked at where it does not stand at rest.
        motion: a clip of the body, for one that has no recordings.
    """
    assert character.anatomy is not None
    anatomy, skeleton = _leveled(character.anatomy), character.skeleton
    if _has_legs(anatomy):
        stands = _bent(anatomy, rest_positions(skeleton)[None])[0] < 1.0
        seen = None if stands and character.meshes else _seen(character, motion)
        if seen is not None:
            laid = _unrolled_turns if stands else _standing_turns
            turns = laid(character, anatomy, *seen)
            skeleton = dataclasses.replace(skeleton, rest_rotations=local_rotations(skeleton, turns))
            anatomy = anatomy if stands else _as_it_stands(anatomy, skeleton)
    is_same = anatomy is character.anatomy and skeleton is character.skeleton
    return character if is_same else character.replace(skeleton=skeleton, anatomy=anatomy)


def _unrolled_turns(character: Character, anatomy: Anatomy, places: FloatArray, turns: FloatArray) -> FloatArray:
    """(J, 4) world_from_joint at rest, with feet turned about their own length so that they stand on flat soles.

    Args:
        character: the body.
        anatomy: what its joints are.
        places: (T, J, 3) of its joints in frames of its motions, metres.
        turns: (T, J, 4) world_from_joint in these.
    """
    skeleton, up = character.skeleton, anatomy.up
    rest, found = rest_positions(skeleton), _turns(skeleton, skeleton.rest_rotations[None])[0]
    for side in SIDES:
        foot, toes = anatomy.roles[f"{side}_foot"], anatomy.roles.get(f"{side}_toes", -1)
        ahead = rejection(rest[toes] - rest[foot], up)
        if toes < 0 or np.linalg.norm(ahead) < 1e-6:
            continue
        below = list(skeleton.descendants(foot))
        high = (places[:, below] @ up).sum(axis=1)
        lowest = high <= np.quantile(high, LOWEST)
        moved = quaternion.multiply(turns[lowest, foot], quaternion.conjugate(found[foot]))
        rolls = _rolls(moved, ahead, up)
        roll, spread = float(np.median(rolls)), float(np.subtract(*np.quantile(rolls, [0.75, 0.25])))
        if abs(roll) > ROLLED and spread < STEADY:
            turn = quaternion.exp(roll * ahead / np.linalg.norm(ahead))
            found[below] = quaternion.multiply(turn, found[below])
    return found


def _rolls(moved: FloatArray, ahead: FloatArray, up: FloatArray) -> FloatArray:
    """(n,) radians that turns ``moved`` (n, 4) roll a foot that points ``ahead`` about the way it then points."""
    pointed = rejection(quaternion.rotate(moved, ahead), up)
    side = np.cross(up, pointed / np.maximum(np.linalg.norm(pointed, axis=1, keepdims=True), 1e-12))
    upward = quaternion.rotate(moved, up)
    return -np.arctan2(np.sum(upward * side, axis=1), upward @ up)


def _standing_turns(character: Character, anatomy: Anatomy, places: FloatArray, turns: FloatArray) -> FloatArray:
    """(J, 4) world_from_joint in the frame of (T, J, 3) and (T, J, 4) that stands best, with its soles laid flat."""
    best = turns[int(np.argmin(_bent(anatomy, places)))].copy()
    for side in SIDES:
        below = list(character.skeleton.descendants(anatomy.roles[f"{side}_foot"]))
        flat = turns[int(np.argmin((places[:, below] @ anatomy.up).sum(axis=1))), below]
        # Turned about the vertical alone, so that what lay flat lies flat.
        turn = quaternion.multiply(best[below[0]], quaternion.conjugate(flat[0]))
        level = quaternion.between_vectors(quaternion.rotate(turn, anatomy.up), anatomy.up)
        best[below] = quaternion.multiply(quaternion.multiply(level, turn), flat)
    return best


def _as_it_stands(anatomy: Anatomy, skeleton: Skeleton) -> Anatomy:
    """The anatomy with front, ground and bounds of a skeleton that stands."""
    places = rest_positions(skeleton)
    soles = [joint for side in SIDES for joint in skeleton.descendants(anatomy.roles[f"{side}_foot"])]
    bounds = np.stack([places.min(axis=0), places.max(axis=0)])
    ground = float((places[soles] @ anatomy.up).min())
    return dataclasses.replace(anatomy, front=_front(anatomy, places), ground=ground, bounds=bounds)


def _leveled(anatomy: Anatomy) -> Anatomy:
    """The anatomy with an up that is an axis of the world, where it is nearly one: files lean, worlds do not."""
    axis = int(np.argmax(np.abs(anatomy.up)))
    up = np.zeros(3)
    up[axis] = np.sign(anatomy.up[axis])
    if float(up @ anatomy.up) > 1 - 1e-9 or float(up @ anatomy.up) < np.cos(TILTED):
        return anatomy
    front = rejection(anatomy.front, up)
    length = float(np.linalg.norm(front))
    return anatomy if length < 0.2 else dataclasses.replace(anatomy, up=up, front=front / length)


def _has_legs(anatomy: Anatomy) -> bool:
    parts = ("upper_leg", "lower_leg", "foot")
    return "hips" in anatomy.roles and all(f"{side}_{part}" in anatomy.roles for side in SIDES for part in parts)


def _bent(anatomy: Anatomy, places: FloatArray) -> FloatArray:
    """(T,) how far poses are from standing; below 1 they stand."""
    roles, up = anatomy.roles, anatomy.up
    high = places @ up
    legs = [[roles[f"{side}_{part}"] for part in ("upper_leg", "lower_leg", "foot")] for side in SIDES]
    length = np.mean([np.linalg.norm(np.diff(places[:, leg], axis=1), axis=2).sum(axis=1) for leg in legs], axis=0)
    tall = np.stack([high[:, leg[0]] - high[:, leg[2]] for leg in legs]) / length
    uneven = np.abs(high[:, legs[0][2]] - high[:, legs[1][2]]) / length
    folded = np.maximum(1.0 - tall.min(axis=0), 0.0)
    top = next((roles[role] for role in ("head", "neck", "chest") if role in roles), None)
    fallen = np.zeros(len(places)) if top is None else np.maximum(-(high[:, top] - high[:, roles["hips"]]), 0) / length
    return uneven / UNEVEN + folded / 0.5 + 10.0 * fallen


def _seen(character: Character, motion: Clip | None) -> tuple[FloatArray, FloatArray] | None:
    """(T, J, 3) places and (T, J, 4) turns in frames of the body's motions."""
    clips: list[Clip] = [Sampled(character, each) for each in character.recordings if len(each.key_times) > 1]
    clips = clips or ([] if motion is None else [motion])
    found = []
    for clip in clips[:8]:
        times = np.linspace(clip.start, clip.end, max(2, MOST // min(len(clips), 8)))
        found.append((places_at(clip, times), _turns(character.skeleton, clip.sample(times).rotations)))
    if not found:
        return None
    return np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found])


def _turns(skeleton: Skeleton, rotations: FloatArray) -> FloatArray:
    """(T, J, 4) world_from_joint of (T, J, 4) parent_from_joint."""
    return fk_rigid(skeleton.parents, rotations, skeleton.rest_translations, np.zeros((len(rotations), 3)))[1]


def _front(anatomy: Anatomy, places: FloatArray) -> FloatArray:
    """(3,) where a body faces: to the front of its hips and shoulders."""
    roles = anatomy.roles
    left = sum(
        (
            places[roles[f"left_{part}"]] - places[roles[f"right_{part}"]]
            for part in ("upper_leg", "upper_arm")
            if f"left_{part}" in roles and f"right_{part}" in roles
        ),
        np.zeros(3),
    )
    front = np.cross(left, anatomy.up)
    length = float(np.linalg.norm(front))
    return anatomy.front if length < 1e-9 else front / length
