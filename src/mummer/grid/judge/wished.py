"""What was wished of parts, beside where they are: what several judges compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip.wish import Wish
from mummer.grid.judge.scene import Scene

FULLY = 0.98
"""The weight from which on a place is wished for, and not something on the way to it."""
SHORTEST = 0.15
"""Metres that a limb counts as at least, in sizes of the body: necks are short."""


class Wished(NamedTuple):
    """One part that was wished somewhere.

    Attributes:
        wish: what was wished.
        wanted: (T, 3) where, metres in the world.
        found: (T, 3) where that point of the part is.
        counts: (T,) when it was wished fully.
        base: the joint with which the limb that carries it leaves the trunk.
        reach: metres from there to the part along the bones.
        length: metres that count as the limb's length.
    """

    wish: Wish
    wanted: FloatArray
    found: FloatArray
    counts: BoolArray
    base: int
    reach: float
    length: float


def wished(scene: Scene) -> Iterator[Wished]:
    """The parts that were wished at places, while they were; those of the trunk aside."""
    for wish in scene.wishes:
        if wish.places is None or wish.joint in scene.trunk:
            continue
        counts = at_times(scene, wish, wish.weights[:, None])[:, 0] >= FULLY
        if np.any(counts):
            base, length = limb(scene, wish.joint)
            reach = length + float(np.linalg.norm(wish.point))
            wanted, found = at_times(scene, wish, wish.places), scene.point(wish.joint, wish.point)
            yield Wished(wish, wanted, found, counts, base, reach, max(length, SHORTEST * scene.size))


def at_times(scene: Scene, wish: Wish, values: FloatArray) -> FloatArray:
    """(T, n) the values of a wish, (K, n), at the moments of a scene; 0 before and after it."""
    columns = [np.interp(scene.times, wish.times, column, left=0.0, right=0.0) for column in values.T]
    return np.stack(columns, axis=1)


def limb(scene: Scene, joint: int) -> tuple[int, float]:
    """The joint with which the limb of a joint leaves the trunk, and metres from there to it."""
    parents, places = scene.body.skeleton.parents, scene.rest_world[:, :, 3]
    trunk, length = set(scene.trunk), 0.0
    while int(parents[joint]) >= 0 and int(parents[joint]) not in trunk:
        length += float(np.linalg.norm(places[joint] - places[int(parents[joint])]))
        joint = int(parents[joint])
    return joint, length


def carried(scene: Scene, places: FloatArray) -> FloatArray:
    """(T, 3) places as seen from the root of the trunk, so that travelling over the ground is no movement."""
    return np.asarray(places - scene.places[:, scene.trunk[0]])
