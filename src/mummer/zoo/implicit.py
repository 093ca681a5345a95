"""Flesh as a smooth field: negative inside, zero on the skin, about the distance in metres near it.

The body is made of primitives: tapered tubes of elliptic cross-section with rounded ends (an ellipsoid is one without
length). Primitives of one part are joined sharply, since they follow one smooth line; parts are joined (or carved out)
one after the other, each flowing into what is there over its own blend distance.
"""

from __future__ import annotations

import math

from mummer.kernels.kernel import compiled
from mummer.zoo.arguments import Grid, GridOut, Number, Numbers, NumbersOut, Rows, RowsOut, Whole, WholeOut

FAR = 1e3
"""Metres; the value of the field where nothing is near."""
WIDTH = 19
"""Numbers of a primitive: start 0-2, axis 3-5, length 6, across 7-9, other 10-12, radii 13-16, caps 17-18."""


def primitive_distance(primitives: Rows, row: int, x: float, y: float, z: float) -> float:
    """About the signed distance in metres from a point to one primitive."""
    dx, dy, dz = x - primitives[row, 0], y - primitives[row, 1], z - primitives[row, 2]
    ax, ay, az = primitives[row, 3], primitives[row, 4], primitives[row, 5]
    along = dx * ax + dy * ay + dz * az
    length = primitives[row, 6]
    part = 0.0
    if length > 0.0:
        part = min(1.0, max(0.0, along / length))
    beyond = along - part * length
    p = dx * primitives[row, 7] + dy * primitives[row, 8] + dz * primitives[row, 9]
    q = dx * primitives[row, 10] + dy * primitives[row, 11] + dz * primitives[row, 12]
    rp = primitives[row, 13] + part * (primitives[row, 15] - primitives[row, 13])
    rq = primitives[row, 14] + part * (primitives[row, 16] - primitives[row, 14])
    rw = primitives[row, 17] if beyond < 0.0 else primitives[row, 18]
    p, q, w = p / rp, q / rq, beyond / rw
    near = math.sqrt(p * p + q * q + w * w)
    if near < 1e-9:
        return -min(rp, rq)
    p, q, w = p / rp, q / rq, w / rw
    return near * (near - 1.0) / math.sqrt(p * p + q * q + w * w)


def inside_box(boxes: Rows, row: int, margin: float, x: float, y: float, z: float) -> bool:
    """Whether a point is in a box (low corner, high corner) grown by a margin."""
    return (
        boxes[row, 0] - margin <= x <= boxes[row, 3] + margin
        and boxes[row, 1] - margin <= y <= boxes[row, 4] + margin
        and boxes[row, 2] - margin <= z <= boxes[row, 5] + margin
    )


def part_distance(
    primitives: Rows, boxes: Rows, first: int, last: int, margin: float, x: float, y: float, z: float
) -> float:
    """The distance to the nearest primitive of one part, FAR if none is within the margin."""
    best = FAR
    for row in range(first, last):
        if inside_box(boxes, row, margin, x, y, z):
            best = min(best, primitive_distance(primitives, row, x, y, z))
    return best


def joined(field: float, part: float, blend: float, carve: float) -> float:
    """The field after one more part: added, or taken away where ``carve`` is above zero."""
    if carve > 0.0:
        return -joined_smoothly(-field, part, blend)
    return joined_smoothly(field, part, blend)


def joined_smoothly(a: float, b: float, blend: float) -> float:
    """The smaller of two distances, rounded over ``blend`` metres where they meet."""
    if blend <= 0.0:
        return min(a, b)
    near = max(blend - abs(a - b), 0.0) / blend
    return min(a, b) - 0.25 * blend * near * near


def list_near(
    boxes: Rows, first: Whole, parts: Rows, part_boxes: Rows, reach: float, x: float, y: float, z: float, near: WholeOut
) -> int:
    """List the primitives that matter to the field around a point, in order; counts them."""
    count = 0
    for part in range(parts.shape[0]):
        margin = parts[part, 0] + reach
        if inside_box(part_boxes, part, margin, x, y, z):
            for row in range(first[part], first[part + 1]):
                if inside_box(boxes, row, margin, x, y, z):
                    near[count] = row
                    count += 1
    return count


def field_from(
    primitives: Rows, owners: Whole, parts: Rows, near: Whole, count: int, x: float, y: float, z: float
) -> float:
    """The field at one point from the primitives that matter there."""
    value, distance = FAR, FAR
    for place in range(count):
        row = near[place]
        distance = min(distance, primitive_distance(primitives, row, x, y, z))
        part = owners[row]
        if place + 1 == count or owners[near[place + 1]] != part:
            value = joined(value, distance, parts[part, 0], parts[part, 1])
            distance = FAR
    return value


def first_index(low: float, start: float, cell: float) -> int:
    """The first grid index at or above a coordinate, at least 0."""
    return max(0, math.ceil((low - start) / cell))


def last_index(high: float, start: float, cell: float, count: int) -> int:
    """One past the last grid index at or below a coordinate."""
    return min(count, math.floor((high - start) / cell) + 1)


def lower_with(
    primitives: Rows, boxes: Rows, row: int, margin: float, origin: Numbers, cell: float, values: GridOut
) -> None:
    """Put the distance to one primitive wherever it is smaller than what a grid holds, near the primitive."""
    nx, ny, nz = values.shape
    for i in range(
        first_index(boxes[row, 0] - margin, origin[0], cell), last_index(boxes[row, 3] + margin, origin[0], cell, nx)
    ):
        x = origin[0] + i * cell
        for j in range(
            first_index(boxes[row, 1] - margin, origin[1], cell),
            last_index(boxes[row, 4] + margin, origin[1], cell, ny),
        ):
            y = origin[1] + j * cell
            for k in range(
                first_index(boxes[row, 2] - margin, origin[2], cell),
                last_index(boxes[row, 5] + margin, origin[2], cell, nz),
            ):
                distance = primitive_distance(primitives, row, x, y, origin[2] + k * cell)
                if distance < values[i, j, k]:
                    values[i, j, k] = distance


@compiled
def fill_field(
    primitives: Rows, boxes: Rows, first: Whole, parts: Rows, part_boxes: Rows,
    origin: Numbers, cell: Number, values: GridOut, scratch: GridOut,
) -> None:  # fmt: skip
    """The field at every point of a grid, right within two cells of the skin.

    Args:
        primitives: (P, WIDTH), those of one part in a row.
        boxes: (P, 6) around each primitive.
        first: (G + 1,) where each part's primitives begin.
        parts: (G, 2) blend distance, and 1 for what is carved.
        part_boxes: (G, 6) around each part.
        origin: (3,) place of grid point 0, 0, 0.
        cell: metres between grid points.
        values: (X, Y, Z) the result.
        scratch: (X, Y, Z) room to work in.
    """
    nx, ny, nz = values.shape
    values[:] = FAR
    scratch[:] = FAR
    for part in range(parts.shape[0]):
        margin = parts[part, 0] + 1.8 * cell
        for row in range(first[part], first[part + 1]):
            lower_with(primitives, boxes, row, margin, origin, cell, scratch)
        x0 = first_index(part_boxes[part, 0] - margin, origin[0], cell)
        y0 = first_index(part_boxes[part, 1] - margin, origin[1], cell)
        z0 = first_index(part_boxes[part, 2] - margin, origin[2], cell)
        for i in range(x0, last_index(part_boxes[part, 3] + margin, origin[0], cell, nx)):
            for j in range(y0, last_index(part_boxes[part, 4] + margin, origin[1], cell, ny)):
                for k in range(z0, last_index(part_boxes[part, 5] + margin, origin[2], cell, nz)):
                    if scratch[i, j, k] < FAR:
                        values[i, j, k] = joined(values[i, j, k], scratch[i, j, k], parts[part, 0], parts[part, 1])
                        scratch[i, j, k] = FAR


@compiled
def fill_distance(primitives: Rows, boxes: Rows, reach: Number, origin: Numbers, cell: Number, values: GridOut) -> None:
    """The distance to the nearest primitive at every point of a grid, right where it is below ``reach``."""
    values[:] = FAR
    for row in range(primitives.shape[0]):
        lower_with(primitives, boxes, row, reach, origin, cell, values)


@compiled
def settle(
    primitives: Rows, boxes: Rows, first: Whole, parts: Rows, part_boxes: Rows, owners: Whole,
    levels: Numbers, cell: Number, steps: Number, near: WholeOut, points: RowsOut, normals: RowsOut,
) -> None:  # fmt: skip
    """Move points near the skin onto it and find which way is out.

    Arrays:
        primitives, boxes, first, parts, part_boxes: the flesh, as for `fill_field`.
        owners: (P,) the part of each primitive.
        levels: (V,) the value of the field that each point should come to, usually 0.
        cell: metres; points are moved by at most about this.
        steps: number of Newton steps; with 0 only the normals are found.
        near: (P,) room to work in.
        points: (V, 3) changed in place.
        normals: (V, 3) unit, written.
    """
    h = 0.3 * cell
    for vertex in range(points.shape[0]):
        x, y, z = points[vertex, 0], points[vertex, 1], points[vertex, 2]
        count = list_near(boxes, first, parts, part_boxes, 2.0 * cell, x, y, z, near)
        for step in range(int(steps) + 1):
            x, y, z = points[vertex, 0], points[vertex, 1], points[vertex, 2]
            gx, gy, gz, mean = 0.0, 0.0, 0.0, 0.0
            # Four corners of a tetrahedron around the point give both the field and which way it grows.
            for corner in range(4):
                sx = 1.0 if corner in (0, 3) else -1.0
                sy = 1.0 if corner >= 2 else -1.0
                sz = 1.0 if corner in (1, 3) else -1.0
                value = field_from(primitives, owners, parts, near, count, x + sx * h, y + sy * h, z + sz * h)
                gx, gy, gz, mean = gx + sx * value, gy + sy * value, gz + sz * value, mean + 0.25 * value
            size = math.sqrt(gx * gx + gy * gy + gz * gz)
            if size < 1e-12:
                normals[vertex, 0], normals[vertex, 1], normals[vertex, 2] = 0.0, 1.0, 0.0
                break
            gx, gy, gz = gx / size, gy / size, gz / size
            normals[vertex, 0], normals[vertex, 1], normals[vertex, 2] = gx, gy, gz
            miss = mean - levels[vertex]
            if step < int(steps) and abs(miss) < cell:
                move = max(-0.4 * cell, min(0.4 * cell, miss * 4.0 * h / size))
                points[vertex, 0], points[vertex, 1], points[vertex, 2] = x - move * gx, y - move * gy, z - move * gz


@compiled
def clip_field(values: GridOut, volume: Grid, offset: Number, outside: Number) -> None:
    """Keep of a field only what is inside a volume, or outside it where ``outside`` is above zero.

    Args:
        values: (X, Y, Z) changed in place.
        volume: (X, Y, Z) distance to the volume.
        offset: metres by which the volume is grown.
        outside: 1 to keep what is outside.
    """
    nx, ny, nz = values.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                edge = volume[i, j, k] - offset
                values[i, j, k] = max(values[i, j, k], -edge if outside > 0.0 else edge)


@compiled
def measure(primitives: Rows, boxes: Rows, reach: Number, points: Rows, distances: NumbersOut) -> None:
    """(V,) the distance from each point to the nearest primitive, FAR where it is beyond ``reach``."""
    for row in range(points.shape[0]):
        distances[row] = part_distance(
            primitives, boxes, 0, primitives.shape[0], reach, points[row, 0], points[row, 1], points[row, 2]
        )
