"""Holding some joints in their limits, for many poses at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.limits import FREE
from mummer.general.physique import Physique
from mummer.ik.analytic.hold import hold_joint
from mummer.ik.analytic.joint_table import joint_table
from mummer.ik.analytic.segments import rotation_of, write_rotation
from mummer.ik.rigid_body import rigid_body
from mummer.kernels.arguments import Floats2, Output3, Parents
from mummer.kernels.kernel import kernel
from mummer.kernels.place import CPU

FRAMES_A_PIECE = 512


@kernel
def hold_frames(frame: int, joints: Parents, table: Floats2, rotations: Output3) -> None:
    """One item is one frame: each of the joints (K,) is turned back into its limits, which `joint_table` holds."""
    for row in range(joints.shape[0]):
        joint = joints[row]
        write_rotation(frame, joint, hold_joint(joint, table, rotation_of(frame, joint, rotations)), rotations)


def hold(physique: Physique, joints: Iterable[int], rotations: FloatArray) -> None:
    """Turn some joints back into their limits, in place; the first joint of a body is never held.

    Args:
        physique: the body.
        joints: which.
        rotations: (T, J, 4) parent_from_joint, contiguous.
    """
    limits = physique.character.limits
    if limits is None:
        return
    some = np.array([joint for joint in sorted(joints) if joint and limits.kinds[joint] != FREE], np.int64)
    if len(some):
        table = joint_table(rigid_body(physique.character))
        CPU.run(hold_frames, len(rotations), some, table, rotations, grain=FRAMES_A_PIECE)
