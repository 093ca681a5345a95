"""What the kernels compute, written plainly with numpy and matrices, and the workloads to compare on."""

from __future__ import annotations

import numpy as np


def rotation_matrices(q: np.ndarray) -> np.ndarray:
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def affine(parents, translations, rotations, scales) -> np.ndarray:
    """world_from_joint (T, J, 4, 4) by 4 × 4 products."""
    local = np.zeros((*rotations.shape[:2], 4, 4))
    local[..., :3, :3] = rotation_matrices(rotations) * np.broadcast_to(scales, (*rotations.shape[:2], 3))[..., None, :]
    local[..., :3, 3] = translations
    local[..., 3, 3] = 1
    for joint, parent in enumerate(parents):
        if parent >= 0:
            local[:, joint] = local[:, parent] @ local[:, joint]
    return local


def rigid(parents, rotations, translations, root) -> tuple[np.ndarray, np.ndarray]:
    """World positions (T, J, 3) and rotation matrices (T, J, 3, 3)."""
    moved = np.array(np.broadcast_to(translations, (*rotations.shape[:2], 3)), float)
    if len(parents):
        moved[:, 0] = root
    world = affine(parents, moved, rotations.astype(float), np.ones(3))
    return world[..., :3, 3], world[..., :3, :3]


def blended_matrices(indices, weights, matrices) -> np.ndarray:
    """(T, V, 3, 4)."""
    return np.einsum("vk,tvkij->tvij", weights, matrices[:, indices])


def linear(rest, indices, weights, matrices) -> np.ndarray:
    blend = blended_matrices(indices, weights, matrices)
    return np.einsum("tvij,vj->tvi", blend[..., :3], rest) + blend[..., 3]


def dual_quaternions(q: np.ndarray, t: np.ndarray) -> np.ndarray:
    """(..., 8): real then dual, from unit quaternions and translations."""
    pure = np.concatenate([t, np.zeros((*t.shape[:-1], 1))], -1) / 2
    return np.concatenate([q, product(pure, q)], -1)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + np.cross(a[..., :3], b[..., :3])
    return np.concatenate([vector, a[..., 3:] * b[..., 3:] - np.sum(a[..., :3] * b[..., :3], -1, keepdims=True)], -1)


def dual_quaternion_skin(rest, indices, weights, q, t) -> np.ndarray:
    """(T, V, 3) by normalising the blend and turning it back into a rotation and a translation."""
    duals = dual_quaternions(q, t)[:, indices]
    chief = np.take_along_axis(duals, weights.argmax(1)[None, :, None, None], 2)
    side = np.where(np.sum(duals[..., :4] * chief[..., :4], -1) < 0, -1.0, 1.0)
    blend = np.einsum("tvk,tvkc->tvc", weights * side, duals)
    blend /= np.linalg.norm(blend[..., :4], axis=-1, keepdims=True)
    real, dual = blend[..., :4], blend[..., 4:]
    move = 2 * product(dual, real * [-1, -1, -1, 1])[..., :3]
    return np.einsum("tvij,vj->tvi", rotation_matrices(real), rest) + move


# ---- workloads --------------------------------------------------------------------------------


TREES = {
    "one joint": [-1],
    "chain": list(range(-1, 39)),
    "star": [-1] + [0] * 20,
    "several roots": [-1, 0, -1, 2, 2, -1, 0, 4],
    "no joints": [],
}


def random_tree(rng: np.random.Generator, joints: int) -> np.ndarray:
    return np.array([int(rng.integers(-1, joint)) if joint else -1 for joint in range(joints)], np.int64)


def unit_quaternions(rng: np.random.Generator, *shape: int) -> np.ndarray:
    q = rng.normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def skin(rng: np.random.Generator, *, vertices=70, influences=4, joints=9, frames=5):
    """rest, indices, weights and rigid motions (q, t) with their matrices."""
    rest = rng.uniform(-1, 1, (vertices, 3))
    indices = rng.integers(0, joints, (vertices, influences))
    weights = rng.random((vertices, influences)) + 0.01
    weights /= weights.sum(1, keepdims=True)
    q, t = unit_quaternions(rng, frames, joints), rng.uniform(-1, 1, (frames, joints, 3))
    return rest, indices, weights, q, t, np.concatenate([rotation_matrices(q), t[..., None]], -1)
