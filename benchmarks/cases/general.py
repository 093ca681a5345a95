"""General animations: microseconds a creature-frame, from curves to poses, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer import zoo
from mummer.character import Character
from mummer.general import Performance, perform
from mummer.general.intent import at_rest
from mummer.general.solving import solve_intent

FRAMES = 300
SMARTBODY = 1e-3
"""Seconds a character a frame that the SmartBody paper reports for its whole-body constraint solver."""


def cases() -> Iterator[Case]:
    for body in ("adult", "spider", "dog"):
        for name in ("idle_breathe", "nod", "wave", "jump", "eat_fruit"):
            yield case(zoo.body(body), name)


def case(body: Character, name: str) -> Case:
    """One creature, many frames at once, stage by stage."""
    clip = perform(body, name)
    times = np.linspace(clip.start, clip.end, FRAMES)
    clip.frames(times)
    wanted = driven(clip, times)
    contenders = [
        Contender("mummer, all of it", lambda: clip.frames(times), "ours"),
        Contender("mummer, channels alone", lambda: driven(clip, times), "ours"),
        Contender("mummer, poses alone", lambda: solve_intent(wanted), "ours"),
        Contender("SmartBody, as its paper reports", None, "peer", seconds=lambda: SMARTBODY * FRAMES),
    ]
    size = f"{name}, {body.name} of {len(body.skeleton)} joints, {FRAMES} frames"
    return Case(f"general {size}", size, FRAMES, contenders)


def driven(clip: Performance, times: np.ndarray):
    """What is wanted at ``times``, before anything is bent."""
    intent = at_rest(clip.physique, times)
    for driver in clip.drivers:
        intent = driver.drive(intent)
    return intent
