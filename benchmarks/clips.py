"""Clips that the cases share: real ones where the files are, and a made body with made motions."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from benchmarks.workloads import REPOSITORY, smooth_motion
from mummer.character import Anatomy, Character, Pose, Recording, Skeleton
from mummer.clip import Sampled
from mummer.math import quaternion


def data_folder() -> Path:
    return Path(os.environ.get("MUMMER_DATA", REPOSITORY.parent / "shared" / "data"))


def real_clip(file: str, name: str) -> Sampled | None:
    """One animation of a real file, or None where it is not."""
    path = data_folder() / file
    if not path.exists():
        return None
    from mummer.io import load

    character = load(path)
    return Sampled(character, character.recording(name) if name else character.recordings[0])


def made_body() -> Character:
    """64 joints with sides and groups: a trunk, arms with fingers, legs, and a face."""
    motion = smooth_motion(1)
    parents, count = motion.parents, 64
    skeleton = Skeleton(tuple(f"joint{place}" for place in range(count)), parents, motion.offsets, name="made")
    mirror = np.arange(count)
    arms, legs = (np.arange(6, 25), np.arange(25, 44)), (np.arange(44, 48), np.arange(48, 52))
    for left, right in (arms, legs):
        mirror[left], mirror[right] = right, left
    groups = {"left_arm": arms[0], "right_arm": arms[1], "left_leg": legs[0], "right_leg": legs[1]}
    inside = np.concatenate(list(groups.values()))
    groups["torso"] = np.setdiff1d(np.arange(count), inside)
    plain = {name: tuple(joints.tolist()) for name, joints in groups.items()}
    return Character("made", skeleton, anatomy=Anatomy("humanoid", {"hips": 0}, {}, (), plain, mirror))


def made_clip(body: Character, *, seed: int, seconds: float = 60.0, rate: float = 30.0) -> Sampled:
    """Every joint swings about rest with a phase of its own while the body goes forward."""
    rng = np.random.default_rng(seed)
    times = np.arange(round(seconds * rate) + 1) / rate
    count = len(body.skeleton)
    speeds, phases = rng.uniform(1, 5, (count, 3)), rng.uniform(0, 6, (count, 3))
    rotations = quaternion.exp(0.3 * np.sin(times[:, None, None] * speeds + phases))
    root = np.stack([0.1 * np.sin(times), 1 + 0.02 * np.cos(3 * times), 1.2 * times], axis=1)
    return Sampled(body, Recording.from_poses(f"made{seed}", times, Pose(rotations, root), frame_rate=rate))
