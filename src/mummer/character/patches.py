"""Cut a surface into patches and close each one, so that the pieces together are exactly the whole.

Where patches meet, both get the same cut face, with opposite orientation: whatever one gains the other loses. A hole in
the surface itself is closed the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.character.solids import summed


@dataclass(frozen=True, eq=False)
class Borders:
    """The edges that bound the patches of a surface, with one row for each patch at an edge.

    Attributes:
        edges: (E, 2) vertices of each edge on some border, the lower index first.
        kinds: (E,) a number for each pair of patches that meet (or each patch that ends in a hole).
        is_open: (E,) whether the surface itself ends there.
        rows: (R,) which edge.
        labels: (R,) which patch.
        turns: (R,) how often the patch runs along the edge, positive from the lower to the higher vertex.
    """

    edges: IntArray
    kinds: IntArray
    is_open: BoolArray
    rows: IntArray
    labels: IntArray
    turns: FloatArray


def find_borders(triangles: IntArray, labels: IntArray) -> Borders:
    """The borders of the patches that ``labels`` (F,) make of ``triangles`` (F, 3)."""
    starts, ends = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    span = int(triangles.max(initial=0)) + 1
    keys = np.minimum(starts, ends).astype(np.int64) * span + np.maximum(starts, ends)
    patches = np.repeat(labels, 3).astype(np.int64)
    width = int(labels.max(initial=0)) + 1
    pairs, place = np.unique(keys * width + patches, return_inverse=True)
    turns = np.bincount(place, np.where(starts < ends, 1.0, -1.0), len(pairs))
    pairs, turns = pairs[turns != 0], turns[turns != 0]
    edge_keys, rows = np.unique(pairs // width, return_inverse=True)
    patch = pairs % width
    lowest, highest = np.full(len(edge_keys), width), np.full(len(edge_keys), -1)
    np.minimum.at(lowest, rows, patch)
    np.maximum.at(highest, rows, patch)
    is_open = np.bincount(rows, turns, len(edge_keys)) != 0
    kinds = np.unique((lowest * width + highest) * 2 + is_open, return_inverse=True)[1]
    edges = np.stack([edge_keys // span, edge_keys % span], axis=1)
    return Borders(edges, kinds, is_open, rows, patch, turns)


def cut_faces(points: FloatArray, borders: Borders) -> tuple[FloatArray, IntArray, FloatArray]:
    """The triangles that close every patch.

    Each border is fanned to a hub amid it, and each hub to a knot amid the borders that touch one another; where only
    one border runs, what goes to the knot comes back and counts nothing.

    Args:
        points: (N, 3) the vertices of the surface in metres.
        borders: of its patches.

    Returns:
        corners (C, 3, 3), the patch of each (C,), and how often each counts (C,), which may be negative.
    """
    low, high = borders.edges.T
    border_of_edge = _connected(low, high, borders.kinds)
    touching = _connected(low, high, np.zeros_like(borders.kinds))
    hubs, knots = _middles(points, borders.edges, border_of_edge), _middles(points, borders.edges, touching)
    a, b = points[low][borders.rows], points[high][borders.rows]
    hub, knot = hubs[border_of_edge][borders.rows], knots[touching][borders.rows]
    corners = np.concatenate(
        [np.stack(three, axis=1) for three in ((b, a, hub), (a, knot, hub), (b, hub, knot))], axis=0
    )
    return corners, np.tile(borders.labels, 3), np.tile(borders.turns, 3)


def _connected(low: IntArray, high: IntArray, kinds: IntArray) -> IntArray:
    """(E,) a number for each run of edges that hang together and are of one kind."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(low):
        return np.zeros(0, np.int64)
    span = int(kinds.max()) + 1
    nodes, place = np.unique(np.concatenate([low * span + kinds, high * span + kinds]), return_inverse=True)
    one, other = place[: len(low)], place[len(low) :]
    graph = coo_array((np.ones(len(low), np.int8), (one, other)), shape=(len(nodes), len(nodes)))
    _, components = connected_components(graph, directed=False)
    return np.asarray(components[one], np.int64)


def _middles(points: FloatArray, edges: IntArray, groups: IntArray) -> FloatArray:
    """(G, 3) the middle of each group of edges, by their length."""
    count = int(groups.max(initial=-1)) + 1
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    lengths = np.linalg.norm(b - a, axis=1) + 1e-300
    return np.asarray(
        summed((a + b) / 2 * lengths[:, None], groups, count) / np.bincount(groups, lengths, count)[:, None]
    )
