"""How much each joint carries each vertex, and which colour it has: one pass over the parts near it."""

from __future__ import annotations

import math

import numpy as np

from mummer.arrays import FloatArray, locked_record
from mummer.kernels.kernel import compiled
from mummer.kernels.vectors import smooth_step
from mummer.zoo.arguments import (
    BindingRows,
    FleshRows,
    IntegerArray,
    Number,
    Numbers,
    Rows,
    RowsOut,
    Whole,
    WholeRowsOut,
)  # fmt: skip
from mummer.zoo.binding import Bindings
from mummer.zoo.flesh import Field
from mummer.zoo.implicit import FAR, inside_box, part_distance

INFLUENCES = 4


def nearest_piece(bindings: BindingRows, binding: int, x: float, y: float, z: float) -> int:
    """The number within its binding of the joint whose piece of the line is nearest to a point."""
    first, points = bindings.first, bindings.points
    count = first[binding + 1] - first[binding]
    best, found = FAR * FAR, 0
    for piece in range(count):
        row = first[binding] + binding + piece
        ax, ay, az = points[row, 0], points[row, 1], points[row, 2]
        bx, by, bz = points[row + 1, 0] - ax, points[row + 1, 1] - ay, points[row + 1, 2] - az
        px, py, pz = x - ax, y - ay, z - az
        part = (px * bx + py * by + pz * bz) / max(bx * bx + by * by + bz * bz, 1e-18)
        part = min(1.0, max(0.0, part))
        px, py, pz = px - part * bx, py - part * by, pz - part * bz
        gap = px * px + py * py + pz * pz
        if gap < best:
            best, found = gap, piece
    return found


def passed(bindings: BindingRows, binding: int, piece: int, x: float, y: float, z: float) -> float:
    """How far a point has passed a joint of a chain: 0 before it, 1 beyond it."""
    planes, points = bindings.planes, bindings.points
    bone = bindings.first[binding] + piece
    row = bone + binding
    ahead = (
        planes[bone, 0] * (x - points[row, 0])
        + planes[bone, 1] * (y - points[row, 1])
        + planes[bone, 2] * (z - points[row, 2])
    )
    return smooth_step(0.5 + 0.5 * ahead / bindings.windows[bone])


def share_out(
    bindings: BindingRows, binding: int, amount: float, x: float, y: float, z: float, shares: RowsOut, row: int
) -> None:
    """Add ``amount`` to the joints of a binding in the proportions in which they carry a point."""
    first, joints = bindings.first, bindings.joints
    count = first[binding + 1] - first[binding]
    piece = nearest_piece(bindings, binding, x, y, z)
    here = amount
    if piece > 0:
        beyond = passed(bindings, binding, piece, x, y, z)
        shares[row, joints[first[binding] + piece - 1]] += here * (1.0 - beyond)
        here *= beyond
    if piece + 1 < count:
        beyond = passed(bindings, binding, piece + 1, x, y, z)
        shares[row, joints[first[binding] + piece + 1]] += here * beyond
        here *= 1.0 - beyond
    shares[row, joints[first[binding] + piece]] += here


def keep_largest(shares: RowsOut, indices: WholeRowsOut, weights: RowsOut, vertex: int) -> None:
    """Move the largest shares of row 0 to a vertex, normalised, and clear the row."""
    total = 0.0
    for slot in range(weights.shape[1]):
        best, found = 0.0, -1
        for joint in range(shares.shape[1]):
            if shares[0, joint] > best:
                best, found = shares[0, joint], joint
        if found < 0 or best < 1e-3 * total:
            break
        indices[vertex, slot], weights[vertex, slot] = found, best
        shares[0, found] = 0.0
        total += best
    for slot in range(weights.shape[1]):
        weights[vertex, slot] /= max(total, 1e-12)
    shares[0, :] = 0.0


def overlap(bindings: BindingRows, main: int, other: int, x: float, y: float, z: float) -> float:
    """How much two bindings may share at a point: 1 within one chain, fading with the distance from where they meet."""
    relation, bases = bindings.relations[main, other], bindings.bases
    if relation <= 1:
        return float(relation)
    child = other if relation == 2 else main
    dx, dy, dz = x - bases[child, 0], y - bases[child, 1], z - bases[child, 2]
    return 1.0 - smooth_step((math.sqrt(dx * dx + dy * dy + dz * dz) / bases[child, 3] - 0.5) / 0.5)


@compiled
def bind_vertices(
    flesh: FleshRows, bindings: BindingRows, bound: Whole, softness: Numbers, reach: Number, tint: Number,
    vertices: Rows, shares: RowsOut, near: RowsOut, indices: WholeRowsOut, weights: RowsOut, mix: RowsOut,
) -> None:  # fmt: skip
    """Joint weights of every vertex, and how near it is to every part.

    Arrays:
        flesh: what is bound.
        bindings: what it may be bound to.
        bound: (G,) binding of each part, -1 for parts that carry nothing.
        softness: (G,) metres over which a part shares with its neighbours.
        reach: metres within which parts are looked for.
        tint: metres over which colours flow into each other.
        vertices: (V, 3).
        shares: (1, J) room to work in, zeros.
        near: (1, G) room to work in.
        indices, weights: (V, K) written, zeros before.
        mix: (V, G) how strongly each part colours the vertex, zeros before, written.
    """
    parts, first = flesh.parts, flesh.first
    for vertex in range(vertices.shape[0]):
        x, y, z = vertices[vertex, 0], vertices[vertex, 1], vertices[vertex, 2]
        best, owner = FAR, -1
        margin = reach
        for _ in range(6):
            for part in range(parts.shape[0]):
                near[0, part] = FAR
                if bound[part] >= 0 and inside_box(flesh.part_boxes, part, margin, x, y, z):
                    near[0, part] = part_distance(
                        flesh.primitives, flesh.boxes, first[part], first[part + 1], margin, x, y, z
                    )
                    if near[0, part] < best:
                        best, owner = near[0, part], part
            if owner >= 0:
                break
            margin *= 4.0
        if owner < 0:
            owner = 0
            near[0, 0] = best
        for part in range(parts.shape[0]):
            gap = near[0, part] - best
            if gap < tint:
                mix[vertex, part] = 1.0 - gap / tint
            if gap < softness[part] or part == owner:
                close = 1.0 - gap / max(softness[part], 1e-9) if part != owner else 1.0
                amount = close * close * overlap(bindings, bound[owner], bound[part], x, y, z)
                if amount > 0.0:
                    share_out(bindings, bound[part], amount, x, y, z, shares, 0)
        keep_largest(shares, indices, weights, vertex)


@compiled
def bind_along(
    bindings: BindingRows, carriers: Whole, vertices: Rows, shares: RowsOut, indices: WholeRowsOut, weights: RowsOut
) -> None:
    """Joint weights of vertices that each follow one binding alone.

    Arrays:
        bindings: what vertices may follow.
        carriers: (V,) the binding of each vertex.
        vertices, shares, indices, weights: as for `bind_vertices`.
    """
    for vertex in range(vertices.shape[0]):
        x, y, z = vertices[vertex, 0], vertices[vertex, 1], vertices[vertex, 2]
        share_out(bindings, carriers[vertex], 1.0, x, y, z, shares, 0)
        keep_largest(shares, indices, weights, vertex)


def skin_weights(
    field: Field,
    bound: IntegerArray,
    softness: FloatArray,
    bindings: Bindings,
    vertices: FloatArray,
    cell: float,
    joint_count: int,
) -> tuple[IntegerArray, FloatArray, FloatArray]:
    """Weights of vertices on the skin.

    Args:
        field: the flesh.
        bound: (G,) binding of each part, -1 for hollows.
        softness: (G,) metres over which parts share.
        bindings: what joints may carry flesh.
        vertices: (V, 3).
        cell: metres between vertices, over which colours flow into each other.
        joint_count: J.

    Returns:
        joint indices (V, 4), weights (V, 4) summing to one, and how near parts are (V, G).
    """
    count, parts = len(vertices), len(field.parts)
    indices, weights = np.zeros((count, INFLUENCES), np.int64), np.zeros((count, INFLUENCES))
    mix = np.zeros((count, parts))
    reach = max(float(softness.max()), 2 * cell)
    bind_vertices.at("float64")(
        locked_record(FleshRows(*field.arrays)), bindings.rows, bound, softness, reach, 0.8 * cell, vertices,
        np.zeros((1, joint_count)), np.zeros((1, parts)), indices, weights, mix,
    )  # fmt: skip
    return indices, weights, mix


def weights_along(
    bindings: Bindings, carriers: IntegerArray, vertices: FloatArray, joint_count: int
) -> tuple[IntegerArray, FloatArray]:
    """Joint indices (V, 4) and weights (V, 4) of vertices that each follow one binding (V,)."""
    count = len(vertices)
    indices, weights = np.zeros((count, INFLUENCES), np.int64), np.zeros((count, INFLUENCES))
    shares = np.zeros((1, joint_count))
    bind_along.at("float64")(
        bindings.rows, np.ascontiguousarray(carriers, np.int64),
        np.ascontiguousarray(vertices), shares, indices, weights,
    )  # fmt: skip
    return indices, weights
