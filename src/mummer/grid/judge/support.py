"""Support: whether who stands, sits or lies is carried, with the mass above what carries it, or falling."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import uniform_filter1d

from mummer.arrays import FloatArray, IntArray
from mummer.grid.judge import thresholds
from mummer.grid.judge.flight import GRAVITY, NEAR, hanging, lowest
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene

SMOOTH = 0.15
"""Seconds over which the way of the mass is averaged before it is asked how it speeds up."""
EVERY = 1.0 / 30.0
"""Seconds between looks."""
DIRECTIONS = 24
"""From which the polygon is looked at."""
MOST = 95.0
"""Percent of the moments that must be within the threshold."""


def look(scene: Scene) -> Seen:
    """How far the mass is beside the polygon of what is on the ground, percent of the body's size.

    Who speeds up, slows down or falls presses on the ground elsewhere than below the mass; if that is nearer to the
    polygon it counts instead. Who hangs in the air presses on nothing: then it counts how high.
    """
    if scene.is_high_at_rest:
        return NOTHING
    rows = np.arange(scene.frames(SMOOTH), len(scene.times) - scene.frames(SMOOTH), scene.frames(EVERY))
    if not len(rows):
        return NOTHING
    low, hangs = lowest(scene)[rows], hanging(scene)[rows]
    on_ground = low <= NEAR * scene.size
    away = np.where(on_ground, _beyond(scene, rows), np.where(hangs, low, 0.0))
    counts = on_ground | hangs
    if not np.any(counts):
        return NOTHING
    frame = int(rows[np.argmax(np.where(counts, away, 0.0))])
    value = 100.0 * float(np.percentile(away[counts], MOST)) / scene.size
    return Seen(value, f"at {scene.times[frame] - scene.times[0]:.2f} s")


def _beyond(scene: Scene, rows: IntArray) -> FloatArray:
    """(n,) metres from the polygon to the mass, or to where it presses on the ground if that is nearer; 0 inside."""
    sides = _level_axes(scene.up)
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    ways = np.cos(angles)[:, None] * sides[0] + np.sin(angles)[:, None] * sides[1]
    carries = scene.heights[rows] <= NEAR * scene.size
    used = np.flatnonzero(carries.any(axis=0))
    carries, skin = carries[:, used], scene.skin[np.ix_(rows, used)]
    places = np.stack([scene.center[rows], _pressed(scene)[rows]])
    found = np.zeros((2, len(rows)))
    for way in ways:
        farthest = np.where(carries, skin @ way, -np.inf).max(axis=1, initial=-np.inf)
        found = np.maximum(found, np.where(np.isfinite(farthest), places @ way - farthest, 0.0))
    return np.asarray(found.min(axis=0))


def _pressed(scene: Scene) -> FloatArray:
    """(T, 3) where the body presses on the ground: below the mass, moved by how that speeds up."""
    width = 2 * scene.frames(SMOOTH / 2) + 1
    way = uniform_filter1d(uniform_filter1d(scene.center, width, axis=0, mode="nearest"), width, axis=0, mode="nearest")
    pull = np.gradient(np.gradient(way, scene.step, axis=0), scene.step, axis=0)
    rise = pull @ scene.up
    height = scene.center @ scene.up - scene.ground
    lever = height / np.maximum(GRAVITY + rise, 0.3 * GRAVITY)
    return np.asarray(scene.center - lever[:, None] * (pull - rise[:, None] * scene.up))


def _level_axes(up: FloatArray) -> FloatArray:
    """(2, 3) two directions over the ground, at right angles."""
    first = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first)])


JUDGE = Judge(
    "support", thresholds.SUPPORT, "% of body",
    "Is who stands, sits or lies carried by what is below the mass?",
    look,
    beside=True,
)  # fmt: skip
