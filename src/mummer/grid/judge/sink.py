"""Sinking: whether any part of the body goes into the ground."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import Scene
from mummer.ik.volume import volume_of
from mummer.ik.volume.placed import placed_capsules
from mummer.ik.world_state import WorldState


def look(scene: Scene) -> Seen:
    """How deep the body goes into the ground, beyond its rest pose, percent of its size."""
    if not len(volume_of(scene.body)):
        return NOTHING
    lows, rest = _lowest(scene, scene.state), _lowest(scene, scene.rest)[0]
    ground = scene.physique.anatomy.ground
    depths = np.minimum(rest, ground) - lows
    frame, capsule = np.unravel_index(int(np.argmax(depths)), depths.shape)
    value = 100.0 * max(0.0, float(depths[frame, capsule])) / scene.size
    return Seen(value, scene.at(int(volume_of(scene.body).joints[capsule]), int(frame)))


def _lowest(scene: Scene, state: WorldState) -> FloatArray:
    """(T, C) how high the lowest point of each capsule is."""
    volume = volume_of(scene.body)
    heights = placed_capsules(volume, state).ends @ scene.up
    return np.asarray((heights - volume.radii).min(axis=2))


JUDGE = Judge(
    "sink", 4.0, "% of body",
    "Does the body stay above the ground?",
    "Capsules stand for soles and bellies only roughly, and hand-made motions let bodies that lie down sink nearly as"
    " far; 87 % of 31 captured and hand-made motions stay below.",
    look,
)  # fmt: skip
