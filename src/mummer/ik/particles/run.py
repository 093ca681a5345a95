"""Run the three kernels over many poses of one body, block by block."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray
from mummer.ik.particles.correct import correct_frames
from mummer.ik.particles.layout import Layout
from mummer.ik.particles.limb_phase import limb_frames
from mummer.ik.particles.spine_phase import spine_frames
from mummer.kernels import Backend, choose_place
from mummer.kernels.place import Place

BLOCK = 512
"""Poses whose scratch memory still fits the caches of a CPU."""
BLOCK_ON_A_DEVICE = 32_768
GRAIN = 16
"""Fewer poses than this are not worth another thread."""
SPINE_NUMBERS = 10
ALONE = 4
"""The most steps of the spine and of each limb by themselves, before the whole body takes over."""


def run_particles(
    layout: Layout,
    settings: FloatArray,
    targets: Any,
    pin_places: Any,
    masks: Any,
    *,
    steps: int,
    backend: Backend | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Rotations (B, n, 4) parent_from_joint, roots (B, 1, 3), length factors (B, n, 1) and steps taken (B,).

    The root's rotation and place are in the body's space.

    Args:
        layout: the body and its goals.
        settings: see `settings_array`.
        targets: (B, N, 4) of the tasks, in the body's space. The work has their precision: float32, else float64.
        pin_places: (B, G, 3) of the pins, in the body's space.
        masks: (B, N, 6) for tasks about some axes alone, what part of an error counts; see `world_masks`.
        steps: the most corrections for each frame.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.
    """
    place = choose_place(backend, targets, pin_places, masks)
    dtype = np.float32 if str(targets.dtype) == "float32" else np.float64
    inputs = [place.array(array, dtype) for array in (targets, pin_places, masks)]
    count, n = len(targets), len(layout.joints)
    outputs = [place.empty(shape, dtype) for shape in ((count, n, 4), (count, 1, 3), (count, n, 1), (count,))]
    block = max(1, min(count, BLOCK if place.is_cpu else BLOCK_ON_A_DEVICE))
    work = _Work(place, layout, settings, dtype, block)
    for start in range(0, count, block):
        part = slice(start, min(start + block, count))
        work.run(steps, *(array[part] for array in inputs), *(array[part] for array in outputs))
    rotations, roots, lengths, taken = (place.result(output) for output in outputs)
    return rotations, roots, lengths, taken


class _Work:
    """The arrays of a layout where the kernels run, and the scratch memory of one block of poses."""

    def __init__(self, place: Place, layout: Layout, settings: FloatArray, dtype: npt.DTypeLike, block: int) -> None:
        self.place = place

        def here(array: Any) -> Any:
            return place.array(array, np.int64 if array.dtype.kind in "ib" else dtype)

        def all_of(part: Any) -> list[Any]:
            return [here(getattr(part, field.name)) for field in fields(part)]

        joints, rows = layout.joints, layout.rows
        self.groups = len(layout.groups)
        n, tasks = len(joints), max(1, len(layout.tasks))
        scratch = partial(_scratch, place, dtype, block)
        kinds, task_joints, points, axes, weights, masked, bases, reaches = all_of(rows)
        _, parents, offsets, rest, rest_turns, rest_local, *limits, freedom, is_spine = all_of(joints)
        turn_tasks, tuned = here(layout.turn_tasks), here(settings)
        self.wanted = scratch(n, 4)
        self.positions, self.rotations = scratch(n, 3), scratch(n, 4)
        self.spine = [*all_of(layout.spine), rest, rest_turns, turn_tasks, weights, tuned]
        self.spine_scratch = [scratch(len(layout.spine), SPINE_NUMBERS), self.wanted]
        self.limbs = [
            *all_of(layout.limbs), parents, offsets, rest, rest_turns, rest_local, *limits, freedom, is_spine,
            turn_tasks, tuned,
        ]  # fmt: skip
        self.limb_scratch = [self.wanted, self.positions, self.rotations]
        self.limb_scratch += [scratch(len(layout.limbs.rest), 3), scratch(max(1, len(layout.limbs.roots)), 4)]
        self.corrections = [
            *all_of(layout.groups), parents, offsets, rest, *limits, freedom, kinds, task_joints, points, axes,
            weights, masked, bases, reaches, tuned,
        ]  # fmt: skip
        self.correction_scratch = [
            self.positions, self.rotations, scratch(tasks, 3), scratch(3 * tasks, 3), scratch(3 * n, 4), scratch(n, 3),
            scratch(n, 6), scratch(n, 4), scratch(n, 4), scratch(max(1, layout.groups.most_below), 3),
            scratch(3 * tasks, 3 * tasks),
        ]  # fmt: skip

    def run(
        self, steps: int, targets: Any, pins: Any, masks: Any, local: Any, roots: Any, lengths: Any, taken: Any
    ) -> None:
        """Fill ``local``, ``roots``, ``lengths`` and ``taken`` for one block."""
        count, run = len(targets), partial(self.place.run, grain=GRAIN)
        run(spine_frames, count, *self.spine, targets, pins, *self.spine_scratch)
        last = self.groups - 1
        for phase, groups in enumerate(((0, 1), (1, last), (last, last + 1))):
            if phase < 2:
                run(limb_frames, count, phase, *self.limbs, targets, pins, *self.limb_scratch, local, lengths)
            most = steps if phase == 2 else min(steps, ALONE)
            run(
                correct_frames, count, *groups, most, *self.corrections, targets, masks, lengths,
                *self.correction_scratch, local, roots, taken,
            )  # fmt: skip


def _scratch(place: Place, dtype: npt.DTypeLike, block: int, *shape: int) -> Any:
    return place.empty((block, *shape), dtype)


def world_masks(axes: FloatArray, matrices: FloatArray) -> FloatArray:
    """(B, N, 6) the upper half of what takes from an error in the body's space the part that counts.

    Args:
        axes: (N, 3) one for the world's axes that count, else zero.
        matrices: (B, 3, 3) world_from_body.
    """
    full = np.einsum("bki,nk,bkj->bnij", matrices, np.asarray(axes, np.float64), matrices)
    return np.ascontiguousarray(full[..., [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]])
