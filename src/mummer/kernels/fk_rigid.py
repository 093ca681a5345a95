"""Forward kinematics of rotations and offsets: where every joint is, for one frame or many."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats1, Floats2, Floats3, Output2, Output3, Parents
from mummer.kernels.checks import (
    FLOAT32,
    FLOAT64,
    expect_parents,
    expect_shape,
    expect_shape_or_constant,
    float_type,
    framed,
    leading_frames,
    output,
)
from mummer.kernels.kernel import compiled, kernel
from mummer.kernels.place import Backend, choose_place
from mummer.kernels.scalars import multiply_quaternions, rotate

# A piece of work for one thread: long beside the cost of handing it out, short beside a batch.
JOINTS_A_PIECE = 16_384


def place_joint(
    frame: int,
    joint: int,
    parent: int,
    x: float,
    y: float,
    z: float,
    local_rotations: Floats3,
    positions: Output3,
    rotations: Output3,
) -> None:
    """Write one joint's place, given its local translation xyz, once its parent's is known."""
    qx, qy = local_rotations[frame, joint, 0], local_rotations[frame, joint, 1]
    qz, qw = local_rotations[frame, joint, 2], local_rotations[frame, joint, 3]
    if parent >= 0:
        px, py = rotations[frame, parent, 0], rotations[frame, parent, 1]
        pz, pw = rotations[frame, parent, 2], rotations[frame, parent, 3]
        x, y, z = rotate(px, py, pz, pw, x, y, z)
        x += positions[frame, parent, 0]
        y += positions[frame, parent, 1]
        z += positions[frame, parent, 2]
        qx, qy, qz, qw = multiply_quaternions(px, py, pz, pw, qx, qy, qz, qw)
    positions[frame, joint, 0], positions[frame, joint, 1], positions[frame, joint, 2] = x, y, z
    rotations[frame, joint, 0], rotations[frame, joint, 1] = qx, qy
    rotations[frame, joint, 2], rotations[frame, joint, 3] = qz, qw


def pose_frame(
    frame: int,
    parents: Parents,
    local_rotations: Floats3,
    local_translations: Floats3,
    root_translation: Floats2,
    positions: Output3,
    rotations: Output3,
) -> None:
    """Every joint of one frame, parents first. Translations of one frame serve all frames."""
    source = frame if local_translations.shape[0] > 1 else 0
    for joint in range(parents.shape[0]):
        x, y = local_translations[source, joint, 0], local_translations[source, joint, 1]
        z = local_translations[source, joint, 2]
        if joint == 0:
            x, y, z = root_translation[frame, 0], root_translation[frame, 1], root_translation[frame, 2]
        place_joint(frame, joint, parents[joint], x, y, z, local_rotations, positions, rotations)


@kernel
def fk_rigid_frames(
    frame: int,
    parents: Parents,
    local_rotations: Floats3,
    local_translations: Floats3,
    root_translation: Floats2,
    positions: Output3,
    rotations: Output3,
) -> None:
    """One item is one frame."""
    pose_frame(frame, parents, local_rotations, local_translations, root_translation, positions, rotations)


@compiled
def fk_rigid_at_once(
    parents: Parents,
    local_rotations: Floats2,
    local_translations: Floats2,
    root_translation: Floats1,
    positions: Output2,
    rotations: Output2,
) -> bool:
    """One frame with its checks inside, which costs less than checking in Python; False when one failed."""
    joints = parents.shape[0]
    if local_rotations.shape != (joints, 4) or local_translations.shape != (joints, 3):
        return False
    if root_translation.shape[0] != 3 or positions.shape != (joints, 3) or rotations.shape != (joints, 4):
        return False
    for joint in range(joints):
        if parents[joint] >= joint or parents[joint] < -1:
            return False
    pose_frame(
        0,
        parents,
        local_rotations.reshape((1, joints, 4)),
        local_translations.reshape((1, joints, 3)),
        root_translation.reshape((1, 3)),
        positions.reshape((1, joints, 3)),
        rotations.reshape((1, joints, 4)),
    )
    return True


def fk_rigid(
    parents: Any,
    local_rotations: Any,
    local_translations: Any,
    root_translation: Any,
    *,
    out: tuple[Any, Any] | None = None,
    backend: Backend | None = None,
) -> tuple[FloatArray, FloatArray]:
    """World positions (T, J, 3) in metres and world rotations (T, J, 4) xyzw of every joint.

    With ``local_rotations`` of one frame, (J, 4), the results are (J, 3) and (J, 4). Rotations are taken as unit
    quaternions and not normalised. The precision is that of ``local_rotations``: float32, else float64.

    Args:
        parents: (J,) the parent of each joint, always before it; -1 for a root, of which there may be several.
        local_rotations: (T, J, 4) or (J, 4), parent_from_joint, xyzw.
        local_translations: (J, 3), or (T, J, 3) when they change, in the parent's frame; that of joint 0 is not used.
        root_translation: (T, 3) or (3,), where joint 0 is.
        out: arrays for the two results, C-contiguous and apart from the inputs.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.

    Raises:
        InputError: for shapes that do not fit or a parent that does not come before its child.

    Example:
        >>> turn = [0.0, 0.0, 0.5**0.5, 0.5**0.5]  # a quarter about z
        >>> positions, _ = fk_rigid([-1, 0], [turn, turn], [[0, 0, 0], [1, 0, 0]], [0, 2, 0])
        >>> [round(height, 6) for height in positions[:, 1].tolist()]
        [2.0, 3.0]
    """
    if backend is None and type(local_rotations) is np.ndarray and local_rotations.ndim == 2:
        done = _fast_single(parents, local_rotations, local_translations, root_translation, out)
        if done is not None:
            return done
    place = choose_place(backend, parents, local_rotations, local_translations, root_translation)
    dtype, joints = float_type(local_rotations), len(parents)
    turns = place.array(local_rotations, dtype)
    offsets, roots = place.array(local_translations, dtype), place.array(root_translation, dtype)
    lead = leading_frames("local_rotations", turns, (joints, 4), "(T, J, 4) or (J, 4)")
    expect_shape_or_constant("local_translations", offsets, lead, (joints, 3), "(T, J, 3) or (J, 3)")
    expect_shape("root_translation", roots, (*lead, 3), "(T, 3), or (3,) for one frame")
    expect_parents(parents)
    positions = output(place, out and out[0], (*lead, joints, 3), dtype, name="out[0]")
    rotations = output(place, out and out[1], (*lead, joints, 4), dtype, name="out[1]")
    place.run(
        fk_rigid_frames,
        lead[0] if lead else 1,
        place.array(parents, np.int64),
        framed(turns, (joints, 4)),
        framed(offsets, (joints, 3)),
        framed(roots, (3,)),
        framed(positions, (joints, 3)),
        framed(rotations, (joints, 4)),
        grain=max(1, JOINTS_A_PIECE // max(1, joints)),
    )
    return place.result(positions), place.result(rotations)


def _fast_single(
    parents: Any, turns: FloatArray, offsets: Any, root: Any, out: tuple[Any, Any] | None
) -> tuple[FloatArray, FloatArray] | None:
    """The results for one frame of arrays that fit as they are; None sends the others the long way round."""
    if turns.dtype != FLOAT64 and turns.dtype != FLOAT32:
        return None
    positions, rotations = out or (np.empty((len(turns), 3), turns.dtype), np.empty_like(turns))
    try:
        fits = fk_rigid_at_once.at(turns.dtype)(parents, turns, offsets, root, positions, rotations)
    except TypeError:  # not the declared types
        return None
    return (positions, rotations) if fits else None
