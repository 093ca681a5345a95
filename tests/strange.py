"""Bodies that nobody would make on purpose and that files hold all the same: huge, tiny, torn, far off, nowhere."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator

import numpy as np
from PIL import Image

from mummer import zoo
from mummer.character import Character, Material, Mesh, Pose, Skeleton, Skin
from tests.render.helpers import figure


def strange_bodies(count: int) -> Iterator[Character]:
    """So many bodies made of random numbers."""
    for seed in range(count):
        yield random_body(np.random.default_rng(seed), f"strange {seed}")


def random_body(rng: np.random.Generator, name: str) -> Character:
    """Up to eleven meshes bound anywhere on a skeleton of any size, with triangles of any size and shape."""
    joints, size = int(rng.integers(1, 12)), 10.0 ** rng.uniform(-9, 9)
    parents = [-1, *(int(rng.integers(0, joint)) for joint in range(1, joints))]
    places, turns = size * rng.normal(size=(joints, 3)), rng.normal(size=(joints, 4))
    if rng.random() < 0.4:
        places[0] += rng.normal(size=3) * 10.0 ** rng.uniform(0, 12)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    skeleton = Skeleton(tuple(f"joint {joint}" for joint in range(joints)), parents, places, turns, name=name)
    meshes = tuple(_random_mesh(rng, joints, size) for _ in range(rng.integers(0, 12)))
    moved = dataclasses.replace(Pose.rest(skeleton), root_translation=places[0] + size * rng.normal(size=3))
    return Character(name, skeleton, meshes, default_pose=moved)


def _random_mesh(rng: np.random.Generator, joints: int, size: float) -> Mesh:
    vertices = int(rng.integers(3, 50))
    positions = size * rng.normal(size=(vertices, 3)) * 10.0 ** rng.uniform(-4, 3)
    if rng.random() < 0.2:  # flat as a wall, seen edge-on from above
        positions[:, rng.integers(3)] *= 10.0 ** rng.uniform(-18, -8)
    if rng.random() < 0.3:
        positions[rng.integers(vertices)] = rng.choice([np.nan, np.inf, 1e30, -3e38, 1e-40])
    binds = np.tile(np.eye(3, 4), (joints, 1, 1))
    binds[:, :, 3] = size * rng.normal(size=(joints, 3)) * 10.0 ** rng.uniform(-1, 4)
    if rng.random() < 0.3:
        binds *= 10.0 ** rng.uniform(-30, 30)
    weights = rng.random((vertices, 3))
    skin = Skin(
        np.arange(joints),
        binds,
        rng.integers(0, joints, (vertices, 3)),
        (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32),
    )
    uvs = np.float32(rng.normal(size=(vertices, 2)) * 10.0 ** rng.uniform(-3, 25))
    normals = rng.normal(size=(vertices, 3)) if rng.random() < 0.5 else None
    colors = rng.choice([0.0, 0.5, 1.0, np.nan, -5.0, 1e20], (vertices, 4))
    triangles = rng.integers(0, vertices, (rng.integers(1, 60), 3))
    return Mesh(
        "mesh", np.float32(positions), triangles, skin, normals=normals, uvs=uvs, colors=colors,
        material=_random_material(rng),
    )  # fmt: skip


def _random_material(rng: np.random.Generator) -> Material:
    picture = io.BytesIO()
    pixels = rng.integers(0, 255, (int(rng.integers(1, 40)), int(rng.integers(1, 40)), 4), np.uint8)
    Image.fromarray(pixels).save(picture, "png")
    return Material(
        roughness=float(rng.choice([0.0, 0.5, 1.0, np.nan])),
        texture=picture.getvalue() if rng.random() < 0.6 else None,
        alpha_mode=str(rng.choice(["opaque", "mask", "blend"])),
    )


def resized(character: Character, factor: float) -> Character:
    """The same body so many times as large."""
    skeleton = character.skeleton
    meshes = []
    for mesh in character.meshes:
        binds = mesh.skin.joint_from_mesh.copy()
        binds[:, :, 3] *= factor
        skin = dataclasses.replace(mesh.skin, joint_from_mesh=binds)
        meshes.append(dataclasses.replace(mesh, positions=mesh.positions * np.float32(factor), skin=skin))
    larger = dataclasses.replace(skeleton, rest_translations=factor * skeleton.rest_translations)
    return Character(character.name, larger, tuple(meshes))


def grown(name: str, factor: float) -> Character:
    """A body of the zoo so many times as large, with all that is known of its parts."""
    body = zoo.body(name)
    known = body.anatomy
    anatomy = known and dataclasses.replace(known, ground=factor * known.ground, bounds=factor * known.bounds)
    return resized(body, factor).replace(anatomy=anatomy, limits=body.limits)


def torn() -> Character:
    """A body 24 m tall in eleven parts, upright walls among them, whose joints stand far from where they were bound."""
    whole = resized(figure("torn"), 24.0)
    rng = np.random.default_rng(0)
    walls = []
    for wall in range(7):
        positions = 12.0 * rng.normal(size=(300, 3)) * [0.5, 1.0, 1e-9 * 10**wall]
        skin = Skin.rigid(wall % 4, np.eye(3, 4), 300)
        walls.append(Mesh(f"wall {wall}", positions, rng.integers(0, 300, (400, 3)), skin))
    elsewhere = dataclasses.replace(
        Pose.rest(whole.skeleton),
        translations=whole.skeleton.rest_translations + 30.0 * rng.normal(size=(len(whole.skeleton), 3)),
    )
    return whole.replace(meshes=(*whole.meshes, *walls), default_pose=elsewhere)


def raised(character: Character, height: float) -> Character:
    """The same body standing so many metres higher, joints and skin, with all that is known of it."""
    skeleton, shift = character.skeleton, np.array([0.0, height, 0.0])
    local = skeleton.rest_translations + np.where((skeleton.parents < 0)[:, None], shift, 0.0)
    pose = character.default_pose
    pose = dataclasses.replace(pose, root_translation=pose.root_translation + shift)
    anatomy = character.anatomy and dataclasses.replace(
        character.anatomy, ground=character.anatomy.ground + height, bounds=character.anatomy.bounds + shift
    )
    higher = dataclasses.replace(skeleton, rest_translations=local)
    return character.replace(skeleton=higher, default_pose=pose, anatomy=anatomy, recordings=())


def with_origin(character: Character) -> Character:
    """The same body with one more joint at the origin, from which all of it hangs."""
    old = character.skeleton
    skeleton = Skeleton(
        ("origin", *old.names), np.concatenate([[-1], old.parents + 1]),
        np.concatenate([np.zeros((1, 3)), old.rest_translations]),
        np.concatenate([[[0.0, 0.0, 0.0, 1.0]], old.rest_rotations]),
        np.concatenate([np.ones((1, 3)), old.rest_scales]),
    )  # fmt: skip
    meshes = [
        dataclasses.replace(mesh, skin=dataclasses.replace(mesh.skin, joints=mesh.skin.joints + 1))
        for mesh in character.meshes
    ]
    return Character(character.name, skeleton, tuple(meshes))
