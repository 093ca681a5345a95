"""Which real files there are, by kind, and how two readings of a character are compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer.character import Character, Mesh, Recording, world_positions
from mummer.io import load
from mummer.math import quaternion
from tests.conftest import find_data

READABLE = (".glb", ".gltf", ".vrm", ".vrma", ".bvh", ".fbx", ".sk", ".skm", ".asf", ".amc")
TOLERANCE = 1e-5


def real_files(*folders: str, extensions: tuple[str, ...] = READABLE) -> list[pytest.ParameterSet]:
    """Parameters for every real file below ``folders``; one skipped parameter when the data is not here."""
    root = find_data()
    if root is None:
        return [pytest.param(None, marks=pytest.mark.skip(reason="real files are not here: set MUMMER_DATA"))]
    found = sorted(path for folder in folders for path in (root / folder).rglob("*") if path.is_file())
    return [pytest.param(path, id=str(path.relative_to(root))) for path in found if path.suffix.lower() in extensions]


def load_real(path: Path) -> Character:
    """A real file, motions without a skeleton of their own on the one that they were made with."""
    skeletons = path.parents[2] / "characters"
    if path.suffix == ".skm":
        name = "common" if b"\nbase " in path.read_bytes() else "ChrBrad"
        return load(path, skeleton=skeletons / "smartbody" / f"{name}.sk")
    return load(path, skeleton=skeletons / "fairmotion" / "cmu_11.asf") if path.suffix == ".amc" else load(path)


def assert_same_character(first: Character, second: Character, *, tolerance: float = TOLERANCE) -> None:
    """The same skeleton, skin, morphs and motion, to ``tolerance`` of the body's size."""
    assert first.skeleton.names == second.skeleton.names
    assert np.array_equal(first.skeleton.parents, second.skeleton.parents)
    positions = world_positions(first.skeleton, first.default_pose)
    size = max(1.0, float(np.ptp(positions, axis=0).max()))
    assert np.allclose(positions, world_positions(second.skeleton, second.default_pose), rtol=0, atol=tolerance * size)
    assert first.skeleton.same_as(second.skeleton, tolerance=tolerance * size)
    assert first.morph_names == second.morph_names
    assert len(first.meshes) == len(second.meshes)
    for mine, other in zip(first.meshes, second.meshes, strict=True):
        assert_same_mesh(mine, other, tolerance)
    assert [recording.name for recording in first.recordings] == [recording.name for recording in second.recordings]
    for mine_recording, other_recording in zip(first.recordings, second.recordings, strict=True):
        assert_same_motion(mine_recording, other_recording, tolerance * size)


def assert_same_mesh(first: Mesh, second: Mesh, tolerance: float) -> None:
    """The same surface, bound in the same way."""
    size = max(1.0, float(np.abs(first.positions).max(initial=0)))
    assert np.allclose(first.positions, second.positions, rtol=0, atol=tolerance * size)
    assert np.array_equal(first.triangles, second.triangles)
    assert np.array_equal(first.skin.joints, second.skin.joints)
    binds = max(1.0, float(np.abs(first.skin.joint_from_mesh).max(initial=0)))
    assert np.allclose(first.skin.joint_from_mesh, second.skin.joint_from_mesh, rtol=0, atol=tolerance * binds)
    for mine, other in zip(dense_weights(first), dense_weights(second), strict=True):
        assert np.allclose(mine, other, rtol=0, atol=tolerance)
    for mine_morph, other_morph in zip(first.morphs, second.morphs, strict=True):
        assert mine_morph.name == other_morph.name
        assert np.allclose(mine_morph.positions, other_morph.positions, rtol=0, atol=tolerance * size)


def dense_weights(mesh: Mesh) -> list[np.ndarray]:
    """Weights as (V, B) in slices of vertices, so that the order of influences does not matter."""
    slices = []
    for start in range(0, len(mesh.positions), 4096):
        rows = slice(start, start + 4096)
        dense = np.zeros((len(mesh.skin.weights[rows]), len(mesh.skin.joints)))
        np.add.at(dense, (np.arange(len(dense))[:, None], mesh.skin.indices[rows]), mesh.skin.weights[rows])
        slices.append(dense)
    return slices


def assert_same_motion(first: Recording, second: Recording, tolerance: float) -> None:
    """The same poses at every key time of the first, up to the sign of quaternions."""
    assert first.end == pytest.approx(second.end, abs=1e-4)
    # Key times are float32 in some formats: between a step's two sides lies nothing to compare.
    times = first.key_times if len(first.key_times) <= 400 else first.key_times[:: len(first.key_times) // 400]
    mine, other = first.sample(times), second.sample(times)
    assert np.all(1 - np.abs(quaternion.dot(mine.rotations, other.rotations)) < tolerance)
    for name in ("root_translation", "translations", "scales", "morphs"):
        left, right = getattr(mine, name), getattr(other, name)
        if left is not None and right is not None:
            assert np.allclose(left, right, rtol=0, atol=tolerance), name
