"""Morph targets: a base shape plus weighted differences."""

from __future__ import annotations

from typing import Any

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Count, Floats1, Floats2, Output2
from mummer.kernels.checks import expect_shape, float_type, output
from mummer.kernels.kernel import kernel
from mummer.kernels.place import Backend, choose_place

# On a CPU one item is a run of numbers: short enough that the deltas of all targets stay in the second-level cache
# from frame to frame. On a GPU it is one number, so that neighbouring threads read neighbouring memory.
NUMBERS_AN_ITEM = 512


def add_one(weights: FloatArray, target: int, deltas: FloatArray, start: int, result: FloatArray) -> None:
    """Add one weighted target to a run of numbers that begins at ``start``."""
    weight, delta = weights[target], deltas[target, start:]
    for entry in range(result.shape[0]):
        result[entry] += weight * delta[entry]


def add_four(weights: FloatArray, target: int, deltas: FloatArray, start: int, result: FloatArray) -> None:
    """Add four targets at once, which reads and writes the result a quarter as often."""
    a, b, c, d = weights[target], weights[target + 1], weights[target + 2], weights[target + 3]
    along_a, along_b = deltas[target, start:], deltas[target + 1, start:]
    along_c, along_d = deltas[target + 2, start:], deltas[target + 3, start:]
    for entry in range(result.shape[0]):
        result[entry] += a * along_a[entry] + b * along_b[entry] + c * along_c[entry] + d * along_d[entry]


@kernel
def morph_runs(item: int, length: Count, base: Floats1, deltas: Floats2, weights: Floats2, morphed: Output2) -> None:
    """One item is a run of ``length`` numbers in every frame. A target of weight zero is not read at all."""
    start, targets = item * length, deltas.shape[0]
    stop = min(start + length, base.shape[0])
    for frame in range(weights.shape[0]):
        amounts, result = weights[frame], morphed[frame, start:stop]
        for entry in range(start, stop):
            result[entry - start] = base[entry]
        target = 0
        while target < targets:
            if amounts[target] == 0:
                target += 1
            elif target + 3 < targets and amounts[target + 1] * amounts[target + 2] * amounts[target + 3] != 0:
                add_four(amounts, target, deltas, start, result)
                target += 4
            else:
                add_one(amounts, target, deltas, start, result)
                target += 1


def morph(base: Any, deltas: Any, weights: Any, *, out: Any = None, backend: Backend | None = None) -> FloatArray:
    """The shapes (T, V, 3) that the weights ask for, or (V, 3) for one frame.

    A target of weight zero is not read, so garbage in an unused target does no harm. The precision is that of
    ``base``: float32, else float64.

    Args:
        base: (V, 3) vertices (or normals), metres.
        deltas: (M, V, 3) what each target adds at weight one.
        weights: (T, M), or (M,) for one frame.
        out: an array for the result, C-contiguous and apart from the inputs.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.

    Raises:
        InputError: for shapes that do not fit.

    Example:
        >>> morph([[0.0, 0, 0]], [[[0.0, 1, 0]], [[2.0, 0, 0]]], [0.5, 0.25]).tolist()
        [[0.5, 0.5, 0.0]]
    """
    place = choose_place(backend, base, deltas, weights)
    dtype = float_type(base)
    shape, targets, amounts = place.array(base, dtype), place.array(deltas, dtype), place.array(weights, dtype)
    expect_shape("base", shape, (None, 3), "(V, 3)")
    vertices = shape.shape[0]
    expect_shape("deltas", targets, (None, vertices, 3), "(M, V, 3)")
    count = targets.shape[0]
    lead = () if amounts.ndim == 1 else tuple(amounts.shape[:1])
    expect_shape("weights", amounts, (*lead, count), "(T, M), or (M,) for one frame")
    morphed = output(place, out, (*lead, vertices, 3), dtype)
    frames, size = lead[0] if lead else 1, vertices * 3
    length = NUMBERS_AN_ITEM if place.is_cpu else 1
    grain = max(1, 4_096 // max(1, frames * count)) if place.is_cpu else 1
    flat = (shape.reshape(size), targets.reshape(count, size), amounts.reshape(frames, count))
    place.run(morph_runs, -(-size // length), length, *flat, morphed.reshape(frames, size), grain=grain)
    result: FloatArray = place.result(morphed)
    return result
