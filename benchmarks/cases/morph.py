"""Morph targets: 10,000 vertices × 50 targets × 100 frames, all of them in use, and one in ten."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer.kernels import morph

VERTICES, TARGETS, FRAMES = 10_000, 50, 100


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(5)
    base = rng.normal(size=(VERTICES, 3)).astype(np.float32)
    deltas = rng.normal(size=(TARGETS, VERTICES, 3)).astype(np.float32)
    weights = rng.random((FRAMES, TARGETS)).astype(np.float32)
    yield case("all targets in use", base, deltas, weights)
    yield case("one target in ten", base, deltas, weights * (rng.random(weights.shape) < 0.1).astype(np.float32))


def case(use: str, base: np.ndarray, deltas: np.ndarray, weights: np.ndarray) -> Case:
    out = np.empty((FRAMES, VERTICES, 3), np.float32)
    flat = deltas.reshape(TARGETS, -1)

    def product() -> np.ndarray:
        np.matmul(weights, flat, out=out.reshape(FRAMES, -1))
        np.add(out, base, out=out)
        return out

    assert np.abs(product() - morph(base, deltas, weights)).max() < 1e-3
    size = base.nbytes + deltas.nbytes + weights.nbytes + out.nbytes
    source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
    contenders = [
        Contender("mummer morph, into a given array", lambda: morph(base, deltas, weights, out=out), "ours"),
        Contender("numpy, one GEMM", product),
        Contender("memory copy of the same bytes", lambda: np.copyto(target, source), "limit"),
    ]
    return Case(
        f"morph float32, {use}", f"{VERTICES:,} vertices × {TARGETS} targets × {FRAMES} frames", FRAMES, contenders
    )
