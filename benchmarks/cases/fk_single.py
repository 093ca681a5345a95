"""Forward kinematics of one frame of 64 joints, the way a live loop asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.cases.fk_batch import three_peer
from benchmarks.numpy_fk import ByDepth
from benchmarks.outside import node_is_here, pymotion_skeleton
from benchmarks.timing import Case, Contender
from benchmarks.workloads import motion
from mummer.kernels import fk_affine, fk_rigid

FRAME = 777


def cases() -> Iterator[Case]:
    m = motion(1000)
    turns, root = m.turns[FRAME].copy(), m.roots[FRAME].copy()
    out = fk_rigid(m.parents, turns, m.offsets, root)
    plan, scales, placed = ByDepth(m.parents), np.ones((64, 3)), m.offsets.copy()
    placed[0] = root
    assert np.abs(plan.run(turns, root, m.offsets)[:, :3, 3] - out[0]).max() < 1e-9
    contenders = [
        Contender(
            "mummer fk_rigid, into given arrays", lambda: fk_rigid(m.parents, turns, m.offsets, root, out=out), "ours"
        ),
        Contender("mummer fk_rigid, new arrays", lambda: fk_rigid(m.parents, turns, m.offsets, root), "ours"),
        Contender("mummer fk_affine, new array", lambda: fk_affine(m.parents, placed, turns, scales), "ours"),
        Contender("numpy, one product a depth", lambda: plan.run(turns, root, m.offsets)),
        *pymotion_rows(turns, root, m),
    ]
    close = lambda: None  # noqa: E731
    if node_is_here():
        peer = three_peer(m, out[0])
        close = peer.close
        contenders.append(Contender("three.js updateMatrixWorld", None, seconds=lambda: peer.seconds("single") / 1000))
    else:
        contenders.append(Contender("three.js updateMatrixWorld", None))
    limit = Contender("limit asked for: 5 µs", None, "limit", seconds=lambda: 5e-6)
    yield Case("fk_single float64", f"64 joints × 1 frame, {m.source}", 1, [*contenders, limit], close)


def pymotion_rows(turns, root, m) -> list[Contender]:
    skeleton = pymotion_skeleton()
    if skeleton is None:
        return [Contender("PyMotion fk (4x4)", None)]
    wxyz = np.ascontiguousarray(turns[:, [3, 0, 1, 2]])
    return [Contender("PyMotion fk (4x4)", lambda: skeleton.fk(wxyz, root, m.offsets, m.parents))]
