"""Gaits: planning a walk, and asking it for ten seconds, for bodies with two to eight legs and with none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer import zoo
from mummer.general import at_rest, physique_of
from mummer.general.gait import Gait, gait, natural_speed
from mummer.general.solving import solve_intent

SECONDS, RATE = 10.0, 60.0


def cases() -> Iterator[Case]:
    for name in ("adult", "dog", "spider", "snake"):
        yield walking(name)


def walk(name: str) -> Gait:
    """Ten seconds round a bend."""
    physique = physique_of(zoo.body(name))
    far = natural_speed(physique) * SECONDS
    return gait(physique, path=[(0, 0), (0, 0.5 * far), (0.5 * far, 0.5 * far)])


def walking(name: str) -> Case:
    made = walk(name)
    frames = round(SECONDS * RATE)
    rest = at_rest(made.physique, np.arange(frames) / RATE)
    driven = made.drive(rest)
    assert np.ptp(driven.root_positions, axis=0).max() > made.physique.height
    contenders = [
        Contender("the journey planned", lambda: walk(name), "ours"),
        Contender("what is wanted at all frames", lambda: made.drive(rest), "ours"),
        Contender("the body bent at all frames", lambda: solve_intent(driven), "ours"),
    ]
    joints = len(made.physique.character.skeleton)
    return Case(f"gait {name}", f"{joints} joints × {frames} frames", frames, contenders)
