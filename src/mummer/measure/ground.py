"""Feet and the ground: how far they sink into it, how far they float above it while they should stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from mummer.arrays import FloatArray
from mummer.character.marks import Mark
from mummer.clip.analysis.contacts import contacts
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.measure.door import of_motions
from mummer.measure.floor import floor_of, rest_heights, sole_parts
from mummer.measure.measure import Measure
from mummer.measure.skate import in_contact
from mummer.measure.watched import RATE, Watched, watch

Heights = Callable[[FloatArray, FloatArray], FloatArray]
"""The height of uneven ground: a function of two arrays, x and z in metres, that gives one of heights."""
Floor = float | Heights | None
"""A level floor, uneven ground, or None for the floor that the motion itself tells."""


@of_motions
def ground_penetration(clip: Clip, *, floor: Floor = None, rate: float = RATE) -> Measure:
    """How deep the lowest part of any foot sinks into the ground at the worst moment, in percent of the body's height.

    Parts are taken to be as thick as they are high above the ground at rest.

    Args:
        clip: any clip of a body with feet.
        floor: height of the ground in metres, or a function of x and z; found from the motion if left out.
        rate: samples a second.
    """
    seen = watch(clip, rate=rate)
    above = [clearance(seen, sole_parts(clip.body, foot), floor).min(axis=1) for foot in known_feet(clip.body)]
    if not above:
        return Measure("ground_penetration", float("nan"), "% height", 1.0, 2.0)
    depth = np.maximum(-np.stack(above), 0.0) * 100.0 / seen.height
    return Measure("ground_penetration", float(depth.max()), "% height", 1.0, 2.0, worst=float(depth.max()))


@of_motions
def ground_float(
    clip: Clip, *, floor: Floor = None, marks: Iterable[Mark] | None = None, rate: float = RATE
) -> Measure:
    """How far feet hang above the ground while they should stand, in percent of the body's height, on average.

    Args:
        clip: any clip of a body with feet.
        floor: height of the ground in metres, or a function of x and z; found from the motion if left out.
        marks: when feet stand; by default as the clip itself says.
        rate: samples a second.
    """
    feet, seen = known_feet(clip.body), watch(clip, rate=rate)
    found = tuple(contacts(clip) if feet and marks is None else marks or ())
    gaps = [np.zeros(0)]
    for foot in feet:
        down = in_contact(found, foot.name, seen.times)
        gaps.append(np.maximum(clearance(seen, sole_parts(clip.body, foot), floor).min(axis=1)[down], 0.0))
    gap = np.concatenate(gaps) * 100.0 / seen.height
    value, worst = (float(gap.mean()), float(gap.max())) if len(gap) else (float("nan"), float("nan"))
    return Measure("ground_float", value, "% height", 0.7, 1.5, worst=worst)


def clearance(seen: Watched, joints: list[int], floor: Floor = None) -> FloatArray:
    """(T, n) how far joints are above where they would touch the ground, metres; below zero where they sink in."""
    if callable(floor):
        places = seen.places[:, joints]
        level = np.asarray(floor(places[..., 0], places[..., 2]), np.float64)
    else:
        level = np.asarray(floor_of(seen.clip, watched=seen) if floor is None else floor)
    return np.asarray(seen.heights(joints) - rest_heights(seen.body, joints) - level)
