"""Directions of contact that do not jump in time."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.ik.volume.smoothing import smoothed


def steady_normals(normals: FloatArray, near: BoolArray, *, reach: int) -> FloatArray:
    """(T, 3) unit normals for every frame: continuous where there is contact, carried on where there is none.

    Axes that cross change sides from one frame to the next; the side from which they came together is kept.

    Args:
        normals: (T, 3) of each frame.
        near: (T,) where they mean something; at one frame or more.
        reach: frames over which they are smoothed, each way.
    """
    frames = np.flatnonzero(near)
    found = normals[frames].copy()
    for row in range(1, len(frames)):
        # A new spell of contact begins anew.
        if frames[row] - frames[row - 1] <= max(reach, 1) and found[row] @ found[row - 1] < 0:
            found[row] = -found[row]
    # Between two spells the direction turns evenly from one to the other.
    everywhere = np.stack([np.interp(np.arange(len(normals)), frames, column) for column in found.T], axis=1)
    everywhere = smoothed(everywhere, reach)
    length = np.linalg.norm(everywhere, axis=1, keepdims=True)
    return np.where(length > 1e-3, everywhere / np.maximum(length, 1e-12), normals)
