"""Motions onto another body: one body-frame at a time and in a batch, without feet and with, beside plain sampling.

Then whole clips baked at 60 frames a second with everything that is worked out from them before the first frame: onto a
body that was never met, onto one that was, and with all of that done.

three.js SkeletonUtils.retargetClip on the same pairs is timed by the peers' own script; frames a second here are one
over the time of a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.clips import real_clip
from benchmarks.timing import Case, Contender
from mummer.clip import Sampled
from mummer.clip.recorded import bake
from mummer.retargeting import Onto
from mummer.zoo import body

STEPS, RATE = 2000, 60.0
PAIRS = (("characters/threejs/Xbot.glb", "walk"), ("characters/threejs/Xbot.glb", "run"),
         ("characters/threejs/Soldier.glb", "Walk"))  # fmt: skip


def cases() -> Iterator[Case]:
    from mummer.recognition import recognize

    for file, name in PAIRS:
        clip = real_clip(file, name)
        if clip is None:
            continue
        known = clip.body.replace(anatomy=recognize(clip.body))
        label = f"{file.rsplit('/')[-1]} {name}"
        yield from onto_adult(label, Sampled(known, clip.recording))
        yield whole_clip(label, Sampled(known, clip.recording))


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


def whole_clip(label: str, clip: Sampled) -> Case:
    """One short clip from nothing to a recording."""
    source, target, recording = clip.body, body("adult"), clip.recording
    ready = Onto(clip, target)
    frames = len(clip.times(RATE))

    def first() -> object:
        # Copies, so that nothing is remembered of them.
        return bake(Onto(Sampled(source.replace(), recording), target.replace()), RATE)

    rows = [
        Contender("the first clip onto a body", first, "ours"),
        Contender("a further clip", lambda: bake(Onto(Sampled(source, recording), target), RATE), "ours"),
        Contender("a further clip, without feet",
                  lambda: bake(Onto(Sampled(source, recording), target, feet=False), RATE), "ours"),
        Contender("the same clip again", lambda: bake(ready, RATE), "ours"),
        Contender("the source alone", lambda: bake(clip, RATE), "limit"),
    ]  # fmt: skip
    return Case(f"retarget {label}, with set-up", f"{frames} frames, recognised before", frames, rows)
