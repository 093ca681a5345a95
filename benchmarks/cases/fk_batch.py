"""Forward kinematics of 64 joints × 10,000 frames."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.numpy_fk import ComponentMajor, frame_major
from benchmarks.outside import NodePeer, node_is_here, pymotion_skeleton
from benchmarks.timing import Case, Contender
from benchmarks.workloads import Motion, motion, rotation_matrices
from mummer.kernels import fk_rigid

FRAMES = 10_000


def cases() -> Iterator[Case]:
    whole = motion(FRAMES)
    yield batch(whole, np.float64)
    yield batch(whole, np.float32)


def batch(whole: Motion, dtype: type) -> Case:
    m = whole.astype(dtype)
    out = fk_rigid(m.parents, m.turns, m.offsets, m.roots)
    soa = ComponentMajor(m.turns, m.roots, m.offsets, m.parents)
    soa.run()
    agree(out, (soa.positions.transpose(2, 0, 1), soa.rotations.transpose(2, 0, 1)), dtype)
    agree(out, frame_major(m.turns, m.roots, m.offsets, m.parents), dtype)
    size = m.turns.nbytes + m.roots.nbytes + out[0].nbytes + out[1].nbytes
    source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
    three, close = three_rows(whole, out) if dtype == np.float64 else ([], lambda: None)
    contenders = [
        Contender(
            "mummer fk_rigid, into given arrays",
            lambda: fk_rigid(m.parents, m.turns, m.offsets, m.roots, out=out),
            "ours",
        ),
        Contender("mummer fk_rigid, new arrays", lambda: fk_rigid(m.parents, m.turns, m.offsets, m.roots), "ours"),
        Contender("numpy, component-major", soa.run),
        Contender("numpy, frame-major", lambda: frame_major(m.turns, m.roots, m.offsets, m.parents)),
        *pymotion_rows(m, out),
        *three,
        Contender("memory copy of the same bytes", lambda: np.copyto(target, source), "limit"),
    ]
    return Case(f"fk_batch {np.dtype(dtype)}", f"64 joints × {FRAMES:,} frames, {m.source}", FRAMES, contenders, close)


def agree(ours, theirs, dtype) -> None:
    tolerance = 1e-9 if dtype == np.float64 else 1e-4
    assert np.abs(ours[0] - theirs[0]).max() < tolerance
    assert np.abs(rotation_matrices(ours[1]) - rotation_matrices(theirs[1])).max() < tolerance


def pymotion_rows(m: Motion, out) -> list[Contender]:
    skeleton = pymotion_skeleton()
    if skeleton is None:
        return [Contender("PyMotion fk_quat", None), Contender("PyMotion fk (4x4)", None)]
    wxyz = np.ascontiguousarray(m.turns[..., [3, 0, 1, 2]])
    # It places a child by its offset and the root by its position alone.
    offsets = m.offsets.copy()
    offsets[0] = 0
    positions, _ = skeleton.fk_quat(wxyz, m.roots, offsets, m.parents)
    assert np.abs(positions - out[0]).max() < 1e-4
    return [
        Contender("PyMotion fk_quat", lambda: skeleton.fk_quat(wxyz, m.roots, offsets, m.parents)),
        Contender("PyMotion fk (4x4)", lambda: skeleton.fk(wxyz, m.roots, offsets, m.parents)),
    ]


def three_peer(m: Motion, want: np.ndarray, *, frame: int = 777) -> NodePeer:
    settings = {
        "parents": m.parents.tolist(),
        "offsets": m.offsets.tolist(),
        "frames": len(m.turns),
        "checkFrame": frame,
    }
    return NodePeer("three_fk.mjs", {"turns": m.turns, "roots": m.roots, "want": want}, settings)


def three_rows(m: Motion, out):
    names = {"three.js updateMatrixWorld": "batch", "three.js, positions to an array": "batchRead"}
    if not node_is_here():
        return [Contender(name, None) for name in names], lambda: None
    peer = three_peer(m, out[0][777])
    return [Contender(name, None, seconds=lambda w=what: peer.seconds(w)) for name, what in names.items()], peer.close
