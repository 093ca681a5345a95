"""Feet planted in a recorded walk: the constraint engine beside sampling the motion alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.clips import real_clip
from benchmarks.timing import Case, Contender
from mummer.ik.constraints import Constrained, keep_contacts, with_footholds

FILE, FRAMES = "motions/cmu-cgspeed/cmu_02_01_walk.bvh", 10_000


def cases() -> Iterator[Case]:
    walk = real_clip(FILE, "motion")
    if walk is None:
        return
    clip = with_footholds(walk.trimmed(walk.start + 2 / 120), feet=["LeftFoot", "RightFoot"])
    goals = keep_contacts(clip)
    limbs, whole = Constrained(clip, goals), Constrained(clip, goals, solver="whole_body")
    times = np.linspace(clip.start, clip.end, FRAMES)
    some = times[:: FRAMES // 500]
    limbs.sample(some)
    whole.sample(some)
    work = f"{len(clip.body.skeleton)} joints, {len(goals)} footholds"
    contenders = [
        Contender("two legs, in closed form", lambda: limbs.sample(times), "ours"),
        Contender("the motion alone", lambda: clip.sample(times), "limit"),
    ]
    yield Case("constraints limbs", f"{work}, {FRAMES:,} frames", FRAMES, contenders)
    contenders = [
        Contender("the whole body", lambda: whole.sample(some), "ours"),
        Contender("two legs, in closed form", lambda: limbs.sample(some), "ours"),
    ]
    yield Case("constraints whole body", f"{work}, {len(some)} frames", len(some), contenders)
