"""Likeness: whether a motion on one body looks like the motion on another that it was made from."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.clip.sides import other_side
from mummer.measure.door import of_motions
from mummer.measure.measure import Measure
from mummer.measure.segments import END_EFFECTORS, angles_between, directions, segments_of
from mummer.measure.watched import RATE, Watched, watch, watch_at

SWAP_ANGLE = 8.0
"""Degrees by which a limb must look better as the other side's before it counts as swapped."""


def watch_both(clip: Clip, source: Clip, rate: float) -> tuple[Watched, Watched]:
    """The two at the same moments, counted from the start of each."""
    theirs = watch(source, rate=rate)
    times = np.clip(theirs.times - source.start + clip.start, clip.start, clip.end)
    return watch_at(clip, times), theirs


@of_motions
def bone_direction_error(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """The angle between segments of the two bodies (arms, legs, trunk, neck) in the world, in degrees on average."""
    mine, theirs = watch_both(clip, source, rate)
    own, other = segments_of(clip.body), segments_of(source.body)
    angles = {
        name: angles_between(directions(mine.places, own[name]), directions(theirs.places, other[name]))
        for name in own
        if name in other
    }
    if not angles:
        return Measure("bone_direction_error", float("nan"), "°", 3.0, 8.0)
    every = np.concatenate(list(angles.values()))
    parts = {name: float(values.mean()) for name, values in angles.items()}
    return Measure("bone_direction_error", float(every.mean()), "°", 3.0, 8.0, worst=float(every.max()), parts=parts)


@of_motions
def end_effector_error(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """How far hands, feet and head are, seen from the hips, from where the source has them; percent of body height."""
    mine, theirs = watch_both(clip, source, rate)
    first, second = clip.body.anatomy, source.body.anatomy
    parts: dict[str, float] = {}
    if first is not None and second is not None and "hips" in first.roles and "hips" in second.roles:
        for role in END_EFFECTORS:
            if role in first.roles and role in second.roles:
                away = _from_hips(mine, first.roles[role], first.roles["hips"])
                away = away - _from_hips(theirs, second.roles[role], second.roles["hips"])
                parts[role] = float(np.linalg.norm(away, axis=1).mean()) * 100.0
    value = float(np.mean(list(parts.values()))) if parts else float("nan")
    return Measure("end_effector_error", value, "% height", 5.0, 12.0, parts=parts)


@of_motions
def side_swaps(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """How many limbs move as the other side's should: left for right. Motions alike on both sides cannot tell."""
    mine, theirs = watch_both(clip, source, rate)
    own, other = segments_of(clip.body), segments_of(source.body)
    parts = {}
    for name in own:
        across = other_side(name)
        if name in other and across in other and across != name:
            here = directions(mine.places, own[name])
            straight = angles_between(here, directions(theirs.places, other[name])).mean()
            crossed = angles_between(here, directions(theirs.places, other[across])).mean()
            parts[name] = float(straight - crossed > max(SWAP_ANGLE, 0.5 * straight))
    return Measure("side_swaps", float(sum(parts.values())), "segments", 0.0, 0.0, parts=parts)


@of_motions
def dropped_energy(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """The share of the source's movement of segments that the clip does not show, in percent; 0 is nothing lost.

    Movement is how fast segments change their direction, squared; a segment that the other body lacks is lost whole.
    """
    mine, theirs = watch_both(clip, source, rate)
    own, other = segments_of(clip.body), segments_of(source.body)
    kept = total = 0.0
    for name, pair in other.items():
        given = _turning(directions(theirs.places, pair), theirs.step)
        total += given
        if name in own:
            kept += min(given, _turning(directions(mine.places, own[name]), theirs.step))
    return Measure("dropped_energy", 100.0 * (1 - kept / total) if total > 1e-9 else float("nan"), "%", 5.0, 20.0)


def _from_hips(seen: Watched, joint: int, hips: int) -> FloatArray:
    return np.asarray((seen.places[:, joint] - seen.places[:, hips]) / seen.height)


def _turning(along: FloatArray, step: float) -> float:
    return float(np.mean(np.sum(np.diff(along, axis=0) ** 2, axis=-1))) / step**2 if len(along) > 1 else 0.0
