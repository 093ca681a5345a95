"""A volume as a body of its own, to look at."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Material, Mesh, Pose, Skin, world_matrices
from mummer.ik.volume.volume import Volume, volume_of
from mummer.ik.world_state import WorldState
from mummer.math import quaternion

COLORS = ((0.85, 0.45, 0.25), (0.3, 0.6, 0.75), (0.75, 0.7, 0.3), (0.5, 0.65, 0.35), (0.65, 0.45, 0.7))
RINGS, AROUND = 12, 16


def as_body(character: Character, volume: Volume | None = None) -> Character:
    """``character`` with its capsules for a surface, so that whatever shows a body shows its volume.

    Args:
        character: the body.
        volume: its capsules; `volume_of` it by default.
    """
    capsules = volume_of(character) if volume is None else volume
    rest = WorldState(character, Pose.rest(character.skeleton))
    world_from_joint = world_matrices(character.skeleton, Pose.rest(character.skeleton))
    meshes = []
    for place in range(len(capsules)):
        joint = int(capsules.joints[place])
        turned = quaternion.rotate(rest.rotations[0, joint], capsules.ends[place])
        positions, triangles = capsule_surface(rest.positions[0, joint] + turned, capsules.radii[place])
        color = COLORS[joint % len(COLORS)]
        skin = Skin.rigid(joint, _inverse(world_from_joint[joint]), len(positions))
        material = Material(f"capsule {place}", (*color, 1.0))
        meshes.append(Mesh(f"capsule {place}", positions, triangles, skin, material=material))
    return character.replace(meshes=tuple(meshes), default_pose=character.default_pose.replace(morphs=None))


def capsule_surface(ends: FloatArray, radii: FloatArray) -> tuple[FloatArray, IntArray]:
    """(V, 3) places and (F, 3) triangles of the surface of one capsule.

    Args:
        ends: (2, 3) metres.
        radii: (2,) metres.
    """
    axis = ends[1] - ends[0]
    length = float(np.linalg.norm(axis))
    axis = axis / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    across = quaternion.perpendicular(axis)
    third = np.cross(axis, across)
    # The balls meet the cone where its side touches them, which is before or behind their middles.
    touch = np.arccos(np.clip((radii[1] - radii[0]) / max(length, 1e-9), -1.0, 1.0)) - np.pi / 2
    polar = np.concatenate([np.linspace(-np.pi / 2, touch, RINGS // 2), np.linspace(touch, np.pi / 2, RINGS // 2)])
    which = np.repeat([0, 1], RINGS // 2)
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    circle = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * third
    rings = ends[which][:, None] + radii[which][:, None, None] * (
        np.sin(polar)[:, None, None] * axis + np.cos(polar)[:, None, None] * circle
    )
    index = np.arange(RINGS * AROUND).reshape(RINGS, AROUND)
    below, above = index[:-1], index[1:]
    beside = np.roll(index, -1, axis=1)
    first = np.stack([below, beside[:-1], above], axis=-1)
    second = np.stack([beside[:-1], beside[1:], above], axis=-1)
    return rings.reshape(-1, 3), np.concatenate([first, second]).reshape(-1, 3)


def _inverse(matrix: FloatArray) -> FloatArray:
    """(3, 4) the inverse of an affine (3, 4)."""
    linear = np.linalg.inv(matrix[:, :3])
    return np.column_stack([linear, -linear @ matrix[:, 3]])
