"""Blender puts the joints and meshes of the USD files that we write where we do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mummer import zoo
from mummer.character import Character, Pose, Recording, world_positions
from mummer.io import load, save
from mummer.io.usd.names import identifiers
from mummer.math import quaternion
from tests.io.fbx.test_second_reader_fbx import bounding_box, size_of
from tests.io.real_files import assert_same_character, real_files
from tests.second_readers.blender import ask_blender

pytest.importorskip("pxr")
TOLERANCE = 1e-4


def swaying(name: str) -> Character:
    """A built-in body that turns at every joint and moves about."""
    body = zoo.body(name)
    rng = np.random.default_rng(3)
    rest = body.skeleton
    turns = quaternion.exp(rng.normal(scale=0.2, size=(4, len(rest), 3)))
    moved = rest.rest_translations[0] + rng.normal(size=(4, 3))
    morphs = rng.uniform(size=(4, len(body.morph_names))) if body.morph_names else None
    poses = Pose(quaternion.multiply(rest.rest_rotations, turns), moved, morphs=morphs)
    return body.replace(recordings=(Recording.from_poses("sway", [0, 0.5, 1, 1.5], poses, frame_rate=24),))


def test_a_built_in_body_comes_back(tmp_path: Path) -> None:
    body = swaying(zoo.names()[0])
    save(body, tmp_path / "body.usdc")
    assert_same_character(body, load(tmp_path / "body.usdc"))


@pytest.mark.slow
@pytest.mark.parametrize("name", zoo.names())
def test_blender_agrees_on_built_in_bodies(name: str, tmp_path: Path) -> None:
    body = swaying(name)
    save(body, tmp_path / "body.usda")
    assert_same_character(body, load(tmp_path / "body.usda"))
    assert_blender_agrees(body, tmp_path / "body.usda", meshes=not body.morph_names)


@pytest.mark.slow
@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=(".fbx",)))
def test_blender_agrees_on_real_bodies(path: Path, tmp_path: Path) -> None:
    body = load(path)
    save(body, tmp_path / "body.usdc")
    assert_same_character(body, load(tmp_path / "body.usdc"))
    assert_blender_agrees(body, tmp_path / "body.usdc", meshes=True)


def assert_blender_agrees(body: Character, path: Path, *, meshes: bool) -> None:
    """The Skeleton plays the first recording, so that is what Blender shows."""
    times = body.recordings[0].key_times if body.recordings else np.zeros(1)
    poses = body.recordings[0].sample(times) if body.recordings else Pose.stack([body.default_pose])
    rate = body.recordings[0].frame_rate if body.recordings else None
    (answer,) = ask_blender([{"path": str(path), "motion": None, "times": times.tolist(), "frame_rate": rate}])
    assert "error" not in answer, answer
    names = identifiers(body.skeleton.names)
    ours = world_positions(body.skeleton, poses)
    for frame, heads in enumerate(answer["heads"]):
        theirs = np.array([heads[name] for name in names])
        assert np.abs(ours[frame] - theirs).max() < TOLERANCE * size_of(body), f"frame {frame}"
    if meshes and body.meshes:
        box = bounding_box(body, poses[0])
        assert np.abs(box - answer["boxes"][0]).max() < TOLERANCE * size_of(body)
