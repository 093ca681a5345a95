"""Performances: microseconds a creature-frame, from the name of an animation to a clip, and asked again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Case, Contender
from mummer import zoo
from mummer.character import Character
from mummer.engine import perform

SMARTBODY = 1e-3
"""Seconds a character a frame that the SmartBody paper reports for its whole-body constraint solver."""


def cases() -> Iterator[Case]:
    for body in ("adult", "spider", "dog"):
        for name in ("idle_breathe", "nod", "wave", "jump", "eat_fruit", "walk"):
            yield case(zoo.body(body), name)


def case(body: Character, name: str) -> Case:
    """One creature, all frames of a performance, made and asked again."""
    clip = perform(body, name)
    times = clip.recording.curves[0].times
    frames = len(times)
    contenders = [
        Contender("mummer, performed", lambda: perform(body, name), "ours"),
        Contender("mummer, asked again", lambda: clip.frames(np.asarray(times)), "ours"),
        Contender("SmartBody, as its paper reports", None, "peer", seconds=lambda: SMARTBODY * frames),
    ]
    size = f"{name}, {body.name} of {len(body.skeleton)} joints, {frames} frames"
    return Case(f"general {size}", size, frames, contenders)
