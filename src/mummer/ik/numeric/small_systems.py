"""Small symmetric systems, solved in plain loops: for a dozen rows a call to a library costs more than the work."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.ik.numeric.arguments import FORCE, GOAL_SIDE, IS_ON
from mummer.kernels.linking import apart


@apart
def factor(matrix: FloatArray, rows: FloatArray) -> None:
    """Replace the lower half of ``matrix`` (R, R) by its Cholesky factor; rows that are not on are left out.

    A diagonal that rounding made too small is lifted; each beside what it was itself, for rows that count for little
    have diagonals beyond compare.
    """
    count = matrix.shape[0]
    for row in range(count):
        if rows[IS_ON, row] == 0.0:
            continue
        floor = 1e-14 * matrix[row, row] + 1e-300
        for column in range(row + 1):
            if rows[IS_ON, column] == 0.0:
                matrix[row, column] = 0.0
                continue
            total = matrix[row, column]
            for k in range(column):
                total -= matrix[row, k] * matrix[column, k]
            if row == column:
                matrix[row, row] = math.sqrt(max(total, floor))
            else:
                matrix[row, column] = total / matrix[column, column]


@apart
def solve_factored(matrix: FloatArray, rows: FloatArray) -> None:
    """Fill FORCE so that the factored matrix times it is GOAL_SIDE; zero for rows that are off."""
    count = matrix.shape[0]
    for row in range(count):
        rows[FORCE, row] = 0.0
        if rows[IS_ON, row] != 0.0:
            total = rows[GOAL_SIDE, row]
            for k in range(row):
                total -= matrix[row, k] * rows[FORCE, k]
            rows[FORCE, row] = total / matrix[row, row]
    for back in range(count):
        row = count - 1 - back
        if rows[IS_ON, row] != 0.0:
            rows[FORCE, row] /= matrix[row, row]
            for k in range(row):
                rows[FORCE, k] -= matrix[row, k] * rows[FORCE, row]
