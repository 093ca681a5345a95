"""Slipping: whether feet that stand stay where they stand."""

from __future__ import annotations

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.clip.analysis.feet import Foot
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import RATE, Scene
from mummer.grid.judge.tracks import followed
from mummer.measure.floor import rest_heights
from mummer.measure.skate import in_contact

NEAR = 0.01
"""How near the ground, in leg lengths, a part of a foot stands on it where nobody says when feet stand."""
EDGE = 0.05
"""Seconds at both ends of a contact that do not count: a foot rolls on and off."""
STAYS = 1e-3
"""How fast, in leg lengths a second, a place may be wanted to move that counts as staying."""
MOST = 98.0
"""Percent of the moments of a contact that must be within the threshold."""


def look(scene: Scene) -> Seen:
    """How far a foot slides in a frame of 1/60 s while it stands, percent of its leg's length."""
    worst = NOTHING
    for foot in scene.feet:
        speeds = _level_speeds(scene, foot)
        down = _inner(_down(scene, foot), max(1, round(EDGE / scene.step)))
        if np.any(down):
            slides = np.where(down, speeds, 0.0)
            value = 100.0 * float(np.percentile(speeds[down], MOST)) / (RATE * foot.leg)
            if worst.value is None or value > worst.value:
                worst = Seen(value, scene.at(foot.heel, int(np.argmax(slides))))
    return worst


def _down(scene: Scene, foot: Foot) -> BoolArray:
    """(T,) whether the foot stands: as the maker says, else where it is as low as the ground lets it."""
    if scene.contacts:
        return in_contact(scene.contacts, foot.name, scene.times)
    if scene.intent is not None:
        return _meant_to_stand(scene, foot)
    joints = list(foot.parts)
    ground = scene.physique.anatomy.ground
    above = scene.places[:, joints] @ scene.up - rest_heights(scene.body, joints) - ground
    return np.asarray(above.min(axis=1) < NEAR * foot.leg)


def _meant_to_stand(scene: Scene, foot: Foot) -> BoolArray:
    """(T,) whether any part of the foot was wanted at a place that stays."""
    down = np.zeros(len(scene.times), bool)
    for each in followed(scene):
        if each.joint in foot.parts and len(scene.times) > 1:
            speeds = np.linalg.norm(np.gradient(each.wanted, scene.step, axis=0), axis=1)
            down |= each.counts & (speeds < STAYS * foot.leg)
    return down


def _level_speeds(scene: Scene, foot: Foot) -> FloatArray:
    """(T,) metres a second of the slowest part over the ground: a foot that rolls stands on one part at a time.

    The points of the foot that its maker placed are parts too: a sole may stand while the joint above it turns.
    """
    if len(scene.times) < 2:
        return np.zeros(len(scene.times))
    placed = [each.found[:, None] for each in followed(scene) if each.joint in foot.parts]
    points = np.concatenate([scene.places[:, list(foot.parts)], *placed], axis=1)
    velocities = np.gradient(points, scene.step, axis=0)
    level = velocities - (velocities @ scene.up)[..., None] * scene.up
    return np.asarray(np.linalg.norm(level, axis=-1).min(axis=1))


def _inner(down: BoolArray, edge: int) -> BoolArray:
    """(T,) the moments of contact farther than ``edge`` samples from its ends; the clip's own ends do not count."""
    held = np.concatenate([np.ones(edge, bool), down, np.ones(edge, bool)])
    windows = np.lib.stride_tricks.sliding_window_view(held, 2 * edge + 1)
    return np.asarray(windows.all(axis=1) & down)


JUDGE = Judge(
    "slip", 0.2, "% of leg a frame",
    "Do feet that stand stay where they stand?",
    "0.2 % of a leg in 1/60 s is what gaits are asked to keep to: for a man about 10 cm a second, near the 3 mm a frame"
    " of 1/30 s that the measure of foot skate calls good.",
    look,
)  # fmt: skip
