"""A ten-operator expression sampled at 10,000 frames of 64 joints, beside sampling its leaves alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.clips import made_body, made_clip
from benchmarks.timing import Case, Contender
from mummer.clip import (
    Clip,
    InPlace,
    Loop,
    Mirror,
    Mix,
    Pivot,
    Reverse,
    Sampled,
    Scale,
    SpaceWarp,
    SpaceWarpKey,
    TimeWarp,
)

FRAMES = 10_000


def expression(first: Sampled, second: Sampled, third: Sampled) -> Clip:
    """Ten operators, every one of which has work to do in every frame."""
    end = first.end
    bent = SpaceWarp(
        Mirror(first),
        (
            SpaceWarpKey(0.0, zero=True),
            SpaceWarpKey(0.5 * end, turns={"joint9": (0.3, 0.0, 0.0, 0.954)}, shift=(0.1, 0.0, 0.0)),
            SpaceWarpKey(end, zero=True),
        ),
    )
    slowed = TimeWarp(Scale(second, 0.8), ((0.0, 0.0), (0.4 * end, 0.5 * end), (end, end)))
    both = Mix(bent, slowed, {"left_arm": 0.5, "right_arm": 0.5, "torso": 0.3})
    shivering = Mix(both, Reverse(third), 0.2, "difference")
    turned = Pivot(InPlace(shivering, "composite"), (0.0, 0.0, 0.0), (0.0, 0.7071, 0.0, 0.7071), (1.0, 0.0, 0.0))
    return Loop(turned, 2)


def operators(clip: Clip) -> int:
    return (0 if isinstance(clip, Sampled) else 1) + sum(operators(part) for part in clip.parts)


def cases() -> Iterator[Case]:
    body = made_body()
    leaves = [made_clip(body, seed=seed) for seed in (1, 2, 3)]
    made = expression(*leaves)
    assert operators(made) == 10
    assert len(body.skeleton) == 64
    times = np.linspace(made.start, made.end, FRAMES)
    inner = np.linspace(leaves[0].start, leaves[0].end, FRAMES)
    made.sample(times[:8])

    def sample_leaves() -> None:
        for leaf in leaves:
            leaf.sample(inner)

    contenders = [
        Contender("the expression", lambda: made.sample(times), "ours"),
        Contender("the sum of its three leaves", sample_leaves, "limit"),
        Contender("one leaf", lambda: leaves[0].sample(inner), "limit"),
    ]
    yield Case("clip_expression", f"10 operators, 64 joints × {FRAMES:,} frames", FRAMES, contenders)
