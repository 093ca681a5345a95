"""Random bodies and smooth random motions for the laws of clips."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from mummer.character import Character, Pose, Recording, Skeleton
from mummer.character.marks import Mark
from mummer.clip.sampled import Sampled
from mummer.math import quaternion


def random_body(rng: np.random.Generator, joints: int = 7) -> Character:
    """A body with a random tree and random rest transforms."""
    parents = [-1] + [int(rng.integers(0, joint)) for joint in range(1, joints)]
    skeleton = Skeleton(
        tuple(f"joint{place}" for place in range(joints)),
        parents,
        rng.normal(size=(joints, 3)),
        quaternion.random(rng, (joints,)),
    )
    return Character("random", skeleton)


def smooth_motion(
    body: Character, rng: np.random.Generator, *, frames: int = 40, rate: float = 30.0, start: float = 0.0
) -> Sampled:
    """A clip whose joints wander smoothly about rest, with a mark in its middle."""
    count = len(body.skeleton)
    times = start + np.arange(frames) / rate
    phases, speeds = rng.uniform(0, 6, (2, count, 3))
    angles = 0.5 * np.sin(speeds * (times - start)[:, None, None] + phases)
    rotations = quaternion.multiply(body.skeleton.rest_rotations, quaternion.exp(angles))
    root = body.skeleton.rest_translations[0] + np.stack([0.3 * np.sin(times), 0.1 * np.cos(times), times], axis=1)
    recording = Recording.from_poses("smooth", times, Pose(rotations, root), frame_rate=rate)
    middle = 0.5 * (times[0] + times[-1])
    return Sampled(body, recording, annotations=(Mark(middle, "middle"), Mark(times[3], "stretch", middle)))


seeds = st.integers(0, 2**32 - 1)


@st.composite
def motions(draw: st.DrawFn, *, joints: int = 7) -> Sampled:
    """Smooth random motions of random bodies."""
    rng = np.random.default_rng(draw(seeds))
    return smooth_motion(random_body(rng, joints), rng, start=draw(st.sampled_from([0.0, -1.5, 3.25])))


def assert_same_poses(first: Pose, second: Pose, tolerance: float = 1e-9) -> None:
    """The same rotations up to sign, and the same root."""
    assert np.all(1 - np.abs(quaternion.dot(first.rotations, second.rotations)) < tolerance)
    assert first.root_translation is not None
    assert second.root_translation is not None
    assert np.allclose(first.root_translation, second.root_translation, rtol=0, atol=tolerance)
