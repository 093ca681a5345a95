"""Linear-blend skinning: each vertex moved by the weighted mean of its joints' matrices."""

from __future__ import annotations

from typing import Any

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats4, Joints2, Output2, Output3, Output4
from mummer.kernels.checks import framed, output
from mummer.kernels.kernel import kernel
from mummer.kernels.place import Backend
from mummer.kernels.scalars import split, unit
from mummer.kernels.skin_inputs import SkinInputs, skin_inputs
from mummer.kernels.skin_lanes import FEWEST_FRAMES, skin_many_frames

# One frame of a usual mesh stays on the calling thread: waking another costs about as much as it saves.
VERTICES_A_PIECE = 16_384


@kernel
def skin_linear_vertices(
    item: int, rest: Floats2, indices: Joints2, weights: Floats2, matrices: Floats4, skinned: Output3
) -> None:
    """One item is one vertex of one frame."""
    frame, vertex = split(item, rest.shape[0])
    x, y, z = rest[vertex, 0], rest[vertex, 1], rest[vertex, 2]
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = c0 = c1 = c2 = c3 = x - x
    for influence in range(indices.shape[1]):
        joint, w = indices[vertex, influence], weights[vertex, influence]
        a0, a1, a2, a3 = (
            a0 + w * matrices[frame, joint, 0, 0],
            a1 + w * matrices[frame, joint, 0, 1],
            a2 + w * matrices[frame, joint, 0, 2],
            a3 + w * matrices[frame, joint, 0, 3],
        )
        b0, b1, b2, b3 = (
            b0 + w * matrices[frame, joint, 1, 0],
            b1 + w * matrices[frame, joint, 1, 1],
            b2 + w * matrices[frame, joint, 1, 2],
            b3 + w * matrices[frame, joint, 1, 3],
        )
        c0, c1, c2, c3 = (
            c0 + w * matrices[frame, joint, 2, 0],
            c1 + w * matrices[frame, joint, 2, 1],
            c2 + w * matrices[frame, joint, 2, 2],
            c3 + w * matrices[frame, joint, 2, 3],
        )
    skinned[frame, vertex, 0] = a0 * x + a1 * y + a2 * z + a3
    skinned[frame, vertex, 1] = b0 * x + b1 * y + b2 * z + b3
    skinned[frame, vertex, 2] = c0 * x + c1 * y + c2 * z + c3


@kernel
def without_translation(item: int, matrices: Floats4, turning: Output4) -> None:
    """One item is one joint of one frame: its matrix with the last column zero."""
    frame, joint = split(item, matrices.shape[1])
    for row in range(3):
        for column in range(3):
            turning[frame, joint, row, column] = matrices[frame, joint, row, column]
        turning[frame, joint, row, 3] = 0


@kernel
def normalize_vectors(item: int, vectors: Output2) -> None:
    """One item is one vector, brought to length one in place."""
    vectors[item, 0], vectors[item, 1], vectors[item, 2] = unit(vectors[item, 0], vectors[item, 1], vectors[item, 2])


def skin_linear(
    rest: Any, indices: Any, weights: Any, matrices: Any, *, out: Any = None, backend: Backend | None = None
) -> FloatArray:
    """Vertices (T, V, 3) moved by their joints, or (V, 3) for one frame.

    Weights are used as they are: where they do not sum to one, the vertex is scaled. The precision is that of
    ``matrices``: float32, else float64.

    Args:
        rest: (V, 3) vertices in the mesh's rest frame, metres.
        indices: (V, K) the joints that move each vertex, any number K of them.
        weights: (V, K) how much each does.
        matrices: (T, J, 3, 4), or (J, 3, 4) for one frame: world_from_joint · joint_from_rest.
        out: an array for the result, C-contiguous and apart from the inputs.
        backend: ``"cpu"``, ``"cuda"``, or None for wherever the arrays are.

    Raises:
        InputError: for shapes that do not fit or an index that names no joint.

    Example:
        >>> lift = [[[1.0, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 0]]]
        >>> skin_linear([[1.0, 0, 0]], [[0]], [[1.0]], lift).tolist()
        [[1.0, 2.0, 0.0]]
    """
    skin = skin_inputs(rest, indices, weights, matrices, backend)
    skinned = output(skin.place, out, (*skin.lead, skin.vertices, 3), skin.dtype)
    blend_linear(skin, skin.matrices, framed(skinned, (skin.vertices, 3)))
    result: FloatArray = skin.place.result(skinned)
    return result


def skin_linear_normals(
    normals: Any, indices: Any, weights: Any, matrices: Any, *, out: Any = None, backend: Backend | None = None
) -> FloatArray:
    """Unit normals (T, V, 3) turned by their joints, or (V, 3) for one frame.

    The blended matrix itself turns them and they are renormalised. That is exact for rotations and uniform scales;
    a non-uniform scale asks for the inverse transpose: pass those matrices where it matters.

    Args:
        normals: (V, 3) unit normals in the mesh's rest frame.
        indices: as in `skin_linear`.
        weights: as in `skin_linear`.
        matrices: as in `skin_linear`; their translations are not used.
        out: as in `skin_linear`.
        backend: as in `skin_linear`.

    Raises:
        InputError: as `skin_linear` does.
    """
    skin = skin_inputs(normals, indices, weights, matrices, backend)
    place = skin.place
    turning = place.empty(tuple(skin.matrices.shape), skin.dtype)
    place.run(without_translation, skin.frames * skin.joints, skin.matrices, turning, grain=8_192)
    turned = output(place, out, (*skin.lead, skin.vertices, 3), skin.dtype)
    blend_linear(skin, turning, framed(turned, (skin.vertices, 3)))
    vectors = turned.reshape(skin.frames * skin.vertices, 3)
    place.run(normalize_vectors, len(vectors), vectors, grain=VERTICES_A_PIECE)
    result: FloatArray = place.result(turned)
    return result


def blend_linear(skin: SkinInputs, matrices: Any, skinned: Any) -> None:
    """Fill ``skinned`` (T, V, 3) with the skin's points moved by ``matrices``, the way that suits place and size."""
    arrays = (skin.points, skin.indices, skin.weights, matrices, skinned)
    if skin.place.is_cpu and skin.frames >= FEWEST_FRAMES:
        skin_many_frames(skin.place, *arrays)
    else:
        skin.place.run(skin_linear_vertices, skin.frames * skin.vertices, *arrays, grain=VERTICES_A_PIECE)
