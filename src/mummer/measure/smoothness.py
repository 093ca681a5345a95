"""Smoothness: jerk, the rate at which accelerations change, which the eye sees as pops and shaking."""

from __future__ import annotations

import numpy as np

from mummer.arrays import FloatArray
from mummer.clip.clip import Clip
from mummer.errors import InputError
from mummer.measure.measure import Measure
from mummer.measure.segments import shared_roles
from mummer.measure.watched import RATE, watch


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


def _jerks(clip: Clip, rate: float) -> FloatArray:
    """(T - 3, J) the lengths of third differences."""
    seen = watch(clip, rate=rate)
    if len(seen.times) < 4:
        raise InputError(f"a clip of {clip.duration:g} s has too few samples at {rate:g} a second; expected 4 or more")
    third = np.diff(seen.places, n=3, axis=0) / (seen.step**3 * seen.height)
    return np.asarray(np.linalg.norm(third, axis=-1))


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values**2)))
