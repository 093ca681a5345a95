"""Bodies for the recogniser: a plain human of joints alone, and ways to rename, reorder, turn and strip any body."""

from __future__ import annotations

import dataclasses
import random

import numpy as np

from mummer.character import Character, Skeleton
from mummer.math import quaternion

SPOTS: dict[str, tuple[str | None, tuple[float, float, float]]] = {
    "hips": (None, (0.0, 0.95, 0.0)),
    "spine": ("hips", (0.0, 1.05, 0.0)),
    "chest": ("spine", (0.0, 1.25, -0.01)),
    "neck": ("chest", (0.0, 1.47, -0.01)),
    "head": ("neck", (0.0, 1.55, 0.01)),
    "left_shoulder": ("chest", (0.03, 1.41, -0.01)),
    "left_upper_arm": ("left_shoulder", (0.17, 1.4, -0.02)),
    "left_forearm": ("left_upper_arm", (0.44, 1.4, -0.03)),
    "left_hand": ("left_forearm", (0.69, 1.4, -0.02)),
    "left_upper_leg": ("hips", (0.09, 0.92, 0.0)),
    "left_lower_leg": ("left_upper_leg", (0.1, 0.5, 0.01)),
    "left_foot": ("left_lower_leg", (0.1, 0.08, -0.03)),
    "left_toes": ("left_foot", (0.11, 0.01, 0.1)),
}
"""Role to parent and place, middle and left; the right side mirrors the left."""


def human(names: dict[str, str] | None = None) -> Character:
    """A human of 22 joints in a T-pose, each called by its role or as ``names`` says."""
    spots = dict(SPOTS)
    for role, (parent, (x, y, z)) in SPOTS.items():
        if role.startswith("left_"):
            above = parent.replace("left_", "right_") if parent else parent
            spots[role.replace("left_", "right_")] = (above, (-x, y, z))
    order = list(spots)
    places = np.array([spots[role][1] for role in order])
    parents = [order.index(parent) if (parent := spots[role][0]) else -1 for role in order]
    offsets = [place - (places[parent] if parent >= 0 else 0) for place, parent in zip(places, parents, strict=True)]
    called = [names.get(role, role) if names else role for role in order]
    skeleton, _ = Skeleton.sorted(called, parents, np.array(offsets))
    return Character("human", skeleton)


def roles_of_human() -> list[str]:
    return list(SPOTS) + [role.replace("left_", "right_") for role in SPOTS if role.startswith("left_")]


def renamed(character: Character, names: list[str]) -> Character:
    return character.replace(skeleton=dataclasses.replace(character.skeleton, names=tuple(names)), anatomy=None)


def shuffled(character: Character, seed: int) -> tuple[Character, list[int]]:
    """The body with the children of every joint in another order and every name replaced, and where each joint went."""
    skeleton, chance = character.skeleton, random.Random(seed)
    order: list[int] = []
    pending = list(skeleton.roots)
    while pending:
        joint = pending.pop()
        order.append(joint)
        below = list(skeleton.children[joint])
        chance.shuffle(below)
        pending.extend(below)
    place = {joint: spot for spot, joint in enumerate(order)}
    fresh = Skeleton(
        [f"joint{spot}" for spot in range(len(order))],
        [place.get(int(skeleton.parents[joint]), -1) for joint in order],
        skeleton.rest_translations[order],
        skeleton.rest_rotations[order],
        skeleton.rest_scales[order],
    )
    meshes = [
        dataclasses.replace(
            mesh,
            skin=dataclasses.replace(mesh.skin, joints=np.array([place[int(joint)] for joint in mesh.skin.joints])),
        )
        for mesh in character.meshes
    ]
    return Character(character.name, fresh, tuple(meshes)), order


def turned(character: Character, axis: tuple[float, float, float], angle: float) -> Character:
    """The body with its roots turned about the origin."""
    skeleton = character.skeleton
    turn = quaternion.from_axis_angle(axis, angle)
    translations, rotations = skeleton.rest_translations.copy(), skeleton.rest_rotations.copy()
    for root in skeleton.roots:
        translations[root] = quaternion.rotate(turn, translations[root])
        rotations[root] = quaternion.multiply(turn, rotations[root])
    fresh = Skeleton(skeleton.names, skeleton.parents, translations, rotations, skeleton.rest_scales)
    return Character(character.name, fresh, character.meshes)
