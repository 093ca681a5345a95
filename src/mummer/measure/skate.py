"""Foot skate: how far feet slide while they should stand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mummer.arrays import BoolArray, FloatArray
from mummer.character.marks import Mark
from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.feet import Foot, known_feet
from mummer.clip.clip import Clip
from mummer.measure.door import of_motions
from mummer.measure.floor import floor_of, rest_heights
from mummer.measure.measure import Measure
from mummer.measure.watched import RATE, Watched, watch

MANN_HEIGHT = 0.025
"""Metres above its resting height at which a foot counts no longer, in the measure of MANN."""
FRAME = 1.0 / 30.0
"""Seconds of the frame that millimetres a frame are counted by."""


@of_motions
def foot_skate(clip: Clip, *, marks: Iterable[Mark] | None = None, rate: float = RATE) -> Measure:
    """How fast feet slide over the ground while they are in contact, in millimetres a frame of 1/30 s.

    A foot that rolls stands on one part at a time: of its parts the slowest is counted.

    Args:
        clip: any clip of a body with feet.
        marks: when feet are on the ground (``NAME contact``), for instance `contacts` of the motion that this one was
            made from; by default those found in the clip itself.
        rate: samples a second.
    """
    feet = known_feet(clip.body)
    seen = watch(clip, rate=rate)
    found = tuple(contacts(clip) if feet and marks is None else marks or ())
    parts, all_speeds = {}, [np.zeros(0)]
    for foot in feet:
        down = in_contact(found, foot.name, seen.times)
        speeds = seen.level_speeds(list(foot.parts)).min(axis=1)[down]
        if len(speeds):
            parts[foot.name] = _millimetres(speeds)
        all_speeds.append(speeds)
    slides = np.concatenate(all_speeds)
    worst = _millimetres(slides[np.argmax(slides)]) if len(slides) else float("nan")
    return Measure("foot_skate", _millimetres(slides), "mm/frame", 3.0, 8.0, worst=worst, parts=parts)


@of_motions
def mann_skate(clip: Clip, *, floor: float | None = None, rate: float = RATE) -> Measure:
    """Foot skate in the measure of MANN: speed over the ground weighted by closeness to it, centimetres a frame.

    Each foot counts v · (2 - 2^(h / H)) where h is how far it is above its resting height and below H = 2.5 cm; the
    mean is over all frames, feet, and in a foot over ankle and ball. Captured motion is near 0.1.

    Args:
        clip: any clip of a body with feet.
        floor: height of the ground, metres; found from the motion if left out.
        rate: frames a second.
    """
    feet = known_feet(clip.body)
    seen = watch(clip, rate=rate)
    level = floor_of(clip, watched=seen) if floor is None else floor
    values = [_mann_weight(seen, joints, level) * seen.level_speeds(joints) for joints in map(_ankle_and_ball, feet)]
    slides = np.concatenate([each.ravel() for each in values]) * 100.0 * seen.step if values else np.zeros(0)
    return Measure("mann_skate", float(slides.mean()) if len(slides) else float("nan"), "cm/frame", 0.15, 0.4)


def in_contact(marks: Iterable[Mark], foot: str, times: FloatArray) -> BoolArray:
    """(T,) whether the foot called ``foot`` is on the ground by its marks."""
    down = np.zeros(len(times), bool)
    for mark in marks:
        if mark.name == f"{foot} contact":
            down |= (times >= mark.time) & (times <= mark.until)
    return down


def _ankle_and_ball(foot: Foot) -> list[int]:
    return [foot.heel, *foot.toes[:1]]


def _mann_weight(seen: Watched, joints: list[int], floor: float) -> FloatArray:
    above = seen.heights(joints) - rest_heights(seen.body, joints) - floor
    return np.where(above < MANN_HEIGHT, 2.0 - 2.0 ** np.clip(above / MANN_HEIGHT, 0.0, 1.0), 0.0)


def _millimetres(speeds: FloatArray | float) -> float:
    return float(np.mean(speeds)) * 1000.0 * FRAME if np.size(speeds) else float("nan")
