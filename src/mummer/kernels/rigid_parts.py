"""Splitting a skinning matrix into a stretch, done first, and a rigid motion as a unit dual quaternion.

``matrix · p = rotation · (stretch · p) + translation`` holds exactly for every matrix. The rotation is the nearest one
(polar decomposition); a mirror goes into the stretch, and a flattened matrix, such as a limb hidden by a scale of
zero, gets a rotation that keeps the directions it still has.
"""

from __future__ import annotations

from mummer.kernels.arguments import Floats2, Floats4, Output1, Output3, Output4
from mummer.kernels.kernel import kernel
from mummer.kernels.polar import nearest_rotation, quaternion_of, transposed_product
from mummer.kernels.scalars import Nine, Three, multiply_quaternions, split


def transform(m: Nine, v: Three) -> Three:
    """The product of a matrix and a vector."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


def strain_of(s: Nine) -> float:
    """How far a stretch is from none: its largest difference from the identity."""
    on = max(abs(s[0] - 1), abs(s[4] - 1), abs(s[8] - 1))
    return max(on, abs(s[1]), abs(s[2]), abs(s[3]), abs(s[5]), abs(s[6]), abs(s[7]))


def write_dual(frame: int, joint: int, r: Nine, t: Three, duals: Output3) -> None:
    """Write the unit dual quaternion of a rotation and a translation: real xyzw, then dual xyzw."""
    x, y, z, w = quaternion_of(r)
    dx, dy, dz, dw = multiply_quaternions(t[0] / 2, t[1] / 2, t[2] / 2, 0.0, x, y, z, w)
    duals[frame, joint, 0], duals[frame, joint, 1], duals[frame, joint, 2], duals[frame, joint, 3] = x, y, z, w
    duals[frame, joint, 4], duals[frame, joint, 5], duals[frame, joint, 6], duals[frame, joint, 7] = dx, dy, dz, dw


def write_stretch(frame: int, joint: int, s: Nine, pivot: Three, stretches: Output4) -> None:
    """Write the stretch as an affine matrix that leaves ``pivot`` where it is."""
    moved = transform(s, pivot)
    for row in range(3):
        stretches[frame, joint, row, 0] = s[3 * row]
        stretches[frame, joint, row, 1] = s[3 * row + 1]
        stretches[frame, joint, row, 2] = s[3 * row + 2]
        stretches[frame, joint, row, 3] = pivot[row] - moved[row]


@kernel
def rigid_parts(
    item: int, matrices: Floats4, pivots: Floats2, duals: Output3, stretches: Output4, strains: Output1
) -> None:
    """One item is one joint of one frame."""
    frame, joint = split(item, matrices.shape[1])
    m = (
        float(matrices[frame, joint, 0, 0]), float(matrices[frame, joint, 0, 1]), float(matrices[frame, joint, 0, 2]),
        float(matrices[frame, joint, 1, 0]), float(matrices[frame, joint, 1, 1]), float(matrices[frame, joint, 1, 2]),
        float(matrices[frame, joint, 2, 0]), float(matrices[frame, joint, 2, 1]), float(matrices[frame, joint, 2, 2]),
    )  # fmt: skip
    pivot = (float(pivots[joint, 0]), float(pivots[joint, 1]), float(pivots[joint, 2]))
    rotation = nearest_rotation(m)
    stretched, turned = transform(m, pivot), transform(rotation, pivot)
    # The stretch leaves the pivot alone, so the rigid motion must take it where the whole matrix does.
    translation = (
        matrices[frame, joint, 0, 3] + stretched[0] - turned[0],
        matrices[frame, joint, 1, 3] + stretched[1] - turned[1],
        matrices[frame, joint, 2, 3] + stretched[2] - turned[2],
    )
    stretch = transposed_product(rotation, m)
    write_dual(frame, joint, rotation, translation, duals)
    write_stretch(frame, joint, stretch, pivot, stretches)
    strains[item] = strain_of(stretch)
