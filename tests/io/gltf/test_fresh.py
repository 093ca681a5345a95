"""New documents: any character, with every property, valid and read back the same."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

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
    world_positions,
)
from mummer.errors import FileError, InputError
from mummer.io.gltf import read, write
from mummer.math import quaternion
from tests.io.gltf.helpers import arm
from tests.io.judges import Query, three_positions, validate
from tests.io.real_files import assert_same_character


def texture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (2, 2), (9, 99, 200)).save(stream, "png")
    return stream.getvalue()


def random_body(seed: int, joints: int = 7, roots: int = 1) -> Character:
    """A body with every property: several influences, morphs, colors, texture, scales, all interpolations."""
    rng = np.random.default_rng(seed)
    parents = [-1] * roots + [int(rng.integers(0, place)) for place in range(roots, joints)]
    skeleton = Skeleton(
        tuple(f"joint {place}" for place in range(joints)),
        parents,
        rng.normal(size=(joints, 3)),
        quaternion.random(rng, joints),
        rng.uniform(0.5, 2, (joints, 3)) if seed % 2 else None,
    )
    meshes = (random_mesh(rng, joints, "body", 5), random_mesh(rng, joints, "coat", 4), rigid_mesh(rng, joints))
    pose = Pose(
        quaternion.random(rng, joints),
        translations=rng.normal(size=(joints, 3)),
        scales=rng.uniform(0.5, 2, (joints, 3)) if seed % 2 else None,
        morphs=rng.uniform(size=3),
    )
    recordings = (random_recording(rng, joints, pose), Recording("still", (), pose))
    return Character("random", skeleton, meshes, recordings, pose)


def random_mesh(rng: np.random.Generator, joints: int, name: str, influences: int) -> Mesh:
    count = 12
    weights = rng.uniform(0, 1, (count, influences))
    skin = Skin(
        np.arange(joints),
        rng.normal(size=(joints, 3, 4)),
        rng.integers(0, joints, (count, influences)),
        weights / weights.sum(axis=1, keepdims=True),
    )
    shapes = ("smile", "frown") if name == "body" else ("smile", "blink")
    offsets = rng.normal(size=(2, count, 3)) * (rng.uniform(size=(2, count, 1)) < [[[1.0]], [[0.2]]])
    return Mesh(
        name,
        rng.normal(size=(count, 3)),
        rng.permuted(np.arange(count)).reshape(-1, 3),
        skin,
        normals=quaternion.random(rng, count)[:, :3] / np.linalg.norm(quaternion.random(rng, 1)[:, :3]),
        uvs=rng.uniform(size=(count, 2)),
        colors=rng.uniform(size=(count, 4)),
        morphs=tuple(MorphTarget(shape, offset) for shape, offset in zip(shapes, offsets, strict=True)),
        material=Material("skin", (0.1, 0.2, 0.3, 0.5), 0.25, 0.75, True, texture()),
    )


def rigid_mesh(rng: np.random.Generator, joints: int) -> Mesh:
    skin = Skin.rigid(joints - 1, np.eye(3, 4), 3)
    return Mesh("hat", rng.normal(size=(3, 3)), [[0, 1, 2]], skin)


def random_recording(rng: np.random.Generator, joints: int, pose: Pose) -> Recording:
    times = np.cumsum(rng.uniform(0.1, 1, 4)).astype(np.float32).astype(np.float64)
    shape = (4, 2)
    keys = rng.normal(size=(3, *shape, 3))
    curves = (
        Curve("rotation", [0, 2], times, quaternion.random(rng, shape)),
        Curve("translation", [1, 3], times, keys[0], "cubic", keys[1], keys[2]),
        Curve("scale", [0, 1], times[:2], rng.uniform(0.5, 2, (2, 2, 3)), "step"),
        Curve("morph", [0, 2], times, rng.uniform(size=(4, 2, 1))),
    )
    base = pose.replace(
        scales=np.ones((joints, 3)) if pose.scales is None else pose.scales,
        translations=rng.normal(size=(joints, 3)),
    )
    return Recording("dance", curves, base)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_any_character_reads_back_the_same(tmp_path: Path, seed: int, roots: int) -> None:
    character = random_body(seed, roots=roots)
    write(character, tmp_path / "out.glb")
    data = (tmp_path / "out.glb").read_bytes()
    again = read(data)
    assert again.skeleton.names == character.skeleton.names
    assert np.array_equal(again.skeleton.parents, character.skeleton.parents)
    assert_same_character(character, again)
    for mine, other in zip(character.meshes, again.meshes, strict=True):
        assert mine.material == other.material
        for name in ("uvs", "colors"):
            left, right = getattr(mine, name), getattr(other, name)
            assert (left is None) == (right is None)
            assert left is None or np.allclose(left, right, atol=1e-6)


def test_new_documents_are_valid_and_three_agrees(tmp_path: Path) -> None:
    characters = [random_body(seed, roots=1 + seed % 3) for seed in range(6)]
    bare = Character("bare", characters[0].skeleton)
    files = []
    for place, character in enumerate([*characters, bare]):
        files.append(tmp_path / f"{place}.glb")
        write(character, files[-1])
        files.append(tmp_path / f"{place}.gltf")
        write(character, files[-1], embed=bool(place % 2))
    for file, verdict in zip(files, validate(files), strict=True):
        assert verdict.errors == [], file
        assert verdict.warnings == [], file
    times = characters[0].recordings[0].key_times.astype(np.float32)
    (seen,) = three_positions([(files[0], [Query(None, [0]), Query(0, times)])])
    places = [seen.nodes.index(joint) for joint in range(len(characters[0].skeleton))]
    still = world_positions(characters[0].skeleton, characters[0].default_pose)
    assert np.allclose(seen.positions[0][0][places], still, atol=1e-4)
    moving = world_positions(characters[0].skeleton, characters[0].recordings[0].sample(times))
    assert np.allclose(seen.positions[1][:, places], moving, atol=1e-4)


def test_a_changed_body_gets_a_new_document_and_the_report_says_what_is_lost(tmp_path: Path) -> None:
    maker = arm()
    maker.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}]
    maker.json["extensions"] = {"VRM": {"humanoid": {}}}
    character = read(maker.glb())
    bare = character.replace(meshes=(), recordings=(), default_pose=Pose.rest(character.skeleton))
    report = str(write(bare, tmp_path / "out.vrm"))
    assert "without 'cameras' of its source" in report
    assert "without 'VRM' of its source" in report
    assert "named .vrm but has no VRM data" in report
    again = read((tmp_path / "out.vrm").read_bytes())
    assert again.skeleton.names == ("upper", "lower")
    assert again.meshes == ()


def test_names_of_files_that_are_not_gltf(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="glTF is written as"):
        write(read(arm().glb()), tmp_path / "out.obj")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        write(read(arm().glb()), tmp_path / "file" / "out.glb")


def test_morph_curves_with_other_times_are_merged(tmp_path: Path) -> None:
    character = random_body(4)
    curves = (
        Curve("morph", [0], [0.0, 1.0], [[[0.0]], [[1.0]]]),
        Curve("morph", [1], [0.0, 0.5], [[[0.0]], [[1.0]]]),
    )
    recording = Recording("talk", curves, character.default_pose)
    report = write(character.replace(recordings=(recording,)), tmp_path / "out.glb")
    assert "sampled at all of them" in str(report)
    again = read((tmp_path / "out.glb").read_bytes())
    at = np.linspace(0, 1, 5)
    assert np.allclose(again.recordings[0].sample(at).morphs, recording.sample(at).morphs, atol=1e-6)


def test_numbers_beyond_single_precision_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    skeleton = Skeleton(("far",), [-1], [[1e300, 0, 0]])
    with pytest.raises(InputError, match="single precision"):
        write(Character("far", skeleton), tmp_path / "out.glb")
    assert list(tmp_path.iterdir()) == []
