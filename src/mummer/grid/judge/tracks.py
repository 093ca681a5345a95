"""What was wanted of joints, beside where they are: what several judges compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.general import Intent, Track
from mummer.grid.judge.scene import Scene
from mummer.math import quaternion

LEAST = 0.05
"""The weight from which on a place is wanted at all."""


class Followed(NamedTuple):
    """One joint that was wanted somewhere.

    Attributes:
        joint: which.
        wanted: (T, 3) where it, or the point of it that matters, was wanted, metres.
        found: (T, 3) where that is.
        counts: (T,) at which moments it was wanted there at all.
        length: metres of the limb that carries it.
        offset: metres from the joint to the point that matters, in the joint's frame.
    """

    joint: int
    wanted: FloatArray
    found: FloatArray
    counts: BoolArray
    length: float
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)


def followed(scene: Scene) -> Iterator[Followed]:
    """The joints whose places were wanted at some moment."""
    if scene.intent is None:
        return
    for joint, track in sorted(scene.intent.places.items()):
        counts = np.asarray(track.weights >= LEAST)
        if np.any(counts) and joint != scene.physique.root:
            wanted, found = _wanted(scene.intent, joint, track), _found(scene, joint, track)
            x, y, z = (0.0, 0.0, 0.0) if track.offset is None else track.offset.tolist()
            yield Followed(joint, wanted, found, counts, float(scene.physique.limb_lengths[joint]), (x, y, z))


def _wanted(intent: Intent, joint: int, track: Track) -> FloatArray:
    """(T, 3) where a joint, or the point of it that the track speaks of, was wanted."""
    place, turned = intent.carried(joint)
    return track.at(place if track.offset is None else place + quaternion.rotate(turned, track.offset))


def _found(scene: Scene, joint: int, track: Track) -> FloatArray:
    """(T, 3) where that point is."""
    place = scene.places[:, joint]
    if track.offset is None:
        return place
    return place + quaternion.rotate(scene.state.rotations[:, joint], track.offset)


def reachable(scene: Scene, each: Followed) -> BoolArray:
    """(T,) whether the limb, from where its base is, could be there: neither too far nor folded too tightly."""
    base = int(scene.physique.limb_bases[each.joint])
    if base == each.joint:
        return np.ones(len(each.wanted), bool)
    away = np.linalg.norm(each.wanted - scene.places[:, base], axis=1)
    return np.asarray((away <= FARTHEST * each.length) & (away >= NEAREST * each.length))


FARTHEST, NEAREST = 0.97, 0.3
"""Between which shares of its length a limb is sure to reach, with room for limits that forbid the very ends."""
