"""Faces of any number of corners cut into triangles."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray

MOST_CLIPPED = 256
"""A face with more corners is cut as a fan: clipping ears takes the square of the number of corners."""


def triangulate(positions: FloatArray, begins: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Triangles that cover every face, turning the same way.

    Four corners are cut along the diagonal that lies inside; faces with more are cut ear by ear.

    Args:
        positions: (C, 3) where every corner is.
        begins: (F,) index of each face's first corner.
        counts: (F,) corners of each face; fewer than three give no triangle.

    Returns:
        (T, 3) corner indices and (T,) the face that each triangle is part of, in the order of the faces.
    """
    parts = [_threes(begins, counts), _fours(positions, begins, counts)]
    for face in np.flatnonzero(counts > 4):
        corners = np.arange(begins[face], begins[face] + counts[face])
        cut = _clip_ears(positions[corners]) if counts[face] <= MOST_CLIPPED else _fan(len(corners))
        parts.append((corners[cut], np.full(len(cut), face)))
    triangles = np.concatenate([part[0] for part in parts]).astype(np.int64)
    faces = np.concatenate([part[1] for part in parts]).astype(np.int64)
    order = np.argsort(faces, kind="stable")
    return triangles[order], faces[order]


def _threes(begins: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    faces = np.flatnonzero(counts == 3)
    return begins[faces, None] + np.arange(3), faces


def _fours(positions: FloatArray, begins: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    faces = np.flatnonzero(counts == 4)
    corners = begins[faces, None] + np.arange(4)
    a, b, c, d = (positions[corners[:, place]] for place in range(4))
    across = np.sum(np.cross(b - a, c - a) * np.cross(c - a, d - a), axis=1) < 0
    straight, other = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[1, 2, 3], [1, 3, 0]])
    pattern = np.where(across[:, None, None], other, straight)
    triangles = np.take_along_axis(corners[:, None, :].repeat(2, axis=1), pattern, axis=2)
    return triangles.reshape(-1, 3), np.repeat(faces, 2)


def _fan(count: int) -> IntArray:
    second = np.arange(1, count - 1)
    return np.stack([np.zeros_like(second), second, second + 1], axis=1)


def _clip_ears(corners: FloatArray) -> IntArray:
    """(n - 2, 3) indices into ``corners`` (n, 3), which need not be convex."""
    flat = _flatten(corners)
    left = list(range(len(flat)))
    triangles = []
    while len(left) > 3:
        ear = next((place for place in range(len(left)) if _is_ear(flat, left, place)), 1)
        triangles.append([left[ear - 1], left[ear], left[(ear + 1) % len(left)]])
        del left[ear]
    triangles.append(left)
    return np.array(triangles)


def _flatten(corners: FloatArray) -> FloatArray:
    """(n, 2) the polygon seen against its normal, counter-clockwise."""
    following = np.roll(corners, -1, axis=0)
    normal = np.cross(corners - corners[0], following - corners[0]).sum(axis=0)
    away = int(np.argmax(np.abs(normal)))
    first, second = (away + 1) % 3, (away + 2) % 3
    flat = corners[:, [first, second]] if normal[away] >= 0 else corners[:, [second, first]]
    return np.asarray(flat)


def _is_ear(flat: FloatArray, left: list[int], place: int) -> bool:
    before, tip, after = left[place - 1], left[place], left[(place + 1) % len(left)]
    if _turn(flat[before], flat[tip], flat[after]) <= 0:
        return False
    others = flat[[corner for corner in left if corner not in (before, tip, after)]]
    inside = np.ones(len(others), bool)
    for start, end in ((before, tip), (tip, after), (after, before)):
        inside &= _turn(flat[start], flat[end], others) >= 0
    return not inside.any()


def _turn(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Twice the signed area of the triangles from a to b to c."""
    return np.asarray((b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0]))
