"""Bodies small enough to reason about: a box on one joint, and a figure with two arms."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.character import Character, Material, Mesh, Pose, Recording, Skeleton, Skin
from mummer.math import quaternion
from mummer.render.surface import Part, Shape, Surface, join_parts

CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BOX_FACES = np.array([triangle for a, b, c, d in SIDES for triangle in ((a, b, c), (a, c, d))])
STAY = np.eye(4)[:3]


def box_mesh(
    low: tuple[float, ...], high: tuple[float, ...], joint: int = 0, at: object = None, **look: object
) -> Mesh:
    """A box between two corners in the world, carried by a joint whose rest place is ``at``."""
    positions = np.array(low) + CORNERS * (np.array(high) - np.array(low))
    bind = STAY.copy()
    bind[:, 3] = -np.asarray((0, 0, 0) if at is None else at, np.float64)
    return Mesh("box", positions, BOX_FACES, Skin.rigid(joint, bind, 8), material=Material(**look))


def box_character(
    low: tuple[float, ...] = (-0.5, 0, -0.5), high: tuple[float, ...] = (0.5, 1, 0.5), **look: object
) -> Character:
    """A box on one joint at the origin."""
    skeleton = Skeleton(("root",), [-1], [[0, 0, 0]])
    return Character("box", skeleton, (box_mesh(low, high, **look),))


def figure(name: str = "figure") -> Character:
    """A body 1 m tall with a trunk, a head and two arms stretched out, its left arm towards +X."""
    names = ("hips", "head", "left_arm", "right_arm")
    places = [(0, 0.5, 0), (0, 0.8, 0), (0.1, 0.7, 0), (-0.1, 0.7, 0)]
    local = [(0, 0.5, 0), (0, 0.3, 0), (0.1, 0.2, 0), (-0.1, 0.2, 0)]
    skeleton = Skeleton(names, [-1, 0, 0, 0], local, name=name)
    meshes = (
        box_mesh((-0.1, 0, -0.08), (0.1, 0.8, 0.08), 0, places[0], base_color=(0.7, 0.3, 0.2, 1)),
        box_mesh((-0.07, 0.8, -0.07), (0.07, 1.0, 0.07), 1, places[1]),
        box_mesh((0.1, 0.65, -0.05), (0.5, 0.75, 0.05), 2, places[2]),
        box_mesh((-0.5, 0.65, -0.05), (-0.1, 0.75, 0.05), 3, places[3]),
    )
    return Character(name, skeleton, meshes)


def waving(character: Character, *, travel: float = 0.0, seconds: float = 1.0, keys: int = 5) -> Recording:
    """The left arm goes up by a right angle while the body travels along +Z."""
    times = np.linspace(0.0, seconds, keys)
    rotations = np.repeat(character.skeleton.rest_rotations[None], keys, axis=0)
    rotations[:, 2] = quaternion.from_axis_angle(np.array([0.0, 0, 1]), np.linspace(0, np.pi / 2, keys))
    root = np.repeat(character.skeleton.rest_translations[:1], keys, axis=0)
    root[:, 2] += np.linspace(0.0, travel, keys)
    return Recording.from_poses("wave", times, Pose(rotations, root))


def bare(character: Character) -> Character:
    """The same body without its surface."""
    return character.replace(meshes=())


def surface_of(
    positions: FloatArray, faces: IntArray, color: tuple[float, float, float] = (0.5, 0.5, 0.5)
) -> tuple[Surface, Shape]:
    """Plain triangles with no normals."""
    part = Part(np.asarray(faces), np.tile(np.float32(color), (len(positions), 1)), None, Material())
    return join_parts([part]), Shape(np.asarray(positions, np.float64), np.zeros((len(positions), 3), np.float32))


def difference(one: FloatArray, other: FloatArray) -> float:
    """Mean absolute difference of two pictures in bytes."""
    return float(np.mean(np.abs(one.astype(int) - other.astype(int))))
