"""Pops: parts that jump."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.grid.judge.judge import NOTHING, Judge, Seen
from mummer.grid.judge.scene import RATE, Scene

AROUND = 7
"""Samples to either side that tell how lively the motion is just there."""
LIVELY = 3.0
"""How many times the usual acceleration around it a moment may show before the rest of it counts."""


def look(scene: Scene) -> Seen:
    """The largest jump of a joint, percent of the body's size: what it moves in 1/60 s beyond where it was going.

    Sudden accelerations count as far as they exceed those of the moments around them: a jump stands alone, a swift
    movement does not.
    """
    if len(scene.times) < 5:
        return NOTHING
    # What repeats is seen to jump from its end to its start too; the last sample is the first again.
    places = np.concatenate([scene.places, scene.places[1:3]]) if scene.is_loop else scene.places
    jumps = np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1) / (scene.step * RATE) ** 2
    beyond = np.maximum(jumps - LIVELY * _usual(jumps), 0.0)
    frame, joint = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
    moment = min(int(frame) + 1, len(scene.times) - 1)
    return Seen(100.0 * float(beyond[frame, joint]) / scene.size, scene.at(int(joint), moment))


def _usual(jumps: FloatArray) -> FloatArray:
    """(T, J) the median of the samples around each."""
    padded = np.pad(jumps, ((AROUND, AROUND), (0, 0)), mode="reflect" if len(jumps) > AROUND else "edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1, axis=0)
    return np.asarray(np.median(windows, axis=-1))


JUDGE = Judge(
    "pops", 5.0, "% of body",
    "Does everything move without jumps?",
    "A jump of 5 % of the body in one frame is a hand's breadth for a man. Of 31 captured and hand-made motions 27 stay"
    " below it, half below 1.3 %; the other four begin with a single frame of another pose, which is such a jump.",
    look,
)  # fmt: skip
