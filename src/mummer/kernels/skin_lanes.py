"""Linear-blend skinning of many frames on a CPU: the frames side by side in the lanes of vector instructions.

A vertex needs the same few matrices in every frame. Laid out with the frames last, those are long rows that are added
up with fused multiplications, whatever the number of influences. Blocks of vertices collect in a buffer that stays in
the cache, and leave it in the order of the result, (T, V, 3), a contiguous piece for each frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats4, Joints2, Output3, Output4
from mummer.kernels.kernel import kernel
from mummer.kernels.place import Place
from mummer.kernels.scalars import split

VERTICES_A_BLOCK = 64
MOST_FRAMES_A_BLOCK = 128
# With fewer frames the rows are too short to win over going vertex by vertex.
FEWEST_FRAMES = 4


def frame_blocks(frames: int) -> tuple[int, int]:
    """How many blocks of frames, and how many frames in each, the last one padded.

    Example:
        >>> frame_blocks(300)
        (3, 100)
    """
    blocks = max(1, -(-frames // MOST_FRAMES_A_BLOCK))
    return blocks, -(-frames // blocks)


def vertex_blocks(vertices: int) -> int:
    """How many blocks of vertices."""
    return -(-vertices // VERTICES_A_BLOCK)


@kernel(on_cuda=False)
def lay_out_matrices(item: int, matrices: Floats4, lanes: Output4) -> None:
    """One item is one joint in one block of frames: ``lanes[block, joint, column]`` is frames × rows."""
    block, joint = split(item, matrices.shape[1])
    frames = lanes.shape[3] // 3
    for lane in range(frames):
        frame = min(block * frames + lane, matrices.shape[0] - 1)
        for row in range(3):
            for column in range(4):
                lanes[block, joint, column, 3 * lane + row] = matrices[frame, joint, row, column]


def add_influence(x: float, y: float, z: float, weight: float, joint: FloatArray, row: FloatArray) -> None:
    """Add one joint's share of one vertex to ``row``, for every frame at once."""
    wx, wy, wz = weight * x, weight * y, weight * z
    along_x, along_y, along_z, offset = joint[0], joint[1], joint[2], joint[3]
    for lane in range(row.shape[0]):
        row[lane] += wx * along_x[lane] + wy * along_y[lane] + wz * along_z[lane] + weight * offset[lane]


def write_rows(first_frame: int, first_vertex: int, rows: FloatArray, skinned: FloatArray) -> None:
    """Copy a block of rows, vertices × (frames × 3), to its place in (T, V, 3)."""
    frames = min(rows.shape[1] // 3, skinned.shape[0] - first_frame)
    vertices = min(rows.shape[0], skinned.shape[1] - first_vertex)
    for lane in range(frames):
        for row in range(vertices):
            skinned[first_frame + lane, first_vertex + row, 0] = rows[row, 3 * lane]
            skinned[first_frame + lane, first_vertex + row, 1] = rows[row, 3 * lane + 1]
            skinned[first_frame + lane, first_vertex + row, 2] = rows[row, 3 * lane + 2]


@kernel(on_cuda=False)
def skin_linear_lanes(
    item: int, rest: Floats2, indices: Joints2, weights: Floats2, lanes: Floats4, skinned: Output3
) -> None:
    """One item is one block of vertices in one block of frames."""
    blocks = (rest.shape[0] + VERTICES_A_BLOCK - 1) // VERTICES_A_BLOCK
    frame_block, vertex_block = split(item, blocks)
    first = vertex_block * VERTICES_A_BLOCK
    rows = np.empty((VERTICES_A_BLOCK, lanes.shape[3]), rest.dtype)
    for vertex in range(first, min(first + VERTICES_A_BLOCK, rest.shape[0])):
        row = rows[vertex - first]
        x, y, z = rest[vertex, 0], rest[vertex, 1], rest[vertex, 2]
        row[:] = 0
        for influence in range(indices.shape[1]):
            joint, weight = indices[vertex, influence], weights[vertex, influence]
            add_influence(x, y, z, weight, lanes[frame_block, joint], row)
    write_rows(frame_block * (lanes.shape[3] // 3), first, rows, skinned)


def skin_many_frames(place: Place, rest: Any, indices: Any, weights: Any, matrices: Any, skinned: Any) -> None:
    """Fill ``skinned`` (T, V, 3) from arrays that are as the kernels want them."""
    frames, joints = matrices.shape[:2]
    blocks, length = frame_blocks(frames)
    lanes = place.empty((blocks, joints, 4, 3 * length), matrices.dtype)
    place.run(lay_out_matrices, blocks * joints, matrices, lanes, grain=64)
    items = blocks * vertex_blocks(len(rest))
    place.run(skin_linear_lanes, items, rest, indices, weights, lanes, skinned, grain=4)
