"""Seams: how sharply joints are accelerated where clips were joined, beside how sharply inside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import world_positions
from mummer.clip.clip import BLOCK, Clip
from mummer.errors import InputError


@dataclass(frozen=True)
class SeamCheck:
    """The largest acceleration of any joint, in metres a second squared.

    Attributes:
        at_seams: within the margin of a seam.
        inside: everywhere else.
    """

    at_seams: float
    inside: float

    @property
    def ratio(self) -> float:
        """At the seams over inside; at most 1 where nothing jumps."""
        return self.at_seams / max(self.inside, 1e-12)


def accelerations(clip: Clip, *, rate: float = 60.0) -> tuple[FloatArray, FloatArray]:
    """How joints are accelerated in the world, by second differences.

    Returns:
        times (T,) in seconds without the first and the last sample, and accelerations (T, J) in metres a second
        squared.
    """
    times = clip.times(rate)
    if len(times) < 3:
        raise InputError(f"a clip of {clip.duration:g} s has too few samples at {rate:g} a second; expected 3 or more")
    places = np.concatenate(
        [
            world_positions(clip.body.skeleton, clip.sample(times[begin : begin + BLOCK]))
            for begin in range(0, len(times), BLOCK)
        ]
    )
    step = float(times[1] - times[0])
    bend = (places[2:] - 2 * places[1:-1] + places[:-2]) / (step * step)
    return times[1:-1], np.linalg.norm(bend, axis=-1)


def check_seams(clip: Clip, seams: Sequence[float], *, rate: float = 60.0, margin: float | None = None) -> SeamCheck:
    """Whether anything jumps at ``seams``.

    Args:
        clip: for instance a loop.
        seams: seconds at which pieces were joined.
        rate: samples a second; use that of the recordings, for finer ones see their keys as corners.
        margin: seconds to either side of a seam that belong to it; by default two samples.
    """
    times, found = accelerations(clip, rate=rate)
    near = 2.0 / rate + 1e-9 if margin is None else margin
    at = np.any(np.abs(times[:, None] - np.asarray(seams, np.float64)) <= near, axis=1)
    if not at.any() or at.all():
        raise InputError(f"the seams at {list(seams)} leave nothing to compare within {clip.start:g} to {clip.end:g} s")
    return SeamCheck(float(found[at].max()), float(found[~at].max()))
