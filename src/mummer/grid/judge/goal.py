"""Goals: whether parts are where they were wanted, when they could be."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray, IntArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.grid.judge.tracks import Followed, followed, reachable

THRESHOLD = 10.0
MOST = 95.0
"""Percent of the moments that must be within the threshold: a moment's miss in mid-swing is not seen."""
TRIES = 5
"""Moments at which a miss is tried to be mended before it counts."""


def look(scene: Scene) -> Seen:
    """How much nearer to its goal a part could have been, percent of its limb's length."""
    worst = NOTHING
    for each in followed(scene):
        counts = each.counts & reachable(scene, each)
        if not np.any(counts):
            continue
        misses = np.where(counts, np.linalg.norm(each.found - each.wanted, axis=1), 0.0)
        value, frame = 100.0 * float(np.percentile(misses[counts], MOST)) / each.length, int(np.argmax(misses))
        if value > THRESHOLD:
            value, frame = _avoidable(scene, each, misses)
        if worst.value is None or value > worst.value:
            worst = Seen(value, scene.at(each.joint, frame))
    return worst


def _avoidable(scene: Scene, each: Followed, misses: FloatArray) -> tuple[float, int]:
    """How much of the miss another solver saves with the limb alone, within its limits; and when most."""
    frames = _worst_frames(misses > THRESHOLD / 100.0 * each.length)
    saved = misses[frames] - _least_misses(scene, each, frames)
    place = int(np.argmax(saved))
    return 100.0 * max(0.0, float(saved[place])) / each.length, int(frames[place])


def _worst_frames(beyond: BoolArray) -> IntArray:
    """A few of the moments at which something is beyond the threshold, evenly among them."""
    found = np.flatnonzero(beyond)
    return found[np.unique(np.linspace(0, len(found) - 1, TRIES).round().astype(int))]


def _least_misses(scene: Scene, each: Followed, frames: IntArray) -> FloatArray:
    """(n,) metres that the limb misses at best, from where its base is."""
    from mummer.ik import BodyPoint, Place, solve

    parents = scene.body.skeleton.parents
    base, chain = int(scene.physique.limb_bases[each.joint]), [each.joint]
    while int(parents[chain[-1]]) not in (-1, base) and chain[-1] != base:
        chain.append(int(parents[chain[-1]]))
    goal = Place(BodyPoint(each.joint, each.offset), at=each.wanted[frames])
    solution = solve(scene.body, goal, scene.pose[frames], solver="jacobian", parts=chain, root="fixed")
    return np.asarray(solution.errors[:, 0])


JUDGE = Judge(
    "goal", THRESHOLD, "% of limb",
    "Are hands, heads and feet where they were wanted, whenever they could reach?",
    "A tenth of an arm is a hand's breadth: what is held or touched still looks held or touched. What another solver"
    " cannot reach either, with the limb alone and within its limits, is no miss.",
    look,
)  # fmt: skip
