"""Which poses a BVH file gets: those of one recording, at even times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mummer.arrays import FloatArray
from mummer.character import Character, Mark, Pose, Recording
from mummer.errors import InputError
from mummer.report import ReportBuilder

DEFAULT_RATE = 30.0
_HIGHEST_GUESSED_RATE = 240.0
_MOST_FRAMES = 10_000_000


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses at even times.

    Attributes:
        poses: a batch of T poses.
        frame_time: seconds from a frame to the next.
        marks: named moments, in seconds after the first frame.
    """

    poses: Pose
    frame_time: float
    marks: tuple[Mark, ...] = ()


def choose_frames(
    character: Character, recording: str | Recording | None, frame_rate: float | None, report: ReportBuilder
) -> Frames:
    """The poses to write.

    Args:
        character: whose motion it is.
        recording: one of its recordings or the name of one; the first if None.
        frame_rate: frames a second; those of the recording if None.
        report: takes what is left out.

    Raises:
        InputError: if there is no such recording, or the rate is not a positive number.
    """
    if frame_rate is not None and not 1e-4 <= frame_rate <= 1e6:
        raise InputError(f"frame_rate is {frame_rate}; expected frames a second, for instance 30")
    chosen = character.recording(recording) if isinstance(recording, str) else recording
    if chosen is None and character.recordings:
        chosen = character.recordings[0]
        if len(character.recordings) > 1:
            others = len(character.recordings) - 1
            report.add("ignored", f"a BVH file holds one recording; only {chosen.name!r} is written", count=others)
    if chosen is None:
        return Frames(Pose.rest(character.skeleton, (1,)), 1 / (frame_rate or DEFAULT_RATE))
    if chosen.base.joint_count != len(character.skeleton):
        joints = chosen.base.joint_count
        raise InputError(
            f"recording {chosen.name!r} is for {joints} joints, the character has {len(character.skeleton)}"
        )
    if any(curve.path == "morph" for curve in chosen.curves):
        report.add("ignored", "morph weights are left out")
    times, frame_time = _times(chosen, frame_rate, report)
    begin = float(times[0])
    marks = tuple(mark.moved(mark.time - begin, mark.until - begin) for mark in chosen.marks)
    return Frames(chosen.sample(times), frame_time, marks)


def _times(recording: Recording, frame_rate: float | None, report: ReportBuilder) -> tuple[FloatArray, float]:
    """(T,) even times within the recording, and the step between them."""
    keys = recording.key_times
    if len(keys) == 1:
        return keys, 1 / (frame_rate or recording.frame_rate or DEFAULT_RATE)
    if frame_rate is None:
        step = _even_step(keys)
        if step is not None:
            return keys, step
        # Sparse keys need frames in between: readers interpolate Euler angles, not rotations.
        dense = min(1 / float(np.median(np.diff(keys))), _HIGHEST_GUESSED_RATE)
        frame_rate = recording.frame_rate or max(dense, DEFAULT_RATE)
        report.add("repaired", f"keys are not evenly spaced; the motion is sampled {frame_rate:g} times a second")
    count = int((keys[-1] - keys[0]) * frame_rate + 1e-6) + 1
    if count > _MOST_FRAMES:
        raise InputError(f"the recording would have {count:,} frames; expected at most {_MOST_FRAMES:,}")
    return keys[0] + np.arange(count) / frame_rate, 1 / frame_rate


def _even_step(keys: FloatArray) -> float | None:
    """The step between evenly spaced times, or None if they are not."""
    first = float(keys[1] - keys[0])
    if np.array_equal(keys, keys[0] + np.arange(len(keys)) * first):
        return first
    mean = float(keys[-1] - keys[0]) / (len(keys) - 1)
    is_even = np.all(np.abs(keys - keys[0] - mean * np.arange(len(keys))) < 1e-3 * mean)
    return round(mean, 12) if is_even else None
