"""Surface nets: from a field on a grid to triangles, one vertex in each cell that the surface crosses."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.kernels.kernel import compiled
from mummer.zoo.arguments import CellsOut, Grid, IntegerArray, Number, Numbers, Rows, RowsOut, WholeRows, WholeRowsOut


@compiled
def number_cells(values: Grid, cells: CellsOut) -> int:
    """Number the cells that the surface crosses, -1 for the others, and count them."""
    nx, ny, nz = values.shape
    count = 0
    for i in range(nx - 1):
        for j in range(ny - 1):
            for k in range(nz - 1):
                inside = 0
                for corner in range(8):
                    if values[i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2)] < 0.0:
                        inside += 1
                cells[i, j, k] = -1
                if 0 < inside < 8:
                    cells[i, j, k] = count
                    count += 1
    return count


def crossing(a: float, b: float) -> float:
    """Where between two values of different sign zero lies, 0 to 1."""
    return a / (a - b)


@compiled
def place_vertices(values: Grid, cells: CellsOut, origin: Numbers, cell: Number, vertices: RowsOut) -> None:
    """Put each numbered cell's vertex at the middle of the places where the surface crosses its edges."""
    nx, ny, nz = values.shape
    for i in range(nx - 1):
        for j in range(ny - 1):
            for k in range(nz - 1):
                if cells[i, j, k] < 0:
                    continue
                x, y, z, count = 0.0, 0.0, 0.0, 0
                for corner in range(8):
                    ci, cj, ck = corner & 1, (corner >> 1) & 1, corner >> 2
                    a = values[i + ci, j + cj, k + ck]
                    for axis in range(3):
                        di, dj, dk = ci, cj, ck
                        if axis == 0:
                            di = 1
                        elif axis == 1:
                            dj = 1
                        else:
                            dk = 1
                        b = values[i + di, j + dj, k + dk]
                        if (a < 0.0) != (b < 0.0):
                            t = crossing(a, b)
                            x += ci + t * (di - ci)
                            y += cj + t * (dj - cj)
                            z += ck + t * (dk - ck)
                            count += 1
                row = int(cells[i, j, k])
                vertices[row, 0] = origin[0] + cell * (i + x / count)
                vertices[row, 1] = origin[1] + cell * (j + y / count)
                vertices[row, 2] = origin[2] + cell * (k + z / count)


def put_quad(quads: WholeRowsOut, row: int, a: int, b: int, c: int, d: int, flip: bool) -> None:
    """Write one face, turned round if ``flip``."""
    quads[row, 0], quads[row, 2] = a, c
    if flip:
        quads[row, 1], quads[row, 3] = d, b
    else:
        quads[row, 1], quads[row, 3] = b, d


@compiled
def span_quads(values: Grid, cells: CellsOut, quads: WholeRowsOut) -> int:
    """A face across every grid edge that the surface crosses, counter-clockwise from outside; counts them."""
    nx, ny, nz = values.shape
    count = 0
    for i in range(1, nx - 1):
        for j in range(1, ny - 1):
            for k in range(1, nz - 1):
                here = values[i, j, k] < 0.0
                if here != (values[i + 1, j, k] < 0.0):
                    a, b = cells[i, j - 1, k - 1], cells[i, j, k - 1]
                    c, d = cells[i, j, k], cells[i, j - 1, k]
                    put_quad(quads, count, a, b, c, d, not here)
                    count += 1
                if here != (values[i, j + 1, k] < 0.0):
                    a, b = cells[i - 1, j, k - 1], cells[i - 1, j, k]
                    c, d = cells[i, j, k], cells[i, j, k - 1]
                    put_quad(quads, count, a, b, c, d, not here)
                    count += 1
                if here != (values[i, j, k + 1] < 0.0):
                    a, b = cells[i - 1, j - 1, k], cells[i, j - 1, k]
                    c, d = cells[i, j, k], cells[i - 1, j, k]
                    put_quad(quads, count, a, b, c, d, not here)
                    count += 1
    return count


def surface_nets(values: FloatArray, origin: FloatArray, cell: float) -> tuple[FloatArray, IntegerArray]:
    """The zero surface of a field.

    Args:
        values: (X, Y, Z) the field, positive on the whole border of the grid.
        origin: (3,) place of grid point 0, 0, 0.
        cell: metres between grid points.

    Returns:
        vertices (V, 3), and quads (Q, 4) counter-clockwise seen from outside.
    """
    cells = np.full(values.shape, -1, np.int64)
    count = number_cells.at("float64")(values, cells)
    vertices = np.empty((count, 3))
    place_vertices.at("float64")(values, cells, origin, cell, vertices)
    quads = np.empty((3 * count + 16, 4), np.int64)
    faces = span_quads.at("float64")(values, cells, quads)
    return vertices, quads[:faces]


@compiled
def cut_quads(vertices: Rows, quads: WholeRows, triangles: WholeRowsOut) -> None:
    """Two triangles of each quad, cut along its shorter diagonal."""
    for row in range(quads.shape[0]):
        a, b, c, d = quads[row, 0], quads[row, 1], quads[row, 2], quads[row, 3]
        first, second = 0.0, 0.0
        for axis in range(3):
            first += (vertices[a, axis] - vertices[c, axis]) ** 2
            second += (vertices[b, axis] - vertices[d, axis]) ** 2
        triangles[2 * row, 0], triangles[2 * row, 1] = a, b
        triangles[2 * row + 1, 1], triangles[2 * row + 1, 2] = c, d
        if first <= second:
            triangles[2 * row, 2], triangles[2 * row + 1, 0] = c, a
        else:
            triangles[2 * row, 2], triangles[2 * row + 1, 0] = d, b


def triangulated(vertices: FloatArray, quads: IntegerArray) -> IntegerArray:
    """(2 Q, 3) triangles of quads, each cut along its shorter diagonal."""
    triangles = np.empty((2 * len(quads), 3), np.int64)
    cut_quads.at("float64")(vertices, np.ascontiguousarray(quads), triangles)
    return triangles
