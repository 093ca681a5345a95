"""What is shown: a body with one pose or many."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mummer.arrays import FloatArray, locked
from mummer.character import Character, Pose, Recording
from mummer.errors import InputError
from mummer.io import load
from mummer.io.subjects import kind_of

MOST_FRAMES = 100_000


@runtime_checkable
class Motion(Protocol):
    """Anything that gives poses over an interval of time: a recording, or a clip."""

    @property
    def start(self) -> float:
        """Seconds at which it begins."""

    @property
    def end(self) -> float:
        """Seconds at which it ends."""

    def sample(self, times: npt.ArrayLike) -> Pose:
        """A batch of poses at ``times`` (T,) in seconds."""


@runtime_checkable
class MotionOfBody(Motion, Protocol):
    """A motion that knows whose it is, such as a clip."""

    @property
    def body(self) -> Character:
        """The body that moves."""


SubjectLike = Any
"""A path or a `Character`; a pair of these and a `Pose`, a motion, or the name of one of its recordings; a clip; or a
`Subject`."""
Times = int | npt.ArrayLike | None
"""How many moments, evenly spread; or which, in seconds; or None for as many as suit."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A body and the poses it is shown in.

    Attributes:
        character: the body.
        poses: a batch of T poses.
        times: (T,) seconds of each pose.
        caption: what to write beneath; the character's name if nothing is said.
    """

    character: Character
    poses: Pose
    times: FloatArray = field(default=None)  # type: ignore[arg-type]
    caption: str = ""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        if not self.poses.shape:
            set_field(self, "poses", Pose.stack([self.poses]))
        if len(self.poses.shape) != 1 or len(self.poses) == 0:
            raise InputError(f"poses of a subject have batch shape {self.poses.shape}; expected one axis, not empty")
        if self.poses.joint_count != len(self.character.skeleton):
            raise InputError(
                f"the pose is for {self.poses.joint_count} joints; "
                f"{self.character.name!r} has {len(self.character.skeleton)}"
            )
        times = np.zeros(len(self.poses)) if self.times is None else self.times
        set_field(self, "times", locked(times))
        if self.times.shape != (len(self.poses),):
            raise InputError(f"times of a subject have shape {self.times.shape}; expected ({len(self.poses)},)")
        set_field(self, "caption", self.caption or self.character.name)

    def __len__(self) -> int:
        return len(self.poses)

    def at(self, frames: Any) -> Subject:
        """The subject at some of its frames only: a slice or an index array."""
        return replace(self, poses=self.poses[frames], times=self.times[frames])


def subject_of(given: SubjectLike, *, times: Times = None, rate: float | None = None) -> Subject:
    """A subject from whatever says one.

    Args:
        given: see `SubjectLike`. A character alone stands in its default pose.
        times: moments of a motion: how many, evenly spread, or (T,) seconds.
        rate: frames a second at which a motion is sampled if no times are given; 30 if neither is.

    Raises:
        InputError: if ``given`` is nothing that can be shown.
    """
    if isinstance(given, Subject):
        return given
    if isinstance(given, MotionOfBody):
        return _moving(given.body, given, times, rate)
    character, motion = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    if isinstance(character, (str, os.PathLike)):
        character = load(character)
    if not isinstance(character, Character):
        raise InputError(
            f"cannot show {kind_of(character)}; expected a path, a character, a clip, or (character, pose or motion)"
        )
    if isinstance(motion, str):
        motion = character.recording(motion)
    if motion is None or isinstance(motion, Pose):
        return Subject(character, character.default_pose if motion is None else motion)
    if isinstance(motion, Motion):
        return _moving(character, motion, times, rate)
    raise InputError(f"cannot show {character.name!r} with a {type(motion).__name__}; expected a pose or a motion")


def subjects_of(given: SubjectLike, *, times: Times = None, rate: float | None = None) -> tuple[Subject, ...]:
    """One subject or several: a list means several.

    Raises:
        InputError: if there is none.
    """
    subjects = tuple(
        subject_of(each, times=times, rate=rate) for each in (given if isinstance(given, list) else [given])
    )
    if not subjects:
        raise InputError("nothing to show: the list of subjects is empty")
    return subjects


def sample_times(motion: Motion, times: Times, rate: float | None) -> FloatArray:
    """(T,) seconds at which a motion is shown, see `subject_of`."""
    if times is None:
        return _times_at_rate(motion, 30.0 if rate is None else rate)
    if isinstance(times, int | np.integer):
        if not 1 <= times <= MOST_FRAMES:
            raise InputError(f"times is {times}; expected 1 to {MOST_FRAMES}")
        # A single moment is the middle one: the first is often the rest pose.
        return np.linspace(motion.start, motion.end, int(times)) if times > 1 else _middle(motion)
    stamps = np.atleast_1d(np.asarray(times, np.float64))
    if stamps.ndim != 1 or not len(stamps) or not np.isfinite(stamps).all():
        raise InputError("times must be one or more finite numbers of seconds")
    return stamps


def _times_at_rate(motion: Motion, rate: float) -> FloatArray:
    if not 0 < rate <= 1000:
        raise InputError(f"a rate of {rate:g} frames a second; expected more than 0 and at most 1000")
    count = round((motion.end - motion.start) * rate) + 1
    if count > MOST_FRAMES:
        raise InputError(f"{count} frames are more than {MOST_FRAMES}; choose a shorter part or a lower rate")
    return motion.start + np.arange(count) / rate


def _middle(motion: Motion) -> FloatArray:
    return np.array([0.5 * (motion.start + motion.end)])


def _moving(character: Character, motion: Motion, times: Times, rate: float | None) -> Subject:
    stamps = sample_times(motion, times, rate)
    name = motion.name if isinstance(motion, Recording) else ""
    return Subject(character, motion.sample(stamps), stamps, f"{character.name} · {name}" if name else "")
