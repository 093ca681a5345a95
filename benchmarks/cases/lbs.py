"""Linear-blend skinning of 10,000 vertices × 4 influences × 64 joints × 100 frames."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.outside import NodePeer, node_is_here
from benchmarks.timing import Case, Contender
from benchmarks.workloads import Mesh, mesh
from mummer.kernels import skin_linear


def cases() -> Iterator[Case]:
    m = mesh()
    inputs = (m.rest, m.indices, m.weights, m.matrices)
    out = skin_linear(*inputs)
    peers = NumpySkins(m)
    for name in ("gather", "gemm", "csr"):
        got = getattr(peers, name)()
        assert np.abs(got.reshape(out.shape if name == "gather" else peers.wide) - peers.like(name, out)).max() < 1e-4
    source, target = np.ones(m.copied_bytes, np.uint8), np.empty(m.copied_bytes, np.uint8)
    three, close = three_row(m, out)
    contenders = [
        Contender("mummer skin_linear, into a given array", lambda: skin_linear(*inputs, out=out), "ours"),
        Contender("mummer skin_linear, new array", lambda: skin_linear(*inputs), "ours"),
        Contender("numpy gather + einsum, frame by frame", peers.gather),
        Contender("numpy one GEMM, result (V, T*3)", peers.gemm),
        Contender("numpy one GEMM, then to (T, V, 3)", peers.gemm_to_frames),
        Contender("scipy CSR at once, result (V, T*3)", peers.csr),
        three,
        Contender("memory copy, inputs of every frame + output", lambda: np.copyto(target, source), "limit"),
    ]
    yield Case("lbs float32", "10,000 vertices × 4 influences × 64 joints × 100 frames", 100, contenders, close)
    yield one_frame(m)


class NumpySkins:
    """The usual ways in numpy and scipy. The all-frames ones get their weight matrix before the clock starts."""

    def __init__(self, m: Mesh) -> None:
        import scipy.sparse

        self.m = m
        frames, joints = m.matrices.shape[:2]
        self.wide = (len(m.rest), frames * 3)
        self.home = np.concatenate([m.rest, np.ones((len(m.rest), 1), np.float32)], 1)
        dense = np.zeros((len(m.rest), joints), np.float32)
        np.put_along_axis(dense, m.indices.astype(np.intp), m.weights, 1)
        self.lifted = (dense[:, :, None] * self.home[:, None, :]).reshape(len(m.rest), joints * 4)
        self.sparse = scipy.sparse.csr_matrix(self.lifted)
        self.out = np.empty((frames, len(m.rest), 3), np.float32)

    def columns(self) -> np.ndarray:
        frames, joints = self.m.matrices.shape[:2]
        return self.m.matrices.transpose(1, 3, 0, 2).reshape(joints * 4, frames * 3)

    def gather(self) -> np.ndarray:
        for frame, matrices in enumerate(self.m.matrices):
            blend = np.einsum("vk,vkij->vij", self.m.weights, matrices[self.m.indices])
            np.einsum("vij,vj->vi", blend, self.home, out=self.out[frame])
        return self.out

    def gemm(self) -> np.ndarray:
        return self.lifted @ self.columns()

    def gemm_to_frames(self) -> np.ndarray:
        np.copyto(self.out, self.gemm().reshape(len(self.m.rest), -1, 3).transpose(1, 0, 2))
        return self.out

    def csr(self) -> np.ndarray:
        return self.sparse @ self.columns()

    def like(self, name: str, skinned: np.ndarray) -> np.ndarray:
        return skinned if name == "gather" else skinned.transpose(1, 0, 2).reshape(self.wide)


def three_row(m: Mesh, out: np.ndarray):
    name = "three.js SkinnedMesh.getVertexPosition"
    if not node_is_here():
        return Contender(name, None), lambda: None
    arrays = {"rest": m.rest, "indices": m.indices, "weights": m.weights, "matrices": m.matrices, "want": out[3]}
    settings = {"vertices": len(m.rest), "joints": m.matrices.shape[1], "frames": len(m.matrices), "checkFrame": 3}
    peer = NodePeer("three_skin.mjs", arrays, settings)
    return Contender(name, None, seconds=lambda: peer.seconds("batch")), peer.close


def one_frame(m: Mesh) -> Case:
    single = Mesh(m.rest, m.indices, m.weights, m.matrices[:1])
    peers, out = NumpySkins(single), np.empty((1, len(m.rest), 3), np.float32)
    inputs = (m.rest, m.indices, m.weights, m.matrices[:1])
    source, target = np.ones(single.copied_bytes, np.uint8), np.empty(single.copied_bytes, np.uint8)
    contenders = [
        Contender("mummer skin_linear, into a given array", lambda: skin_linear(*inputs, out=out), "ours"),
        Contender("numpy gather + einsum", peers.gather),
        Contender("memory copy, input + output (stays in cache)", lambda: np.copyto(target, source), "limit"),
    ]
    return Case("lbs one frame float32", "10,000 vertices × 4 influences × 1 frame", 1, contenders)
