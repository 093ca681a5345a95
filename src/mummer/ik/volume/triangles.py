"""Places on triangles: the nearest one to a point, and where a line passes through."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray


def closest_on_triangles(point: FloatArray, corners: FloatArray) -> FloatArray:
    """(F, 3) the place of each triangle (F, 3, 3) that is nearest to ``point`` (3,)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    squared = np.maximum(np.vecdot(normal, normal), 1e-300)
    foot = point - normal * (np.vecdot(point - a, normal) / squared)[:, None]
    inside = np.ones(len(corners), bool)
    for one, two in ((a, b), (b, c), (c, a)):
        inside &= np.vecdot(np.cross(two - one, foot - one), normal) >= 0
    edges = np.stack([_on_edge(point, one, two) for one, two in ((a, b), (b, c), (c, a))], axis=1)
    nearest = np.argmin(np.linalg.norm(edges - point, axis=-1), axis=1)
    # A flat triangle has no inside: its edges are all there is.
    flat = np.vecdot(normal, normal) <= 1e-300
    return np.where((inside & ~flat)[:, None], foot, edges[np.arange(len(edges)), nearest])


def _on_edge(point: FloatArray, one: FloatArray, two: FloatArray) -> FloatArray:
    along = two - one
    share = np.vecdot(point - one, along) / np.maximum(np.vecdot(along, along), 1e-300)
    return np.asarray(one + np.clip(share, 0.0, 1.0)[:, None] * along)


def line_hits(origin: FloatArray, direction: FloatArray, corners: FloatArray) -> FloatArray:
    """(F,) how far along ``direction`` from ``origin`` each triangle (F, 3, 3) is passed; NaN where it is not."""
    a = corners[:, 0]
    first, second = corners[:, 1] - a, corners[:, 2] - a
    across = np.cross(direction, second)
    scale = np.vecdot(first, across)
    safe = np.where(np.abs(scale) > 1e-300, scale, np.inf)
    away = origin - a
    u = np.vecdot(away, across) / safe
    turned = np.cross(away, first)
    v = turned @ direction / safe
    far = np.vecdot(second, turned) / safe
    # A little beyond the edges: a line through an edge must hit one of its two triangles.
    hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & np.isfinite(safe) & (far > 0)
    return np.where(hit, far, np.nan)
