"""Dual-quaternion skinning on the workload of the linear one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from benchmarks.workloads import mesh, rotation_matrices
from mummer.kernels import skin_dual_quaternion, skin_linear
from mummer.math import quaternion


def cases() -> Iterator[Case]:
    m = mesh()
    inputs = (m.rest, m.indices, m.weights, m.matrices)
    stretched = m.matrices.copy()
    stretched[..., :3] *= np.linspace(0.8, 1.2, 64, dtype=np.float32)[:, None, None]
    out = skin_dual_quaternion(*inputs)
    duals = dual_quaternions(m.matrices)
    assert np.abs(numpy_frame(m, duals[3]) - out[3]).max() < 1e-3
    source, target = np.ones(m.copied_bytes, np.uint8), np.empty(m.copied_bytes, np.uint8)
    contenders = [
        Contender("mummer skin_dual_quaternion, given array", lambda: skin_dual_quaternion(*inputs, out=out), "ours"),
        Contender(
            "mummer skin_dual_quaternion, with scale",
            lambda: skin_dual_quaternion(*inputs[:3], stretched, out=out),
            "ours",
        ),
        Contender("mummer skin_linear, given array", lambda: skin_linear(*inputs, out=out), "ours"),
        Contender("numpy gather + einsum, quaternions ready", lambda: [numpy_frame(m, frame) for frame in duals]),
        Contender("memory copy, inputs of every frame + output", lambda: np.copyto(target, source), "limit"),
    ]
    yield Case("dqs float32", "10,000 vertices × 4 influences × 64 joints × 100 frames", 100, contenders)


def dual_quaternions(matrices: np.ndarray) -> np.ndarray:
    """(T, J, 8) float32 of rigid matrices."""
    real = quaternion.from_matrix(matrices[..., :3].astype(float))
    pure = np.concatenate([matrices[..., 3], np.zeros((*matrices.shape[:2], 1))], -1)
    return np.concatenate([real, quaternion.multiply(pure / 2, real)], -1).astype(np.float32)


def numpy_frame(m, duals: np.ndarray) -> np.ndarray:
    near = duals[m.indices]
    chief = np.take_along_axis(near, m.weights.argmax(1)[:, None, None], 1)
    side = np.where(np.einsum("vkc,voc->vk", near[..., :4], chief[..., :4]) < 0, -m.weights, m.weights)
    blend = np.einsum("vk,vkc->vc", side, near)
    blend /= np.linalg.norm(blend[:, :4], axis=1, keepdims=True)
    u, w, d, dw = blend[:, :3], blend[:, 3:4], blend[:, 4:7], blend[:, 7:]
    move = 2 * (w * d - dw * u + np.cross(u, d))
    return np.einsum("vij,vj->vi", rotation_matrices(blend[:, :4]), m.rest) + move
