"""The everyday things that ``mummer clip`` does to a motion, each one operator of the clip language."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mummer.character import Character, Recording
from mummer.clip.analysis.cycles import find_cycle
from mummer.clip.bands import Banded
from mummer.clip.blend import Blend
from mummer.clip.clip import Clip
from mummer.clip.ground_path import Mode
from mummer.clip.loop import Loop
from mummer.clip.mirror import Mirror
from mummer.clip.retimed import Reverse, Trim
from mummer.clip.root_motion import InPlace
from mummer.clip.sampled import Sampled
from mummer.clip.time_warp import TimeWarp, at_speed
from mummer.errors import InputError
from mummer.report import ReportBuilder


@dataclass(frozen=True)
class Edits:
    """What to do, in the order in which it is done; what is left at its default is not done.

    Attributes:
        trim: seconds from and until; None for the start or the end.
        cycle: cut out one cycle, where the motion repeats best.
        smooth: 0 to 1, how much of what is fast is taken away.
        reverse: play backwards.
        speed: how many times as fast.
        mirror: left for right.
        loop: how often.
        blend: the clip to flow into.
        overlap: seconds that it overlaps.
        in_place: how the way over the ground is taken out.
    """

    trim: tuple[float | None, float | None] | None = None
    cycle: bool = False
    smooth: float = 0.0
    reverse: bool = False
    speed: float = 1.0
    mirror: bool = False
    loop: int = 1
    blend: Clip | None = None
    overlap: float = 0.3
    in_place: Mode | None = None


def edit(clip: Clip, edits: Edits, report: ReportBuilder) -> Clip:
    """The clip with ``edits`` done to it."""
    if edits.trim is not None:
        begin, finish = edits.trim
        clip = Trim(clip, clip.start if begin is None else begin, clip.end if finish is None else finish)
    if edits.cycle:
        clip = _cut_cycle(clip, report)
    if edits.smooth:
        clip = Banded(clip, gains_of(edits.smooth), rate_of(clip))
    if edits.reverse:
        clip = Reverse(clip)
    if edits.speed != 1.0:
        clip = TimeWarp(clip, at_speed(clip.start, clip.end, edits.speed))
    if edits.mirror:
        clip = Mirror(clip)
    if edits.loop != 1:
        clip = Loop(clip, edits.loop)
    if edits.blend is not None:
        clip = Blend(clip, edits.blend, edits.overlap, align="ground")
    if edits.in_place is not None:
        clip = InPlace(clip, edits.in_place, rate_of(clip))
    return clip


def _cut_cycle(clip: Clip, report: ReportBuilder) -> Clip:
    cycle = find_cycle(clip)
    report.add(
        "guessed",
        f"one cycle runs from {cycle.start:.3f} to {cycle.end:.3f} s (confidence {cycle.confidence:.2f})",
    )
    return cycle.cut(clip)


def gains_of(amount: float) -> tuple[float, float]:
    """The gains of the two fastest bands for an amount of smoothing from 0 to 1."""
    if not 0 <= amount <= 1:
        raise InputError(f"--smooth {amount:g} makes no sense; expected 0 (nothing) to 1 (most)")
    return 1.0 - amount, 1.0 - 0.5 * amount


def parse_span(text: str) -> tuple[float | None, float | None]:
    """``A:B`` in seconds, where either may be left out.

    Example:
        >>> parse_span("0.5:2"), parse_span(":2")
        ((0.5, 2.0), (None, 2.0))
    """
    begin, colon, finish = text.partition(":")
    try:
        span = (float(begin) if begin.strip() else None, float(finish) if finish.strip() else None)
    except ValueError:
        span = (None, None)
        colon = ""
    if not colon or not all(value is None or np.isfinite(value) for value in span):
        raise InputError(f"{text!r} is not a stretch of time; expected A:B in seconds, as in 0.5:2 or :2")
    return span


def played(character: Character, name: str) -> Sampled:
    """The recording called ``name`` as a clip; the only one, or the first, if no name is given.

    Raises:
        InputError: if there is no motion in the file.
    """
    if not character.recordings:
        raise InputError(f"{character.name!r} holds no animation; mummer clip needs one")
    return Sampled(character, character.recording(name) if name else character.recordings[0])


def played_on(character: Character, other: Character, name: str, report: ReportBuilder) -> Sampled:
    """A recording of ``other`` as a clip of ``character``, whose joints must have the same names and parents."""
    clip = played(other, name)
    mine, theirs = character.skeleton, other.skeleton
    if mine.names != theirs.names or not np.array_equal(mine.parents, theirs.parents):
        raise InputError(
            f"{other.name!r} cannot be blended with {character.name!r}: "
            f"their skeletons of {len(theirs)} and {len(mine)} joints are not the same"
        )
    if not mine.same_as(theirs):
        report.add("unusual", f"{other.name!r} has other proportions; its rotations are played on {character.name!r}")
    return replace(clip, character=character)


def rate_of(clip: Clip) -> float:
    """Frames a second of the recordings in a clip: the highest that is stated or seen in their keys, else 30."""
    if isinstance(clip, Sampled):
        return _rate(clip.recording)
    return max((rate_of(part) for part in clip.parts), default=30.0)


def _rate(recording: Recording) -> float:
    if recording.frame_rate:
        return float(recording.frame_rate)
    steps = np.diff(recording.key_times)
    return float(np.clip(round(1.0 / float(np.median(steps)), 3), 10.0, 240.0)) if len(steps) else 30.0
