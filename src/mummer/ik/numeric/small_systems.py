"""Small symmetric systems, solved in plain loops: for a dozen rows a call to a library costs more than the work."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray, IntArray


def factor(matrix: FloatArray, on: IntArray, floor: float) -> None:
    """Replace the lower half of ``matrix`` (R, R) by its Cholesky factor; rows that are not ``on`` are left out.

    A diagonal that rounding made too small is lifted to ``floor``.
    """
    count = matrix.shape[0]
    for column in range(count):
        if on[column] == 0:
            continue
        diagonal = matrix[column, column]
        for k in range(column):
            diagonal -= matrix[column, k] * matrix[column, k]
        size = math.sqrt(max(diagonal, floor))
        matrix[column, column] = size
        for row in range(column + 1, count):
            if on[row] != 0:
                total = matrix[row, column]
                for k in range(column):
                    total -= matrix[row, k] * matrix[column, k]
                matrix[row, column] = total / size


def solve_factored(matrix: FloatArray, on: IntArray, right: FloatArray, answer: FloatArray) -> None:
    """Fill ``answer`` (R,) so that the factored matrix times it is ``right`` (R,); zero for rows that are off."""
    count = matrix.shape[0]
    for row in range(count):
        answer[row] = 0.0
        if on[row] != 0:
            total = right[row]
            for k in range(row):
                total -= matrix[row, k] * answer[k]
            answer[row] = total / matrix[row, row]
    for back in range(count):
        row = count - 1 - back
        if on[row] != 0:
            total = answer[row]
            for k in range(row + 1, count):
                if on[k] != 0:
                    total -= matrix[k, row] * answer[k]
            answer[row] = total / matrix[row, row]
