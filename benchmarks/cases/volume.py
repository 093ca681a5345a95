"""Overlaps of a body with itself: a person of 65 joints over 2,000 frames, and pushing them out over 300."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer import zoo
from mummer.character import Pose
from mummer.ik.volume import pairs_of, push_out, self_penetration, volume_of
from mummer.ik.volume.placed import distances_of, placed_capsules
from mummer.ik.world_state import WorldState
from mummer.math import quaternion, splines

FRAMES, PUSHED = 2_000, 300


def cases() -> Iterator[Case]:
    body = zoo.body("adult")
    yield detection(body)
    yield pushing(body)


def wandering(body, frames: int) -> Pose:
    """Smooth random motion about the default pose, an average bend of a fifth of a radian."""
    rng = np.random.default_rng(5)
    keys = np.arange(0, frames + 60, 30) / 60
    turns = 0.2 * rng.standard_normal((len(keys), len(body.skeleton) * 3))
    smooth = np.asarray(splines.monotone_cubic(keys, turns, np.arange(frames) / 60)).reshape(frames, -1, 3)
    rotations = quaternion.multiply(body.default_pose.rotations, quaternion.exp(smooth))
    return Pose(rotations, np.tile(body.default_pose.root_translation, (frames, 1)))


def detection(body) -> Case:
    pose, volume, pairs = wandering(body, FRAMES), volume_of(body), pairs_of(body)
    state = WorldState(body, pose)
    placed = placed_capsules(volume, state)
    reach = 0.05 * state.body.height

    def capsules_and_pairs() -> object:
        there = placed_capsules(volume, state)
        return distances_of(there, there, pairs.first, pairs.second, pairs.trims, reach)

    distances = capsules_and_pairs()[0]  # type: ignore[index]
    ends = placed.ends
    closest = np.min(np.linalg.norm(ends[:, pairs.first, :, None] - ends[:, pairs.second, None], axis=-1), axis=(2, 3))
    assert np.all(distances <= closest + 1e-9), "surfaces are nearer than the ends of the axes"
    contenders = [
        Contender("capsules and pairs, joints placed", capsules_and_pairs, "ours"),
        Contender("self_penetration, from poses", lambda: self_penetration(body, pose), "ours"),
        Contender(
            "numpy: ends of all capsules, one distance a pair",
            lambda: np.linalg.norm(ends[:, pairs.first, 0] - ends[:, pairs.second, 0], axis=-1),
        ),
    ]
    work = f"{len(body.skeleton)} joints, {len(volume)} capsules, {len(pairs):,} pairs × {FRAMES:,} frames"
    return Case("volume detection", work, FRAMES, contenders)


def pushing(body) -> Case:
    pose, times = wandering(body, PUSHED), np.arange(PUSHED) / 60
    overlapping = int(self_penetration(body, pose).is_penetrating.sum())
    contenders = [Contender("push_out, no goals", lambda: push_out(body, pose, times=times), "ours")]
    return Case("volume push-out", f"{PUSHED} frames, {overlapping} of them overlapping", PUSHED, contenders)
