"""Blender, whose FBX reader shares no code with ours, puts every joint and every mesh in the same place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mummer.character import Character, Pose, Recording, world_matrices, world_positions
from mummer.io import load
from tests.io.real_files import real_files
from tests.second_readers.blender import ask_blender

TOLERANCE = 1e-4
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", real_files("characters", "motions", extensions=(".fbx",)))
def test_blender_agrees(path: Path) -> None:
    character = load(path)
    moves: list[Recording | None] = list(character.recordings) or [None]
    answers = ask_blender([job(character, path, recording) for recording in moves])
    for recording, answer in zip(moves, answers, strict=True):
        assert "error" not in answer, answer
        poses = character.default_pose if recording is None else recording.sample(recording.key_times)
        rows = Pose.stack([poses]) if recording is None else poses
        assert_joints_agree(character, rows, answer)
        assert_meshes_agree(character, rows, answer)


def job(character: Character, path: Path, recording: Recording | None) -> dict[str, Any]:
    """What to ask: every key frame of one recording, in the file's own time, or the pose that nothing moves."""
    if recording is None:
        return {"path": str(path), "motion": None, "times": [0.0]}
    assert character.source is not None
    start = character.source.details["starts"][recording.name]
    return {"path": str(path), "motion": recording.name, "times": (recording.key_times + start).tolist()}


def size_of(character: Character) -> float:
    return float(np.ptp(world_positions(character.skeleton, character.default_pose), axis=0).max())


def assert_joints_agree(character: Character, poses: Pose, answer: dict[str, Any]) -> None:
    ours = world_positions(character.skeleton, poses)
    for frame, heads in enumerate(answer["heads"]):
        missing = set(character.skeleton.names) - set(heads)
        assert not missing
        theirs = np.array([heads[name] for name in character.skeleton.names])
        assert np.abs(ours[frame] - theirs).max() < TOLERANCE * size_of(character), f"frame {frame}"


def assert_meshes_agree(character: Character, poses: Pose, answer: dict[str, Any]) -> None:
    for frame in {0, len(answer["boxes"]) - 1}:
        if answer["boxes"][frame] is not None:
            box = bounding_box(character, poses[frame])
            assert np.abs(box - answer["boxes"][frame]).max() < TOLERANCE * size_of(character), f"frame {frame}"


def bounding_box(character: Character, pose: Pose) -> np.ndarray:
    """(2, 3) the corners of everything that is seen, skinned in plain numpy."""
    world_from_joint = world_matrices(character.skeleton, pose)
    shown = []
    for mesh in character.meshes:
        skin = mesh.skin
        linear = world_from_joint[skin.joints, :, :3]
        world_from_mesh = linear @ skin.joint_from_mesh
        world_from_mesh[..., 3] += world_from_joint[skin.joints, :, 3]
        points = np.concatenate([mesh.positions, np.ones((len(mesh.positions), 1))], axis=1)
        shown.append(np.einsum("vk,vkij,vj->vi", skin.weights, world_from_mesh[skin.indices], points))
    every = np.concatenate(shown)
    return np.stack([every.min(axis=0), every.max(axis=0)])
