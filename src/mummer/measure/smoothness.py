"""Smoothness: jerk, the rate at which accelerations change, which the eye sees as pops and shaking."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.analysis.feet import known_feet
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.measure.door import of_motions
from mummer.measure.likeness import watch_both
from mummer.measure.measure import Measure
from mummer.measure.segments import directions, segments_of, shared_roles
from mummer.measure.watched import RATE, Watched, watch


@of_motions
def jerk(clip: Clip, *, rate: float = RATE) -> Measure:
    """How fast accelerations of joints change, in body heights a second cubed; the root mean square over all.

    Args:
        clip: any clip.
        rate: samples a second; use that of the recording, or its keys are seen as corners.

    Raises:
        InputError: if the clip has fewer than four samples.
    """
    values = _jerks(clip, rate)
    return Measure("jerk", _rms(values), "heights/s³", 5000.0, 15000.0, worst=float(values.max()))


@of_motions
def jerk_ratio(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """The jerk of the clip over that of its source, each by the height of its own body; 1 is as smooth.

    Only joints that both bodies have, by their roles, are compared; all joints where they share none.
    """
    joints = [list(each) for each in shared_roles(clip.body, source.body)]
    mine, theirs = (
        _rms(_jerks(each, rate)[:, own or slice(None)]) for each, own in zip((clip, source), joints, strict=True)
    )
    ratio = mine / theirs if theirs > 1e-9 else (1.0 if mine <= 1e-6 else float("inf"))
    return Measure("jerk_ratio", ratio, "×", 1.15, 1.3)


@of_motions
def turning_jerk_ratio(clip: Clip, source: Clip, *, rate: float = RATE) -> Measure:
    """As `jerk_ratio`, but of directions of segments, and of the hips in leg lengths: proportions do not count.

    A body with a large head and short legs moves its feet less for its height than others do, however smoothly; arms
    and legs that turn alike have a ratio of 1 here.
    """
    mine, theirs = watch_both(clip, source, rate)
    if len(theirs.times) < 4:
        raise InputError(f"a clip of {clip.duration:g} s has too few samples at {rate:g} a second; expected 4 or more")
    own, other = segments_of(clip.body), segments_of(source.body)
    both = [name for name in own if name in other]
    values = [_turning(seen, [chosen[name] for name in both]) for seen, chosen in ((mine, own), (theirs, other))]
    ratio = values[0] / values[1] if values[1] > 1e-9 else (1.0 if values[0] <= 1e-6 else float("inf"))
    return Measure("turning_jerk_ratio", ratio, "×", 1.15, 1.3)


def _turning(seen: Watched, pairs: list[tuple[int, int]]) -> float:
    """The root mean square of third differences: of directions (unit length), and of hips in leg lengths."""
    tracks = [directions(seen.places, pair) for pair in pairs]
    roles, feet = (seen.body.anatomy.roles if seen.body.anatomy else {}), known_feet(seen.body)
    if "hips" in roles and feet:
        tracks.append(seen.places[:, roles["hips"]] / float(np.mean([foot.leg for foot in feet])))
    third = [np.linalg.norm(np.diff(track, n=3, axis=0), axis=-1) / seen.step**3 for track in tracks]
    return _rms(np.concatenate(third)) if third else 0.0


def _jerks(clip: Clip, rate: float) -> FloatArray:
    """(T - 3, J) the lengths of third differences."""
    seen = watch(clip, rate=rate)
    if len(seen.times) < 4:
        raise InputError(f"a clip of {clip.duration:g} s has too few samples at {rate:g} a second; expected 4 or more")
    third = np.diff(seen.places, n=3, axis=0) / (seen.step**3 * seen.height)
    return np.asarray(np.linalg.norm(third, axis=-1))


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values**2)))
