"""A whole curve of places gets another mode, with as many new keys as that takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mummer.arrays import FloatArray
from mummer.general.modes.position_map import PositionMap
from mummer.general.modes.remap import remap_keys

MOST_HALVINGS = 10
THIRDS = np.arange(4) / 3
WITHIN = np.array([0.2, 0.5, 0.8])
# Slopes at both ends of the cubic through four places at thirds of a piece.
AT_START = np.array([-5.5, 9.0, -4.5, 1.0])
AT_END = np.array([-1.0, 4.5, -9.0, 5.5])


class Keys(NamedTuple):
    """Keys of a curve of cubic pieces.

    Attributes:
        times: (K,) seconds.
        values: (K, 3).
        before, after: (K, 3) slopes a second on either side of each key.
    """

    times: FloatArray
    values: FloatArray
    before: FloatArray
    after: FloatArray


def remap_curve(
    curve: Callable[[FloatArray], FloatArray],
    times: FloatArray,
    old: Callable[[FloatArray], PositionMap],
    new: Callable[[FloatArray], PositionMap],
    *,
    tolerance: float,
) -> Keys:
    """Keys of a curve under the mode ``new`` that takes the body in hand where ``curve`` took it under ``old``.

    Between modes that only stretch, turn and shift, toward what stands still, the keys stay where they are and the
    motion is the same. Else pieces are halved until no place is off by more than the tolerance.

    Args:
        curve: generalised values (T, 3) at times (T,), continuous, cubic or simpler between its keys.
        times: (K,) seconds of its keys, two or more.
        old: the map of the joint in hand at given times (T,), under the mode that the curve was made with.
        new: the same under the mode that it shall have.
        tolerance: metres that the joint may stray from its path.
    """
    ends = np.asarray(times, np.float64)
    for _ in range(MOST_HALVINGS):
        keys = _through(curve, ends, old, new)
        off = _strays(curve, keys, old, new) > tolerance
        if not off.any():
            break
        ends = np.sort(np.concatenate([ends, (ends[:-1] + ends[1:])[off] / 2]))
    return _through(curve, ends, old, new)


def _through(
    curve: Callable[[FloatArray], FloatArray],
    ends: FloatArray,
    old: Callable[[FloatArray], PositionMap],
    new: Callable[[FloatArray], PositionMap],
) -> Keys:
    """Keys at ``ends``, with slopes from the remapped curve itself, on either side."""
    spans = np.diff(ends)
    at = (ends[:-1, None] + THIRDS * spans[:, None]).reshape(-1)
    found = remap_keys(curve(at), old(at), new(at)).reshape(len(spans), 4, 3)
    after = np.einsum("n,knd->kd", AT_START, found) / spans[:, None]
    before = np.einsum("n,knd->kd", AT_END, found) / spans[:, None]
    values = np.concatenate([found[:, 0], found[-1:, 3]])
    return Keys(ends, values, np.concatenate([after[:1], before]), np.concatenate([after, before[-1:]]))


def _strays(
    curve: Callable[[FloatArray], FloatArray],
    keys: Keys,
    old: Callable[[FloatArray], PositionMap],
    new: Callable[[FloatArray], PositionMap],
) -> FloatArray:
    """(K - 1,) metres that the joint strays from its path within each piece."""
    spans = np.diff(keys.times)
    at = (keys.times[:-1, None] + WITHIN * spans[:, None]).reshape(-1)
    general = cubic_between(keys, WITHIN).reshape(-1, 3)
    off = new(at).specialize(general) - old(at).specialize(curve(at))
    return np.asarray(np.linalg.norm(off, axis=1).reshape(len(spans), -1).max(axis=1))


def cubic_between(keys: Keys, shares: FloatArray) -> FloatArray:
    """(K - 1, S, 3) values at (S,) ``shares`` of the way through each piece."""
    t, spans = shares[:, None], np.diff(keys.times)[:, None, None]
    first, last = keys.values[:-1, None], keys.values[1:, None]
    rise = t * t * (3 - 2 * t)
    bend = t * (1 - t) ** 2 * spans * keys.after[:-1, None] - t * t * (1 - t) * spans * keys.before[1:, None]
    return np.asarray((1 - rise) * first + rise * last + bend)
