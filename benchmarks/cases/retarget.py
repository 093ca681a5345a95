"""Motions onto another body: one body-frame at a time and in a batch, without feet and with, beside plain sampling.

three.js SkeletonUtils.retargetClip on the same pairs is timed by the peers' own script; frames a second here are one
over the time of a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.clips import real_clip
from benchmarks.timing import Case, Contender
from mummer.clip import Sampled
from mummer.retarget import Onto
from mummer.zoo import body

STEPS = 2000
PAIRS = (("characters/threejs/Xbot.glb", "walk"), ("characters/threejs/Xbot.glb", "run"),
         ("characters/threejs/Soldier.glb", "Walk"))  # fmt: skip


def cases() -> Iterator[Case]:
    from mummer.recognize import recognize

    for file, name in PAIRS:
        clip = real_clip(file, name)
        if clip is None:
            continue
        known = clip.body.replace(anatomy=recognize(clip.body))
        yield from onto_adult(f"{file.rsplit('/')[-1]} {name}", Sampled(known, clip.recording))


def onto_adult(label: str, clip: Sampled) -> Iterator[Case]:
    """The zoo's adult has 65 joints."""
    target = body("adult")
    plain, planted = Onto(clip, target, feet=False), Onto(clip, target)
    times = clip.start + (np.arange(STEPS) / 60.0) % clip.duration
    listed = times.tolist()
    work = f"{len(clip.body.skeleton)} to {len(target.skeleton)} joints, {STEPS:,} frames"

    def batch(motion: Sampled | Onto) -> Callable[[], object]:
        return lambda: motion.sample(times)

    def singly(motion: Sampled | Onto) -> Callable[[], object]:
        return lambda: [motion.at(time) for time in listed]

    for how, way in (("a batch", batch), ("frame by frame", singly)):
        rows = [
            Contender("onto, with feet", way(planted), "ours"),
            Contender("onto, without feet", way(plain), "ours"),
            Contender("the source alone", way(clip), "limit"),
        ]
        yield Case(f"retarget {label}, {how}", work, STEPS, rows, lambda: None)
