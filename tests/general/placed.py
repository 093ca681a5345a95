"""Bodies whose parts are asked to be at places that they can reach, for tests of placing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Pose, clamp
from mummer.clip import Frames
from mummer.general import Intent, Physique, Track, at_rest
from mummer.general.context_limbs import chain_to
from mummer.general.solving import solve_intent
from mummer.ik.rigid_body import rigid_body
from mummer.ik.world_state import WorldState
from mummer.math import quaternion


def reachable(physique: Physique, tip: int, turns: FloatArray) -> FloatArray:
    """(T, 3) places of a joint with the joints of its limb turned by ``turns`` (T, joints, 3), held in their limits."""
    body, chain = physique.character, chain_to(physique, tip)[1:-1]
    rotations = np.repeat(Pose.rest(body.skeleton).rotations[None], len(turns), axis=0)
    for number, joint in enumerate(chain):
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(turns[:, number]))
    roots = np.repeat(np.asarray(body.default_pose.root_translation)[None], len(turns), axis=0)
    pose = clamp(rigid_body(body).limits, body.skeleton, Pose(rotations, roots))
    return WorldState(body, pose).positions[:, tip]


def asked(physique: Physique, places: dict[int, FloatArray], *, exact: bool = False) -> Intent:
    """What is wanted where joints should be at ``places`` (T, 3) in the world."""
    count = len(next(iter(places.values())))
    tracks = {joint: Track(values, np.ones(count)) for joint, values in places.items()}
    return replace(at_rest(physique, np.zeros(count)), places=tracks, exact=frozenset(places if exact else ()))


def solved(intent: Intent, *, root_follow: float = 0.0) -> tuple[Frames, FloatArray]:
    """The poses that do it, and (T, J, 3) where all joints are."""
    frames = solve_intent(intent, root_follow=root_follow)
    return frames, WorldState(intent.physique.character, frames.to_pose()).positions


def tips(physique: Physique) -> list[int]:
    """A hand, two feet and a mouth, as far as a body has them and something bends to place them."""
    able = physique.anatomy.capabilities
    some = [
        *able.get("grasper", ())[:1],
        *able.get("foot", ())[:1],
        *able.get("foot", ())[-1:],
        *able.get("mouth", ())[:1],
    ]
    return [tip for tip in dict.fromkeys(some) if len(chain_to(physique, tip)) > 2]


def liveliness(before: FloatArray, after: FloatArray, moved: FloatArray, least: float) -> FloatArray:
    """(T,) how many times farther than its target, which ``moved`` (T,), the joint went that went farthest."""
    gone = np.linalg.norm(after - before, axis=-1).max(axis=1)
    return np.asarray(gone / np.maximum(moved, least))
