"""Skin weights: several sets of influences, brought to rows that sum to one."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray, IntArray
from mummer.io.gltf.primitives import Surface
from mummer.io.gltf.reading import Reading

MOST_SETS = 16


def read_influences(reading: Reading, surface: Surface, joints: int) -> tuple[IntArray, FloatArray] | None:
    """(V, K) which joints of the skin carry each vertex, and (V, K) by how much; None if the surface does not say.

    Negative weights and weights that are not numbers count as zero. A vertex without any weight is carried by the first
    joint.

    Args:
        reading: the reading this is part of.
        surface: the part of a mesh.
        joints: how many joints the skin has.

    Raises:
        FileError: if a weight that counts is for a joint that the skin does not have.
    """
    sets = []
    for number in range(MOST_SETS):
        indices = surface.integers(reading, f"JOINTS_{number}", "VEC4")
        weights = surface.floats(reading, f"WEIGHTS_{number}", "VEC4")
        if indices is None or weights is None:
            break
        sets.append((indices, weights))
    if not sets:
        return None
    indices = np.concatenate([each.astype(np.int32) for each, _ in sets], axis=1)
    given = np.concatenate([each for _, each in sets], axis=1)
    weights = _merged(reading, indices, _cleaned(reading, surface, given))
    outside = (indices < 0) | (indices >= joints)
    if np.any(outside & (weights > 0)):
        worst = int(indices[outside & (weights > 0)].max())
        raise surface.element.error(f"points at joint {worst} of a skin with {joints}", "attributes/JOINTS_0")
    carriers = np.where(weights > 0, indices, 0)
    # What sums to one as nearly as single precision can tell was only rounded, not repaired.
    if np.any(outside):
        count = int(outside.any(axis=1).sum())
        reading.report.add("repaired", "vertices that name joints outside their skin, without weight", count=count)
    if np.any(outside) or not np.allclose(given, weights, rtol=0, atol=1e-3):
        _mend(reading, surface, carriers, weights)
    return _without_empty_columns(carriers, weights)


def _mend(reading: Reading, surface: Surface, indices: IntArray, weights: FloatArray) -> None:
    """Keep the influences, so that they are written: rows that sum to one to the last digit."""
    exact = weights.astype(np.float32)
    largest = weights.argmax(axis=1)[:, None]
    missing = 1.0 - exact.sum(axis=1, dtype=np.float64, keepdims=True)
    np.put_along_axis(exact, largest, np.take_along_axis(exact, largest, 1) + missing.astype(np.float32), 1)
    for number in range(weights.shape[1] // 4):
        columns = slice(4 * number, 4 * number + 4)
        surface.mend(reading, f"JOINTS_{number}", indices[:, columns])
        surface.mend(reading, f"WEIGHTS_{number}", exact[:, columns])


def _merged(reading: Reading, indices: IntArray, weights: FloatArray) -> FloatArray:
    """The weights of a joint that a vertex names twice, put together where it stands first."""
    twice = np.zeros(len(weights), bool)
    made = weights
    for later in range(1, weights.shape[1]):
        for first in range(later):
            same = (indices[:, later] == indices[:, first]) & (made[:, later] > 0) & (made[:, first] > 0)
            if same.any():
                made = made.copy() if made is weights else made
                made[same, first] += made[same, later]
                made[same, later] = 0
                twice |= same
    if twice.any():
        reading.report.add("repaired", "vertices that name a joint twice", count=int(twice.sum()))
    return made


def _cleaned(reading: Reading, surface: Surface, weights: FloatArray) -> FloatArray:
    wrong = ~(weights >= 0) | ~np.isfinite(weights)
    if wrong.any():
        count = int(wrong.any(axis=1).sum())
        reading.report.add("repaired", "vertices with weights that are negative or no numbers", count=count)
        weights = np.where(wrong, np.float32(0), weights)
    sums = weights.sum(axis=1, dtype=np.float64)
    bare = sums <= 0
    if bare.any():
        used = np.zeros(len(bare), bool)
        used[surface.triangles] = True
        if np.any(bare & used):
            message = "vertices without any weight were bound to the first joint of their skin"
            reading.report.add("repaired", message, count=int((bare & used).sum()))
        weights = weights.copy()
        weights[bare, 0] = 1.0
        sums = np.where(bare, 1.0, sums)
    off = int(np.count_nonzero(np.abs(sums - 1) > 1e-3))
    if off:
        reading.report.add("repaired", "vertices whose weights do not sum to one", count=off)
    if np.any(np.abs(sums - 1) > 1e-6):
        weights = (weights / sums[:, None]).astype(np.float32)
    return weights


def _without_empty_columns(indices: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Drop influences that no vertex uses; at least one stays."""
    used = np.asarray(weights.any(axis=0))
    used[0] = True
    if used.all():
        return indices, weights
    return indices[:, used], weights[:, used]
