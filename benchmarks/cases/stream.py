"""Poses in, poses out: what putting a stream of poses onto another body adds to a frame."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import mummer as mm
from benchmarks.timing import Case, Contender
from mummer.live.stream import Stream
from mummer.zoo import body

STEPS = 2000


def cases() -> Iterator[Case]:
    clip = mm.perform("zoo:adult", "wave")
    poses = [clip.at(float(time)) for time in np.linspace(clip.start, clip.end, STEPS)]
    for name in ("child",):
        stream = Stream(clip.body, body(name))
        work = f"{len(clip.body.skeleton)} to {len(stream.target.skeleton)} joints, {STEPS:,} poses"
        rows = [
            Contender("a stream", lambda stream=stream: [stream.put(pose) for pose in poses], "ours"),
            Contender("the clip alone", lambda: [clip.at(0.5) for _ in poses], "limit"),
        ]
        yield Case(f"stream adult to {name}", work, STEPS, rows)
