"""Touch: whether parts that are said to meet do meet, skin to skin."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from mummer.arrays import FloatArray, IntArray
from mummer.clip.wish import Wish
from mummer.grid.judge import thresholds
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.surface import surface_of
from mummer.grid.judge.wished import FULLY, at_times

LOOKS = 15
"""Moments of a touch that are looked at, evenly."""


def look(scene: Scene) -> Seen:
    """How far apart the skins stay that should meet, percent of the body's size, for the pair that stays farthest."""
    found = [_apart(scene, wish) for wish in scene.wishes if wish.touches is not None and wish.places is not None]
    return max((seen for seen in found if seen.value is not None), key=lambda seen: seen.value or 0.0, default=NOTHING)


def _apart(scene: Scene, wish: Wish) -> Seen:
    assert wish.places is not None
    fully = np.flatnonzero(at_times(scene, wish, wish.weights[:, None])[:, 0] >= FULLY)
    if not len(fully):
        return NOTHING
    frames = fully[np.unique(np.linspace(0, len(fully) - 1, LOOKS).round().astype(int))]
    mine = _rows(scene, wish.joint)
    world = scene.world[frames]
    skin = surface_of(scene.body).chosen(mine).posed(world)
    if wish.touches == "place":
        gaps = np.linalg.norm(skin - at_times(scene, wish, wish.places)[frames][:, None], axis=-1).min(axis=1)
    else:
        assert wish.touches is not None
        others = np.setdiff1d(_rows(scene, int(wish.touches)), mine)
        gaps = _gaps(skin, surface_of(scene.body).chosen(others).posed(world)) if len(others) else np.zeros(1)
    best = int(np.argmin(gaps))
    return Seen(100.0 * float(gaps[best]) / scene.size, scene.at(wish.joint, int(frames[best])))


def _rows(scene: Scene, joint: int) -> IntArray:
    """(n,) the skin of a part and what hangs from it, or of the next one above that has any."""
    owners, parents = surface_of(scene.body).owners, scene.body.skeleton.parents
    while True:
        rows = np.flatnonzero(np.isin(owners, scene.body.skeleton.descendants(joint)))
        if len(rows) or int(parents[joint]) < 0:
            return rows
        joint = int(parents[joint])


def _gaps(skin: FloatArray, others: FloatArray) -> FloatArray:
    """(n,) metres between two sets of points, (n, a, 3) and (n, b, 3), at each moment."""
    return np.array([cKDTree(one).query(two)[0].min() for one, two in zip(skin, others, strict=True)])


JUDGE = Judge(
    "touch", thresholds.TOUCH, "% of body",
    "Do parts that are said to meet do so, skin to skin?",
    look,
    beside=True,
)  # fmt: skip
