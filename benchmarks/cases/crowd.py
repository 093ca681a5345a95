"""Crowds: channels, gait, poses, jiggles and forward kinematics together, for 1, 100 and 2,000 creatures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer.clip import Clip
from mummer.general import Jiggled, perform
from mummer.ik import WorldState
from mummer.zoo import random_creature

SEEDS = (1, 2, 4, 5, 9, 11, 13, 14, 16, 17, 22, 24, 27, 45, 47, 57)
"""Random creatures of 21 to 80 joints, all that a crowd is made of."""
RATE = 60.0
AIM = 2 / 2000
"""Seconds of one core that a second of a creature may take if two cores are to show 2,000."""


def cases() -> Iterator[Case]:
    for names in (("idle_breathe",), ("walk", "look_around")):
        played = [Jiggled(perform(random_creature(seed), *names, duration=6.0)) for seed in SEEDS]
        for count in (1, 100, 2000):
            yield crowd(played, "+".join(names), count)


def crowd(played: list[Clip], name: str, count: int) -> Case:
    """So many creatures, a second of each at a time, each at its own moment."""
    starts = np.random.default_rng(1).uniform(0, 4.0, count)
    moments = np.arange(RATE) / RATE

    def play() -> None:
        for number, start in enumerate(starts):
            show(played[number % len(played)], start + moments)

    for clip in played:
        show(clip, moments)
    frames = count * len(moments)
    contenders = [
        Contender("mummer, from curves to places of joints", play, "ours"),
        Contender("2,000 at 60 frames a second on two cores", None, "limit", seconds=lambda: AIM * count),
    ]
    return Case(f"crowd {name}", f"{count} creatures × {len(moments)} frames", frames, contenders)


def show(clip: Clip, times: np.ndarray) -> np.ndarray:
    """Where all joints are."""
    return WorldState(clip.body, clip.frames(times).to_pose()).positions
