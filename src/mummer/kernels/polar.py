"""The rotation in a 3 × 3 matrix, as scalar code for kernels; in double precision throughout.

Matrices are tuples of nine numbers, row by row.
"""

from __future__ import annotations

import math

from mummer.kernels.scalars import Four, Nine, Three

# Newton's iteration doubles the digits at each step; flatter matrices than this take another way.
FLATTEST = 1e-5
HALF_THE_DIGITS = 1e-8
MOST_STEPS = 24


def determinant(m: Nine) -> float:
    """The determinant of a 3 × 3 matrix."""
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])


def cofactors(m: Nine) -> Nine:
    """The cofactor matrix: the determinant times the inverse transpose."""
    return (
        m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
        m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
        m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3],
    )  # fmt: skip


def scaled_sum(a: float, m: Nine, b: float, n: Nine) -> Nine:
    """The matrix a·m + b·n."""
    return (
        a * m[0] + b * n[0], a * m[1] + b * n[1], a * m[2] + b * n[2],
        a * m[3] + b * n[3], a * m[4] + b * n[4], a * m[5] + b * n[5],
        a * m[6] + b * n[6], a * m[7] + b * n[7], a * m[8] + b * n[8],
    )  # fmt: skip


def norm(m: Nine) -> float:
    """The Frobenius norm."""
    total = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3] + m[4] * m[4]
    return math.sqrt(total + m[5] * m[5] + m[6] * m[6] + m[7] * m[7] + m[8] * m[8])


def nearest_rotation(m: Nine) -> Nine:
    """The rotation nearest to ``m`` (or to its mirror image), by Newton's iteration for the polar decomposition."""
    size = norm(m)
    if not size > 0:
        return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    x = scaled_sum(1 / size, m, 0.0, m)
    if not abs(determinant(x)) > FLATTEST:
        return frame_of_columns(x)
    if determinant(x) < 0:
        x = scaled_sum(-1.0, x, 0.0, x)
    for _ in range(MOST_STEPS):
        opposite = scaled_sum(1 / determinant(x), cofactors(x), 0.0, x)
        balance = math.sqrt(norm(opposite) / norm(x))
        following = scaled_sum(balance / 2, x, 1 / (2 * balance), opposite)
        change = norm(scaled_sum(1.0, following, -1.0, x))
        x = following
        if change < HALF_THE_DIGITS:
            break
    return x


def column(m: Nine, index: int) -> Three:
    """Column 0, 1 or 2."""
    if index == 0:
        return m[0], m[3], m[6]
    if index == 1:
        return m[1], m[4], m[7]
    return m[2], m[5], m[8]


def length(v: Three) -> float:
    """The length of a vector."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def perpendicular(v: Three, axis: Three) -> Three:
    """``v`` without its part along the unit vector ``axis``."""
    along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2]
    return v[0] - along * axis[0], v[1] - along * axis[1], v[2] - along * axis[2]


def longest_perpendicular(m: Nine, first: int, axis: Three) -> Three:
    """Of the column after ``first`` and two world axes, the first that is not along ``axis``; length one."""
    found = perpendicular(column(m, (first + 1) % 3), axis)
    if not length(found) > FLATTEST:
        found = perpendicular((0.0, 1.0, 0.0), axis)
    if not length(found) > FLATTEST:
        found = perpendicular((0.0, 0.0, 1.0), axis)
    size = length(found)
    return found[0] / size, found[1] / size, found[2] / size


def frame_of_columns(m: Nine) -> Nine:
    """A rotation that keeps the longest column's direction, and the next one's where it has one."""
    first = 0
    if length(column(m, 1)) > length(column(m, first)):
        first = 1
    if length(column(m, 2)) > length(column(m, first)):
        first = 2
    long, size = column(m, first), length(column(m, first))
    a = (long[0] / size, long[1] / size, long[2] / size)
    b = longest_perpendicular(m, first, a)
    c = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    if first == 0:
        return a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]
    if first == 1:
        return c[0], a[0], b[0], c[1], a[1], b[1], c[2], a[2], b[2]
    return b[0], c[0], a[0], b[1], c[1], a[1], b[2], c[2], a[2]


def quaternion_of(r: Nine) -> Four:
    """The unit quaternion xyzw of a rotation matrix, computed from its largest component."""
    trace = r[0] + r[4] + r[8]
    if trace > 0:
        s = 2 * math.sqrt(1 + trace)
        return (r[7] - r[5]) / s, (r[2] - r[6]) / s, (r[3] - r[1]) / s, s / 4
    if r[0] > r[4] and r[0] > r[8]:
        s = 2 * math.sqrt(1 + r[0] - r[4] - r[8])
        return s / 4, (r[1] + r[3]) / s, (r[2] + r[6]) / s, (r[7] - r[5]) / s
    if r[4] > r[8]:
        s = 2 * math.sqrt(1 + r[4] - r[0] - r[8])
        return (r[1] + r[3]) / s, s / 4, (r[5] + r[7]) / s, (r[2] - r[6]) / s
    s = 2 * math.sqrt(1 + r[8] - r[0] - r[4])
    return (r[2] + r[6]) / s, (r[5] + r[7]) / s, s / 4, (r[3] - r[1]) / s


def transposed_product(r: Nine, m: Nine) -> Nine:
    """The product of r transposed and m."""
    return (
        r[0] * m[0] + r[3] * m[3] + r[6] * m[6], r[0] * m[1] + r[3] * m[4] + r[6] * m[7],
        r[0] * m[2] + r[3] * m[5] + r[6] * m[8],
        r[1] * m[0] + r[4] * m[3] + r[7] * m[6], r[1] * m[1] + r[4] * m[4] + r[7] * m[7],
        r[1] * m[2] + r[4] * m[5] + r[7] * m[8],
        r[2] * m[0] + r[5] * m[3] + r[8] * m[6], r[2] * m[1] + r[5] * m[4] + r[8] * m[7],
        r[2] * m[2] + r[5] * m[5] + r[8] * m[8],
    )  # fmt: skip
