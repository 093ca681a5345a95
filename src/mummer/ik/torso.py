"""The torso moved as a person would move it, before a solver sees to the feet: where a solution starts from."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Pose, first_branch, rest_positions
from mummer.ik.pose_distance import up_of
from mummer.ik.soft_aim import body_front
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

UPRIGHT = 0.7
"""The cosine between spine and vertical at rest above which a body counts as upright."""


def moved_torso(state: WorldState, shift: FloatArray, twist: FloatArray, pitch: FloatArray) -> Pose:
    """(B,) poses with the whole body carried along, the hips turned, and head and chest turned back.

    The twist fades from the hips to the chest, the pitch from the chest to the head, spread over the joints between.

    Args:
        state: B poses.
        shift: (B, 3) metres in the world.
        twist: (B,) radians of the hips about the vertical, to the left.
        pitch: (B,) radians of hips and chest forwards.
    """
    character, pose = state.body.character, state.pose
    up, left = up_of(character), level_left(state)
    rotations = pose.rotations.copy()
    above: FloatArray | None = None
    for joint, twisted, pitched in _spine(character):
        parent = int(character.skeleton.parents[joint])
        if above is None:
            above = state.rotations[:, parent] if parent >= 0 else np.broadcast_to(quaternion.IDENTITY, (len(state), 4))
        turn = quaternion.multiply(
            quaternion.exp((twisted * twist)[:, None] * up), quaternion.exp((pitched * pitch)[:, None] * left)
        )
        world_from_joint = quaternion.multiply(turn, state.rotations[:, joint])
        rotations[:, joint] = quaternion.multiply(quaternion.conjugate(above), world_from_joint)
        above = world_from_joint
    assert pose.root_translation is not None
    return pose.replace(rotations=quaternion.normalize(rotations), root_translation=pose.root_translation + shift)


def hips_of(character: Character) -> int:
    """The joint that carries the legs: the hips of the anatomy, else where the body first branches."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    return roles.get("hips", first_branch(character.skeleton))


def is_upright(character: Character) -> bool:
    """Whether the spine stands rather than lies at rest, as that of a human does and that of a dog does not."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    top = roles.get("neck", roles.get("chest"))
    if top is None:
        return False
    places = rest_positions(character.skeleton)
    spine = places[top] - places[hips_of(character)]
    return bool(spine @ up_of(character) > UPRIGHT * np.linalg.norm(spine))


def level_front(state: WorldState) -> FloatArray:
    """(B, 3) unit vectors across the vertical, to the front of the body as its root is turned."""
    up, front = up_of(state.body.character), body_front(state)
    front = front - (front @ up)[:, None] * up
    length = np.linalg.norm(front, axis=1, keepdims=True)
    # A body that looks straight up has its front somewhere, as good as anywhere.
    return np.asarray(np.where(length > 1e-9, front / np.maximum(length, 1e-9), quaternion.perpendicular(up)))


def level_left(state: WorldState) -> FloatArray:
    """(B, 3) unit vectors across the vertical, to the left of the body as its root is turned."""
    return np.asarray(np.cross(up_of(state.body.character), level_front(state)))


def _spine(character: Character) -> list[tuple[int, float, float]]:
    """The joints from the hips to the head, with the shares of the twist and of the pitch that each takes."""
    roles = {} if character.anatomy is None else character.anatomy.roles
    hips = hips_of(character)
    chest = _chain(character, hips, roles.get("chest", roles.get("neck")))
    head = _chain(character, chest[-1], roles.get("head"))[1:]
    lower = [(joint, 1 - place / max(1, len(chest) - 1), 1.0) for place, joint in enumerate(chest)]
    upper = [(joint, 0.0, 1 - (place + 1) / len(head)) for place, joint in enumerate(head)]
    # With no chest to turn back, the hips take the rest of the body along.
    return [(hips, 1.0, 1.0)] if len(chest) == 1 else lower + upper


def _chain(character: Character, top: int, tip: int | None) -> list[int]:
    """The joints from ``top`` down to ``tip``; ``top`` alone if the one does not hang from the other."""
    found = [] if tip is None else [tip]
    while found and found[-1] != top:
        parent = int(character.skeleton.parents[found[-1]])
        if parent < 0:
            return [top]
        found.append(parent)
    return found[::-1] or [top]
