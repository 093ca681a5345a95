"""Dual-quaternion skinning of many frames on a CPU, with the frames side by side as in `skin_lanes`."""

from __future__ import annotations

from typing import Any

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.arguments import Floats2, Floats3, Floats4, Joints2, Output3, Output4
from mummer.kernels.dual import LIGHTEST, heaviest, move_point, share_of
from mummer.kernels.kernel import kernel
from mummer.kernels.place import Place
from mummer.kernels.scalars import split
from mummer.kernels.skin_lanes import VERTICES_A_BLOCK, frame_blocks, vertex_blocks, write_rows


@kernel(on_cuda=False)
def lay_out_duals(item: int, duals: Floats3, lanes: Output4) -> None:
    """One item is one joint in one block of frames: ``lanes[block, joint, component]`` is frames."""
    block, joint = split(item, duals.shape[1])
    frames = lanes.shape[3]
    for lane in range(frames):
        frame = min(block * frames + lane, duals.shape[0] - 1)
        for component in range(8):
            lanes[block, joint, component, lane] = duals[frame, joint, component]


def signed_shares(weight: float, joint: FloatArray, chief: FloatArray, shares: FloatArray) -> None:
    """Write the joint's weight in every frame, negative where it lies on the other side than the chief joint."""
    x, y, z, w = joint[0], joint[1], joint[2], joint[3]
    cx, cy, cz, cw = chief[0], chief[1], chief[2], chief[3]
    for lane in range(shares.shape[0]):
        side = x[lane] * cx[lane] + y[lane] * cy[lane] + z[lane] * cz[lane] + w[lane] * cw[lane]
        shares[lane] = weight if side >= 0 else -weight


def add_dual(shares: FloatArray, joint: FloatArray, total: FloatArray) -> None:
    """Add one joint's dual quaternion in every frame.

    One loop for each component: with more arrays at once the compiler gives up proving that they do not overlap, and
    with it the vector instructions.
    """
    for component in range(8):
        source, target = joint[component], total[component]
        for lane in range(shares.shape[0]):
            target[lane] += shares[lane] * source[lane]


def copy_points(points: FloatArray, first_frame: int, vertex: int, row: FloatArray) -> None:
    """Write one vertex in every frame. Points of one frame serve all frames."""
    if points.shape[0] == 1:
        x, y, z = points[0, vertex, 0], points[0, vertex, 1], points[0, vertex, 2]
        for lane in range(row.shape[0] // 3):
            row[3 * lane], row[3 * lane + 1], row[3 * lane + 2] = x, y, z
    else:
        for lane in range(row.shape[0] // 3):
            frame = min(first_frame + lane, points.shape[0] - 1)
            for axis in range(3):
                row[3 * lane + axis] = points[frame, vertex, axis]


def move_row(total: FloatArray, row: FloatArray) -> None:
    """Move one vertex in every frame by that frame's dual quaternion, in place."""
    x, y, z, w = total[0], total[1], total[2], total[3]
    dx, dy, dz, dw = total[4], total[5], total[6], total[7]
    for lane in range(total.shape[1]):
        row[3 * lane], row[3 * lane + 1], row[3 * lane + 2] = move_point(
            x[lane], y[lane], z[lane], w[lane], dx[lane], dy[lane], dz[lane], dw[lane],
            row[3 * lane], row[3 * lane + 1], row[3 * lane + 2],
        )  # fmt: skip


@kernel(on_cuda=False)
def skin_dual_lanes(
    item: int, points: Floats3, indices: Joints2, weights: Floats2, lanes: Floats4, skinned: Output3
) -> None:
    """One item is one block of vertices in one block of frames."""
    blocks = (points.shape[1] + VERTICES_A_BLOCK - 1) // VERTICES_A_BLOCK
    frame_block, vertex_block = split(item, blocks)
    first, frames = vertex_block * VERTICES_A_BLOCK, lanes.shape[3]
    rows = np.empty((VERTICES_A_BLOCK, 3 * frames), points.dtype)
    total, shares = np.empty((8, frames), points.dtype), np.empty(frames, points.dtype)
    for vertex in range(first, min(first + VERTICES_A_BLOCK, points.shape[1])):
        row, strongest = rows[vertex - first], heaviest(weights, vertex)
        copy_points(points, frame_block * frames, vertex, row)
        if weights[vertex, strongest] > LIGHTEST:
            total[:] = 0
            chief = lanes[frame_block, indices[vertex, strongest]]
            for influence in range(indices.shape[1]):
                joint = lanes[frame_block, indices[vertex, influence]]
                signed_shares(share_of(weights[vertex, influence]), joint, chief, shares)
                add_dual(shares, joint, total)
            move_row(total, row)
    write_rows(frame_block * frames, first, rows, skinned)


def skin_dual_many_frames(place: Place, points: Any, indices: Any, weights: Any, duals: Any, skinned: Any) -> None:
    """Fill ``skinned`` (T, V, 3) from arrays that are as the kernels want them."""
    frames, joints = duals.shape[:2]
    blocks, length = frame_blocks(frames)
    lanes = place.empty((blocks, joints, 8, length), duals.dtype)
    place.run(lay_out_duals, blocks * joints, duals, lanes, grain=64)
    items = blocks * vertex_blocks(points.shape[1])
    place.run(skin_dual_lanes, items, points, indices, weights, lanes, skinned, grain=4)
