"""Forward kinematics with scale: the full matrix of every joint, as glTF defines it."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats3, Output3, Output4, Parents
from mummer.kernels.checks import (
    FLOAT32,
    FLOAT64,
    expect_parents,
    expect_shape_or_constant,
    float_type,
    framed,
    leading_frames,
    output,
)
from mummer.kernels.kernel import compiled, kernel
from mummer.kernels.place import Backend, choose_place
from mummer.kernels.scalars import rotation_matrix

JOINTS_A_PIECE = 8_192


def place_column(
    frame: int, joint: int, parent: int, column: int, x: float, y: float, z: float, world: Output4
) -> None:
    """Write one column of the first three, a direction in the parent's frame, turned into the world's."""
    if parent >= 0:
        x, y, z = (
            world[frame, parent, 0, 0] * x + world[frame, parent, 0, 1] * y + world[frame, parent, 0, 2] * z,
            world[frame, parent, 1, 0] * x + world[frame, parent, 1, 1] * y + world[frame, parent, 1, 2] * z,
            world[frame, parent, 2, 0] * x + world[frame, parent, 2, 1] * y + world[frame, parent, 2, 2] * z,
        )
        if column == 3:
            x += world[frame, parent, 0, 3]
            y += world[frame, parent, 1, 3]
            z += world[frame, parent, 2, 3]
    world[frame, joint, 0, column] = x
    world[frame, joint, 1, column] = y
    world[frame, joint, 2, column] = z


def compose_frame(
    frame: int, parents: Parents, translations: Floats3, rotations: Floats3, scales: Floats3, world: Output4
) -> None:
    """Every joint of one frame, parents first. Translations or scales of one frame serve all frames."""
    moved = frame if translations.shape[0] > 1 else 0
    sized = frame if scales.shape[0] > 1 else 0
    for joint in range(parents.shape[0]):
        parent = parents[joint]
        r00, r01, r02, r10, r11, r12, r20, r21, r22 = rotation_matrix(
            rotations[frame, joint, 0],
            rotations[frame, joint, 1],
            rotations[frame, joint, 2],
            rotations[frame, joint, 3],
        )
        sx, sy, sz = scales[sized, joint, 0], scales[sized, joint, 1], scales[sized, joint, 2]
        place_column(frame, joint, parent, 0, r00 * sx, r10 * sx, r20 * sx, world)
        place_column(frame, joint, parent, 1, r01 * sy, r11 * sy, r21 * sy, world)
        place_column(frame, joint, parent, 2, r02 * sz, r12 * sz, r22 * sz, world)
        tx, ty, tz = translations[moved, joint, 0], translations[moved, joint, 1], translations[moved, joint, 2]
        place_column(frame, joint, parent, 3, tx, ty, tz, world)


@kernel
def fk_affine_frames(
    frame: int, parents: Parents, translations: Floats3, rotations: Floats3, scales: Floats3, world: Output4
) -> None:
    """One item is one frame."""
    compose_frame(frame, parents, translations, rotations, scales, world)


@compiled
def fk_affine_at_once(
    parents: Parents, translations: Floats2, rotations: Floats2, scales: Floats2, world: Output3
) -> bool:
    """One frame with its checks inside, which costs less than checking in Python; False when one failed."""
    joints = parents.shape[0]
    if translations.shape != (joints, 3) or rotations.shape != (joints, 4) or scales.shape != (joints, 3):
        return False
    if world.shape != (joints, 3, 4):
        return False
    for joint in range(joints):
        if parents[joint] >= joint or parents[joint] < -1:
            return False
    compose_frame(
        0,
        parents,
        translations.reshape((1, joints, 3)),
        rotations.reshape((1, joints, 4)),
        scales.reshape((1, joints, 3)),
        world.reshape((1, joints, 3, 4)),
    )
    return True


def fk_affine(
    parents: Any,
    translations: Any,
    rotations: Any,
    scales: Any,
    *,
    out: Any = None,
    backend: Backend | None = None,
) -> FloatArray:
    """The matrices world_from_joint (T, J, 3, 4) of every joint, or (J, 3, 4) for one frame.

    Each local matrix is translation · rotation · scale and is multiplied onto its parent's whole matrix, so a
    non-uniform scale above a turned joint shears it. The precision is that of ``rotations``: float32, else float64.

    Args:
        parents: (J,) the parent of each joint, always before it; -1 for a root, of which there may be several.
        translations: (T, J, 3), or (J, 3) when they do not change, parent_from_joint, metres.
        rotations: (T, J, 4), or (J, 4) for one frame, unit, xyzw.
        scales: (T, J, 3), or (J, 3) when they do not change.
        out: an array for the result, C-contiguous and apart from the inputs.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.

    Raises:
        InputError: for shapes that do not fit or a parent that does not come before its child.

    Example:
        >>> still = [0.0, 0.0, 0.0, 1.0]
        >>> matrices = fk_affine([-1, 0], [[0, 1, 0], [1, 0, 0]], [still, still], [[2, 2, 2], [1, 1, 1]])
        >>> matrices[1].tolist()
        [[2.0, 0.0, 0.0, 2.0], [0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 2.0, 0.0]]
    """
    if backend is None and type(rotations) is np.ndarray and rotations.ndim == 2:
        done = _fast_single(parents, translations, rotations, scales, out)
        if done is not None:
            return done
    place = choose_place(backend, parents, translations, rotations, scales)
    dtype, joints = float_type(rotations), len(parents)
    turns = place.array(rotations, dtype)
    offsets, sizes = place.array(translations, dtype), place.array(scales, dtype)
    lead = leading_frames("rotations", turns, (joints, 4), "(T, J, 4) or (J, 4)")
    expect_shape_or_constant("translations", offsets, lead, (joints, 3), "(T, J, 3) or (J, 3)")
    expect_shape_or_constant("scales", sizes, lead, (joints, 3), "(T, J, 3) or (J, 3)")
    expect_parents(parents)
    world = output(place, out, (*lead, joints, 3, 4), dtype)
    place.run(
        fk_affine_frames,
        lead[0] if lead else 1,
        place.array(parents, np.int64),
        framed(offsets, (joints, 3)),
        framed(turns, (joints, 4)),
        framed(sizes, (joints, 3)),
        framed(world, (joints, 3, 4)),
        grain=max(1, JOINTS_A_PIECE // max(1, joints)),
    )
    result: FloatArray = place.result(world)
    return result


def _fast_single(parents: Any, offsets: Any, turns: FloatArray, sizes: Any, out: Any) -> FloatArray | None:
    """The result for one frame of arrays that fit as they are; None sends the others the long way round."""
    if turns.dtype != FLOAT64 and turns.dtype != FLOAT32:
        return None
    world: FloatArray = np.empty((len(turns), 3, 4), turns.dtype) if out is None else out
    try:
        fits = fk_affine_at_once.at(turns.dtype)(parents, offsets, turns, sizes, world)
    except TypeError:  # not the declared types
        return None
    return world if fits else None
