"""Loose skin weights made into rows: at most so many influences for each vertex, summing to one."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.report import ReportBuilder

MOST_INFLUENCES = 8


def gather_influences(
    vertices: IntArray, joints: IntArray, weights: FloatArray, count: int, report: ReportBuilder
) -> tuple[IntArray, FloatArray]:
    """The influences of every vertex, heaviest first.

    What points outside, is not a number or is not positive is left out; what exceeds `MOST_INFLUENCES` is cut and the
    rest renormalised; a vertex that nothing carries goes to the first joint. The report says so.

    Args:
        vertices: (N,) vertex of each influence.
        joints: (N,) index of its joint within the skin.
        weights: (N,) its weight.
        count: V, the number of vertices.
        report: receives what was repaired.

    Returns:
        (V, K) indices and (V, K) weights whose rows sum to one.
    """
    usable = (vertices >= 0) & (vertices < count) & np.isfinite(weights) & (weights > 0)
    wrong = int(np.count_nonzero(~usable & (weights != 0)))
    if wrong:
        report.add("repaired", "skin weights that are negative, not finite or for no vertex were left out", count=wrong)
    vertices, joints, weights = vertices[usable], joints[usable], weights[usable]
    order = np.lexsort((-weights, vertices))
    vertices, joints, weights = vertices[order], joints[order], weights[order]
    rank = np.arange(len(vertices)) - np.searchsorted(vertices, vertices)
    _report_cut(vertices[rank >= MOST_INFLUENCES], report)
    width = int(min(rank.max(initial=0) + 1, MOST_INFLUENCES))
    kept = rank < width
    indices, rows = np.zeros((count, width), np.int32), np.zeros((count, width))
    indices[vertices[kept], rank[kept]] = joints[kept]
    rows[vertices[kept], rank[kept]] = weights[kept]
    return indices, normalized(rows, report)


def normalized(rows: FloatArray, report: ReportBuilder) -> FloatArray:
    """(V, K) weights whose rows sum to one; an empty row goes to its first influence."""
    sums = rows.sum(axis=1, keepdims=True)
    empty = sums[:, 0] <= 0
    if empty.any():
        report.add("repaired", "vertices without skin weight were bound to one joint", count=int(empty.sum()))
    off = int(np.count_nonzero(np.abs(sums[~empty] - 1) > 1e-3))
    if off:
        report.add("repaired", "skin weights did not sum to one", count=off)
    scaled = np.divide(rows, sums, out=np.zeros_like(rows), where=sums > 0)
    scaled[empty, 0] = 1.0
    return np.asarray(scaled)


def _report_cut(vertices: IntArray, report: ReportBuilder) -> None:
    touched = len(np.unique(vertices))
    if touched:
        message = f"vertices with more than {MOST_INFLUENCES} influences keep the {MOST_INFLUENCES} heaviest"
        report.add("repaired", message, count=touched)
