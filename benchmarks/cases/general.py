"""General animations: microseconds a creature-frame, from curves to poses, for one creature and for many."""

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
CREATURES = (6, 7, 11, 12)
"""Seeds of random creatures."""
SMARTBODY = 1e-3
"""Seconds a character a frame that the SmartBody paper reports for its whole-body constraint solver."""


def cases() -> Iterator[Case]:
    for body in ("adult", "spider", "dog"):
        for name in ("idle_breathe", "nod", "wave", "jump", "eat_fruit"):
            yield case(zoo.body(body), name)
    yield crowd("idle_breathe", 1)
    yield crowd("idle_breathe", 100)


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


def crowd(name: str, count: int) -> Case:
    """Many creatures, a second of each at a time."""
    bodies = [zoo.random_creature(seed) for seed in CREATURES]
    clips = [perform(bodies[number % len(bodies)], name) for number in range(count)]
    times = np.linspace(0, 1, 60)
    for clip in clips[: len(bodies)]:
        clip.frames(times)

    def play() -> None:
        for clip in clips:
            clip.frames(times)

    frames = count * len(times)
    contenders = [
        Contender("mummer, a second of each", play, "ours"),
        Contender("SmartBody, as its paper reports", None, "peer", seconds=lambda: SMARTBODY * frames),
    ]
    size = f"{name}, {count} random creatures, 60 frames each"
    return Case(f"general {size}", size, frames, contenders)


def driven(clip: Performance, times: np.ndarray):
    """What is wanted at ``times``, before anything is bent."""
    intent = at_rest(clip.physique, times)
    for driver in clip.drivers:
        intent = driver.drive(intent)
    return intent
