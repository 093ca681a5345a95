"""Run the kernel over many frames of one body, each lane with scratch memory of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, IntArray
from mummer.ik.particles.layout import Layout
from mummer.ik.particles.solve_frames import solve_frames
from mummer.kernels import Backend, choose_place, thread_count
from mummer.kernels.place import Place

LANES_A_THREAD = 4
MOST_LANES_ON_A_DEVICE = 32_768
PARTS = 12
"""Numbers kept for each spine particle."""


def run_particles(
    layout: Layout,
    settings: FloatArray,
    targets: Any,
    pin_places: Any,
    masks: Any,
    *,
    steps: int,
    backend: Backend | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rotations (B, n, 4) parent_from_joint of the layout's joints, length factors (B, n, 1), steps taken (B,).

    Args:
        layout: the body and its goals.
        settings: see `settings_array`.
        targets: (B, N, 4) of the tasks, in the body's space. Their precision is that of the work: float32, else float64.
        pin_places: (B, G, 3) of the pins, in the body's space.
        masks: (B, N, 6) for tasks about some axes alone, what part of an error counts; see `world_masks`.
        steps: the most corrections for each frame.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.
    """
    place = choose_place(backend, targets, pin_places, masks)
    dtype = np.float32 if str(targets.dtype) == "float32" else np.float64
    frames, joints = len(targets), len(layout.joints)
    lanes = max(1, min(frames, MOST_LANES_ON_A_DEVICE if not place.is_cpu else LANES_A_THREAD * thread_count()))
    outputs = [place.empty((frames, joints, 4), dtype), place.empty((frames, joints, 1), dtype)]
    outputs.append(place.empty((frames,), dtype))
    if frames:
        place.run(
            solve_frames, lanes, frames, lanes, steps,
            *(place.array(array, dtype if array.dtype.kind == "f" else np.int64) for array in layout.arrays()),
            place.array(settings, dtype), place.array(targets, dtype), place.array(pin_places, dtype),
            place.array(masks, dtype), *outputs, *scratch(place, layout, lanes, dtype),
            grain=max(1, LEAST_FRAMES // max(1, frames // lanes)),
        )  # fmt: skip
    rotations, lengths, taken = (place.result(output) for output in outputs)
    return rotations, lengths, taken


LEAST_FRAMES = 16
"""Fewer frames than this are not worth another thread."""


def scratch(place: Place, layout: Layout, lanes: int, dtype: npt.DTypeLike) -> list[Any]:
    """The memory that lanes work in."""
    n, tasks = len(layout.joints), len(layout.tasks)
    shapes: list[tuple[int, int]] = [
        (n, 1), (n, 4), (n, 3), (n, 4), (n, 4), (len(layout.spine), PARTS), (len(layout.limbs.rest), 3),
        (max(1, len(layout.limbs.roots)), 4), (max(1, tasks), 3), (max(1, 3 * tasks), 2), (3 * n, 3), (n, 4), (n, 3),
        (max(1, layout.rows.most_below), 3), (max(1, 3 * tasks), max(1, 3 * tasks)),
    ]  # fmt: skip
    return [place.empty((lanes, *shape), dtype) for shape in shapes]


def world_masks(axes: IntArray | FloatArray, matrices: FloatArray) -> FloatArray:
    """(B, N, 6) the upper half of what takes from an error in the body's space the part that counts.

    Args:
        axes: (N, 3) one for the world's axes that count, else zero.
        matrices: (B, 3, 3) world_from_body.
    """
    full = np.einsum("bki,nk,bkj->bnij", matrices, np.asarray(axes, np.float64), matrices)
    return np.ascontiguousarray(full[..., [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]])
