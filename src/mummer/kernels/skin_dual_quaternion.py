"""Dual-quaternion skinning: joints' rigid motions blended as motions, so that twisted limbs keep their volume."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats3, Joints2, Output3
from mummer.kernels.checks import FLOAT32, expect_shape, framed, output
from mummer.kernels.dual import LIGHTEST, heaviest, move_point, share_of
from mummer.kernels.kernel import kernel
from mummer.kernels.place import Backend
from mummer.kernels.rigid_parts import rigid_parts
from mummer.kernels.scalars import split
from mummer.kernels.skin_dual_lanes import skin_dual_many_frames
from mummer.kernels.skin_inputs import SkinInputs, skin_inputs
from mummer.kernels.skin_lanes import FEWEST_FRAMES
from mummer.kernels.skin_linear import VERTICES_A_PIECE, blend_linear, without_translation

# Matrices whose stretch differs from none by less than this count as rigid.
RIGID_WITHIN = {FLOAT32: 1e-5, np.dtype(np.float64): 1e-6}


@kernel
def skin_dual_vertices(
    item: int, points: Floats3, indices: Joints2, weights: Floats2, duals: Floats3, skinned: Output3
) -> None:
    """One item is one vertex of one frame. Points of one frame serve all frames."""
    frame, vertex = split(item, points.shape[1])
    source = frame if points.shape[0] > 1 else 0
    vx, vy, vz = points[source, vertex, 0], points[source, vertex, 1], points[source, vertex, 2]
    strongest = heaviest(weights, vertex)
    if weights[vertex, strongest] > LIGHTEST:
        chief = indices[vertex, strongest]
        cx, cy, cz, cw = duals[frame, chief, 0], duals[frame, chief, 1], duals[frame, chief, 2], duals[frame, chief, 3]
        x = y = z = w = dx = dy = dz = dw = vx - vx
        for influence in range(indices.shape[1]):
            joint, share = indices[vertex, influence], share_of(weights[vertex, influence])
            qx, qy, qz, qw = (
                duals[frame, joint, 0],
                duals[frame, joint, 1],
                duals[frame, joint, 2],
                duals[frame, joint, 3],
            )
            share = share if qx * cx + qy * cy + qz * cz + qw * cw >= 0 else -share
            x, y, z, w = x + share * qx, y + share * qy, z + share * qz, w + share * qw
            dx, dy = dx + share * duals[frame, joint, 4], dy + share * duals[frame, joint, 5]
            dz, dw = dz + share * duals[frame, joint, 6], dw + share * duals[frame, joint, 7]
        vx, vy, vz = move_point(x, y, z, w, dx, dy, dz, dw, vx, vy, vz)
    skinned[frame, vertex, 0], skinned[frame, vertex, 1], skinned[frame, vertex, 2] = vx, vy, vz


def skin_dual_quaternion(
    rest: Any,
    indices: Any,
    weights: Any,
    matrices: Any,
    *,
    pivots: Any = None,
    out: Any = None,
    backend: Backend | None = None,
) -> FloatArray:
    """Vertices (T, V, 3) moved by their joints' blended rigid motions, or (V, 3) for one frame.

    Each matrix is split into a stretch and a rigid motion. Where there is any stretch (scale, shear, mirror), the
    stretches are blended linearly first, about ``pivots``; then the rigid motions are blended as dual quaternions,
    each on the side of the vertex's heaviest joint. One joint alone gives what its matrix gives. Weights should sum to
    one; a negative one counts as zero, and a vertex without any stays at rest. The precision is that of ``matrices``:
    float32, else float64.

    Args:
        rest: (V, 3) vertices in the mesh's rest frame, metres.
        indices: (V, K) the joints that move each vertex, any number K of them.
        weights: (V, K) how much each does.
        matrices: (T, J, 3, 4), or (J, 3, 4) for one frame: world_from_joint · joint_from_rest.
        pivots: (J, 3) where each joint is in the rest frame, about which it stretches; the origin when left out.
        out: an array for the result, C-contiguous and apart from the inputs.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.

    Raises:
        InputError: for shapes that do not fit or an index that names no joint.

    Example:
        >>> lift = [[[1.0, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 0]]]
        >>> skin_dual_quaternion([[1.0, 0, 0]], [[0]], [[1.0]], lift).tolist()
        [[1.0, 2.0, 0.0]]
    """
    skin = skin_inputs(rest, indices, weights, matrices, backend)
    duals, stretches, strain = _split(skin, skin.matrices, pivots)
    points = framed(skin.points, (skin.vertices, 3))
    if strain > RIGID_WITHIN[skin.dtype]:
        points = skin.place.empty((skin.frames, skin.vertices, 3), skin.dtype)
        blend_linear(skin, stretches, points)
    return _blend(skin, points, duals, out)


def skin_dual_quaternion_normals(
    normals: Any, indices: Any, weights: Any, matrices: Any, *, out: Any = None, backend: Backend | None = None
) -> FloatArray:
    """Normals (T, V, 3) turned by their joints' blended rotations, or (V, 3) for one frame; their length is kept.

    Stretch is left out: that is exact for rotations and uniform scales, where normals need no inverse transpose.

    Args:
        normals: (V, 3) unit normals in the mesh's rest frame.
        indices: as in `skin_dual_quaternion`.
        weights: as in `skin_dual_quaternion`.
        matrices: as in `skin_dual_quaternion`; their translations are not used.
        out: as in `skin_dual_quaternion`.
        backend: as in `skin_dual_quaternion`.

    Raises:
        InputError: as `skin_dual_quaternion` does.
    """
    skin = skin_inputs(normals, indices, weights, matrices, backend)
    turning = skin.place.empty(tuple(skin.matrices.shape), skin.dtype)
    skin.place.run(without_translation, skin.frames * skin.joints, skin.matrices, turning, grain=8_192)
    duals, _, _ = _split(skin, turning, None)
    return _blend(skin, framed(skin.points, (skin.vertices, 3)), duals, out)


def _split(skin: SkinInputs, matrices: Any, pivots: Any) -> tuple[Any, Any, float]:
    """Dual quaternions (T, J, 8), stretches (T, J, 3, 4), and how far the largest stretch is from none."""
    place, frames, joints = skin.place, skin.frames, skin.joints
    centres = place.array(np.zeros((joints, 3)) if pivots is None else pivots, skin.dtype)
    expect_shape("pivots", centres, (joints, 3), "(J, 3)")
    duals = place.empty((frames, joints, 8), skin.dtype)
    stretches = place.empty((frames, joints, 3, 4), skin.dtype)
    strains = place.empty((frames * joints,), skin.dtype)
    place.run(rigid_parts, frames * joints, matrices, centres, duals, stretches, strains, grain=256)
    on_host = strains if place.is_cpu else strains.copy_to_host()
    return duals, stretches, float(np.max(on_host, initial=0))


def _blend(skin: SkinInputs, points: Any, duals: Any, out: Any) -> FloatArray:
    skinned = output(skin.place, out, (*skin.lead, skin.vertices, 3), skin.dtype)
    arrays = (points, skin.indices, skin.weights, duals, framed(skinned, (skin.vertices, 3)))
    if skin.place.is_cpu and skin.frames >= FEWEST_FRAMES:
        skin_dual_many_frames(skin.place, *arrays)
    else:
        skin.place.run(skin_dual_vertices, skin.frames * skin.vertices, *arrays, grain=VERTICES_A_PIECE)
    result: FloatArray = skin.place.result(skinned)
    return result
