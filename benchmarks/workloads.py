"""The seeded work that the cases share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Motion:
    """Local rotations (T, J, 4) xyzw, root positions (T, 3), offsets (J, 3), parents (J,)."""

    source: str
    turns: np.ndarray
    roots: np.ndarray
    offsets: np.ndarray
    parents: np.ndarray

    def astype(self, dtype) -> Motion:
        arrays = (a.astype(dtype) for a in (self.turns, self.roots, self.offsets))
        return Motion(self.source, *arrays, self.parents)


@dataclass(frozen=True)
class Mesh:
    """Rest vertices (V, 3), indices (V, K) uint16, weights (V, K), matrices (T, J, 3, 4); float32."""

    rest: np.ndarray
    indices: np.ndarray
    weights: np.ndarray
    matrices: np.ndarray

    @property
    def copied_bytes(self) -> int:
        """What a frame-by-frame skinning must read, every frame, and write: the yardstick of the memory copy."""
        read = self.rest.nbytes + self.indices.nbytes + self.weights.nbytes + self.matrices[0].nbytes
        return len(self.matrices) * (read + self.rest.nbytes)


def humanoid_tree() -> list[int]:
    """64 joints: spine and head, two arms with five fingers of three joints and a tip, two legs, face."""
    parents = [-1, 0, 1, 2, 3, 4]
    for _ in range(2):
        shoulder = len(parents)
        parents += [3, shoulder, shoulder + 1, shoulder + 2]
        for _ in range(5):
            finger = len(parents)
            parents += [shoulder + 3, finger, finger + 1]
    for _ in range(2):
        hip = len(parents)
        parents += [0, hip, hip + 1, hip + 2]
    while len(parents) < 64:
        parents.append(5)
    return parents


def smooth_motion(frames: int, *, seed: int = 3) -> Motion:
    """A made motion of the tree above: every joint swings with its own phase."""
    rng, parents = np.random.default_rng(seed), np.array(humanoid_tree())
    joints, times = len(parents), np.arange(frames)[:, None, None] / 60
    axes = rng.normal(size=(joints, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    half = 0.4 * np.sin(times * rng.uniform(1, 5, (joints, 1)) + rng.uniform(0, 6, (joints, 1)))
    turns = np.concatenate([np.sin(half) * axes, np.cos(half)], -1)
    roots = np.cumsum(rng.normal(0, 0.01, (frames, 3)), 0)
    return Motion("made motion", turns, roots, rng.normal(0, 0.15, (joints, 3)), parents)


def recorded_motion(frames: int) -> Motion | None:
    """The first 64 joints of a recorded dance, tiled, where the real files are."""
    folder = Path(os.environ.get("MUMMER_DATA", REPOSITORY.parent / "shared" / "data"))
    path = folder / "motions" / "animated-drawings" / "rokoko_jesse_dance.bvh"
    if not path.exists():
        return None
    from mummer.io import bvh

    body = bvh.read(path.read_bytes(), path)
    poses, skeleton = body.recordings[0].frames(), body.skeleton
    take = np.arange(frames) % len(poses.rotations)
    offsets = np.array(skeleton.rest_translations[:64])
    return Motion(
        path.name, poses.rotations[take][:, :64], poses.root_translation[take], offsets, np.array(skeleton.parents[:64])
    )


def motion(frames: int) -> Motion:
    return recorded_motion(frames) or smooth_motion(frames)


def rotation_matrices(q: np.ndarray) -> np.ndarray:
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def mesh(*, vertices: int = 10_000, joints: int = 64, frames: int = 100, influences: int = 4) -> Mesh:
    """Vertices in a box of two metres, distinct joints for each, random rigid matrices."""
    rng = np.random.default_rng(7)
    rest = rng.uniform(-1, 1, (vertices, 3))
    indices = np.argsort(rng.random((vertices, joints)), axis=1)[:, :influences]
    weights = rng.random((vertices, influences))
    q = rng.normal(size=(frames, joints, 4))
    turned = rotation_matrices(q / np.linalg.norm(q, axis=-1, keepdims=True))
    matrices = np.concatenate([turned, rng.uniform(-1, 1, (frames, joints, 3, 1))], -1)
    weights /= weights.sum(1, keepdims=True)
    return Mesh(
        rest.astype(np.float32), indices.astype(np.uint16), weights.astype(np.float32), matrices.astype(np.float32)
    )
