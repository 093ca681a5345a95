"""Systems of equations with a symmetric, positive matrix: its Cholesky factor, and answers from that."""

from __future__ import annotations

import math

from mummer.arrays import FloatArray
from mummer.kernels.linking import apart


@apart
def factor(count: int, matrix: FloatArray, share: float, least: float) -> None:
    """Replace the lower half of the first ``count`` rows of ``matrix`` by its Cholesky factor.

    A diagonal that rounding made too small is lifted to ``share`` of what it was, and ``least``.
    """
    for row in range(count):
        floor = share * matrix[row, row] + least
        for column in range(row + 1):
            total = 1.0 * matrix[row, column]
            for k in range(column):
                total -= 1.0 * matrix[row, k] * matrix[column, k]
            if row == column:
                matrix[row, row] = math.sqrt(max(total, floor))
            else:
                matrix[row, column] = total / matrix[column, column]


@apart
def solve_factored(count: int, matrix: FloatArray, wanted: FloatArray, answer: FloatArray) -> None:
    """Fill ``answer`` so that the factored matrix times it is ``wanted``, both (N,)."""
    for row in range(count):
        total = 1.0 * wanted[row]
        for k in range(row):
            total -= 1.0 * matrix[row, k] * answer[k]
        answer[row] = total / matrix[row, row]
    for row in range(count - 1, -1, -1):
        total = 1.0 * answer[row]
        for k in range(row + 1, count):
            total -= 1.0 * matrix[k, row] * answer[k]
        answer[row] = total / matrix[row, row]
