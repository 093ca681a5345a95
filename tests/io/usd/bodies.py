"""Small characters that have a little of everything, for USD to carry."""

from __future__ import annotations

import numpy as np

from mummer.character import (
    Character,
    Curve,
    Material,
    Mesh,
    MorphTarget,
    Pose,
    Recording,
    Skeleton,
    Skin,
    world_matrices,
)
from mummer.math import quaternion, transform

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(40))


def rich_body(seed: int = 0) -> Character:
    """Two roots, odd names, scaled joints, three meshes with morphs, and recordings of every kind."""
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        ("mixamorig:Hips", "Spine 1", "Spine_1", "7th arm", "prop"),
        [-1, 0, 1, 1, -1],
        rng.normal(size=(5, 3)),
        quaternion.random(rng, 5),
        [[1, 1, 1], [3, 3, 3], [1.5, 1, 0.7], [1, 1, 1], [0.01, 0.01, 0.01]],
        name="a body",
    )
    standing = Pose(
        quaternion.random(rng, 5),
        None,
        skeleton.rest_translations + 0.1,
        rng.uniform(0.5, 2, (5, 3)),
        np.array([0.25, 0.0]),
    )
    meshes = (_skinned(rng, skeleton), _rigid(rng, skeleton), _bound_elsewhere(rng))
    recordings = (_walk(rng, standing), _act(rng, standing), Recording("hold still", (), standing, 25.0))
    return Character("a body", skeleton, meshes, recordings, standing)


def _skinned(rng: np.random.Generator, skeleton: Skeleton) -> Mesh:
    rest = world_matrices(skeleton, Pose.rest(skeleton))
    joints = np.array([2, 0, 3])
    placed = transform.compose(rng.normal(size=3), quaternion.random(rng), [2.0, 2.0, 2.0])
    binds = transform.multiply(transform.inverse(rest[joints]), placed)
    indices, weights = rng.integers(0, 3, (6, 2)), rng.uniform(0.1, 1, (6, 2))
    smile = MorphTarget("smile", rng.normal(size=(6, 3)), rng.normal(size=(6, 3)))
    blink = MorphTarget("blink/left", np.eye(6, 3))
    normals = rng.normal(size=(6, 3))
    return Mesh(
        "skin, soft",
        rng.normal(size=(6, 3)),
        [[0, 1, 2], [2, 1, 3], [0, 2, 3]],  # two points in no triangle
        Skin(joints, binds, indices, weights / weights.sum(axis=1, keepdims=True)),
        normals=normals / np.linalg.norm(normals, axis=1, keepdims=True),
        uvs=rng.uniform(size=(6, 2)),
        morphs=(smile, blink),
        material=Material("red, wet", (0.8, 0.1, 0.1, 0.5), 0.25, 0.5, double_sided=True, texture=PNG),
    )


def _rigid(rng: np.random.Generator, skeleton: Skeleton) -> Mesh:
    bind = transform.compose(rng.normal(size=3), quaternion.random(rng))
    colors = rng.uniform(size=(3, 4))
    return Mesh("sword", rng.normal(size=(3, 3)), [[0, 1, 2]], Skin.rigid(4, bind, 3), colors=colors)


def _bound_elsewhere(rng: np.random.Generator) -> Mesh:
    """A mesh that was bound in another pose than the rest pose."""
    binds = transform.compose(rng.normal(size=(2, 3)), quaternion.random(rng, 2))
    skin = Skin([1, 2], binds, [[0], [1], [0]], np.ones((3, 1)))
    return Mesh("coat", rng.normal(size=(3, 3)), [[0, 1, 2]], skin, material=Material("blue", (0.1, 0.2, 0.9, 1.0)))


def _walk(rng: np.random.Generator, base: Pose) -> Recording:
    times = np.array([0.0, 0.1, 0.35, 0.4])
    turns = quaternion.continuous(quaternion.random(rng, (4, 2)), axis=0)
    return Recording(
        "walk | fast",
        (
            Curve("rotation", [0, 3], times, turns),
            Curve("translation", [0], times[[0, 3]], rng.normal(size=(2, 1, 3))),
            Curve("scale", [1], times, rng.uniform(0.5, 2, (4, 1, 3))),
            Curve("morph", [1], times[1:], rng.uniform(size=(3, 1, 1))),
        ),
        base,
        30.0,
    )


def _act(rng: np.random.Generator, base: Pose) -> Recording:
    times = np.array([1.0, 1.5, 2.25])
    tangents = rng.normal(size=(3, 1, 3))
    other = base.replace(translations=base.translations + 1.0)  # type: ignore[operator]
    return Recording(
        "act",
        (
            Curve("translation", [2], times, rng.normal(size=(3, 1, 3)), "cubic", tangents, tangents),
            Curve("rotation", [1], times, quaternion.random(rng, (3, 1)), "step"),
        ),
        other,
        None,
    )
